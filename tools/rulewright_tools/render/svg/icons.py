"""Small drawings for kinds of ground: quiet, in two tones of the ground's own colour."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

import drawsvg as svg

Draw = Callable[[float, float, float, str, str], list[svg.DrawingElement]]
"""Elements around a point, within a square of twice this size, in a dark tone and an accent."""


def icon(name: str, x: float, y: float, size: float, ground: str, accent: str) -> list[svg.DrawingElement]:
    """The icon of this name around a point; nothing for ``none``."""
    draw = _ICONS.get(name)
    return draw(x, y, size, shade(ground, 0.62), accent or shade(ground, 0.8)) if draw else []


def shade(colour: str, share: float) -> str:
    """A darker tone of ``#rrggbb``: this share of its light; above one a paler tone."""
    parts = [int(colour[start : start + 2], 16) for start in (1, 3, 5)]
    mixed = (part + (255 - part) * (share - 1) if share > 1 else part * share for part in parts)
    return "#" + "".join(f"{round(part):02x}" for part in mixed)


def _path(corners: list[tuple[float, float]], x: float, y: float, size: float, **style: object) -> svg.DrawingElement:
    points = [round(value, 1) for dx, dy in corners for value in (x + dx * size, y + dy * size)]
    return svg.Lines(*points, **({"close": True, "stroke_linejoin": "round"} | style))


def _line(dx: float, dy: float, ex: float, ey: float, x: float, y: float, size: float, tone: str) -> svg.DrawingElement:
    ends = (round(value, 1) for value in (x + dx * size, y + dy * size, x + ex * size, y + ey * size))
    return svg.Line(*ends, stroke=tone, stroke_width=round(size * 0.11, 1), stroke_linecap="round")


def _trees(x: float, y: float, size: float, tone: str, accent: str) -> list[svg.DrawingElement]:
    found: list[svg.DrawingElement] = []
    for dx, dy, tall in ((-0.5, 0.08, 0.8), (0.5, 0.08, 0.8), (0.0, 0.32, 1.0)):
        left, top = x + dx * size, y + dy * size
        found.append(_line(0, 0.2, 0, 0.45, left, top, size * tall, tone))
        crown = [(-0.42, 0.25), (0.0, -0.75), (0.42, 0.25)]
        found.append(_path(crown, left, top, size * tall, fill=tone, stroke=accent, stroke_width=round(size * 0.06, 1)))
    return found


def _grass(x: float, y: float, size: float, tone: str, accent: str) -> list[svg.DrawingElement]:
    found: list[svg.DrawingElement] = []
    for dx, dy in ((-0.45, -0.3), (0.4, 0.0), (-0.25, 0.5)):
        for lean in (-0.14, 0.0, 0.14):
            found.append(_line(dx + lean / 3, dy, dx + lean, dy - 0.24, x, y, size, accent))
    return found


def _house(x: float, y: float, size: float, tone: str, accent: str) -> list[svg.DrawingElement]:
    edge = {"stroke": tone, "stroke_width": round(size * 0.1, 1)}
    wall = [(-0.42, 0.5), (-0.42, -0.05), (0.42, -0.05), (0.42, 0.5)]
    roof = [(-0.58, 0.0), (0.0, -0.58), (0.58, 0.0)]
    door = [(-0.11, 0.5), (-0.11, 0.2), (0.11, 0.2), (0.11, 0.5)]
    return [
        _path(wall, x, y, size, fill=shade(accent, 1.75), **edge),
        _path(roof, x, y, size, fill=accent, **edge),
        _path(door, x, y, size, fill=tone),
    ]


def _houses(x: float, y: float, size: float, tone: str, accent: str) -> list[svg.DrawingElement]:
    back = _house(x + size * 0.36, y - size * 0.28, size * 0.68, tone, accent)
    return [*back, *_house(x - size * 0.26, y + size * 0.26, size * 0.86, tone, accent)]


