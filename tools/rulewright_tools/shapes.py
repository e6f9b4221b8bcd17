"""Shapes of pieces and places for SVG."""

from __future__ import annotations

from math import cos, pi, sin

import drawsvg as svg

INK = "#2b2a28"


def piece(shape: str, x: float, y: float, size: float, colour: str) -> svg.DrawingElement:
    """A piece around a point, within a circle of this size."""
    style = {"fill": colour, "stroke": INK, "stroke_width": round(max(0.8, size / 12), 2), "stroke_linejoin": "round"}
    if shape in ("cube", "square"):
        side = size * 1.62
        return svg.Rectangle(
            round(x - side / 2, 2), round(y - side / 2, 2), round(side, 2), round(side, 2),
            rx=round(size * (0.25 if shape == "cube" else 0), 2), **style,
        )  # fmt: skip
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
    # A wall with three battlements.
    "tower": (
        (-0.8, -0.95), (-0.4, -0.95), (-0.4, -0.6), (-0.2, -0.6), (-0.2, -0.95), (0.2, -0.95), (0.2, -0.6), (0.4, -0.6),
        (0.4, -0.95), (0.8, -0.95), (0.8, -0.15), (0.62, 0.0), (0.62, 0.9), (-0.62, 0.9), (-0.62, 0.0), (-0.8, -0.15),
    ),
}  # fmt: skip


def _polygon(
    corners: tuple[tuple[float, float], ...], x: float, y: float, size: float, style: dict[str, object]
) -> svg.DrawingElement:
    points = [round(value, 2) for dx, dy in corners for value in (x + dx * size, y + dy * size)]
    return svg.Lines(*points, close=True, **style)
