"""Operations on two sets: what they give, and what follows from facts about both sets. Each pass asks here, so that
none can forget an operation: mypy names all functions when one is added."""

from __future__ import annotations

from typing import Literal, TypeVar, assert_never

SetOperation = Literal["union", "inter", "minus"]

Members = TypeVar("Members", int, frozenset[int])
"""Sets as bits of a number, or as sets."""
Fact = TypeVar("Fact")


def applied(op: SetOperation, a: int, b: int) -> int:
    """The exact result, of sets as bits of a number."""
    match op:
        case "union":
            return a | b
        case "inter":
            return a & b
        case "minus":
            return a & ~b
        case _:
            assert_never(op)


def at_most(op: SetOperation, a: Members, b: Members) -> Members:
    """All members that the result may have, if each set may have these, or fewer."""
    match op:
        case "union":
            return a | b
        case "inter":
            return a & b
        case "minus":
            return a
        case _:
            assert_never(op)


def at_most_of(op: SetOperation, a: frozenset[Fact] | None, b: frozenset[Fact] | None) -> frozenset[Fact] | None:
    """All that members of the result may have, if members of each set may have this; None: anything."""
    match op:
        case "union":
            return None if a is None or b is None else a | b
        case "inter":
            return b if a is None else a if b is None else a & b
        case "minus":
            return a
        case _:
            assert_never(op)


def most_members(op: SetOperation, a: int, b: int) -> int:
    """The greatest number of members of the result, from those of the sets."""
    match op:
        case "union":
            return a + b
        case "inter":
            return min(a, b)
        case "minus":
            return a
        case _:
            assert_never(op)


def width(op: SetOperation, a: int, b: int) -> int:
    """The bits that hold the result, from those that hold the sets."""
    match op:
        case "union":
            return max(a, b)
        case "inter":
            return min(a, b)
        case "minus":
            return a
        case _:
            assert_never(op)


def surely_holds(op: SetOperation, a: bool, b: bool) -> bool:
    """True if the result surely holds something of which it is known whether each set surely holds it."""
    match op:
        case "union":
            return a or b
        case "inter":
            return a and b
        case "minus":
            return False
        case _:
            assert_never(op)


def all_have(op: SetOperation, a: bool, b: bool) -> bool:
    """True if all members of the result surely have a property, which all members of one set or the other have."""
    match op:
        case "union":
            return a and b
        case "inter":
            return a or b
        case "minus":
            return a
        case _:
            assert_never(op)


def all_hold(op: SetOperation, a: frozenset[Fact], b: frozenset[Fact]) -> frozenset[Fact]:
    """The properties that all members of the result surely have, from those of all members of each set."""
    return frozenset(one for one in a | b if all_have(op, one in a, one in b))
