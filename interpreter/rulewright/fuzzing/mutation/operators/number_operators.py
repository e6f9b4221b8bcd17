"""Numbers and what is reckoned with them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulewright.fuzzing.mutation.mutation_sites import Site
from rulewright.fuzzing.mutation.operators.operator_api import Operator, Replacement, Words
from rulewright.syntax import ast


def off_by_one(place: Site, words: Words) -> Iterator[Replacement]:
    """One more, and one less where that is no negative number."""
    match place.node:
        case ast.Number(value=value):
            yield Replacement(replace(place.node, value=value + 1))
            if value:
                yield Replacement(replace(place.node, value=value - 1))
        case ast.Die(low=int(low), high=int(high)):
            yield Replacement(replace(place.node, high=high + 1))
            if high > low:
                yield Replacement(replace(place.node, high=high - 1))
        case _:
            pass  # all else stays as it is


def plus_minus(place: Site, words: Words) -> Iterator[Replacement]:
    """`+` for `-`; of sets also what one of them lacks."""
    match place.node:
        case ast.Binary(op="+"):
            yield Replacement(replace(place.node, op="-"))
        case ast.Binary(op="-"):
            yield Replacement(replace(place.node, op="+"))
        case ast.Assign(op="+="):
            yield Replacement(replace(place.node, op="-="))
        case ast.Assign(op="-="):
            yield Replacement(replace(place.node, op="+="))
        case ast.Modifier(op="+"):
            yield Replacement(replace(place.node, op="-"))
        case ast.Modifier(op="-"):
            yield Replacement(replace(place.node, op="+"))
        case ast.Modifier(op="at least"):
            yield Replacement(replace(place.node, op="at most"))
        case ast.Modifier(op="at most"):
            yield Replacement(replace(place.node, op="at least"))
        case _:
            pass  # all else stays as it is


def only_left(place: Site, words: Words) -> Iterator[Replacement]:
    """Leave out what is added, taken away, multiplied, excepted or intersected with."""
    match place.node:
        case ast.Binary(op="+" | "-" | "*" | "mod" | "except" | "intersect", left=left):
            yield Replacement(left)
        case _:
            pass  # all else stays as it is


def rounding(place: Site, words: Words) -> Iterator[Replacement]:
    """`rounded up` for `rounded down`."""
    match place.node:
        case ast.Divide(rounded="up"):
            yield Replacement(replace(place.node, rounded="down"))
        case ast.Divide(rounded="down"):
            yield Replacement(replace(place.node, rounded="up"))
        case _:
            pass  # all else stays as it is


OPERATORS: dict[str, Operator] = {
    "off-by-one": off_by_one,
    "plus-minus": plus_minus,
    "only-left": only_left,
    "rounding": rounding,
}
