"""The legend of an SVG picture: grounds, walls, markers, and what the plates of stacks look like."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import drawsvg as svg

from rulewright_tools.render.colours import BACK, Palette
from rulewright_tools.render.ground import Ground
from rulewright_tools.render.picture import Marker, MarkerStyle, Picture
from rulewright_tools.render.svg.icons import icon
from rulewright_tools.render.svg.marker_icons import marker
from rulewright_tools.render.svg.stack_labels import COVERED
from rulewright_tools.render.svg.svg_primitives import INK, LINE, WALL, label, truncated

STEP = 28
"""From one entry to the one below it."""

COLUMN = 180
"""The least width of a column."""

Draw = Callable[[float, float], Iterator[svg.DrawingElement]]
"""Draws the sample of an entry from its corner, in a square of 24."""


def legend(picture: Picture, palette: Palette, width: float) -> tuple[list[svg.DrawingElement], float]:
    """The legend in as many columns as a width has room for, and its height; nothing if there is nothing to explain."""
    elements: list[svg.DrawingElement] = []
    entries = [
        *_grounds(picture),
        *_walls(picture, palette),
        *_markers(picture, palette),
        *_plates(picture),
        *_owners(picture, palette),
    ]
    columns = max(1, int(width / COLUMN))
    room = width / columns
    for number, (name, draw) in enumerate(entries):
        x, y = 4 + room * (number % columns), float(STEP * (number // columns))
        elements += draw(x, y)
        elements.append(label(truncated(name, 12, room - 42), 12, x + 34, y + 16))
    return elements, STEP * -(-len(entries) // columns) - 4.0 if entries else 0.0


def _grounds(picture: Picture) -> Iterator[tuple[str, Draw]]:
    used = {spot.ground for spot in picture.everywhere}
    for ground in picture.grounds:
        if ground.key in used:
            yield ground.title, partial(_ground, ground)


def _ground(ground: Ground, x: float, y: float) -> Iterator[svg.DrawingElement]:
    yield svg.Rectangle(x, y, 24, 24, rx=4, fill=ground.colour, stroke=LINE)
    yield from icon(ground.icon, x + 12, y + 12, 9, ground.colour, ground.accent)


def _walls(picture: Picture, palette: Palette) -> Iterator[tuple[str, Draw]]:
    first = palette.ground(picture.style.wall) if picture.style.wall else WALL
    for number, wall in enumerate(picture.walls):
        yield wall.replace("_", " "), partial(_wall, first if number == 0 else palette.colour(wall))

    if picture.style.mark:
        yield picture.style.mark, partial(_mark, first)


def _mark(tone: str, x: float, y: float) -> Iterator[svg.DrawingElement]:
    yield from _wall(tone, x, y)
    yield svg.Line(x + 12, y + 5, x + 12, y + 19, stroke=tone, stroke_width=6, stroke_linecap="round")


def _wall(tone: str, x: float, y: float) -> Iterator[svg.DrawingElement]:
    yield svg.Line(x + 2, y + 12, x + 22, y + 12, stroke=tone, stroke_width=6, stroke_linecap="round")


def _markers(picture: Picture, palette: Palette) -> Iterator[tuple[str, Draw]]:
    for style in picture.markers:
        yield style.name, partial(_marker, style, palette)


def _marker(style: MarkerStyle, palette: Palette, x: float, y: float) -> Iterator[svg.DrawingElement]:
    yield marker(style, Marker(style.kind), palette, x + 12, y + 12, 9)


def _plates(picture: Picture) -> Iterator[tuple[str, Draw]]:
    """Samples of what lies face down: seen as so many backs, or known."""
    items = [item for spot in picture.everywhere for stack in spot.stacks for item in stack.items]
    if any(item.back for item in items):
        yield "so many face down", partial(_plate, BACK, "3")
    if any(item.down and not item.back for item in items):
        yield "face down, but known", partial(_plate, COVERED, "a")


def _owners(picture: Picture, palette: Palette) -> Iterator[tuple[str, Draw]]:
    """The owners of something on the map with nothing beside it, where their colour would be seen."""
    listed = {holder.name for holder in picture.holders if holder.piles or holder.facts}
    seen = {owner for spot in picture.everywhere for owner in (spot.rim, *(stack.owner for stack in spot.stacks))}
    for owner in picture.style.owners:
        if owner in seen - listed:
            yield owner, partial(_disc, palette.colour(owner))


def _disc(colour: str, x: float, y: float) -> Iterator[svg.DrawingElement]:
    yield svg.Circle(x + 12, y + 12, 7.5, fill=colour, stroke=INK)


def _plate(fill: str, text: str, x: float, y: float) -> Iterator[svg.DrawingElement]:
    yield svg.Rectangle(x, y + 4, 24, 16, rx=3, fill=fill, stroke=INK, stroke_width=1.5)
    yield label(text, 11, x + 12, y + 16, text_anchor="middle", font_weight="bold")
