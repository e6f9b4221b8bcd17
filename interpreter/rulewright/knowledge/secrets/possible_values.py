"""Possible values: those that the rules may give a field or slot, whatever a game was like.

They are the members of what is chosen and drawn from, constants, and what follows from these (a set of possible values
for each place, as in constraint-based analysis: F. Nielson, H. R. Nielson, C. Hankin, *Principles of Program Analysis*,
chapter 3, Springer 1999). Where that is unknown it may be any of its type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import product
from typing import assert_never

from rulewright.foundation.bit_sets import bits_of
from rulewright.ir import model as m
from rulewright.ir.arithmetic import DIVISIONS, ArithOp, applied
from rulewright.ir.control_flow.control_flow_graph import slots_stored
from rulewright.ir.dataflow.effects import instructions_of
from rulewright.ir.facts import Kind, from_origins
from rulewright.ir.set_operations import SetOperation, at_most_of

MOST = 4096
"""So many possible values of a place are distinguished at most."""

Values = frozenset[int] | None
"""Possible values, of a set or list those of its members; None: any of the type."""
Given = tuple[str, m.Expr]
"""A function, and an expression of it that gives something its value."""

_NOTHING: frozenset[int] = frozenset()
_TRUTHS = (m.Cmp, m.And, m.Or, m.Not, m.SetEq, m.Contains, m.InZone)


class PossibleValues:
    """The possible values of the fields and slots of one program."""

    def __init__(self, program: m.Program, writes: Callable[[str], Iterable[Given]]) -> None:
        """`writes` gives the expressions written to a field."""
        self._functions = {f.name: f for f in program.functions}
        self._fields = {f.name: f for f in program.fields}
        self._sizes = {u.name: u.size for u in program.universes}
        self._writes = writes
        kinds = {kind.name: frozenset(bits_of(kind.members)) for kind in program.kinds}
        self._kinds = kinds if any(zone.is_internal for zone in program.zones) else {}
        """The pieces of each kind, if something may be a piece or something else."""
        self._queries = {q.name: q for q in program.queries if q.ty.universe == "Piece"} if self._kinds else {}
        self._zones = {z.name: frozenset[int]().union(*map(kinds.__getitem__, z.kinds)) for z in program.zones}
        self._known: dict[tuple[str, str, int], Values] = {}

    def written(self, field: str, given: Iterable[Given]) -> list[Values]:
        """The values with which a field began, and those of each that it was given."""
        declared = self._fields[field]
        members = declared.ty.kind in ("set", "list")
        return [self._of(function, e, members) for function, e in (("", initial_of(declared)), *given)]

    def slot(self, function: str, slot: int) -> Values:
        """The values that a slot may have been given."""
        key = ("slot", function, slot)
        if key not in self._known:
            members = self._functions[function].slots[slot].ty.kind in ("set", "list")
            self._known[key] = _NOTHING if members else None  # of a number that comes back to itself nothing is known
            self._known[key] = _joined(self._given(function, slot))
        return self._known[key]

    def _given(self, function: str, slot: int) -> Iterator[Values]:
        declared = self._functions[function]
        members = declared.slots[slot].ty.kind in ("set", "list")
        if slot < declared.params:
            for caller in self._functions.values():
                for _, call in instructions_of(caller, (m.Call,)):
                    if call.function == function and slot < len(call.args):
                        yield self._of(caller.name, call.args[slot], members)
        for i in definitions(declared, slot):
            match i:
                case m.SetLocal():
                    yield self._of(function, i.value, members)
                case m.Append():
                    yield self._of(function, i.value, False)
                case m.Choose() | m.Chance():
                    yield _NOTHING if i.source is None else self._of(function, i.source, True)
                case m.Call() if i.into == slot:
                    called = self._functions[i.function]
                    for _, returned in instructions_of(called, (m.Return,)):
                        if returned.value is not None:
                            yield self._of(called.name, returned.value, members)
                case m.Call():
                    yield from (self.slot(i.function, n) for n, shared in enumerate(i.shared) if shared == slot)
                case _:
                    assert_never(i)

    def _field(self, field: str) -> Values:
        key = ("field", field, 0)
        if key not in self._known:
            self._known[key] = _NOTHING if self._fields[field].ty.kind in ("set", "list") else None
            self._known[key] = _joined(self.written(field, self._writes(field)))
        return self._known[key]

    def _of(self, function: str, e: m.Expr, members: bool) -> Values:
        """The possible values of an expression, or of its members."""
        own = partial(self._own, function)
        kind: Kind = "set" if members else "entity"
        return from_origins(e, own, _united, part=_taken, kind=kind, queries=self._queries)

    def _own(self, function: str, e: m.Expr, kind: Kind) -> Values:
        match e:
            case m.Local(slot):
                return self.slot(function, slot)
            case m.FieldGet(field):
                return self._field(field)
            case m.Const(value):
                return _constant(value, kind)
            case m.ListConst(values):
                return frozenset(values)
            case m.Arith(op, left, right):
                return _worked_out(op, self._of(function, left, False), self._of(function, right, False))
            case m.IntRange(low, high):
                return _range(self._of(function, low, False), self._of(function, high, False))
            case m.Alive(universe):
                return frozenset(range(self._sizes[universe]))
            case m.Kind(name):
                return self._kinds.get(name)
            case m.ZoneGet(zone) | m.ZoneList(zone) | m.Top(zone):
                return self._zones[zone] if self._kinds and self._zones[zone] else None
            case _:
                return frozenset((0, 1)) if isinstance(e, _TRUTHS) else None


def _constant(value: int, kind: Kind) -> Values:
    """The value of a constant, or its members."""
    if kind not in ("set", "list"):
        return frozenset((value,)) if kind else None
    return frozenset(bits_of(value)) if value >= 0 else None


def _range(least: Values, most: Values) -> Values:
    """The members of a range between two numbers."""
    if not least or not most or max(most) - min(least) > MOST:
        return None if least != _NOTHING and most != _NOTHING else _NOTHING
    return frozenset(range(min(least), max(most) + 1))


def _taken(e: m.Expr, known: Values) -> Values:
    """The values of one member that is taken from a collection, which may be empty."""
    return known | {m.NONE} if known is not None and isinstance(e, m.First | m.Single | m.Item | m.Nearest) else known


def definitions(function: m.Function, slot: int) -> list[m.Stores]:
    """The instructions that give a slot something."""
    return [i for i in function.code if isinstance(i, m.Stores) and slot in slots_stored(i)]


def initial_of(declared: m.Field) -> m.Expr:
    """The value with which a field begins."""
    return m.ListConst(declared.initial) if isinstance(declared.initial, tuple) else m.Const(declared.initial)


def _joined(found: Iterable[Values]) -> Values:
    values: set[int] = set()
    for some in found:
        if some is None:
            return None
        values |= some
    return frozenset(values) if len(values) <= MOST else None


def _united(op: SetOperation, left: Values, right: Values) -> Values:
    """The possible members of a set that is made of two, or values of one of two."""
    return _joined((at_most_of(op, left, right),))


def _worked_out(op: ArithOp, left: Values, right: Values) -> Values:
    if left is None or right is None or len(left) * len(right) > MOST:
        return None
    if m.NONE in left | right or (op in DIVISIONS and 0 in right):
        return None
    return frozenset(applied(op, a, b) for a, b in product(left, right))
