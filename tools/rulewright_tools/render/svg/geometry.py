"""The positions of the places and edges of a map on a sheet."""

from __future__ import annotations

from copy import copy
from itertools import combinations
from math import atan2, cos, hypot, pi, sin, tan

from rulewright_tools.render.picture import Edge, Picture, Spot

SCALE = 0.11
"""Points for a thousandth of a unit of the map's layout, if that does not get too large."""

ROOMY = 0.14
"""The size of places where stacks must find room on them."""

CORNER = 0.45
"""The radius of a corner, for a cell of radius one: less than half of a side."""

WIDEST = 820
"""Points from side to side of a large map."""

Point = tuple[float, float]
Segment = tuple[Point, Point]


class Geometry:
    """Places a map's spots on a sheet whose corner is (0, 0)."""

    def __init__(self, picture: Picture, shape: str) -> None:
        self._picture = picture
        self._tiles = {"grid": 4, "hexes": 6}.get(picture.shape, 0)
        xs = [spot.x for spot in picture.spots] or [0]
        ys = [spot.y for spot in picture.spots] or [0]
        self._left, self._top = min(xs), min(ys)
        across, down = max(xs) - self._left, max(ys) - self._top
        steps = [self._step(edge) for edge in picture.links]
        joined = min((step for step in steps if step > 0), default=1000.0)
        nearest = joined
        if picture.shape == "graph":  # edges may pass places by, which must not overlap and leave room for the lines
            apart = (hypot(a.x - b.x, a.y - b.y) for a, b in combinations(picture.spots, 2))
            nearest = min((step for step in (joined, *apart) if step > 0), default=joined)
        loose = 0.62 if nearest < joined else 0.92
        most, widest = (ROOMY, 1.3 * WIDEST) if picture.style.stacked else (SCALE, WIDEST)
        self.scale = max(32 / nearest, min(most, widest / (max(across, down) + nearest)))
        tight = shape in ("square", "hexagon") or self._tiles == 4
        self.radius = max(
            16.0, min(76.0 if picture.style.stacked else 70.0, nearest * self.scale / 2 * (1.0 if tight else loose))
        )
        """Half the distance of the nearest two places, so that nothing overlaps."""
        rim = self.radius / cos(pi / 6) if shape == "hexagon" else self.radius
        self._first = self.radius, rim
        self.width = across * self.scale + 2 * self.radius if picture.spots else 0.0
        self.height = down * self.scale + 2 * rim if picture.spots else 0.0
        self._beside: dict[str, list[Spot]] = {spot.key: [] for spot in picture.spots}
        sided = [(a, b) for a, b in picture.links if self._tiles != 4 or self._share_side(a, b)]
        for one, other in sided:
            self._beside[picture.spots[one].key].append(picture.spots[other])
            self._beside[picture.spots[other].key].append(picture.spots[one])

    def _share_side(self, one: int, other: int) -> bool:
        """True of two squares that share more than a corner."""
        a, b = self._picture.spots[one], self._picture.spots[other]
        return a.x == b.x or a.y == b.y

    def at(self, spot: Spot) -> Point:
        """The middle of a place."""
        left, top = self._first
        return (
            round(left + (spot.x - self._left) * self.scale, 2),
            round(top + (spot.y - self._top) * self.scale, 2),
        )

    def of_corners(self, picture: Picture) -> Geometry:
        """The positions, on the same sheet, of a map whose places are the corners of the places of this one."""
        found = copy(self)
        found._picture, found._tiles, found.radius = picture, 0, self.radius * CORNER
        return found

    def edge(self, edge: Edge) -> Segment:
        """The ends of an edge: on tiles the side that two of them share, else a bar across the way between them."""
        one, other = self.at(self._picture.spots[edge.one]), self.at(self._picture.spots[edge.other])
        angle = atan2(other[1] - one[1], other[0] - one[0])
        middle = ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2)
        half = self.radius * (tan(pi / self._tiles) if self._tiles else 0.5)
        return _across(middle, angle, half)

    def sides(self, spot: Spot) -> list[tuple[Spot | None, Segment, Point]]:
        """On tiles all sides of one: which is beyond it, its ends, and the way inwards; other places have none."""
        if not self._tiles:
            return []
        x, y = self.at(spot)
        beyond = {self._sector((x, y), self.at(other)): other for other in self._beside[spot.key]}
        found: list[tuple[Spot | None, Segment, Point]] = []
        for number in range(self._tiles):
            angle = 2 * pi * number / self._tiles
            middle = (x + self.radius * cos(angle), y + self.radius * sin(angle))
            side = _across(middle, angle, self.radius * tan(pi / self._tiles))
            found.append((beyond.get(number), side, (-cos(angle), -sin(angle))))
        return found

    def _sector(self, one: Point, other: Point) -> int:
        return round(atan2(other[1] - one[1], other[0] - one[0]) / (2 * pi) * self._tiles) % self._tiles

    def _step(self, link: tuple[int, int]) -> float:
        one, other = (self._picture.spots[number] for number in link)
        return hypot(one.x - other.x, one.y - other.y)


def _across(middle: Point, angle: float, half: float) -> Segment:
    dx, dy = -sin(angle) * half, cos(angle) * half
    return (
        (round(middle[0] - dx, 2), round(middle[1] - dy, 2)),
        (round(middle[0] + dx, 2), round(middle[1] + dy, 2)),
    )
