"""Arithmetic of whole numbers: what an operation gives, and between which bounds. Each pass asks here, so that none can
forget an operation: mypy names both functions when one is added."""

from __future__ import annotations

from typing import Literal, assert_never

from rulewright.ir.types import INT_MAX

ArithOp = Literal["add", "sub", "mul", "div_up", "div_down", "mod", "min", "max"]
Interval = tuple[int, int]

DIVISIONS: tuple[ArithOp, ...] = ("div_up", "div_down", "mod")
"""Operations without a value for 0 on the right."""


def applied(op: ArithOp, a: int, b: int) -> int:
    """The exact result; ZeroDivisionError for a division by 0."""
    match op:
        case "add":
            return a + b
        case "sub":
            return a - b
        case "mul":
            return a * b
        case "div_up":
            return -(-a // b)
        case "div_down":
            return a // b
        case "mod":
            return a % b
        case "min":
            return min(a, b)
        case "max":
            return max(a, b)
        case _:
            assert_never(op)


def bounds(op: ArithOp, a: Interval, b: Interval) -> Interval:
    """The least and the largest result for operands within these bounds, where there is one."""
    match op:
        case "add" | "min" | "max":
            return applied(op, a[0], b[0]), applied(op, a[1], b[1])
        case "sub":
            return a[0] - b[1], a[1] - b[0]
        case "mul":
            found = [x * y for x in a for y in b]
        case "div_up" | "div_down":
            found = [applied(op, x, y) for x in a for y in _divisors(b)]
        case "mod":
            return _remainders(a, b)
        case _:
            assert_never(op)
    return min(found), max(found)


def clamped(found: Interval) -> Interval | None:
    """The numbers among some results: what is larger is an error; None if all are."""
    low, high = max(found[0], -INT_MAX), min(found[1], INT_MAX)
    return (low, high) if low <= high else None


def _divisors(b: Interval) -> list[int]:
    """The divisors among which the extremes lie: the bounds, and those next to 0."""
    return [y for y in {b[0], b[1], *(y for y in (-1, 1) if b[0] <= y <= b[1])} if y] or [1]


def _remainders(a: Interval, b: Interval) -> Interval:
    """A remainder has the sign of the divisor, and is nearer to 0; a small number is its own."""
    if a[0] == a[1] and b[0] == b[1] != 0:
        return a[0] % b[0], a[0] % b[0]
    low, high = min(0, b[0] + 1), max(0, b[1] - 1)
    if a[0] >= 0 and b[0] >= 0:
        return 0, min(high, a[1])
    if a[1] <= 0 and b[1] <= 0:
        return max(low, a[0]), 0
    return low, high