def _town(x: float, y: float, size: float, tone: str, accent: str) -> list[svg.DrawingElement]:
    edge = {"stroke": tone, "stroke_width": round(size * 0.08, 1)}
    tower = [(-0.2, 0.75), (-0.2, -0.45), (0.0, -0.95), (0.2, -0.45), (0.2, 0.75)]
    wall = [(-0.85, 0.75), (-0.85, 0.1), (-0.6, 0.1), (-0.6, 0.25), (-0.4, 0.25), (-0.4, 0.1), (0.4, 0.1), (0.4, 0.25),
            (0.6, 0.25), (0.6, 0.1), (0.85, 0.1), (0.85, 0.75)]  # fmt: skip
    gate = [(-0.13, 0.75), (-0.13, 0.4), (0.0, 0.28), (0.13, 0.4), (0.13, 0.75)]
    sides = [_path([(dx - 0.14, 0.1), (dx - 0.14, -0.25), (dx, -0.6), (dx + 0.14, -0.25), (dx + 0.14, 0.1)], x, y, size,
                   fill=accent, **edge) for dx in (-0.5, 0.5)]  # fmt: skip
    return [
        *sides,
        _path(tower, x, y, size, fill=accent, **edge),
        _path(wall, x, y, size, fill=shade(accent, 1.5), **edge),
        _path(gate, x, y, size, fill=tone),
    ]


def _mine(x: float, y: float, size: float, tone: str, accent: str) -> list[svg.DrawingElement]:
    hill = [(-1.0, 0.62), (-0.66, -0.12), (-0.34, -0.3), (-0.02, -0.78), (0.36, -0.3), (0.68, -0.06), (1.0, 0.62)]
    edge = {"stroke": tone, "stroke_width": round(size * 0.08, 1)}
    # What is found there lies before the hill, cut and polished.
    left, top, wide = x, y + size * 0.34, size * 0.5
    gem = [(-1.0, -0.18), (-0.5, -0.8), (0.5, -0.8), (1.0, -0.18), (0.0, 0.95)]
    table = [(-0.42, -0.18), (0.0, -0.8), (0.42, -0.18)]
    lines = {"stroke": shade(accent, 0.5), "stroke_width": round(size * 0.07, 1)}
    return [
        _path(hill, x, y, size, fill=shade(tone, 1.3), **edge),
        _path(gem, left, top, wide, fill=accent, **lines),
        _path(table, left, top, wide, fill=shade(accent, 1.45), close=True),
        _line(-1.0, -0.18, 1.0, -0.18, left, top, wide, shade(accent, 0.5)),
    ]


def _hills(x: float, y: float, size: float, tone: str, accent: str) -> list[svg.DrawingElement]:
    return [_arch(x + dx * size, y + dy * size, size * wide, tone, accent)
            for dx, dy, wide in ((0.38, 0.1, 0.55), (-0.3, 0.35, 0.65))]  # fmt: skip


def _arch(x: float, y: float, size: float, tone: str, accent: str) -> svg.DrawingElement:
    path = svg.Path(fill=accent, stroke=tone, stroke_width=round(size * 0.14, 1), stroke_linecap="round")
    path.M(round(x - size, 1), round(y + size * 0.4, 1))
    return path.Q(round(x, 1), round(y - size * 1.3, 1), round(x + size, 1), round(y + size * 0.4, 1))


def _peaks(x: float, y: float, size: float, tone: str, accent: str) -> list[svg.DrawingElement]:
    found: list[svg.DrawingElement] = []
    for dx, dy, tall in ((0.35, 0.12, 0.7), (-0.22, 0.2, 1.0)):
        left, top = x + dx * size, y + dy * size
        found.append(_path([(-0.6, 0.5), (0.0, -0.8), (0.6, 0.5)], left, top, size * tall, fill=tone))
        found.append(
            _path([(-0.2, -0.37), (0.0, -0.8), (0.2, -0.37), (0.0, -0.22)], left, top, size * tall, fill="#f7f5f0")
        )
    return found


