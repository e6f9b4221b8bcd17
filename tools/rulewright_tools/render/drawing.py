"""Positions as SVG and as text, in one call each: for pages, notebooks, and the environments of other libraries."""

from __future__ import annotations

import rulewright as rw
from rulewright_tools.render.picture import Picture
from rulewright_tools.render.position_picture import picture_of
from rulewright_tools.render.theme import palette_of, piece_keys


def svg(game: rw.Game, state: rw.State, viewer: int | None) -> str:
    """The position as a seat (by number) sees it, as the text of an SVG file; with None everything."""
    return svg_of(game, picture_of(game, state, viewer))


def svg_of(game: rw.Game, picture: Picture) -> str:
    """A picture as the text of an SVG file."""
    from rulewright_tools.render.svg import sheet  # needs the extra `draw`

    return sheet.draw(picture, palette_of(game))


def text(game: rw.Game, state: rw.State, viewer: int | None, width: int) -> str:
    """The position as lines of text of at most `width` columns."""
    from rulewright_tools.render.terminal.board import Board  # needs the extra `cli`

    lines = Board(palette_of(game), piece_keys(game), width).draw(picture_of(game, state, viewer))
    return "".join(f"{line.plain.rstrip()}\n" for line in lines)
