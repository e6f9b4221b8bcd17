"""Lands and their owners: a band inside the outline of a land, in the owner's colour, or a tint over all of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import hypot

import drawsvg as svg

from rulewright_tools.render.colours import Palette
from rulewright_tools.render.picture import Picture, Spot
from rulewright_tools.render.svg import shapes
from rulewright_tools.render.svg.geometry import Geometry, Point

BAND = 0.15
"""The breadth of a band, for a place of radius one."""

Owner = Callable[[Spot], str]


def region_outlines(
    picture: Picture, geometry: Geometry, palette: Palette, places: str, covered: float
) -> Iterator[svg.DrawingElement]:
    """All tints and bands of a map; `places` is the shape of its places, `covered` how much of bands walls hide."""
    band = geometry.radius * BAND + covered
    for spot in picture.spots:
        if spot.tint:
            x, y = geometry.at(spot)
            colour = palette.colour(spot.tint)
            yield shapes.place(places, x, y, geometry.radius, fill=colour, fill_opacity=0.24, class_="land")
    owners: tuple[tuple[Owner, float], ...] = ((lambda spot: spot.tint, 0.75), (lambda spot: spot.rim, 1.0))
    for owner, opacity in owners:
        for spot in picture.spots:
            if owner(spot):
                colour = palette.colour(owner(spot))
                style = {"fill": colour, "fill_opacity": opacity, "class_": "rim"}
                yield from _bands(geometry, spot, owner, places, band, style)


def _bands(
    geometry: Geometry, spot: Spot, owner: Owner, places: str, wide: float, style: dict[str, object]
) -> Iterator[svg.DrawingElement]:
    """The band along those sides of a place where other land begins; the whole rim, if it has no sides."""
    sides = geometry.sides(spot)
    if not sides or places == "circle":
        x, y = geometry.at(spot)
        ring = {"fill": "none", "stroke": style["fill"], "stroke_width": round(wide, 2), "class_": style["class_"]}
        yield shapes.place(places, x, y, geometry.radius - wide / 2, **ring)
        return
    middle = geometry.at(spot)
    bounds = [beyond is None or owner(beyond) != owner(spot) for beyond, _, _ in sides]
    for number, (_, ends, _) in enumerate(sides):
        if bounds[number]:
            before, after = (number - 1) % len(sides), (number + 1) % len(sides)
            first = _inner(ends[0], middle, sides[before][1][0], bounds[before], wide, geometry.radius, len(sides))
            last = _inner(ends[1], middle, sides[after][1][1], bounds[after], wide, geometry.radius, len(sides))
            points = [round(value, 2) for point in (ends[0], ends[1], last, first) for value in point]
            yield svg.Lines(*points, close=True, **style)


def _inner(corner: Point, middle: Point, further: Point, meets: bool, wide: float, radius: float, sides: int) -> Point:
    """The inner end of a band at a corner: where it meets the next band, else on the side that no band follows."""
    if meets:
        toward, share = middle, wide / radius
    else:
        slant = {4: 1.0, 6: 0.866}[sides]
        toward, share = further, wide / slant / hypot(further[0] - corner[0], further[1] - corner[1])
    return (corner[0] + (toward[0] - corner[0]) * share, corner[1] + (toward[1] - corner[1]) * share)
