"""Intervals: the least and the largest value that a number can have, where that follows from the expression alone."""

from __future__ import annotations

from rulewright.ir import model as m
from rulewright.ir.arithmetic import DIVISIONS, ArithOp, Interval, bounds

MOST_MEMBERS = 1 << 16
"""No set has more members, no list more items."""


def interval(expr: m.Expr) -> Interval | None:
    """The bounds of a number; None if they are not known, or if it may be none, or too large to be a number."""
    match expr:
        case m.Const(value) if value != m.NONE:
            return value, value
        case m.Size():
            return 0, MOST_MEMBERS
        case m.Fold(kind="count", binds=(_,)):
            return 0, MOST_MEMBERS
        case m.Arith(op):
            a = interval(expr.left)
            b = interval(expr.right) if a is not None else None
            return None if a is None or b is None else _arithmetic(op, a, b)
        case _:
            return None


def _arithmetic(op: ArithOp, a: Interval, b: Interval) -> Interval | None:
    if op in DIVISIONS and b[0] <= 0 <= b[1]:
        return None
    found = bounds(op, a, b)
    return found if max(map(abs, found)) <= m.INT_MAX else None
