"""Effects: what expressions read and what instructions write.

The analysis asks, so that consequences look on only when they are concerned; the engine asks, so that it forgets just
the results that may have changed. Things are named by tokens: ``field x``, ``zone z``, ``merged R``, ``player`` (who is
in the game), ``side`` (any piece turned), and where a piece lies: ``in z`` (whether in that zone), ``at U`` (at which
member of a universe), ``where`` (anything else). The result may be too large, never too small.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, TypeVar, assert_never, overload

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import callees
from rulewright.ir.reads import Read, all_reads, reads
from rulewright.ir.walk import nodes

Tokens = frozenset[str]
NOTHING: Tokens = frozenset()
_LOCATIONS = ("at ", "in ", "where")


@dataclass(frozen=True, slots=True)
class OwnReads:
    """The reads that stand in an expression itself: the same in every program."""

    tokens: Tokens
    queries: tuple[str, ...]
    """Queries, areas (as ``area x``) and hypothetical functions (as ``after x``), whose reads are its own, too."""
    universes: Tokens
    """Universes of which it reads who is in them."""


def own_reads(part: object) -> OwnReads:
    """The reads of an expression or instruction, without those of what it asks."""
    return _sorted_reads(all_reads(part))


def node_reads(node: m.StateRead) -> OwnReads:
    """The reads of a node without those of the expressions inside it."""
    return _sorted_reads(reads(node))


def _sorted_reads(found: Iterable[Read]) -> OwnReads:
    tokens: set[str] = set()
    queries: dict[str, None] = {}
    universes: set[str] = set()
    for read in found:
        if read.aspect == "members":
            universes.add(read.name)
        elif read.callee:
            queries[read.callee] = None
        else:
            tokens.update(token.format(read.name) for token in _TOKENS[read.aspect])
    return OwnReads(frozenset(tokens), tuple(queries), frozenset(universes))


_TOKENS: Mapping[str, tuple[str, ...]] = {
    "field": ("field {}",),
    "pieces": ("zone {}",),
    "order": ("zone {}",),
    "contents": ("zone {}", "where", "side"),
    "in": ("in {}",),
    "at": ("at {}",),
    "slot": ("where",),
    "map": ("where",),
    "side": ("side",),
    "merged": ("merged {}",),
}
"""The tokens of each other aspect, with the name of what is read."""


def locations(zones: Iterable[m.Zone]) -> Tokens:
    """All that a question can read about where a piece lies."""
    known = tuple(zones)
    return frozenset(("where", *(f"in {z.name}" for z in known), *(f"at {u}" for z in known for u in z.index)))


def asks_location(tokens: Iterable[str]) -> bool:
    """True if it is read where a piece lies."""
    return any(token.startswith(_LOCATIONS) for token in tokens)


@memoized_by_node
def _query_reads(query: m.QueryDef) -> OwnReads:
    return own_reads(query.body)


@memoized_by_node
def _function_reads(function: m.Function) -> OwnReads:
    """The reads of a function that runs on a hypothetical position: those of the functions that it calls are asked."""
    found = [own_reads(i) for i in function.code]
    called = [f"after {name}" for name in callees(function)]
    moves = any(isinstance(i, m.Move | m.Merge) for i in function.code)
    return OwnReads(
        frozenset(("where", "side") if moves else ()).union(*(own.tokens for own in found)),
        tuple(dict.fromkeys((*(name for own in found for name in own.queries), *called))),
        frozenset().union(*(own.universes for own in found)),
    )


class EffectAnalysis:
    """Reads and writes of a program, or of the parts of one that is being made.

    `queries` come after those they ask, as in a program; an area may ask queries and the other way round.
    """

    def __init__(
        self,
        queries: Iterable[m.QueryDef],
        areas: Iterable[m.AreaMap],
        fields: Iterable[m.Field],
        zones: Iterable[m.Zone],
        kinds: Iterable[m.KindSet],
        merged: Iterable[m.MergedMap],
        graphs: Iterable[m.Graph],
        functions: Iterable[m.Function] = (),
    ) -> None:
        self._fields, self._zones = tuple(fields), tuple(zones)
        self._members = {k.name: k.members for k in kinds}
        self.declared: Hashable = (
            tuple((f.name, f.index) for f in self._fields),
            tuple((z.name, z.index, z.kinds) for z in self._zones),
            tuple(self._members.items()),
        )
        """All that decides upon what an instruction writes: equal in two programs, equal writes."""
        self._merged = frozenset(x.name for x in merged)
        tokens = (f"{what} {x.name}" for what, all_ in (("field", self._fields), ("zone", self._zones)) for x in all_)
        self._all = frozenset(("player", "where", "side", *tokens, *(f"merged {name}" for name in self._merged)))
        """All that can be read: the reads of a function that is not lowered yet."""
        self.own: dict[str, OwnReads] = {q.name: _query_reads(q) for q in queries}
        self.own |= {f"area {a.name}": own_reads(a.across) for a in areas}
        self.own |= {f"map {g.name}": own_reads(m.Grown(g.name)) for g in graphs if g.shape == "growing"}
        """The reads of queries, areas, growing maps and hypothetical functions, without those of what they ask."""
        self._functions = {f.name: f for f in functions}
        self._named: dict[str, Tokens] = {}
        self._from: dict[str, Tokens] = {}
        for name in tuple(self.own):  # in this order no query is worked out inside another
            self.reads_of(name)

    @classmethod
    def of(cls, program: m.Program) -> EffectAnalysis:
        """The analysis of a whole program."""
        p = program
        return cls(p.queries, p.areas, p.fields, p.zones, p.kinds, p.merged, p.graphs, p.functions)

    def reads_of(self, name: str) -> Tokens:
        """The reads of a query, an area (as ``area x``) or a growing map (as ``map x``)."""
        if name not in self._named:
            self._named[name] = NOTHING  # a cycle adds nothing
            self._named[name] = self.through(self.own[name])
        return self._named[name]

    def all_reads(self) -> Hashable:
        """The reads of all that has a name."""
        return frozenset(self._named.items())

    def renew(self, query: m.QueryDef) -> bool:
        """Take a query with another body; False if it reads something else than before."""
        self.own[query.name] = _query_reads(query)
        return self.through(self.own[query.name]) == self._named[query.name]

    def reads(self, expr: m.Expr) -> Tokens:
        """The reads of an expression, through queries and areas too."""
        return self.through(own_reads(expr))

    def through(self, own: OwnReads) -> Tokens:
        """The reads of an expression with those of what it asks."""
        if not own.queries and not own.universes:
            return own.tokens
        found = set(own.tokens)
        for universe in own.universes:
            if universe == "Player":
                found.add("player")
            elif universe in self._merged:
                found.add(f"merged {universe}")
        for name in own.queries:
            if name.startswith("after ") and name not in self.own:
                hypothetical = self._functions.get(name.removeprefix("after "))
                if hypothetical is None:
                    found |= self._all
                    continue
                self.own[name] = _function_reads(hypothetical)
            if name in self.own:
                found |= self.reads_of(name)
        return frozenset(found)

    def writes(self, instruction: m.Instr) -> Tokens:
        """The writes of one instruction; a call writes nothing by itself."""
        match instruction:
            case m.SetField(field):
                return frozenset((f"field {field}",))
            case m.SwapItems(zone, field):
                return frozenset((f"zone {zone}", "where") if zone else (f"field {field}",))
            case m.Reset(names):
                return frozenset(f"field {n}" for n in names)
            case m.Move(zone=zone):
                return self._moved(zone)
            case m.Flip():
                return frozenset(("side",))
            case m.Merge(merged):
                zones = {f"zone {z.name}" for z in self._zones if merged in z.index}
                fields = {f"field {f.name}" for f in self._fields if merged in f.index}
                return frozenset((f"merged {merged}", f"at {merged}", "where", *zones, *fields))
            case m.Eliminate():
                return frozenset(("player",))
            case _ if isinstance(instruction, m.NoStateChange):
                return NOTHING
            case _:
                assert_never(instruction)

    def _moved(self, zone: str) -> Tokens:
        """The tokens of what changes when a piece goes to a zone: that one, and those that it may come from."""
        if zone not in self._from:
            kinds = next(z.kinds for z in self._zones if z.name == zone)
            self._from[zone] = self._content([z for z in self._zones if self._meet(kinds, z.kinds)])
        return self._from[zone]

    def _content(self, zones: Sequence[m.Zone]) -> Tokens:
        """The tokens of what changes when pieces go from some zones to others of them."""
        named = (token for zone in zones for token in (f"zone {zone.name}", f"in {zone.name}"))
        return frozenset((*named, *(f"at {universe}" for zone in zones for universe in zone.index), "where", "side"))

    def _meet(self, a: tuple[str, ...], b: tuple[str, ...]) -> bool:
        """True if a piece can be of one of these kinds and of one of those; no kinds are all kinds."""
        return not a or not b or any(self._members[x] & self._members[y] for x in a for y in b)


A = TypeVar("A")
B = TypeVar("B")

Names = frozenset[str]


@dataclass(frozen=True, slots=True)
class ExpressionReads:
    """All that an expression itself looks at: the same in every program."""

    slots: tuple[int, ...]
    reads: OwnReads
    counted: Names
    """Zones of which it asks nothing but how many lie there."""
    uncounted: Names
    """Zones of which it asks more than that."""


@memoized_by_node
def known_reads(function: m.Function) -> dict[int, ExpressionReads]:
    """All that the expressions of a function look at, by identity; each is found on first use."""
    return {}


@overload
def instructions_of(function: m.Function, kinds: tuple[type[A]]) -> tuple[tuple[int, A], ...]: ...


@overload
def instructions_of(function: m.Function, kinds: tuple[type[A], type[B]]) -> tuple[tuple[int, A | B], ...]: ...


@overload
def instructions_of(
    function: m.Function, kinds: tuple[type, type, type, *tuple[type, ...]]
) -> tuple[tuple[int, m.Instr], ...]: ...


def instructions_of(function: m.Function, kinds: tuple[type, ...]) -> tuple[tuple[int, Any], ...]:
    """The instructions of some kinds, with their numbers."""
    known = _sorted_out(function)
    found = known.get(kinds)
    if found is None:
        found = known[kinds] = tuple((pc, i) for pc, i in enumerate(function.code) if isinstance(i, kinds))
    return found


@memoized_by_node
def _sorted_out(function: m.Function) -> dict[tuple[type, ...], tuple[tuple[int, m.Instr], ...]]:
    """Instructions of a function by their kinds, found on first use."""
    return {}


def expression_reads(e: m.Expr) -> ExpressionReads:
    """All that an expression looks at."""
    inside = list(nodes(e))
    counted = {id(node.of) for node in inside if isinstance(node, m.Size)}
    counted |= {id(node.left) for node in inside if isinstance(node, m.SetEq) and node.right == m.Const(0)}
    zones = [node for node in inside if isinstance(node, m.ZoneGet | m.ZoneList | m.Top)]
    return ExpressionReads(
        tuple(dict.fromkeys(node.slot for node in inside if isinstance(node, m.Local))),
        own_reads(e),
        frozenset(f"zone {z.zone}" for z in zones if id(z) in counted),
        frozenset(f"zone {z.zone}" for z in zones if id(z) not in counted),
    )
