"""Folds: what an aggregate over the members of sets and lists gives. Each pass asks here, so that none can forget one:
mypy names both functions when one is added."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, assert_never

from rulewright.ir.types import BOOL, INT, NONE, Ty

Counting = Literal["count", "some", "no"]
"""Folds that have no body."""
FoldKind = Literal[Counting, "sum", "max", "min", "every"]


def of_nothing(kind: FoldKind) -> int:
    """The value over no members at all."""
    match kind:
        case "count" | "some" | "sum":
            return 0
        case "no" | "every":
            return 1
        case "max" | "min":
            return NONE
        case _:
            assert_never(kind)


def applied(kind: FoldKind, bodies: Sequence[int]) -> int:
    """The value over the members with these values of the body; they are only counted where there is no body."""
    there = [value for value in bodies if value != NONE]
    match kind:
        case "count":
            return len(bodies)
        case "some":
            return int(bool(bodies))
        case "no":
            return int(not bodies)
        case "every":
            return int(all(bodies))
        case "sum":
            return sum(there)
        case "max":
            return max(there, default=NONE)
        case "min":
            return min(there, default=NONE)
        case _:
            assert_never(kind)


def type_of(kind: FoldKind) -> Ty:
    """The type of the value; of a number, not its bounds."""
    match kind:
        case "some" | "no" | "every":
            return BOOL
        case "count" | "sum" | "max" | "min":
            return INT
        case _:
            assert_never(kind)
