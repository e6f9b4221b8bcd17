"""Payments of the wrong sign, and to the wrong seat. Leaving one out is an operator of statements."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rulewright.fuzzing.mutation.mutation_sites import Site, places, put
from rulewright.fuzzing.mutation.operators.operator_api import Operator, Replacement, Words, negated
from rulewright.syntax import ast


def other_sign(place: Site, words: Words) -> Iterator[Replacement]:
    """Somebody pays what they should be paid, and the other way round."""
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


OPERATORS: dict[str, Operator] = {
    "other-sign": other_sign,
    "other-seat": other_seat,
}
