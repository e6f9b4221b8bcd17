"""Visibility of pieces as they move: their backs, what is carried along, and moves that are not seen."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import assert_never

from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import Slots, with_callers
from rulewright.ir.declared_sight import Facet, sight_of
from rulewright.ir.expressions.map_queries import MapQuery
from rulewright.ir.set_operations import surely_holds
from rulewright.ir.walk import children, nodes


def is_ordered(zone: m.Zone) -> bool:
    """True if the pieces in a zone have places, by which they can be distinguished unseen."""
    return zone.order in ("row", "stack")


class Backs:
    """The backs of a program's pieces."""

    def __init__(self, program: m.Program) -> None:
        self._backs = program.backs
        self._members = {kind.name: kind.members for kind in program.kinds}
        self._tables: Mapping[str, m.Table] = {table.name: table for table in program.tables}

    def facet(self, zone: m.Zone, var: str, where: object) -> Facet:
        """The facet of a zone that must be seen for a condition on the pieces in it, each called `var`: the backs, if
        only attributes are read that these show; their number, if only in which place they lie."""
        seen = [n for n in nodes(where) if isinstance(n, m.Attr) and n.of == m.Var(var)]
        slots = [n for n in nodes(where) if n == m.SlotOf(m.Var(var))] if is_ordered(zone) else []
        uses = sum(n == m.Var(var) for n in nodes(where))
        if uses != len(seen) + len(slots) or not all(self.shows(zone, attribute.table) for attribute in seen):
            return "face"
        return "count" if slots and not seen else "back"

    def shows(self, zone: m.Zone, table: str) -> bool:
        """True if the back of a piece in a zone shows its entry of a table."""
        held = 0
        for kind in zone.kinds:
            held |= self._members[kind]
        return bool(self._backs) and _follows_from(self._backs, self._tables[table].values, held)


@lru_cache(maxsize=1 << 12)
def _follows_from(backs: tuple[str, ...], values: tuple[object, ...], held: int) -> bool:
    """True if those of the pieces that are held which have equal backs have equal values."""
    found: dict[str, object] = {}
    return all(
        found.setdefault(back, value) == value
        for piece, (back, value) in enumerate(zip(backs, values, strict=False))
        if held >> piece & 1
    )


_CARRIES = (m.MakeSet, m.MakeList, m.Joined, m.ToSet, m.ToList, m.Item, m.First, m.Single, m.Lowest, m.Charged)
"""Expressions that are made of a piece and still are that piece."""

_CARRIES_NOT = (
    m.Const | m.Fault | m.ListConst | m.Var | m.Kind | m.Attr | m.Arith | m.Cmp | m.SetEq | m.And | m.Or | m.Not
    | m.Preimage | m.LetIn | m.Old | m.StateRead | m.Contains | m.Occurrences | m.IntRange | m.Size | m.Collect
    | m.Mapped | m.Closure | m.Fold | m.Best | m.Sort | m.Filter | m.Leading | MapQuery
)  # fmt: skip
"""Expressions that are no piece, or that may leave it out. A yes for them would reveal a piece to those who see where
it would have gone; to say no keeps from the log only what they then see for themselves."""


def carries(e: m.Expr, slots: Slots) -> bool:
    """True if an expression is, or holds, the very piece that lies in one of some slots."""
    match e:
        case m.Local(slot):
            return slot in slots
        case m.IfElse():
            return carries(e.then, slots) and carries(e.otherwise, slots)
        case m.SetOp(op, left, right):
            return surely_holds(op, carries(left, slots), carries(right, slots))
        case _ if isinstance(e, _CARRIES):
            return any(carries(child, slots) for child in children(e))
        case _ if isinstance(e, _CARRIES_NOT):
            return False
        case _:
            assert_never(e)


def uncounted(program: m.Program) -> frozenset[str]:
    """The zones that not everyone can always count."""
    sight = sight_of(program)
    return frozenset(z.name for z in program.zones if not sight.everybody(z, "count"))


def moves_out_of_sight(program: m.Program) -> frozenset[tuple[str, int]]:
    """The moves to zones that not everyone can count, and the calls that may come to one; none without lines of the
    rules, which need no listener."""
    if not any(isinstance(i, m.Tell) for f in program.functions for i in f.code):
        return frozenset()
    zones = uncounted(program)
    moving = {f.name for f in program.functions if any(isinstance(i, m.Move) and i.zone in zones for i in f.code)}
    found = with_callers(program.functions, moving)
    return frozenset(
        (f.name, pc)
        for f in program.functions
        for pc, i in enumerate(f.code)
        if (isinstance(i, m.Move) and i.zone in zones) or (isinstance(i, m.Call) and i.function in found)
    )