def _waves(x: float, y: float, size: float, tone: str, accent: str) -> list[svg.DrawingElement]:
    return [_ripple(x + dx * size, y + dy * size, size, tone) for dx, dy in ((-0.15, -0.4), (0.2, 0.02), (-0.2, 0.45))]


def _dunes(x: float, y: float, size: float, tone: str, accent: str) -> list[svg.DrawingElement]:
    return [_arch(x + dx * size, y + dy * size, size * 0.42, accent, "none")
            for dx, dy in ((-0.35, -0.25), (0.4, 0.05), (-0.2, 0.5))]  # fmt: skip


def _reeds(x: float, y: float, size: float, tone: str, accent: str) -> list[svg.DrawingElement]:
    found = [_ripple(x, y + size * 0.55, size, accent)]
    for dx, top in ((-0.4, -0.35), (-0.15, -0.6), (0.15, -0.45), (0.42, -0.2)):
        found.append(_line(dx, 0.4, dx, top, x, y, size, tone))
    return found


def _palms(x: float, y: float, size: float, tone: str, accent: str) -> list[svg.DrawingElement]:
    found: list[svg.DrawingElement] = []
    for dx, dy, tall in ((-0.42, 0.12, 0.8), (0.3, 0.2, 1.0)):
        reach = size * tall
        left, top = x + dx * size, y + dy * size - reach * 0.3
        found.append(_bow(left, top, (0.16, 0.4), (-0.04, 1.0), reach, tone))
        for bend, tip in (((-0.5, -0.5), (-0.72, 0.2)), ((-0.4, -0.75), (-0.6, -0.35)), ((0.05, -0.75), (0.2, -0.62)),
                          ((0.5, -0.65), (0.7, -0.2)), ((0.45, -0.35), (0.58, 0.3))):  # fmt: skip
            found.append(_bow(left, top, bend, tip, reach, tone))
    return found


def _bow(
    x: float, y: float, bend: tuple[float, float], tip: tuple[float, float], size: float, tone: str
) -> svg.DrawingElement:
    """A curved stroke from a point."""
    path = svg.Path(fill="none", stroke=tone, stroke_width=round(size * 0.14, 1), stroke_linecap="round")
    path.M(round(x, 1), round(y, 1))
    return path.q(*(round(value * size, 1) for value in (*bend, *tip)))


def _ice(x: float, y: float, size: float, tone: str, accent: str) -> list[svg.DrawingElement]:
    """A flake of snow, and two small ones."""
    found: list[svg.DrawingElement] = []
    for dx, dy, wide in ((0.0, 0.1, 0.62), (-0.62, -0.5, 0.28), (0.62, -0.55, 0.28)):
        left, top = x + dx * size, y + dy * size
        for step in range(3):
            way = pi * step / 3 + pi / 6
            arm = (cos(way), sin(way))
            found.append(_line(-arm[0], -arm[1], arm[0], arm[1], left, top, size * wide, tone))
    return found


def _ripple(x: float, y: float, size: float, tone: str) -> svg.DrawingElement:
    path = svg.Path(fill="none", stroke=tone, stroke_width=round(size * 0.11, 1), stroke_linecap="round")
    path.M(round(x - size * 0.5, 1), round(y, 1))
    path.q(round(size * 0.25, 1), round(-size * 0.3, 1), round(size * 0.5, 1), 0)
    return path.t(round(size * 0.5, 1), 0)


_ICONS: dict[str, Draw] = {
    "trees": _trees,
    "grass": _grass,
    "houses": _houses,
    "town": _town,
    "mine": _mine,
    "hills": _hills,
    "peaks": _peaks,
    "waves": _waves,
    "dunes": _dunes,
    "reeds": _reeds,
    "palms": _palms,
    "ice": _ice,
}
