"""Comparison of whole numbers. Each pass asks here, so that none can forget a comparison: mypy names this file when one
is added."""

from __future__ import annotations

from typing import Literal, assert_never

CmpOp = Literal["eq", "ne", "lt", "le", "gt", "ge"]


def applied(op: CmpOp, a: int, b: int) -> bool:
    """True if the comparison holds of two numbers, neither of which is none."""
    match op:
        case "eq":
            return a == b
        case "ne":
            return a != b
        case "lt":
            return a < b
        case "le":
            return a <= b
        case "gt":
            return a > b
        case "ge":
            return a >= b
        case _:
            assert_never(op)


def mirrored(op: CmpOp) -> CmpOp:
    """The equivalent comparison with the sides exchanged."""
    match op:
        case "eq" | "ne":
            return op
        case "lt":
            return "gt"
        case "le":
            return "ge"
        case "gt":
            return "lt"
        case "ge":
            return "le"
        case _:
            assert_never(op)
