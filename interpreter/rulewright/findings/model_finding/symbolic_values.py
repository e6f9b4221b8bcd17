"""Values of expressions some of whose cells are unknown: what is known is a plain number, the rest a formula."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import z3

from rulewright.foundation.bit_sets import bits_of
from rulewright.ir.model import NONE

Truth: TypeAlias = "bool | z3.BoolRef"
"""A condition: decided, or a formula."""


@dataclass(frozen=True, slots=True)
class Number:
    """An unknown number, or member of a universe; `optional` if it may be none, which is :data:`NONE`."""

    term: z3.ArithRef
    optional: bool


@dataclass(frozen=True, slots=True)
class Cases:
    """One of several values, of whichever case holds: never two, and the last value if none does. Of which kind the
    values are only who asks knows."""

    cases: tuple[tuple[z3.BoolRef, Value], ...]
    otherwise: Value


Members: TypeAlias = Mapping[int, Truth]
"""A set: for each thing that may be in it whether it is."""
Value: TypeAlias = "int | tuple[int, ...] | Number | z3.BoolRef | Members | Cases"
"""A known value as the engine writes it (a set as bits, a list as a tuple), or an unknown one."""


MOST = 200
"""The cases of one value."""


class Unknowable(Exception):
    """An expression has no formula: it is of a kind that is not translated."""


class Exhausted(Unknowable):
    """A translation has become too large as a whole, in whatever part."""


def negated(one: Truth) -> Truth:
    """The opposite."""
    return not one if isinstance(one, bool) else z3.Not(one)


def every(several: Iterable[Truth]) -> Truth:
    """True if all are."""
    left = []
    for one in several:
        if one is False:
            return False
        if one is not True:
            left.append(one)
    return True if not left else left[0] if len(left) == 1 else z3.And(left)


def some(several: Iterable[Truth]) -> Truth:
    """True if one is."""
    left = []
    for one in several:
        if one is True:
            return True
        if one is not False:
            left.append(one)
    return False if not left else left[0] if len(left) == 1 else z3.Or(left)


def chosen(condition: Truth, then: Value, otherwise: Value) -> Value:
    """One of two values."""
    if isinstance(condition, bool):
        return then if condition else otherwise
    return one_of([(condition, then)], otherwise)


def one_of(cases: Iterable[tuple[Truth, Value]], otherwise: Value) -> Value:
    """The value of the case that holds; there are never two of them. Cases of the same known value are one."""
    known: dict[int, list[Truth]] = {}
    left: list[tuple[z3.BoolRef, Value]] = []
    for condition, value in cases:
        if condition is True:
            return value
        if condition is False:
            continue
        if isinstance(value, int) and isinstance(otherwise, int) and value == otherwise:
            continue
        if isinstance(value, int):
            known.setdefault(value, []).append(condition)
        else:
            left.append((condition, value))
    for value, conditions in known.items():
        condition = some(conditions)
        assert not isinstance(condition, bool)
        left.append((condition, value))
    return Cases(tuple(left), otherwise) if left else otherwise


def flat(value: Value) -> list[tuple[Truth, Value]]:
    """The cases of a value that have no cases themselves."""
    if not isinstance(value, Cases):
        return [(True, value)]
    found: list[tuple[Truth, Value]] = []
    for condition, one in value.cases:
        found += [(every((condition, inner)), last) for inner, last in flat(one)]
    rest = every(z3.Not(condition) for condition, _ in value.cases)
    if len(found) > MOST:
        raise Unknowable
    return [*found, *((every((rest, inner)), last) for inner, last in flat(value.otherwise))]


def truth(value: Value) -> Truth:
    """A value as a condition; none does not hold."""
    match value:
        case int():
            return value not in (0, NONE)
        case Number(term):
            return term == 1
        case z3.BoolRef():
            return value
        case Cases():
            return some(every((there, truth(one))) for there, one in flat(value))
        case _:
            raise Unknowable


def number(value: Value) -> int | Number:
    """A value as a number or member of a universe."""
    match value:
        case int() | Number():
            return value
        case z3.BoolRef():
            return Number(z3.If(value, 1, 0), False)
        case Cases(cases, otherwise):
            last = number(otherwise)
            found, may_be_none = term(last), optional(last)
            for condition, one in reversed(cases):
                value_of = number(one)
                found = z3.If(condition, term(value_of), found)
                may_be_none = may_be_none or optional(value_of)
            return Number(found, may_be_none)
        case _:
            raise Unknowable


def term(value: int | Number) -> z3.ArithRef:
    """The term of a number."""
    return z3.IntVal(value) if isinstance(value, int) else value.term


def optional(value: int | Number) -> bool:
    """True if a number may be none."""
    return value == NONE if isinstance(value, int) else value.optional


def is_none(value: int | Number) -> Truth:
    """A condition that a number is none."""
    if isinstance(value, int):
        return value == NONE
    return value.term == NONE if value.optional else False


def equal(one: int | Number, other: int | Number) -> Truth:
    """A condition that two numbers are the same; none is like none."""
    if isinstance(one, int) and isinstance(other, int):
        return one == other
    return term(one) == term(other)


def members(value: Value) -> Members:
    """A value as a set; a list as the set of its items."""
    match value:
        case int():
            return dict.fromkeys(bits_of(value), True)
        case tuple():
            return {item: True for item in value if item != NONE}
        case Cases():
            several: dict[int, list[Truth]] = {}
            for condition, one in flat(value):
                for member, there in members(one).items():
                    several.setdefault(member, []).append(every((condition, there)))
            return {member: some(conditions) for member, conditions in several.items()}
        case Mapping():
            return value
        case _:
            raise Unknowable


def size(of: Members) -> int | Number:
    """The number of members."""
    return total((z3.If(there, 1, 0) if not isinstance(there, bool) else int(there)) for there in of.values())


def total(several: Iterable[int | z3.ArithRef]) -> int | Number:
    """The sum of numbers that are not none."""
    known, unknown = 0, list[z3.ArithRef]()
    for one in several:
        if isinstance(one, int):
            known += one
        else:
            unknown.append(one)
    return Number(z3.Sum([*unknown, z3.IntVal(known)]), False) if unknown else known
