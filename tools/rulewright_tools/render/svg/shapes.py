"""Shapes of pieces and places for SVG."""

from __future__ import annotations

from math import cos, pi, sin

import drawsvg as svg

INK = "#2b2a28"

SPEAKING = frozenset({"tower", "shield", "pawn", "card", "house", "city"})
"""Shapes by kind of piece, so that no letters need stand on it."""


def piece(shape: str, x: float, y: float, size: float, colour: str) -> svg.DrawingElement:
    """A piece around a point, within a circle of this size."""
    style = {"fill": colour, "stroke": INK, "stroke_width": round(max(0.8, size / 12), 2), "stroke_linejoin": "round"}
    if shape in ("cube", "square"):
        side = size * 1.62
        return svg.Rectangle(
            round(x - side / 2, 2), round(y - side / 2, 2), round(side, 2), round(side, 2),
            rx=round(size * (0.25 if shape == "cube" else 0), 2), **style,
        )  # fmt: skip
    if shape == "card":
        return svg.Rectangle(
            round(x - size * 0.68, 2), round(y - size * 0.95, 2), round(size * 1.36, 2), round(size * 1.9, 2),
            rx=round(size * 0.22, 2), **style,
        )  # fmt: skip
    if shape in _CURVES:
        return _curved(_CURVES[shape], x, y, size, style)
    if shape in _CORNERS:
        return _polygon(_CORNERS[shape], x, y, size, style)
    return svg.Circle(round(x, 2), round(y, 2), round(size, 2), **style)


def place(shape: str, x: float, y: float, radius: float, **style: object) -> svg.DrawingElement:
    """A place around a point."""
    if shape == "square":
        side = round(2 * radius, 2)
        return svg.Rectangle(round(x - radius, 2), round(y - radius, 2), side, side, **style)
    if shape == "hexagon":
        # Hexes that touch at their sides: the inner radius is half the distance of two centres.
        return _polygon(_CORNERS["hexagon"], x, y, radius / cos(pi / 6), style)
    return svg.Circle(round(x, 2), round(y, 2), round(radius, 2), **style)


def _regular(corners: int, inner: float = 1.0) -> tuple[tuple[float, float], ...]:
    """Corners on a circle, one at the top; with an inner radius, a star."""
    steps = corners if inner == 1.0 else 2 * corners
    found = []
    for step in range(steps):
        reach = inner if step % 2 else 1.0
        found.append((reach * sin(2 * pi * step / steps), -reach * cos(2 * pi * step / steps)))
    return tuple(found)


_CORNERS: dict[str, tuple[tuple[float, float], ...]] = {
    "triangle": _regular(3),
    "diamond": _regular(4),
    "hexagon": _regular(6),
    "star": _regular(5, 0.45),
    "house": ((-0.7, 0.9), (-0.7, -0.1), (-0.95, -0.1), (0.0, -0.95), (0.95, -0.1), (0.7, -0.1), (0.7, 0.9)),
    # A hall between two towers with roofs.
    "city": (
        (-0.98, 0.9), (-0.98, -0.4), (-0.72, -0.85), (-0.46, -0.4), (-0.46, -0.1), (-0.3, -0.1), (-0.3, -0.55),
        (0.0, -1.0), (0.3, -0.55), (0.3, -0.1), (0.46, -0.1), (0.46, -0.4), (0.72, -0.85), (0.98, -0.4), (0.98, 0.9),
    ),
    # A wall with three battlements.
    "tower": (
        (-0.8, -0.95), (-0.4, -0.95), (-0.4, -0.6), (-0.2, -0.6), (-0.2, -0.95), (0.2, -0.95), (0.2, -0.6), (0.4, -0.6),
        (0.4, -0.95), (0.8, -0.95), (0.8, -0.15), (0.62, 0.0), (0.62, 0.9), (-0.62, 0.9), (-0.62, 0.0), (-0.8, -0.15),
    ),
}  # fmt: skip


_CURVES: dict[str, str] = {
    "shield": "M -0.8 -0.9 Q 0 -0.72 0.8 -0.9 L 0.8 -0.05 C 0.8 0.5 0.4 0.82 0 1.02 C -0.4 0.82 -0.8 0.5 -0.8 -0.05 Z",
    "pawn": "M -0.62 0.95 Q -0.62 0.55 -0.36 0.4 L -0.18 -0.2 A 0.42 0.42 0 1 1 0.18 -0.2 L 0.36 0.4"
    " Q 0.62 0.55 0.62 0.95 Z",
}
"""Outlines as SVG writes them, in a circle of size one."""


def _curved(path: str, x: float, y: float, size: float, style: dict[str, object]) -> svg.DrawingElement:
    """An outline moved and enlarged; its stroke keeps its width."""
    found = []
    numbers = 0
    arc = False
    for word in path.split():
        if word.isalpha():
            found.append(word)
            numbers, arc = 0, word == "A"
            continue
        value = float(word)
        # Of an arc the first five numbers are radii, an angle and two flags.
        if arc and numbers < 5:
            value = value * size if numbers < 2 else value
        else:
            value = value * size + (y if (numbers - (5 if arc else 0)) % 2 else x)
        found.append(f"{value:g}" if arc and 1 < numbers < 5 else f"{value:.2f}")
        numbers += 1
    return svg.Path(d=" ".join(found), **style)


def _polygon(
    corners: tuple[tuple[float, float], ...], x: float, y: float, size: float, style: dict[str, object]
) -> svg.DrawingElement:
    points = [round(value, 2) for dx, dy in corners for value in (x + dx * size, y + dy * size)]
    return svg.Lines(*points, close=True, **style)
