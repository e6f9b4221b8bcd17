"""Sharing of lowered units: what several games of a ruleset have in common is lowered once.

Games for different variants and options often differ in a few declarations and in the values of parameters. A query, a
function or a reaction is a *unit*. What becomes of it depends on the world, on all procedures and reactions (which open
windows in each other), on the declarations that it names, directly or through others, on the ends that are looked for
in it, and on the parameters whose values it has read. The first two are the same within a *shelf*; of the others is
kept what was named and read. So a unit is taken from its shelf if all of this is the same, as in the incremental
computations of Adapton or Salsa. Units in which something is wrong are lowered again for each game, as their findings
belong to it.

Variables are numbered within their unit. So the same program comes about whether its parts were shared or not.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from rulewright.compiler.lowering.function_builder import Ends
from rulewright.compiler.lowering.lowering_context import LoweringContext
from rulewright.compiler.overlays.declaration_set import Rules
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.tree_walk import words
from rulewright.syntax import ast

T = TypeVar("T")

MOST = 8
"""So many forms of a unit are kept."""

_OWN = frozenset(("report", "params", "query_decls", "queries", "reads", "asked"))
"""Attributes that each world has for itself, besides the values of parameters."""

_BY_NAME = (
    *(ast.Parameter, ast.Query, ast.Value, ast.Limits, ast.End, ast.Consequence),
    *(ast.Invariant, ast.Property, ast.Witness),
)
"""Declarations on which units depend by name, or not at all. All others are the same for a whole shelf."""

Decls = Mapping[str, ast.Decl]


@dataclass(frozen=True, slots=True)
class Unit:
    """The lowered form of a unit."""

    decls: Decls
    """The declarations of its game."""
    words: frozenset[str]
    """All that it names, directly or through others."""
    reads: dict[str, object]
    """The parameters that were read, with their types and values."""
    ends: dict[str, tuple[str, ...]]
    """For each block the ends that are looked for after it."""
    universes: tuple[str, ...]
    """The universes that there were, those of types without a name included."""
    asked: tuple[tuple[str, str], ...]
    """Queries and possibilities that it asks, and which must be there before."""
    typed: dict[int, Any]
    streams: tuple[str, ...]
    made: Any


@dataclass(slots=True)
class Shelf:
    """The units of all games that have the same world, procedures and reactions."""

    world: dict[str, object]
    held: tuple[object, ...]
    """Kept, so that their identities stay theirs."""
    units: dict[str, list[Unit]] = field(default_factory=dict)


class Shelves:
    """The shelves of a ruleset."""

    def __init__(self) -> None:
        self._shelves: dict[Hashable, list[Shelf]] = {}
        self._words: dict[int, tuple[object, frozenset[str]]] = {}

    def of(self, rules: Rules, world: SymbolTable, watched: frozenset[str]) -> Shelf:
        """The shelf for a game, whose world has just been made; properties watch some blocks."""
        held = (*(d for d in rules.decls.values() if not isinstance(d, _BY_NAME)), *rules.precedence)
        key = (world.player_count, watched, tuple(map(id, held)))
        seen = {f.name: getattr(world, f.name) for f in fields(world) if f.name not in _OWN}
        shelves = self._shelves.setdefault(key, [])
        for shelf in shelves:
            if shelf.world == seen:
                return shelf
        # Worlds take in types without a name while rules are lowered.
        made = Shelf({name: dict(one) if isinstance(one, dict) else one for name, one in seen.items()}, held)
        shelves.append(made)
        return made

    def words(self, decl: ast.Node) -> frozenset[str]:
        """The words of a declaration."""
        known = self._words.get(id(decl))
        if known is None:
            known = self._words[id(decl)] = decl, frozenset(words(decl))
        return known[1]


class Sharing:
    """Lowers the units of one game, or takes them from a shelf."""

    def __init__(
        self, shelves: Shelves, rules: Rules, context: LoweringContext, ends: Ends, watched: frozenset[str]
    ) -> None:
        self.shelves, self.rules, self.context, self.ends = shelves, rules, context, ends
        self.world = context.world
        self.shelf = shelves.of(rules, self.world, watched)
        self.reads: dict[tuple[str, str], frozenset[str]] = {}
        """The parameters on which each query and possibility depends."""
        self._closures: dict[str, frozenset[str]] = {}
        self._changed: dict[int, frozenset[str]] = {}
        reactions = [d.name for d in rules.decls.values() if isinstance(d, ast.Reaction)]
        self._windows = self._closure(*reactions)
        """Names that the windows in procedures depend on."""

    def unit(self, kind: str, name: str, make: Callable[[], T]) -> T:
        """The result of `make` for a unit, made now or for another game."""
        key = f"{kind} {name}"
        report = self.context.report
        known = None if report.found else self._known(key, name)
        if known is not None:
            return self._again((kind, name), known)  # type: ignore[no-any-return]
        world, context, ends = self.world, self.context, self.ends
        universes = tuple(world.universes)
        typed, context.typed = context.typed, {}
        streams, context.streams = context.streams, {}
        asked, world.asked = world.asked, {}
        looked, ends.looked = ends.looked, {}
        with self.apart() as reads:
            made = make()
        unit = Unit(
            self.rules.decls, self._named(name, ends.looked), {n: world.params[n] for n in sorted(reads)},
            ends.looked, universes, tuple(world.asked), context.typed, tuple(context.streams), made,
        )  # fmt: skip
        typed.update(context.typed)
        streams.update(context.streams)
        context.typed, context.streams, world.asked, ends.looked = typed, streams, asked, looked
        self.reads[kind, name] = frozenset(reads)
        if not report.found and len(world.universes) == len(universes):
            kept = self.shelf.units.setdefault(key, [])
            if len(kept) < MOST:
                kept.append(unit)
        return made

    def _named(self, name: str, looked: Mapping[str, tuple[str, ...]]) -> frozenset[str]:
        """All that a unit names, the windows in it and the ends after it included."""
        ends = [end for block in looked.values() for end in block]
        return self._closure(name, *ends) | self._windows

    def _closure(self, *names: str) -> frozenset[str]:
        """These names, and all words of what they and those words stand for."""
        found, todo = set(names), list(names)
        while todo:
            decl = self.rules.decls.get(todo.pop())
            if decl is not None:
                new = self.shelves.words(decl) - found
                found |= new
                todo.extend(new)
        return frozenset(found)

    def _known(self, key: str, name: str) -> Unit | None:
        params, after = self.world.params, self.ends.after
        for unit in self.shelf.units.get(key, ()):
            if (
                not unit.words & self._other(unit.decls)
                and all(params[name] == value for name, value in unit.reads.items())
                and all(tuple(after.get(block, ())) == ends for block, ends in unit.ends.items())
                and unit.universes == tuple(self.world.universes)
            ):
                return unit
        return None

    def _other(self, decls: Decls) -> frozenset[str]:
        """The names that stand for something else in another game; parameters are compared by their values."""
        if id(decls) not in self._changed:
            own = self.rules.decls
            self._changed[id(decls)] = frozenset(
                name
                for name in own.keys() | decls.keys()
                if (a := own.get(name)) is not (b := decls.get(name))
                and not (isinstance(a, ast.Parameter) and isinstance(b, ast.Parameter))
            )
        return self._changed[id(decls)]

    def _again(self, which: tuple[str, str], unit: Unit) -> Any:
        asked, self.world.asked = self.world.asked, {}
        for kind, name in unit.asked:
            self.world.queries.ask(kind, name)
        self.world.asked = asked
        self.context.typed.update(unit.typed)
        self.context.streams.update(dict.fromkeys(unit.streams))
        self.reads[which] = frozenset(unit.reads)
        self.world.reads.update(unit.reads)
        return unit.made

    def uses(self, kind: str, name: str) -> None:
        """Note that the unit being lowered depends on a query or possibility."""
        self.world.asked[kind, name] = None
        self.world.reads.update(self.reads.get((kind, name), ()))

    @contextmanager
    def apart(self) -> Iterator[set[str]]:
        """Number the variables from 1, and tell which parameters are read."""
        fresh, self.context.numbered = self.context.numbered, 0
        outer, self.world.reads = self.world.reads, set()
        yield self.world.reads
        outer |= self.world.reads
        self.context.numbered, self.world.reads = fresh, outer


__all__ = ["Sharing", "Shelf", "Shelves"]
