"""Pictures of positions: drawn by the tools, which come with the interpreter.

The interpreter never draws, and no part of it imports the tools. What draws is looked up by its name when a picture is
requested, as its libraries (the extra ``draw``; for texts ``cli``) need not be there.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol, cast

from rulewright.engine import State

DRAWS = "rulewright_tools.render.drawing"
"""The module that draws."""


class Drawing(Protocol):
    """The functions of the module that draws; a viewer is a seat by its number, None for who sees everything."""

    def svg(self, game: Any, state: State, viewer: int | None) -> str:
        """The position as the text of an SVG file."""

    def text(self, game: Any, state: State, viewer: int | None, width: int) -> str:
        """The position as lines of text of a width."""


def svg_if_possible(game: Any, state: State) -> str | None:
    """The whole position as SVG; None if the library that draws is not installed."""
    try:
        return drawing().svg(game, state, None)
    except ModuleNotFoundError:
        return None


def drawing() -> Drawing:
    """The module that draws; ModuleNotFoundError names the library that is missing."""
    return cast("Drawing", import_module(DRAWS))
