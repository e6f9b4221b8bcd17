"""Intervals: the least and the largest value that a number can have (P. Cousot, R. Cousot, *Abstract interpretation*,
POPL 1977).

This is the one place that knows what bounds follow from those of the parts. Callers know those of the parts that read
the state, as with :func:`rulewright.ir.evaluation.known`: payoffs from the types of fields, findings from what is
printed. The engines need bounds while they write code, when each part is written already; they, and the types of the
compiler, share the arithmetic: :func:`rulewright.ir.arithmetic.bounds`, :func:`of_type`, :func:`joined`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import assert_never

from rulewright.ir import comparison
from rulewright.ir import model as m
from rulewright.ir.arithmetic import DIVISIONS, Interval, bounds, clamped

MOST_MEMBERS = 1 << 16
"""No set has more members, no list more items."""

Part = Callable[[m.Expr], Interval | None]
"""The bounds of a part; None if they are not known, or if it may be none."""


def interval(
    expr: m.Expr, part: Part | None = None, members: Callable[[m.Expr], int | None] = lambda _: MOST_MEMBERS
) -> Interval | None:
    """The bounds of a number, as far as it has a value at all; None if they are not known, or if it may be none.

    `part` has the bounds of the parts (without it nothing is known of the state), `members` the most members of a
    collection.
    """
    of = part or (lambda below: interval(below, None, members))
    match expr:
        case m.Const(value) if value != m.NONE:
            return value, value
        case m.Size(collection):
            return _count([members(collection)])
        case m.Fold("count", binds, where):
            kept = [b.source if where is None else m.Filter(b.source, b.var, where, b.is_list) for b in binds]
            return _count(list(map(members, kept)))
        case m.Arith(op, left, right):
            a = of(left)
            b = of(right) if a is not None else None
            if a is None or b is None or (op in DIVISIONS and b == (0, 0)):
                return None
            return clamped(bounds(op, a, b))
        case m.IfElse(_, then, otherwise):
            return joined(of(then), of(otherwise))
        case _:
            return None  # it has no number, or one that depends on the state


def _count(most: list[int | None]) -> Interval | None:
    known = [one for one in most if one is not None]
    return clamped((0, prod(known))) if len(known) == len(most) else None


def is_surely_number(e: m.Arith) -> bool:
    """True of an operation on numbers that has a value whatever the state is: one that is not too large."""
    a, b = interval(e.left), interval(e.right)
    if a is None or b is None or (e.op in DIVISIONS and b[0] <= 0 <= b[1]):
        return False
    return max(map(abs, bounds(e.op, a, b))) <= m.INT_MAX


def of_type(ty: m.Ty, sizes: Mapping[str, int]) -> Interval | None:
    """The bounds of a number, an index or a truth of a type that is not none; None of a collection."""
    match ty.kind:
        case "bool":
            return 0, 1
        case "int":
            return ty.low, ty.high
        case "entity":
            return 0, sizes.get(ty.universe, MOST_MEMBERS) - 1
        case "set" | "list":
            return None
        case _:
            assert_never(ty.kind)


def joined(a: Interval | None, b: Interval | None) -> Interval | None:
    """The bounds of a number that is one of two."""
    return None if a is None or b is None else (min(a[0], b[0]), max(a[1], b[1]))


def compared(op: comparison.CmpOp, a: Interval, b: Interval) -> bool | None:
    """True or False if a comparison has that outcome for all numbers within bounds; None if it may have either."""
    low, high = bounds("sub", a, b)
    outcomes = {comparison.applied(op, value, 0) for value in {low, high, *((0,) if low <= 0 <= high else ())}}
    return outcomes.pop() if len(outcomes) == 1 else None
