"""Small pictures of components as SVG, of the shapes, grounds and icons of which boards are drawn, too."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import cos, pi

import drawsvg as svg

from rulewright_tools.render.colours import dark
from rulewright_tools.render.ground import Ground
from rulewright_tools.render.svg import shapes
from rulewright_tools.render.svg.icons import icon, shade
from rulewright_tools.render.svg.svg_primitives import INK, PAPER, label

TONES = ("#7b6a52", "#4a6fa5", "#5d8a4c", "#b5533c", "#6a5aa0", "#8f7b2a")
"""Colours of icons."""

_HALF = 50.0
"""Half of the side of a picture."""


def paled(colour: str, pale: bool) -> str:
    """A colour as it is printed: where ink is saved, a tint of it."""
    return shade(colour, 1.78) if pale else colour


@lru_cache(maxsize=1024)
def piece(shape: str, colour: str, text: str, pale: bool) -> str:
    """A piece as boards show it, with a short text on it."""
    if shape == "bar":
        bar = svg.Rectangle(0, 0, 100, 20, rx=3, fill=paled(colour, pale), stroke=INK, stroke_width=2)
        return _whole([bar], 100, 20)
    filled = paled(colour, pale)
    found = [] if shape == "text" else [shapes.piece(shape, _HALF, _HALF, 44, filled)]
    if text:
        size = 44 if len(text) < 2 else 80 / len(text)
        lower = 10 if shape in ("tower", "house", "city") else 0
        ink = PAPER if shape != "text" and dark(filled) else INK
        style = {"text_anchor": "middle", "fill": ink, "font_weight": "bold"}
        found.append(label(text, size, _HALF, _HALF + lower + size * 0.33, **style))
    return _whole(found, 2 * _HALF, 2 * _HALF)


@lru_cache(maxsize=256)
def ground(kind: Ground, shape: str, pale: bool) -> str:
    """A place with its ground, without a margin."""
    tall = _HALF / cos(pi / 6) if shape == "hexagon" else _HALF
    return _whole(_ground(kind, shape, _HALF, tall, pale), 2 * _HALF, 2 * tall)


def icons(shown: Sequence[tuple[str, int]], pale: bool) -> str:
    """Shapes beside each other, at most four in a row, each with the number of its tone."""
    across = min(4, len(shown))
    found: list[svg.DrawingElement] = []
    for number, (shape, tone_number) in enumerate(shown):
        row, column = divmod(number, across)
        x, y, tone = (2 * column + 1) * _HALF, (2 * row + 1) * _HALF, paled(TONES[tone_number % len(TONES)], pale)
        if shape == "bar":
            found.append(svg.Rectangle(x - 42, y - 10, 84, 20, rx=3, fill=tone, stroke=INK, stroke_width=3))
        else:
            found.append(shapes.piece(shape, x, y, 36, tone))
    return _whole(found, 2 * _HALF * across, 2 * _HALF * ((len(shown) - 1) // across + 1))


def mosaic(kinds: Sequence[Ground], pale: bool) -> str:
    """Grounds row by row, in a square."""
    across = round(len(kinds) ** 0.5)
    found: list[svg.DrawingElement] = []
    for number, kind in enumerate(kinds):
        row, column = divmod(number, across)
        found += _ground(kind, "square", (2 * column + 1) * _HALF, (2 * row + 1) * _HALF, pale)
    return _whole(found, 2 * _HALF * across, 2 * _HALF * across)


def _ground(kind: Ground, shape: str, x: float, y: float, pale: bool) -> list[svg.DrawingElement]:
    fill = paled(kind.colour, pale)
    place = shapes.place(shape, x, y, _HALF, fill=fill, stroke=shade(kind.colour, 0.86), stroke_width=1.5)
    return [place, *icon(kind.icon, x, y, _HALF * 0.62, kind.colour, kind.accent)]


def _whole(elements: Sequence[svg.DrawingElement], width: float, height: float) -> str:
    drawing = svg.Drawing(round(width, 2), round(height, 2))
    for element in elements:
        drawing.append(element)
    found = drawing.as_svg()
    assert isinstance(found, str)
    return found
