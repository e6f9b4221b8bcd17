"""Intervals: the least and the largest value that a number can have, where that follows from the expression alone."""

from __future__ import annotations

from rulewright.ir import model as m

Interval = tuple[int, int]
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
    return None


def _arithmetic(op: str, a: Interval, b: Interval) -> Interval | None:
    match op:
        case "add":
            found = [a[0] + b[0], a[1] + b[1]]
        case "sub":
            found = [a[0] - b[1], a[1] - b[0]]
        case "min":
            found = [min(a[0], b[0]), min(a[1], b[1])]
        case "max":
            found = [max(a[0], b[0]), max(a[1], b[1])]
        case "mul":
            found = [x * y for x in a for y in b]
        case _ if b[0] > 0 or b[1] < 0:
            found = [-(-x // y) if op == "div_up" else x // y for x in a for y in b]
        case _:
            return None
    return (min(found), max(found)) if max(map(abs, found)) <= m.INT_MAX else None
