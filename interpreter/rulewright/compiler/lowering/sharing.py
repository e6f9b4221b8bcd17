"""What several games of a ruleset have in common is lowered once.

Games for different variants and options often differ in a few declarations and in the values of parameters. A query, a
function or a reaction is a *unit*. What becomes of it depends on the world, on all procedures and reactions (which open
windows in each other), on the declarations that it names, directly or through others, on the ends that are looked for
in it, and on the parameters whose values it has read. The first two are the same within a *shelf*; of the others is
kept what was named and read. So a unit is taken from its shelf if all of this is the same, as in the incremental
computations of Adapton or Salsa. Units in which something is wrong are lowered anew for each game, as their findings
belong to it.

Variables are numbered within their unit. So the same program comes about whether its parts were shared or not.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

from rulewright.compiler.declaration_facts import words
from rulewright.compiler.declarations.symbol_snapshots import BY_NAME, OWN, Snapshots
from rulewright.compiler.lowering.function_builder import Ends
from rulewright.compiler.lowering.lowering_context import LoweringContext
from rulewright.compiler.overlays.declaration_set import Rules
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.syntax import ast

T = TypeVar("T")

MOST = 8
"""So many forms of a unit are kept."""

Decls = Mapping[str, ast.Decl]


@dataclass(frozen=True, slots=True)
class Unit:
    """What became of a unit."""

    decls: Decls
    """The declarations of its game."""
    reads: dict[str, object]
    """The parameters that were read, with their types and values."""
    ends: dict[str, tuple[str, ...]]
    """For each block the ends that are looked for behind it."""
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
        self.snapshots = Snapshots()
        self._speakers: dict[int, tuple[Decls, dict[str, list[str]]]] = {}

    def of(self, rules: Rules, world: SymbolTable, watched: frozenset[str]) -> Shelf:
        """The shelf for a game, whose world has just been made; properties watch some blocks."""
        held = (*(d for d in rules.decls.values() if not isinstance(d, BY_NAME)), *rules.precedence)
        key = (world.player_count, watched, tuple(map(id, held)))
        seen = {f.name: getattr(world, f.name) for f in fields(world) if f.name not in OWN}
        shelves = self._shelves.setdefault(key, [])
        for shelf in shelves:
            if shelf.world == seen:
                return shelf
        # Worlds take in types without a name while rules are lowered.
        made = Shelf({name: dict(one) if isinstance(one, dict) else one for name, one in seen.items()}, held)
        shelves.append(made)
        return made

    def speakers(self, decls: Decls) -> dict[str, list[str]]:
        """For each word the names of the declarations of a game in which it stands."""
        known = self._speakers.get(id(decls))
        if known is None:
            found: dict[str, list[str]] = {}
            for name, decl in decls.items():
                for word in words(decl):
                    found.setdefault(word, []).append(name)
            known = self._speakers[id(decls)] = decls, found
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
        self._concerned: dict[int, frozenset[str] | None] = {}
        self._reactions = frozenset(d.name for d in rules.decls.values() if isinstance(d, ast.Reaction))
        """Their windows may open in any procedure."""

    def unit(self, kind: str, name: str, make: Callable[[], T], of: tuple[str, ...] = ()) -> T:
        """What `make` makes of a unit, now or for another game; `of` are its declarations, if its name is not one."""
        key = f"{kind} {name}"
        report = self.context.report
        known = None if report.found else self._known(key, of or (name,))
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
            self.rules.decls, {n: world.params[n] for n in sorted(reads)}, ends.looked, universes,
            tuple(world.asked), context.typed, tuple(context.streams), made,
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

    def _known(self, key: str, names: tuple[str, ...]) -> Unit | None:
        params, after = self.world.params, self.ends.after
        for unit in self.shelf.units.get(key, ()):
            concerned = self._concerned_since(unit.decls)
            if (
                concerned is not None
                and concerned.isdisjoint(names)
                and not any(end in concerned for ends in unit.ends.values() for end in ends)
                and all(params[name] == value for name, value in unit.reads.items())
                and all(tuple(after.get(block, ())) == ends for block, ends in unit.ends.items())
                and unit.universes == tuple(self.world.universes)
            ):
                return unit
        return None

    def _concerned_since(self, decls: Decls) -> frozenset[str] | None:
        """The declarations of another game that speak, directly or through others, of a name that stands for something
        else in this one; None if a reaction is among them, which concerns everything. Parameters are compared by their
        values."""
        if id(decls) not in self._concerned:
            own = self.rules.decls
            changed = {
                name
                for name in own.keys() | decls.keys()
                if (a := own.get(name)) is not (b := decls.get(name))
                and not (isinstance(a, ast.Parameter) and isinstance(b, ast.Parameter))
            }
            found, todo = set(changed), list(changed)
            speakers = self.shelves.speakers(decls) if changed else {}
            while todo:
                for speaker in speakers.get(todo.pop(), ()):
                    if speaker not in found:
                        found.add(speaker)
                        todo.append(speaker)
            self._concerned[id(decls)] = None if found & self._reactions else frozenset(found)
        return self._concerned[id(decls)]

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
        """What is lowered now depends on a query or possibility."""
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
