"""The boards of a game without what lies on them, and how each is cut into sheets that overlap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil

import drawsvg as svg

import rulewright as rw
from rulewright_tools.printing.layout import Layout
from rulewright_tools.printing.pictures import paled
from rulewright_tools.render.picture import Picture, Spot
from rulewright_tools.render.position_picture import picture_of
from rulewright_tools.render.svg.map_picture import Maps
from rulewright_tools.render.svg.svg_primitives import INK, PLAIN

OVERLAP = 10.0
"""Millimetres that neighbouring sheets have in common, so that one can be glued upon the other."""

_RIM, _NUMBERED = 8.0, 40.0
"""Points around a map; more of them where rows and columns have numbers."""


@dataclass(frozen=True, slots=True)
class BoardPicture:
    """A board at the size in which it is printed."""

    name: str
    drawing: str
    """SVG."""
    width: float
    height: float
    """Millimetres."""


@dataclass(frozen=True, slots=True)
class Piece:
    """The part of a board that stands on one sheet."""

    row: int
    column: int
    x: float
    y: float
    width: float
    height: float
    """The part of the board, in millimetres from its corner."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A board in sheets: all upright, or all lying."""

    rows: int
    columns: int
    lying: bool
    pieces: tuple[Piece, ...]


def boards(layout: Layout, *, pale: bool) -> tuple[BoardPicture, ...]:
    """The boards of a game; a map that grows has none, and corners are printed with the map to which they belong."""
    game = layout.game
    if not any(board.shape != "growing" for board in game.model.boards):
        return ()
    whole = picture_of(game, game.start(seed=0), rw.playing.PUBLIC)
    growing = {board.place for board in game.model.boards if board.shape == "growing"}
    found = []
    for base in (one for one in whole.maps if not one.base and one.place not in growing):
        corners = [one for one in whole.maps if one.base == base.place]
        picture = replace(_bare(base, layout, pale), further=tuple(_bare(one, layout, pale) for one in corners))
        found.append(_drawn(picture, layout, base.name or game.title))
    return tuple(found)


def _bare(picture: Picture, layout: Layout, pale: bool) -> Picture:
    """A map without what lies on it. Ground is left only where it is printed, and does not change."""
    printed = {one.universe for one in layout.model.attributes if one.name == layout.ground}
    spots = tuple(_bare_spot(spot, picture.place in printed) for spot in picture.spots)
    grounds = tuple(replace(one, colour=paled(one.colour, pale)) for one in picture.grounds)
    edges = tuple(replace(edge, walls=(), marked=False, lines=()) for edge in picture.edges)
    style = replace(picture.style, stacked=False)
    return replace(picture, spots=spots, grounds=grounds, edges=edges, style=style, further=())


def _bare_spot(spot: Spot, grounded: bool) -> Spot:
    ground = spot.ground if grounded else ""
    return replace(spot, items=(), marks=(), region=spot.key, tint="", rim="", stacks=(), markers=(), ground=ground)


def _drawn(picture: Picture, layout: Layout, name: str) -> BoardPicture:
    maps = Maps(picture, layout.palette, INK)
    rim = _NUMBERED if picture.shape == "grid" else _RIM
    width, height = maps.width + rim + _RIM, maps.height + rim + _RIM
    drawing = svg.Drawing(round(width, 2), round(height, 2), font_family=PLAIN)
    group = svg.Group(transform=f"translate({rim:g},{rim:g})")
    for element in maps.elements:
        group.append(element)
    drawing.append(group)
    text = drawing.as_svg()
    assert isinstance(text, str)
    scale = layout.step / (2 * maps.maps[0][0].radius)
    return BoardPicture(name, text, width * scale, height * scale)


def cut(width: float, height: float, room: tuple[float, float]) -> Cut:
    """A board of this size in the fewest sheets, of which each has so much room if it is upright."""
    upright = _counted(width, height, room)
    lying = _counted(width, height, (room[1], room[0]))
    chosen = lying[0] * lying[1] < upright[0] * upright[1]
    columns, rows = lying if chosen else upright
    across, down = (room[1], room[0]) if chosen else room
    return Cut(rows, columns, chosen, tuple(_pieces(width, height, columns, rows, across, down)))


def _counted(width: float, height: float, room: tuple[float, float]) -> tuple[int, int]:
    """The number of sheets beside and below each other."""
    across, down = ((long - OVERLAP) / (held - OVERLAP) for long, held in ((width, room[0]), (height, room[1])))
    return max(1, ceil(across)), max(1, ceil(down))


def _pieces(width: float, height: float, columns: int, rows: int, across: float, down: float) -> Iterator[Piece]:
    """Equal parts, each as large as it must be for the overlap, and never larger than its sheet."""
    wide = min(across, (width + OVERLAP * (columns - 1)) / columns)
    tall = min(down, (height + OVERLAP * (rows - 1)) / rows)
    for row in range(rows):
        for column in range(columns):
            yield Piece(row, column, column * (wide - OVERLAP), row * (tall - OVERLAP), wide, tall)
