"""Lowered code that several games of a ruleset have in common, made once.

Games for different variants and options often differ in a few declarations and in the values of parameters. A query, a
function, a reaction or a zone is a *unit*. What becomes of it depends on the world, on all procedures and reactions
(which open windows in each other), on its own declaration and those that it names, on the ends that are looked for in
it, on the parameters whose values it has read, and on its lookups of queries: their signatures, not their bodies. The
first two are the same for all :class:`SharedUnits`; of the others is kept what was named, read and looked up. So a unit
is taken from there if all of this is the same, as in the incremental computations of Adapton or Salsa. Its errors are
reported again, provided that the game has the same names: what was meant is guessed from them.

Variables are numbered within their unit. So the same program comes about whether its parts were shared or not.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import field, fields
from typing import Any, TypeVar, cast

from rulewright.compiler.declaration_facts import words
from rulewright.compiler.lowering.decided_alone import CONDUCT, conduct_of
from rulewright.compiler.lowering.function_builder import Ends
from rulewright.compiler.lowering.lowering_context import LoweringContext, TypedExpressions
from rulewright.compiler.overlays.declaration_set import Rules
from rulewright.compiler.signatures import Signatures
from rulewright.compiler.symbols.symbol_cache import OWN, Snapshots, held_declarations
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.diagnostics import NOWHERE, Diagnostic
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.syntax import ast

T = TypeVar("T")

MOST, SETS = 8, 128
"""So many forms of a unit are kept, those made last, and so many sets of units."""

_NAMED = (ast.Parameter, ast.Query | ast.Value, ast.Limits)
"""The sorts of things, besides those that are the same for a whole set of units, that rules name."""

Decls = Mapping[str, ast.Decl]


@dataclass(frozen=True, slots=True)
class Unit:
    """A lowered unit, and all that it depends on."""

    decls: Decls
    """The declarations of its game."""
    reads: dict[str, object]
    """The parameters that were read, with their types and values."""
    ends: dict[str, tuple[str, ...]]
    """For each block the ends that are looked for behind it."""
    universes: tuple[str, ...]
    """The universes that there were, those of types without a name included."""
    lookups: tuple[tuple[tuple[str, str], object], ...]
    """The queries, possibilities, limits, matches and conduct that it asks for, in this order, and the answers."""
    typed: TypedExpressions
    streams: tuple[str, ...]
    made: Any
    findings: tuple[Diagnostic, ...]
    """The mistakes in it."""


@dataclass(slots=True)
class SharedUnits:
    """The units of all games that have the same world, procedures and reactions."""

    world: dict[str, object]
    held: tuple[object, ...]
    """Kept, so that their identities stay theirs."""
    units: dict[str, list[Unit]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Invalidation:
    """The declarations of one game whose units do not hold in another: those that are not what they were, or that
    speak, directly or through others, of a word that stands for something else. None if a reaction is among these,
    which concerns everything.

    What merely has another text is compared by its answers (:meth:`Sharing._answered`), and parameters are compared by
    their values.
    """

    declarations: set[str] | None
    same_names: bool
    """True if each word stands for the same sort of thing."""


class UnitCache:
    """The lowered units of a ruleset, before an edit and after it."""

    def __init__(self) -> None:
        self._shared: dict[Hashable, list[SharedUnits]] = {}
        self.signatures = Signatures()
        self.snapshots = Snapshots(self.signatures.number)
        self._spoken: dict[int, tuple[Decls, tuple[tuple[str, frozenset[str]], ...]]] = {}
        self._invalidations: dict[tuple[int, int], tuple[Decls, Decls, Invalidation]] = {}

    def of(self, rules: Rules, world: SymbolTable, watched: frozenset[str]) -> SharedUnits:
        """The units for a game, whose world has just been made; properties watch some blocks."""
        held = (*held_declarations(rules.decls), *rules.precedence)
        signatures = self.signatures.number(rules.decls)
        key = (world.player_count, watched, bool(rules.all(ast.End)), signatures, tuple(map(id, held)))
        seen = {f.name: getattr(world, f.name) for f in fields(world) if f.name not in OWN}
        seen["calls"] = {name: (call.params, call.result) for name, call in world.calls.items()}
        known = self._shared.setdefault(key, [])
        for shared in known:
            if shared.world == seen:
                return shared
        while len(self._shared) > SETS:
            del self._shared[next(iter(self._shared))]
        # Worlds take in types without a name while rules are lowered.
        made = SharedUnits({name: dict(one) if isinstance(one, dict) else one for name, one in seen.items()}, held)
        known.append(made)
        return made

    def invalidation(self, before: Decls, after: Decls) -> Invalidation:
        """The units of the game with the declarations `before` that do not hold in that with those `after`."""
        key = id(before), id(after)
        if key not in self._invalidations:
            while len(self._invalidations) > SETS:
                del self._invalidations[next(iter(self._invalidations))]
            changed = {name for name, decl in before.items() if after.get(name) is not decl}
            changed |= after.keys() - before.keys()
            renamed = {n for n in changed if _renamed(after.get(n), before.get(n))}
            speaking = self.speakers(before, renamed) if renamed else renamed
            invalid = None if any(isinstance(before.get(n), ast.Reaction) for n in speaking) else speaking | changed
            self._invalidations[key] = before, after, Invalidation(invalid, not renamed)
        return self._invalidations[key][2]

    def speakers(self, decls: Decls, named: Iterable[str]) -> set[str]:
        """The declarations of a game in which one of some words stands, or the name of another such declaration; and
        these words."""
        known = self._spoken.get(id(decls))
        if known is None:
            while len(self._spoken) > SETS:
                del self._spoken[next(iter(self._spoken))]
            spoken = tuple((name, words(decl)) for name, decl in decls.items())
            known = self._spoken[id(decls)] = decls, spoken
        found = new = set(named)
        while new:
            new = {name for name, mentioned in known[1] if name not in found and not mentioned.isdisjoint(new)}
            found = found | new
        return found


class Sharing:
    """Lowers the units of one game, or takes them from those that are shared."""

    def __init__(
        self, cache: UnitCache, rules: Rules, context: LoweringContext, ends: Ends, watched: frozenset[str]
    ) -> None:
        self.cache, self.rules, self.context, self.ends = cache, rules, context, ends
        self.world = context.world
        self.shared = cache.of(rules, self.world, watched)
        self.made: dict[tuple[str, str], object] = {}
        """The units of this game, lowered."""
        self.units: dict[tuple[str, str], Unit] = {}
        """The units whose dependences are all known."""
        self._universes = tuple(self.world.universes)
        self._nested = 0
        """The findings in units that were made inside the one that is being made."""

    def unit(self, kind: str, name: str, make: Callable[[], T], of: tuple[str, ...] = ()) -> T:
        """The result of `make` for a unit, in this or another game; `of` are its declarations if its name is none."""
        key = f"{kind} {name}"
        known = self._known(key, of or (name,))
        if known is not None:
            self.units[kind, name] = known
            self.context.typed.take((kind, name), known.typed)
            self.context.streams.update(dict.fromkeys(known.streams))
            for finding in known.findings:
                self.context.report.note(finding)
            self._nested += len(known.findings)
        self.made[kind, name] = made = self._make(kind, name, make) if known is None else known.made
        return cast(T, made)

    @property
    def universes(self) -> tuple[str, ...]:
        """The universes of the game; types without a name are taken in while rules are lowered."""
        if len(self._universes) != len(self.world.universes):
            self._universes = tuple(self.world.universes)
        return self._universes

    def renew(self, rules: Rules) -> None:
        """From here on these are the rules of the game."""
        self.rules = rules

    def _make(self, kind: str, name: str, make: Callable[[], object]) -> object:
        world, context, ends = self.world, self.context, self.ends
        universes = self.universes
        typed, context.typed = context.typed, TypedExpressions()
        streams, context.streams = context.streams, {}
        looked, ends.looked = ends.looked, {}
        reads, world.reads = world.reads, set()
        lookups, world.lookups = world.lookups, {}
        numbered, context.numbered = context.numbered, 0
        outside, self._nested = self._nested, 0
        begun = len(context.report.found)
        made = make()
        findings, nested = tuple(context.report.found[begun:]), self._nested
        self._nested = outside + len(findings)
        questions, world.lookups = world.lookups, {}
        if not nested and len(world.universes) == len(universes):
            answers = tuple((question, self._answer(*question)) for question in questions)
            values: dict[str, object] = {name: world.params[name] for name in sorted(world.reads)}
            found = self.context.typed, tuple(context.streams)
            unit = Unit(self.rules.decls, values, ends.looked, universes, answers, *found, made, findings)
            kept = self.shared.units.setdefault(f"{kind} {name}", [])
            del kept[: max(0, 1 + len(kept) - MOST)]
            kept.append(unit)
            self.units[kind, name] = unit
        typed.take((kind, name), context.typed)
        streams.update(context.streams)
        context.typed, context.streams, context.numbered, ends.looked = typed, streams, numbered, looked
        world.reads, world.lookups = reads, lookups
        return made

    def _known(self, key: str, names: tuple[str, ...]) -> Unit | None:
        params, after = self.world.params, self.ends.after
        for unit in self.shared.units.get(key, ()):
            invalid = self.cache.invalidation(unit.decls, self.rules.decls)
            if (
                invalid.declarations is not None
                and invalid.declarations.isdisjoint(names)
                and (invalid.same_names or not unit.findings)
                and (not unit.reads or all(params.get(name) == value for name, value in unit.reads.items()))
                and (not unit.ends or all(tuple(after.get(block, ())) == ends for block, ends in unit.ends.items()))
                and unit.universes == self.universes
                and (not unit.lookups or self._answered(unit))
            ):
                return unit
        return None

    def _answered(self, unit: Unit) -> bool:
        """True if the questions of a unit have the same answers here.

        As long as it is, its next lookup would be the same here: so nothing is lowered that would not be otherwise.
        """
        lookups, self.world.lookups = self.world.lookups, {}
        same = all(_same(self._answer(*question), old) for question, old in unit.lookups)
        self.world.lookups = lookups
        return same

    def _answer(self, kind: str, name: str) -> object:
        """The answer to a question: a signature, a possibility, limits, or a unit that is part of others."""
        queries = self.world.queries
        if queries.running(kind, name):
            return object()  # a cycle, which is reported where it is closed
        if kind == "query":
            return queries.signature(name, NOWHERE)
        if kind == "possible":
            return queries.possible(name, NOWHERE), queries.certain(name)
        if kind == CONDUCT:
            return conduct_of(self.world, name) if name in self.world.calls else None
        if kind == "limits":
            return self.rules.decls.get(name)
        return self.made.get((kind, name))


def _renamed(a: ast.Decl | None, b: ast.Decl | None) -> bool:
    """True if a word stands for another sort of thing, of those that rules name."""
    return [isinstance(a, kind) for kind in _NAMED] != [isinstance(b, kind) for kind in _NAMED]


def _same(a: object, b: object) -> bool:
    """True if two answers are the same; equal declarations at different places are not."""
    return a is b or (not isinstance(a, ast.Node) and a == b)
