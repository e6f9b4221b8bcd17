"""Operators on expressions: conditions, numbers and payments that say something slightly else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, get_args

from rulewright.findings.mutation.mutation_sites import Site, places, put
from rulewright.findings.mutation.operators.operator_api import Operator, Replacement, Words, all_of, exchange, negated
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


_ONE_TYPE = frozenset(get_args(Literal[ast.SumOp, ast.TermOp])) - {"or else", "|"}
"""Operators whose left side has the type of the whole."""


def only_left(place: Site, words: Words) -> Iterator[Replacement]:
    """Leave out what is added, taken away, multiplied, excepted or intersected with."""
    match place.node:
        case ast.Binary(op=op, left=left) if op in _ONE_TYPE:
            yield Replacement(left)
        case _:
            pass  # all else stays as it is


_SIGN = {"+": "-", "-": "+", "+=": "-=", "-=": "+=", "at least": "at most", "at most": "at least"}

NUMBER_OPERATORS: dict[str, Operator] = {
    "off-by-one": off_by_one,
    "plus-minus": exchange("op", _SIGN, ast.Binary, ast.Assign, ast.Modifier),
    "only-left": only_left,
    "accumulation": exchange("op", {"=": "+=", "+=": "="}, ast.Assign),
    "rounding": exchange("rounded", {"up": "down", "down": "up"}, ast.Divide),
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


def grouping(place: Site, words: Words) -> Iterator[Replacement]:
    """`(a or b) and c` for `a or b and c`, `(a + b) * c` for `a + b * c`, and the other way round."""
    match place.node:
        case ast.Binary(op="or" | "and" | "+" | "-" | "*", left=left, right=ast.Binary(op=other) as right) as node:
            if {node.op, other} in _PAIRS:
                inner = ast.Binary(node.op, left, right.left, span=node.span)
                yield Replacement(ast.Binary(other, inner, right.right, span=node.span))
        case ast.Binary(op="or" | "and" | "+" | "-" | "*", left=ast.Binary(op=other) as left, right=right) as node:
            if {node.op, other} in _PAIRS:
                behind = ast.Binary(node.op, left.right, right, span=node.span)
                yield Replacement(ast.Binary(other, left.left, behind, span=node.span))
        case _:
            pass  # all else stays as it is


_PAIRS = ({"or", "and"}, {"+", "*"}, {"-", "*"})
_NEGATED = {False: True, True: False}
_QUANTITY = {"some": "no", "no": "some"}
_AGGREGATE: dict[Any, Any] = {
    **_QUANTITY,
    "max": "min",
    "min": "max",
    "last": "first",
    "single": "first",
    "first": "single",
}
_CONDITIONS = ("condition", "where", "when", "has")


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
    """`some` for `no`, `max` for `min`, `first` for `last`, `some` for `every`, a set for a list that is collected."""
    match place.node:
        case ast.Aggregate(kind=kind) if kind in _AGGREGATE:
            yield Replacement(replace(place.node, kind=_AGGREGATE[kind]))
        case ast.Comprehension(listed=True):
            yield Replacement(replace(place.node, listed=False))
        case ast.Every(bind=bind, where=where, has=has):
            both = has if where is None else ast.Binary("and", where, has, span=has.span)
            yield Replacement(ast.Aggregate("some", None, (bind,), both, span=place.node.span))
        case _:
            pass  # all else stays as it is


def every(place: Site, words: Words) -> Iterator[Replacement]:
    """`every` for `some`."""
    match place.node:
        case ast.Aggregate(kind="some", binds=(bind,), where=where) if where is not None:
            yield Replacement(ast.Every(bind, None, where, span=place.node.span))
        case _:
            pass  # all else stays as it is


def drop_where(place: Site, words: Words) -> Iterator[Replacement]:
    """A `where` left out, so that all count."""
    match place.node:
        case (
            ast.Bind(where=where)
            | ast.Comprehension(where=where)
            | ast.Aggregate(where=where)
            | ast.Ranked(where=where)
            | ast.Every(where=where)
            | ast.Each(where=where)
            | ast.Choose(where=where)
        ) if where is not None:
            yield Replacement(replace(place.node, where=None))


CONDITION_OPERATORS: dict[str, Operator] = {
    "comparison": all_of(exchange("op", _OTHER, ast.Binary), exchange("negated", _NEGATED, ast.IsA, ast.IsEmpty)),
    "and-or": exchange("op", {"and": "or", "or": "and"}, ast.Binary),
    "grouping": grouping,
    "one-side": one_side,
    "negation": negation,
    "quantity": quantity,
    "every": every,
    "drop-where": drop_where,
    "truth": exchange("value", _NEGATED, ast.BoolLiteral),
}
