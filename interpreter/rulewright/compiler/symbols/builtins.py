"""The functions that belong to the language."""

from __future__ import annotations

from typing import Literal, TypeGuard

BuiltIn = Literal[
    "single",
    "last",
    "top",
    "bottom",
    "size",
    "place",
    "holder",
    "on_board",
    "in_game",
    "side",
    "slot",
    "places",
    "edges_around",
    "boundary",
    "rim",
    "corners",
    "connected",
    "ahead",
    "distance",
    "towards",
    "ray",
    "opposite",
    "rotated",
    "player_of",
    "old",
    "possible",
    "seen_before",
]

BUILTINS: dict[BuiltIn, tuple[int, int]] = {
    "single": (1, 1),
    "last": (1, 1),
    "top": (1, 1),
    "bottom": (1, 1),
    "size": (1, 1),
    "place": (1, 1),
    "holder": (1, 1),
    "on_board": (1, 1),
    "in_game": (1, 1),
    "side": (1, 1),
    "slot": (1, 1),
    "places": (1, 1),
    "edges_around": (1, 1),
    "boundary": (1, 1),
    "rim": (1, 1),
    "corners": (1, 1),
    "connected": (1, 1),
    "ahead": (2, 2),
    "distance": (2, 2),
    "towards": (2, 3),
    "ray": (2, 2),
    "opposite": (1, 1),
    "rotated": (2, 2),
    "player_of": (1, 1),
    "old": (1, 1),
    "possible": (1, 1),
    "seen_before": (1, 1),
}
"""The built-in functions, with the fewest and the most arguments of each."""


def is_builtin(name: str) -> TypeGuard[BuiltIn]:
    """True of the name of a built-in function."""
    return name in BUILTINS


YIELDING = frozenset({"last", "top", "bottom", "rim", "corners"})
"""Functions that stand back where the rules declare a query or procedure of that name: they are younger than games that
do."""

STATEMENTS = ("eliminate", "record")
"""Built-in calls that do something, each with one argument."""
