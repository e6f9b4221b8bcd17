"""Operations on two sets: each is a formula in one table, from which all that follows from facts about both sets is
derived. A new operation is a word and a row, and no pass can forget it."""

from __future__ import annotations

from collections.abc import Callable
from operator import add, and_, or_
from typing import Any, Literal, NamedTuple, TypeVar

SetOperation = Literal["union", "inter", "minus"]
FORMULAS: dict[SetOperation, Callable[[Any, Any], Any]] = {"union": or_, "inter": and_, "minus": lambda a, b: a & ~b}
"""The exact result of sets as bits: of whole numbers, or of words in machine code."""

Members = TypeVar("Members", int, frozenset[int])
"""Sets as bits of a number, or as sets."""
Fact = TypeVar("Fact")


class _Kept(NamedTuple):
    """The regions of the Venn diagram that an operation keeps."""

    left: bool
    right: bool
    both: bool


_KEPT = {op: _Kept(*(bool(f(a, b) & 1) for a, b in ((1, 0), (0, 1), (1, 1)))) for op, f in FORMULAS.items()}


def applied(op: SetOperation, a: int, b: int) -> int:
    """The exact result, of sets as bits of a number."""
    result: int = FORMULAS[op](a, b)
    return result


def member_formula(
    op: SetOperation,
    a: Fact,
    b: Fact,
    every: Callable[[tuple[Fact, ...]], Fact],
    some: Callable[[tuple[Fact, ...]], Fact],
    negated: Callable[[Fact], Fact],
) -> Fact:
    """The formula for something being in the result, from those for being in each set, with the given connectives."""
    kept = _KEPT[op]
    parts = []
    if kept.left:
        parts.append(a if kept.both else every((a, negated(b))))
    if kept.right:
        parts.append(b if kept.both else every((b, negated(a))))
    return some(tuple(parts)) if parts else every((a, b))


def _bound(
    op: SetOperation,
    a: Fact,
    b: Fact,
    of_one_or_other: Callable[[Fact, Fact], Fact],
    of_both: Callable[[Fact, Fact], Fact],
) -> Fact:
    """An upper bound of the result, from those of the sets."""
    kept = _KEPT[op]
    if kept.left and kept.right:
        return of_one_or_other(a, b)
    return a if kept.left else b if kept.right else of_both(a, b)


def at_most(op: SetOperation, a: Members, b: Members) -> Members:
    """All members that the result may have, if each set may have these, or fewer."""
    return _bound(op, a, b, or_, and_)


def at_most_of(op: SetOperation, a: frozenset[Fact] | None, b: frozenset[Fact] | None) -> frozenset[Fact] | None:
    """All that members of the result may have, if members of each set may have this; None: anything."""
    if a is not None and b is not None:
        return _bound(op, a, b, or_, and_)
    return _bound(op, a, b, lambda a, b: None, lambda a, b: b if a is None else a)


def most_members(op: SetOperation, a: int, b: int) -> int:
    """The greatest number of members of the result, from those of the sets."""
    return _bound(op, a, b, add, min)


def width(op: SetOperation, a: int, b: int) -> int:
    """The bits that hold the result, from those that hold the sets."""
    return _bound(op, a, b, max, min)


def surely_holds(op: SetOperation, a: bool, b: bool) -> bool:
    """True if the result surely holds something of which it is known whether each set surely holds it."""
    kept = _KEPT[op]
    return (a or b) and kept.both and (b or kept.left) and (a or kept.right)


def all_have(op: SetOperation, a: bool, b: bool) -> bool:
    """True if all members of the result surely have a property, which all members of one set or the other have."""
    kept = _KEPT[op]
    return (a or not kept.left) and (b or not kept.right) and (a or b or not kept.both)


def all_hold(op: SetOperation, a: frozenset[Fact], b: frozenset[Fact]) -> frozenset[Fact]:
    """The properties that all members of the result surely have, from those of all members of each set."""
    return frozenset(one for one in a | b if all_have(op, one in a, one in b))
