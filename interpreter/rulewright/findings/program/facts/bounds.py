"""Bounds of numbers: from the pieces, places and words that exist, and from the values that rules write."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from rulewright.findings.program.facts.examined_program import ExaminedProgram, conjuncts
from rulewright.ir import model as m
from rulewright.ir.arithmetic import Interval
from rulewright.ir.dataflow.held_pieces import union_of
from rulewright.ir.facts import Kind, Zoned, from_origins
from rulewright.ir.intervals import MOST_MEMBERS, interval, of_type
from rulewright.ir.set_operations import SetOperation, most_members

_DEEP = 12
"""Queries that call each other are followed so far."""


class Bounds:
    """The bounds of the numbers of a program, for any number of players: players are not counted."""

    def __init__(self, examined: ExaminedProgram, function: m.Function | None = None, open_ends: bool = False) -> None:
        """With `open_ends` also of numbers that the rules leave open to some side, and of all else that is never none:
        indices, truths, the locals of a function."""
        self._examined, self._function, self._open = examined, function, open_ends
        self._universes = {universe.name: universe for universe in examined.program.universes}
        self._kinds = {kind.name: kind.members for kind in examined.program.kinds}
        self._zones = {zone.name: zone for zone in examined.program.zones}
        self._graphs = {graph.name: graph for graph in examined.program.graphs}

    def number(self, e: m.Expr, depth: int = 0) -> Interval | None:
        """The least and the largest value of a number; None if nothing is known of it, or if it may be none."""
        match e:
            case m.CallQuery(name):
                query = self._examined.queries[name]
                found = self.number(query.body, depth + 1) if depth < _DEEP else None
                return found or (self._declared(query.ty) if self._open else None)
            case m.FieldGet(name):
                return self._declared(self._examined.fields[name].ty)
            case m.Local(slot) if self._open and self._function is not None:
                return self._declared(self._function.slots[slot].ty)
            case m.Attr(table):
                known = self._examined.tables[table]
                sure = known.ty.kind == "int" and known.values and not self._grows(known.universe)
                return self._printed(known.values) if sure else None
            case _:
                return interval(e, lambda part: self.number(part, depth), lambda part: self._most(part))

    def _declared(self, ty: m.Ty) -> Interval | None:
        found = None if ty.optional else of_type(ty, {})
        if self._open or found is None:
            return found
        return found if ty.kind == "int" and found[0] > -m.INT_MAX and found[1] < m.INT_MAX else None

    def _most(self, e: m.Expr) -> int | None:
        found = self.members(e)
        return MOST_MEMBERS if found is None and self._open else found

    def members(self, e: m.Expr) -> int | None:
        """The largest number of members that a set can have; None if nothing is known of it."""
        return from_origins(e, self._own, _most_together, part=self._kept, kind="set", queries=self._examined.queries)

    def _own(self, e: m.Expr, kind: Kind) -> int | None:
        match e:
            case _ if kind == "entity":
                return 1  # one of the items of a set
            case m.Const(value) if value >= 0:
                return value.bit_count()
            case m.Alive(name):
                universe = self._universes.get(name)
                fixed = universe is not None and universe.sort in ("enum", "place", "edge", "piece")
                return universe.size if universe is not None and fixed and not self._grows(name) else None
            case m.Kind(name):
                return self._kinds[name].bit_count()
            case m.NeighboursOf(graph) if self._graphs[graph].shape != "growing":
                return max((n.bit_count() for n in self._graphs[graph].neighbours), default=0)
            case _ if isinstance(e, Zoned):
                return union_of(self._kinds[kind] for kind in self._zones[e.zone].kinds).bit_count() or None
            case _:
                return None

    @staticmethod
    def _printed(values: Sequence[object]) -> Interval | None:
        """The least and the largest of what is printed; None if something has no number on it."""
        numbers = [value for value in values if isinstance(value, int) and value != m.NONE]
        return (min(numbers), max(numbers)) if len(numbers) == len(values) else None

    def _grows(self, universe: str) -> bool:
        return any(graph.name == universe and graph.shape == "growing" for graph in self._graphs.values())

    def _kept(self, e: m.Expr, most: int | None) -> int | None:
        """The most members of a part of a set; of a filter those for which its condition can hold: with some value
        printed on them."""
        known = [most]
        for part in conjuncts(e.where) if isinstance(e, m.Filter) else ():
            match part:
                case m.Cmp("eq", m.Attr(table, m.Var(of)), _, nothing) | m.Cmp(
                    "eq", _, m.Attr(table, m.Var(of)), nothing
                ):
                    if isinstance(e, m.Filter) and of == e.var:
                        printed = self._examined.tables[table].values
                        values = Counter(value for value in printed if nothing or value != m.NONE)
                        known.append(max(values.values(), default=0))
                case _:
                    pass
        return min((n for n in known if n is not None), default=None)


def _most_together(op: SetOperation, a: int | None, b: int | None) -> int | None:
    """The most members of a set that is made of two."""
    found = most_members(op, *(MOST_MEMBERS if most is None else most for most in (a, b)))
    return found if found < MOST_MEMBERS else None


class WrittenValues:
    """The bounds of the numbers in fields that the rules change, where these are narrower than what is declared."""

    def __init__(self, program: m.Program) -> None:
        self._fields = {field.name: field for field in program.fields}
        self._writes: dict[str, list[m.SetField]] = defaultdict(list)
        for function in program.functions:
            for i in function.code:
                if isinstance(i, m.SetField):
                    self._writes[i.field].append(i)

    def of(self, name: str) -> Interval | None:
        """The least and the largest number that a field comes to; None of what is never written, or no number."""
        field, writes = self._fields[name], self._writes.get(name)
        if writes is None or field.ty.kind != "int" or field.ty.optional:
            return None
        begin = field.initial if isinstance(field.initial, tuple) else (field.initial,)
        low, high = min(begin), max(begin)
        for write in writes:
            match write.value:
                case m.Const(value):
                    low, high = min(low, value), max(high, value)
                case m.Arith("add" | "sub" as op, m.FieldGet(same, index), m.Const(step)) if (
                    same == name and index == write.index
                ):
                    if (step > 0) == (op == "add"):
                        high = field.ty.high
                    else:
                        low = field.ty.low
                case _:
                    return None
        return low, high
