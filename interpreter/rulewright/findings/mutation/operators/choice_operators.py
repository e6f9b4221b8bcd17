"""Operators on choices: what is chosen, how many, by whom, in which order, and with which restrictions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rulewright.findings.mutation.mutation_sites import Site
from rulewright.findings.mutation.operators.operator_api import (
    Operator,
    Replacement,
    Words,
    blocks,
    exchange,
    negated,
    rests,
)
from rulewright.syntax import ast

_SIDE = {"left": "right", "right": "left"}
_FACE: dict[Any, Any] = {
    "on top": "at bottom", "at bottom": "on top", "face up": "face down", "face down": "face up",
}  # fmt: skip


def enum_value(place: Site, words: Words) -> Iterator[Replacement]:
    """Another value of the same enum."""
    match place.node:
        case ast.Name(name=name) if name in words.siblings and name not in words.bound:
            yield Replacement(replace(place.node, name=words.siblings[name]))


def other_side(place: Site, words: Words) -> Iterator[Replacement]:
    """The left neighbour for the right one; another end of a stack; another side of a piece."""
    match place.node:
        case ast.Dot(name=name) if name in _SIDE:
            yield Replacement(replace(place.node, name=_SIDE[name]))
        case ast.Move(face=face) | ast.Draw(face=face) if face is not None:
            yield Replacement(replace(place.node, face=_FACE[face]))
        case ast.Flip(side=side) if side in _FACE:
            yield Replacement(replace(place.node, side=_FACE[side]))


def descending(place: Site, words: Words) -> Iterator[Replacement]:
    """The highest first for the lowest first."""
    match place.node:
        case ast.Each(order="by"):
            yield Replacement(replace(place.node, order="by descending"))
        case ast.Each(order="by descending"):
            yield Replacement(replace(place.node, order="by"))
        case ast.Ranked(by=by) | ast.Consequence(by=ast.Node() as by):
            yield Replacement(replace(place.node, by=negated(by)))
        case ast.RankAll(by=measures):
            for number, by in enumerate(measures):
                turned = (*measures[:number], negated(by), *measures[number + 1 :])
                yield Replacement(replace(place.node, by=turned))
        case _:
            pass  # all else stays as it is


def drop_measure(place: Site, words: Words) -> Iterator[Replacement]:
    """A ranking without one of its measures, or with two of them the other way round."""
    match place.node:
        case ast.RankAll(by=measures) if len(measures) > 1:
            for number in range(len(measures)):
                yield Replacement(replace(place.node, by=(*measures[:number], *measures[number + 1 :])))
            for number in range(len(measures) - 1):
                turned = (measures[number + 1], measures[number])
                yield Replacement(replace(place.node, by=(*measures[:number], *turned, *measures[number + 2 :])))


def how_many(place: Site, words: Words) -> Iterator[Replacement]:
    """`exactly` for `up to`, and the other way round."""
    match place.node:
        case ast.Many(mode="up to", high=high):
            yield Replacement(replace(place.node, mode="exactly", low=high, high=None))
        case ast.Many(mode="exactly", low=low):
            yield Replacement(replace(place.node, mode="up to", low=None, high=low))
        case ast.Many(mode="between", high=high):
            yield Replacement(replace(place.node, mode="exactly", low=high, high=None))
        case _:
            pass  # all else stays as it is


def may(place: Site, words: Words) -> Iterator[Replacement]:
    """`chooses` for `may choose`, and the other way round."""
    match place.node:
        case ast.Choose(optional=optional, who=who) if who != ast.Name("chance"):
            yield Replacement(replace(place.node, optional=not optional))


CHOICE_OPERATORS: dict[str, Operator] = {
    "enum-value": enum_value,
    "other-side": other_side,
    "descending": descending,
    "drop-measure": drop_measure,
    "how-many": how_many,
    "may": may,
    "at-once": exchange("order", {"at once": None, None: "at once"}, ast.Each),
    "leading-on": exchange("leading", {True: False}, ast.Choose),
}


def without(kind: type[ast.Clause] | tuple[type[ast.Clause], ...]) -> Operator:
    """The operator that leaves out one clause of a kind."""

    def drop(place: Site, words: Words) -> Iterator[Replacement]:
        for name, held in blocks(place.node):
            for clause, rest in rests(held):
                if isinstance(clause, kind):
                    yield Replacement(replace(place.node, **{name: rest}), before=(clause,))

    return drop


RESTRICTION_OPERATORS: dict[str, Operator] = {
    "drop-restriction": without(ast.Forbid),
    "drop-limits": without(ast.Obey),
    "drop-exception": without(ast.Unless),
    "drop-modifier": without(ast.Modifier),
}
