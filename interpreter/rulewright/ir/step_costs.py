"""Steps that instructions cost, as they stand in the program: before anything is optimised.

Both engines charge these numbers, whatever they make of an instruction: masks instead of loops, remembered results,
code that is moved out of loops. So a game needs the same budget with each of them, and machine code pays with one
subtraction for each run of instructions without a jump.

An instruction costs one step, and one more for every :data:`OPERATIONS` operations in it. These are counted as if each
part of an expression were worked out, and each loop went through all that its source has room for: the members of a
universe, the items of a list. A pass of a loop and a call of a query count as :data:`PASS` operations beside what is
done there; to copy, compare or search :data:`COPIED` items counts as one.

That is far too much where most of a query is hardly ever asked. So an instruction costs :data:`MOST` steps at most;
what could take more is *heavy*, and the engines count the passes and calls that are really made there, too: of them
there may be :data:`WORK` for each step of the budget. They are counted after optimising, but bind only far beyond the
steps, where one instruction takes longer than thousands of others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, assert_never, get_args

from rulewright.ir import model as m
from rulewright.ir.set_operations import most_members
from rulewright.ir.walk import children, deep_recursion

OPERATIONS = 32
"""So many operations are one step."""
PASS = 4
"""The operations of a pass of a loop, or of a call of a query, beside what is done there."""
COPIED = 16
"""To copy, compare or search so many items is one operation."""
MOST = 512
"""The steps that an instruction costs at most."""
MOVED = 8
"""To move, turn or show a piece is so many operations."""
SHORT = 256
"""The operations of a query in which nothing is counted: whoever calls it pays."""
WORK = 16
"""So many passes and calls may be made in heavy instructions for each step of the budget."""

_ENDLESS = 1 << 40
"""More operations are not counted."""
_EXPRESSIONS = get_args(m.Expr)
_COPIES = (m.FieldGet, m.Local, m.ZoneList, m.Joined, m.SetOp, m.MakeList, m.ZoneGet)
_SIMPLE = (
    m.Const | m.Fault | m.ListConst | m.Var | m.Kind | m.Attr | m.Arith | m.Cmp | m.And | m.Or | m.Not | m.IfElse
    | m.Old | m.Alive | m.Fingerprint | m.Top | m.ClockwiseFrom | m.PlaceOf | m.SlotOf | m.InZone | m.SideOf | m.Canon
    | m.PlacesOf | m.RegionsBeside | m.Item | m.Contains | m.MakeSet | m.IntRange | m.Size | m.Single | m.First
    | m.NeighboursOf | m.DistanceOf | m.EdgeBetween | m.EdgesOf | m.Preimage | m.Ray | m.Nearest | m.Occurrences
)  # fmt: skip
"""Expressions that take one operation beside those of their parts."""
_ONE = (
    m.Fault | m.Arith | m.Cmp | m.SetEq | m.And | m.Or | m.Not | m.Fingerprint | m.PlaceOf | m.SlotOf | m.InZone
    | m.SideOf | m.Canon | m.Ahead | m.Item | m.Contains | m.Size | m.Single | m.First | m.Fold | m.Towards
    | m.DistanceOf | m.EdgeBetween | m.Reaches | m.Nearest | m.Occurrences
)  # fmt: skip
"""Expressions whose value is no set or list."""
_ROUND = 8
"""Places beside another one, and items of an attribute, as far as nobody has said how many there are."""


class _Declared:
    """The declarations of a program, by their names, and how large they are."""

    def __init__(self, program: m.Program) -> None:
        self.sizes = {"Piece": 0, "Bool": 2, "Int": m.MAX_NUMBER_BITS} | {u.name: u.size for u in program.universes}
        self.queries = {q.name: q for q in program.queries}
        self.functions = {f.name: f for f in program.functions}
        self.fields = {f.name: f for f in program.fields}
        self.zones = {z.name: z for z in program.zones}
        self.kinds = {k.name: k.members.bit_count() for k in program.kinds}
        self.graphs = {g.name: g for g in program.graphs}
        self.graph_of_places = {g.place: g for g in program.graphs}
        self.areas = {a.name: a for a in program.areas}

    def room(self, ty: m.Ty) -> int:
        """The members or items that a value of a type has room for."""
        if ty.kind == "list":
            return ty.capacity
        if ty.kind != "set":
            return 1
        if ty.universe == "Int" and 0 <= ty.high < m.MAX_NUMBER_BITS:
            return ty.high + 1
        return self.sizes.get(ty.universe, 1)


class StepCosts:
    """The steps of a program's instructions."""

    def __init__(self, program: m.Program) -> None:
        self._declared = _Declared(program)
        self._of_query: dict[str, int] = {}
        self._of_effect: dict[str, int] = {}
        self._of_function: dict[str, tuple[int, ...]] = {}

    def instructions(self, function: str) -> tuple[int, ...]:
        """The steps of each instruction of a function."""
        if function not in self._of_function:
            costs = (1 + operations // OPERATIONS for operations in self._operations(function))
            self._of_function[function] = tuple(min(steps, MOST) for steps in costs)
        return self._of_function[function]

    def is_heavy_query(self, name: str) -> bool:
        """True if the passes and calls within a query are counted: all but those of short ones, for whom the caller
        pays."""
        return self.query(name) > SHORT

    def query(self, name: str) -> int:
        """The operations of a query."""
        if name not in self._of_query:
            query = self._declared.queries[name]
            room = {slot.name: self._declared.room(slot.ty) for slot in query.params}
            self._of_query[name] = _Counting(self, self._declared, (), room).operations(query.body)
        return self._of_query[name]

    def effect(self, name: str) -> int:
        """The operations of an effect that is imagined, as if each of its instructions ran once."""
        if name not in self._of_effect:
            self._of_effect[name] = 0  # of one that calls itself
            self._of_effect[name] = min(sum(self._operations(name)), _ENDLESS)
        return self._of_effect[name]

    def _operations(self, function: str) -> Iterator[int]:
        declared = self._declared.functions[function]
        counting = _Counting(self, self._declared, declared.slots, {})
        with deep_recursion():
            return iter([counting.of_instruction(i) for i in declared.code])


class _Counting:
    """The count for one function or query: its variables and slots have names and numbers of their own."""

    def __init__(self, costs: StepCosts, declared: _Declared, slots: tuple[m.Slot, ...], room: dict[str, int]) -> None:
        self._costs, self._declared, self._sizes = costs, declared, declared.sizes
        self._slots, self._variables = slots, room
        """The slots, and the room of variables that are sets or lists."""
        self._known: dict[int, int] = {}
        self._rooms: dict[int, int] = {}

    def of_instruction(self, i: m.Instr) -> int:
        """The operations of an instruction."""
        match i:
            case m.Choose():
                each = self._all(i.where) + self._restrictions(i.restrictions)
                extras = sum(1 + self._all(x.guard) + self._restrictions(x.restrictions) for x in i.extras)
                return self._loop(i.source, each) + self._all(i.who) + extras
            case m.FinishRank():
                return self._loop(i.source, sum(map(self.operations, i.keys)))
            case m.Move() | m.Flip() | m.Show():
                moved = self.room(i.what)
            case m.Exchange():
                moved = self.room(i.left) + self.room(i.right)
            case m.Reset():
                moved = sum(self._declared.room(self._declared.fields[name].ty) * self._keys(name) for name in i.fields)
                return moved // COPIED
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

    def _keys(self, name: str) -> int:
        found = 1
        for universe in self._declared.fields[name].index:
            found *= self._sizes.get(universe, 1)
        return found

    def _restrictions(self, restrictions: tuple[m.Restriction, ...]) -> int:
        conditions = (c for r in restrictions for c in (r.condition, *(x.condition for x in r.unless)))
        return sum(map(self.operations, conditions))

    def _all(self, e: m.Expr | None) -> int:
        return 0 if e is None else self.operations(e)

    def _loop(self, source: m.Expr | None, each: int) -> int:
        """A loop over a source."""
        return 0 if source is None else self.operations(source) + self.room(source) * (PASS + each)

    def operations(self, e: m.Expr) -> int:
        """The operations of an expression."""
        known = self._known.get(id(e))
        if known is None:
            known = self._known[id(e)] = min(self._find(e), _ENDLESS)
        return known

    def _find(self, e: m.Expr) -> int:
        match e:
            case m.CallQuery():
                return PASS + sum(map(self.operations, e.args)) + self._costs.query(e.query)
            case m.After():
                return PASS + sum(map(self.operations, (*e.args, e.of))) + self._costs.effect(e.function)
            case m.Filter() | m.Leading() | m.Reaches():
                return self._loop(e.source, self.operations(e.where))
            case m.Collect():
                return self._loop(e.source, self.operations(e.element))
            case m.Best() | m.Sort():
                return self._loop(e.source, self.operations(e.key))
            case m.Fold():
                each = self._all(e.where) + self._all(e.body)
                for bound in reversed(e.binds):
                    each = min(self._loop(bound.source, each), _ENDLESS)
                return each
            case m.LetIn():
                value = self.operations(e.value)
                self._variables[e.var] = self.room(e.value)
                return 1 + value + self.operations(e.body)
            case m.Closure():
                passes = self._sizes[e.universe] * (PASS + self.operations(e.step))
                return self.operations(e.start) + self._all(e.within) + passes
            case m.ReachFrom(graph):
                return (
                    self.operations(e.start) + self._all(e.within) + self._flood(self._declared.graphs[graph], e.across)
                )
            case m.Component(area):
                declared = self._declared.areas[area]
                return self.operations(e.place) + self._flood(
                    self._declared.graph_of_places[declared.place], declared.across
                )
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

    def _flood(self, graph: m.Graph, across: m.Expr | None) -> int:
        if across is None:
            return PASS * self._sizes[graph.place]
        return len(graph.edges) * (PASS + self.operations(across))

    def room(self, e: m.Expr) -> int:
        """The members or items that the value of an expression has room for."""
        known = self._rooms.get(id(e))
        if known is None:
            known = self._rooms[id(e)] = min(self._find_room(e), _ENDLESS)
        return known

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
                return self._declared.room(self._declared.queries[query].ty)
            case m.Filter() | m.Leading() | m.Best() | m.Sort():
                return room(e.source)
            case m.ToList() | m.ToSet() | m.Lowest() | m.Old() | m.After():
                return room(e.of)
            case m.LetIn():
                self._variables[e.var] = room(e.value)
                return room(e.body)
            case m.IfElse():
                return max(room(e.then), room(e.otherwise))
            case m.SetOp(op):
                return most_members(op, room(e.left), room(e.right))
            case m.Joined():
                return room(e.left) + room(e.right)
            case m.Collect():
                return room(e.source) * (room(e.element) if e.flat else 1)
            case m.IntRange(low, high):
                first = low.value if isinstance(low, m.Const) else 0
                return max(0, high.value + 1 - first) if isinstance(high, m.Const) else m.MAX_NUMBER_BITS
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
            case m.Attr() | m.Preimage() | m.NeighboursOf() | m.EdgesOf() | m.Ray():
                return _ROUND
            case _ if isinstance(e, _ONE):
                return 1
            case _:
                assert_never(e)


def _parts(value: Any) -> Iterator[m.Expr]:
    """The expressions in a field of an instruction."""
    for one in value if isinstance(value, tuple) else (value,):
        if isinstance(one, _EXPRESSIONS):
            yield one


__all__ = ["MOST", "OPERATIONS", "WORK", "StepCosts"]
