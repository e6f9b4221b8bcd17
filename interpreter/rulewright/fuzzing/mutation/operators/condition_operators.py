"""Conditions that say something slightly else."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulewright.fuzzing.mutation.mutation_sites import Site
from rulewright.fuzzing.mutation.operators.operator_api import Operator, Replacement, Words
from rulewright.syntax import ast

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
    """Only one side of an `and` or `or`; what is asked `after` an effect is asked now."""
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


OPERATORS: dict[str, Operator] = {
    "comparison": comparison,
    "and-or": and_or,
    "one-side": one_side,
    "negation": negation,
    "quantity": quantity,
    "drop-where": drop_where,
    "truth": truth,
}
