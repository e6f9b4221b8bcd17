"""Operations of expressions and instructions, as they stand in the program: before anything is optimised.

An instruction costs one step, and one more for every :data:`OPERATIONS` operations in it. These are counted as if each
part of an expression were worked out, and each loop went through all that its source has room for: the members of a
universe, the items of a list. A pass of a loop and a call of a query count as :data:`PASS` operations beside what is
done there; to copy, compare or search :data:`COPIED` items counts as one. Most of a large expression is hardly ever
evaluated, so what takes more than :data:`MOST` operations pays for itself, whenever it is evaluated
(:mod:`rulewright.ir.transform.charges`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import fields
from functools import cache
from math import prod
from typing import Any, NamedTuple, assert_never, get_args

from rulewright.ir import model as m
from rulewright.ir.graphs import unfolded
from rulewright.ir.intervals import interval
from rulewright.ir.set_operations import most_members
from rulewright.ir.walk import children, nodes, scoped

OPERATIONS = 32
"""So many operations are one step."""
PASS = 4
"""The operations of a pass of a loop, or of a call of a query, beside what is done there."""
COPIED = 16
"""To copy, compare or search so many items is one operation."""
MOST = 1 << 13
"""The operations of what does not pay for itself, at most."""
MOVED = 8
"""To move, turn or show a piece is so many operations."""

ENDLESS = 1 << 40
"""More operations are not counted."""
_EXPRESSIONS = get_args(m.Expr)
_COPIES = (m.FieldGet, m.Local, m.ZoneList, m.Joined, m.SetOp, m.MakeList, m.ZoneGet)
_SIMPLE = (
    m.Const | m.Fault | m.ListConst | m.Var | m.Kind | m.Attr | m.Arith | m.Cmp | m.And | m.Or | m.Not | m.IfElse
    | m.LetIn | m.Old | m.Alive | m.Fingerprint | m.Top | m.ClockwiseFrom | m.PlaceOf | m.SlotOf | m.InZone | m.SideOf
    | m.Canon | m.PlacesOf | m.RegionsBeside | m.Item | m.Contains | m.MakeSet | m.IntRange | m.Size | m.Single
    | m.First | m.NeighboursOf | m.DistanceOf | m.EdgeBetween | m.EdgesOf | m.Preimage | m.Ray | m.Nearest
    | m.Occurrences
)  # fmt: skip
"""Expressions that take one operation beside those of their parts."""
_ONE = (
    m.Fault | m.Arith | m.Cmp | m.SetEq | m.And | m.Or | m.Not | m.Fingerprint | m.PlaceOf | m.SlotOf | m.InZone
    | m.SideOf | m.Canon | m.Ahead | m.Item | m.Contains | m.Size | m.Single | m.First | m.Fold | m.Towards
    | m.DistanceOf | m.EdgeBetween | m.Reaches | m.Nearest | m.Occurrences
)  # fmt: skip
"""Expressions whose value is no set or list."""
NOTHING: Mapping[str, int] = {}
Loop = m.Choose | m.FinishRank | m.Filter | m.Leading | m.Reaches | m.Collect | m.Mapped | m.Best | m.Sort
"""Expressions that go through a source."""


class Declared:
    """The declarations of a program, by their names, and how large they are."""

    def __init__(self, program: m.Program) -> None:
        self.sizes = {"Piece": 0, "Bool": 2, "Int": m.MAX_NUMBER_BITS} | {u.name: u.size for u in program.universes}
        self.queries = {q.name: q for q in program.queries}
        self.fields = {f.name: f for f in program.fields}
        self.zones = {z.name: z for z in program.zones}
        self.kinds = {k.name: k.members.bit_count() for k in program.kinds}
        self.tables = {t.name: t for t in program.tables}
        self.graphs = {g.name: g for g in program.graphs}
        self.graph_of_places = {g.place: g for g in program.graphs}
        self.areas = {a.name: a for a in program.areas}
        self.cells = 2 * self.sizes["Piece"] + sum(self.room(f.ty) * self.keys(f) for f in program.fields)
        """Numbers of which a state is made, about."""

    def kind(self) -> Hashable:
        """All of it that prices depend on."""
        fields = tuple((f.name, f.index, f.ty) for f in self.fields.values())
        zones = tuple((z.name, z.order, z.capacity) for z in self.zones.values())
        held = (self.sizes, self.kinds, self.tables, self.graphs, self.areas)
        return fields, zones, *(tuple(each.items()) for each in held)

    def keys(self, field: m.Field) -> int:
        """The values of a field."""
        return prod(self.sizes.get(universe, 1) for universe in field.index)

    def printed(self, table: str) -> int:
        """The members or items that an entry of a table has at most."""
        declared = self.tables[table]
        if declared.ty.kind != "set":
            return self.room(declared.ty)
        return max((value.bit_count() for value in declared.values if isinstance(value, int)), default=0)

    def room(self, ty: m.Ty) -> int:
        """The members or items that a value of a type has room for."""
        if ty.kind == "list":
            return ty.capacity
        if ty.kind != "set":
            return 1
        if ty.universe == "Int" and 0 <= ty.high < m.MAX_NUMBER_BITS:
            return ty.high + 1
        return self.sizes.get(ty.universe, 1)


class Price(NamedTuple):
    """The operations of a query for its caller, and the members that its value has room for."""

    operations: int
    room: int


class Counting:
    """The count for one function or query: its variables and slots have names and numbers of their own."""

    def __init__(
        self,
        declared: Declared,
        query: Callable[[str], Price],
        slots: tuple[m.Slot, ...] = (),
        room: Mapping[str, int] = NOTHING,
        whole: bool = False,
    ) -> None:
        """`query` gives the price of a query that is called, `room` is that of variables that are sets or lists. If it
        is the `whole`, what pays for itself is counted, too."""
        self._query, self._declared, self._sizes, self._whole = query, declared, declared.sizes, whole
        self._slots, self._variables = slots, dict(room)
        self._known: dict[int, int] = {}
        self._rooms: dict[int, int] = {}

    def note(self, node: object) -> None:
        """Find the room of the variables that are bound in something that is to be counted."""
        for one in nodes(node):
            if isinstance(one, m.LetIn):
                self._variables[one.var] = max(self._variables.get(one.var, 0), self.room(one.value))

    def with_charged(self, query: Callable[[str], Price]) -> Counting:
        """A copy of the count with all that pays for itself."""
        return Counting(self._declared, query, self._slots, self._variables, whole=True)

    def of_instruction(self, i: m.Instr) -> int:
        """The operations of an instruction."""
        match i:
            case m.Choose():
                extras = sum(1 + self._all(x.guard) + self._restrictions(x.restrictions) for x in i.extras)
                return self.loop(i.source, self.each(i)) + self._all(i.who) + extras
            case m.FinishRank():
                return self.loop(i.source, self.each(i))
            case m.Move() | m.Flip() | m.Show():
                moved = self.room(i.what)
            case m.Reset():
                reset = map(self._declared.fields.__getitem__, i.fields)
                return sum(self._declared.room(field.ty) * self._declared.keys(field) for field in reset) // COPIED
            case (
                m.SetField() | m.SwapItems() | m.Merge() | m.Eliminate() | m.SetLocal() | m.Append() | m.Jump()
                | m.JumpUnless() | m.Call() | m.Return() | m.FinishWin() | m.Fail() | m.Chance() | m.Tell()
                | m.Fired() | m.Observe() | m.Turn()
            ):  # fmt: skip
                moved = 0
            case _:
                assert_never(i)
        moved *= MOVED
        parts = (part for f in fields(i) for part in _parts(getattr(i, f.name)))
        return moved + sum(map(self.operations, parts))

    def _restrictions(self, restrictions: tuple[m.Restriction, ...]) -> int:
        conditions = (c for r in restrictions for c in (r.condition, *(x.condition for x in r.unless)))
        return sum(map(self.operations, conditions))

    def each(self, loop: Loop | m.Fold) -> int:
        """The operations for each member of what is gone through."""
        match loop:
            case m.Choose():
                return self._all(loop.where) + self._restrictions(loop.restrictions)
            case m.FinishRank():
                return sum(map(self.operations, loop.keys))
            case m.Fold():
                return self._all(loop.where) + self._all(loop.body)
            case _:
                return sum(self.operations(part) for part, bound in scoped(loop) if bound)

    def _all(self, e: m.Expr | None) -> int:
        return 0 if e is None else self.operations(e)

    def loop(self, source: m.Expr | None, each: int) -> int:
        """A loop over a source."""
        if source is None:
            return 0
        if isinstance(source, m.Charged) and source.each and not self._whole:
            return self.operations(source)
        return self.operations(source) + self.room(source) * (PASS + each)

    def operations(self, e: m.Expr) -> int:
        """The operations of an expression."""
        known = self._known.get(id(e))
        if known is None:
            known = self._known[id(e)] = min(self._find(e), ENDLESS)
        return known

    def _find(self, e: m.Expr) -> int:
        match e:
            case m.CallQuery():
                return PASS + sum(map(self.operations, e.args)) + self._query(e.query).operations
            case m.Charged():
                return self.operations(e.of) if self._whole else 1
            case m.After() if self._whole:  # the effect's length is unknown; it pays as it runs
                return ENDLESS
            case m.After():
                copied = self._declared.cells // COPIED
                return PASS + copied + sum(map(self.operations, (*e.args, e.of)))
            case _ if isinstance(e, Loop):
                return self.loop(e.source, self.each(e))
            case m.Fold():
                each = self.each(e)
                for bound in reversed(e.binds):
                    each = min(self.loop(bound.source, each), ENDLESS)
                return each
            case m.Closure():
                passes = self._sizes[e.universe] * (PASS + self.operations(e.step))
                return self.operations(e.start) + self._all(e.within) + passes
            case m.ReachFrom(graph):
                return (
                    self.operations(e.start) + self._all(e.within) + self._flood(self._declared.graphs[graph], e.across)
                )
            case m.Component():
                return PASS + self.operations(e.place)
            case m.Occurrences():
                return 1 + self.room(e.blocks) // e.width + sum(map(self.operations, children(e)))
            case m.SetEq():
                return 1 + sum(self.operations(x) + self.room(x) // COPIED for x in (e.left, e.right))
            case m.Contains(is_list=True):
                return 1 + self.operations(e.item) + self.operations(e.collection) + self.room(e.collection) // COPIED
            case m.Towards() | m.Ahead():
                return self._walk(e) + sum(map(self.operations, children(e)))
            case m.ToSet() | m.ToList() | m.Lowest():
                return self.room(e.of) + sum(map(self.operations, children(e)))
            case m.ZoneGet(zone) if self._declared.zones[zone].order in ("stack", "row"):
                return 1 + self.room(e) // 2 + sum(map(self.operations, e.index))
            case m.Grown():
                return 1 + self._sizes["Piece"] // COPIED
            case _ if isinstance(e, _COPIES):
                return 1 + self.room(e) // COPIED + sum(map(self.operations, children(e)))
            case _ if isinstance(e, _SIMPLE):
                return 1 + sum(map(self.operations, children(e)))
            case _:
                assert_never(e)

    def _walk(self, e: m.Towards | m.Ahead) -> int:
        places = self._sizes[self._declared.graphs[e.graph].place]
        far = min(abs(e.steps.value), places) if isinstance(e.steps, m.Const) else places
        return 1 + far + (places if isinstance(e, m.Ahead) else 0)

    def area(self, area: m.AreaMap) -> int:
        """The operations of all floods that find the areas of a map in one state: the first query of one pays for them
        all."""
        return self._flood(self._declared.graph_of_places[area.place], area.across)

    def _flood(self, graph: m.Graph, across: m.Expr | None) -> int:
        if across is None:
            return PASS * self._sizes[graph.place]
        return len(graph.edges) * (PASS + self.operations(across))

    def room(self, e: m.Expr) -> int:
        """The members or items that the value of an expression has room for."""
        known = self._rooms.get(id(e))
        if known is None:
            known = self._rooms[id(e)] = min(self._find_room(e), ENDLESS)
        return known

    def _most(self, e: m.Expr) -> int:
        """A number that a number is not above."""
        within = interval(e, members=self.room)
        return ENDLESS if within is None else within[1]

    def _find_room(self, e: m.Expr) -> int:
        room, sizes = self.room, self._sizes
        match e:
            case m.Const(value):
                return value.bit_count() if value >= 0 else 1
            case m.ListConst(values):
                return len(values)
            case m.Alive(universe) | m.Closure(universe):
                return sizes[universe]
            case m.Kind(name):
                return self._declared.kinds[name]
            case m.ZoneGet(zone) | m.ZoneList(zone):
                return min(self._declared.zones[zone].capacity, sizes["Piece"])
            case m.Top(zone, _, count):
                most = min(self._declared.zones[zone].capacity, sizes["Piece"])
                return min(most, max(0, count.value)) if isinstance(count, m.Const) else most
            case m.FieldGet(name):
                return self._declared.room(self._declared.fields[name].ty)
            case m.Local(slot):
                return self._declared.room(self._slots[slot].ty)
            case m.Var(name):
                return self._variables.get(name, 1)
            case m.CallQuery(query):
                return min(self._declared.room(self._declared.queries[query].ty), self._query(query).room)
            case m.Filter() | m.Leading() | m.Best() | m.Sort():
                return room(e.source)
            case m.ToList() | m.ToSet() | m.Lowest() | m.Old() | m.After() | m.Charged():
                return room(e.of)
            case m.LetIn():
                return room(e.body)
            case m.IfElse():
                return max(room(e.then), room(e.otherwise))
            case m.SetOp(op):
                return most_members(op, room(e.left), room(e.right))
            case m.Joined():
                return room(e.left) + room(e.right)
            case m.Collect() | m.Mapped():
                return room(e.source) * (room(e.element) if e.flat else 1)
            case m.IntRange(low, high):
                first = low.value if isinstance(low, m.Const) else 0
                return max(0, min(m.MAX_NUMBER_BITS, self._most(high) + 1 - first))
            case m.MakeSet(items) | m.MakeList(items):
                return len(items)
            case m.Component(area):
                return sizes[self._declared.areas[area].place]
            case m.Grown(graph) | m.ReachFrom(graph):
                return sizes[self._declared.graphs[graph].place]
            case m.PlacesOf(merged) | m.RegionsBeside(merged):
                return sizes[merged]
            case m.ClockwiseFrom():
                return sizes["Player"]
            case m.Attr(table):
                return self._declared.printed(table)
            case m.Preimage(table):
                return len(self._declared.tables[table].values)
            case m.NeighboursOf(graph) | m.EdgesOf(graph):
                return _degree(self._declared.graphs[graph])
            case m.Ray(graph):
                return sizes[self._declared.graphs[graph].place]
            case _ if isinstance(e, _ONE):
                return 1
            case _:
                assert_never(e)


def _parts(value: Any) -> Iterator[m.Expr]:
    """The expressions in a field of an instruction."""
    for one in value if isinstance(value, tuple) else (value,):
        if isinstance(one, _EXPRESSIONS):
            yield one


@cache
def _degree(graph: m.Graph) -> int:
    """The places beside one at most, or the edges of one."""
    edges = Counter(end for edge in graph.edges for end in edge)
    return max((*map(int.bit_count, unfolded(graph).neighbours), *edges.values()), default=0)
