"""Expressions that certainly are, or hold, a piece that lies in a slot."""

from __future__ import annotations

from typing import assert_never

from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import Slots
from rulewright.ir.expressions.map_queries import MapQuery
from rulewright.ir.set_operations import surely_holds
from rulewright.ir.walk import children

_CARRIES = (m.MakeSet, m.MakeList, m.Joined, m.ToSet, m.ToList, m.Item, m.First, m.Single, m.Lowest, m.Charged)
"""Expressions that are made of a piece and still are that piece."""

_CARRIES_NOT = (
    m.Const | m.Fault | m.ListConst | m.Var | m.Kind | m.Attr | m.Arith | m.Cmp | m.SetEq | m.And | m.Or | m.Not
    | m.Preimage | m.LetIn | m.Old | m.StateRead | m.Contains | m.Occurrences | m.IntRange | m.Size | m.Collect
    | m.Closure | m.Fold | m.Best | m.Sort | m.Filter | m.Leading | MapQuery
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
