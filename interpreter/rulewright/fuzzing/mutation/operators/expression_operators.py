"""Operators on expressions: conditions, numbers and payments that say something slightly else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, get_args

from rulewright.fuzzing.mutation.mutation_sites import Site, places, put
from rulewright.fuzzing.mutation.operators.operator_api import Operator, Replacement, Words, negated
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


_ONE_TYPE = frozenset(get_args(Literal[ast.SumOp, ast.TermOp])) - {"or else", "|"}
"""Operators whose left side has the type of the whole."""


def only_left(place: Site, words: Words) -> Iterator[Replacement]:
    """Leave out what is added, taken away, multiplied, excepted or intersected with."""
    match place.node:
        case ast.Binary(op=op, left=left) if op in _ONE_TYPE:
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


NUMBER_OPERATORS: dict[str, Operator] = {
    "off-by-one": off_by_one,
    "plus-minus": plus_minus,
    "only-left": only_left,
    "rounding": rounding,
}


def other_sign(place: Site, words: Words) -> Iterator[Replacement]:
    """The amount of a payment with the other sign."""
    match place.node:
        case ast.Reward(value=value) | ast.PayAll(value=value) if value != ast.Number(0):
            yield Replacement(replace(place.node, value=negated(value)))
        case _:
            pass  # all else stays as it is


def other_seat(place: Site, words: Words) -> Iterator[Replacement]:
    """The left neighbour is rewarded; each is paid what their left neighbour has earned."""
    match place.node:
        case ast.Reward(who=ast.Name(name) as who) if name in words.bound:
            yield Replacement(replace(place.node, who=_left_of(who)))
        case ast.PayAll(value=value, bind=bind):
            moved: Any = value
            for site in places(value):  # type: ignore[arg-type]
                if site.node == ast.Name(bind.name):
                    moved = put(moved, site.way, _left_of(site.node))
            if moved != value:
                yield Replacement(replace(place.node, value=moved))
        case _:
            pass  # all else stays as it is


def _left_of(player: Any) -> ast.Expr:
    return ast.Dot(player, "left", span=player.span)


PAYMENT_OPERATORS: dict[str, Operator] = {
    "other-sign": other_sign,
    "other-seat": other_seat,
}


_OTHER = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "is": "is not", "is not": "is", "in": "not in", "not in": "in",
}  # fmt: skip
_QUANTITY = {"some": "no", "no": "some"}
_EXTREME = {"max": "min", "min": "max"}
_CONDITIONS = ("condition", "where", "when", "has")


def comparison(place: Site, words: Words) -> Iterator[Replacement]:
    """`<` for `<=`, `is` for `is not`, `in` for `not in`, `is empty` for `is not empty`."""
    match place.node:
        case ast.Binary(op=op) if op in _OTHER:
            yield Replacement(replace(place.node, op=_OTHER[op]))  # type: ignore[arg-type]
        case ast.IsA(negated=negated) | ast.IsEmpty(negated=negated):
            yield Replacement(replace(place.node, negated=not negated))
        case _:
            pass  # all else stays as it is


def and_or(place: Site, words: Words) -> Iterator[Replacement]:
    """`and` for `or`, and the other way round."""
    match place.node:
        case ast.Binary(op="and"):
            yield Replacement(replace(place.node, op="or"))
        case ast.Binary(op="or"):
            yield Replacement(replace(place.node, op="and"))
        case _:
            pass  # all else stays as it is


def one_side(place: Site, words: Words) -> Iterator[Replacement]:
    """Only one side of an `and` or `or`; a query `after` an effect is evaluated now."""
    match place.node:
        case ast.After(of=of):
            yield Replacement(of)
        case ast.Binary(op="and" | "or", left=left, right=right):
            yield Replacement(left)
            yield Replacement(right)
        case _:
            pass  # all else stays as it is


def negation(place: Site, words: Words) -> Iterator[Replacement]:
    """A condition turned round, if no other operator does."""
    if isinstance(place.node, ast.Unary) and place.node.op == "not":
        yield Replacement(place.node.operand)
        return
    name, _ = place.way[-1] if place.way else ("", None)
    if name in _CONDITIONS and isinstance(
        place.node, (ast.After, ast.Call, ast.Aggregate, ast.Every, ast.Index, ast.Dot, ast.Name)
    ):
        if isinstance(place.node, ast.Aggregate) and place.node.kind in _QUANTITY:
            return
        yield Replacement(ast.Unary("not", place.node, span=place.node.span))


def quantity(place: Site, words: Words) -> Iterator[Replacement]:
    """`some` for `no`, `max` for `min`, `some` for `every`."""
    match place.node:
        case ast.Aggregate(kind=kind) if kind in _QUANTITY:
            yield Replacement(replace(place.node, kind=_QUANTITY[kind]))  # type: ignore[arg-type]
        case ast.Aggregate(kind=kind) if kind in _EXTREME:
            yield Replacement(replace(place.node, kind=_EXTREME[kind]))  # type: ignore[arg-type]
        case ast.Every(bind=bind, where=where, has=has):
            both = has if where is None else ast.Binary("and", where, has, span=has.span)
            yield Replacement(ast.Aggregate("some", None, (bind,), both, span=place.node.span))
        case _:
            pass  # all else stays as it is


def drop_where(place: Site, words: Words) -> Iterator[Replacement]:
    """A `where` left out, so that all count."""
    match place.node:
        case (
            ast.Comprehension(where=where)
            | ast.Aggregate(where=where)
            | ast.Ranked(where=where)
            | ast.Every(where=where)
            | ast.Each(where=where)
            | ast.Choose(where=where)
        ) if where is not None:
            yield Replacement(replace(place.node, where=None))


def truth(place: Site, words: Words) -> Iterator[Replacement]:
    """`true` for `false`."""
    match place.node:
        case ast.BoolLiteral(value=value):
            yield Replacement(replace(place.node, value=not value))
        case _:
            pass  # all else stays as it is


CONDITION_OPERATORS: dict[str, Operator] = {
    "comparison": comparison,
    "and-or": and_or,
    "one-side": one_side,
    "negation": negation,
    "quantity": quantity,
    "drop-where": drop_where,
    "truth": truth,
}
