"""The places of an SVG map, and all that is seen on them: names, icons of the ground, pieces, stacks, markers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, cos, hypot, pi, sqrt, tan

import drawsvg as svg

from rulewright_tools.render.colours import BACK, Palette, dark
from rulewright_tools.render.picture import Item, Picture, Spot
from rulewright_tools.render.svg import shapes
from rulewright_tools.render.svg.geometry import Geometry
from rulewright_tools.render.svg.icons import icon, shade
from rulewright_tools.render.svg.marker_icons import marker
from rulewright_tools.render.svg.region_outlines import BAND
from rulewright_tools.render.svg.stack_labels import StackLabels
from rulewright_tools.render.svg.svg_primitives import FONT, INK, PAPER, SOFT, label, truncated, wide, written

SLOT = 0.37
"""The widest room for a piece or marker in the row above stacks, for a place of radius one."""


@dataclass(frozen=True, slots=True)
class Spotted:
    """A piece that has been drawn, and the box around it."""

    spot: Spot
    item: Item
    left: float
    top: float
    width: float
    height: float


class PlaceContent:
    """Draws what is on the places of one picture."""

    def __init__(self, picture: Picture, palette: Palette, geometry: Geometry, places: str) -> None:
        self.picture = picture
        self.palette = palette
        self.geometry = geometry
        self.places = places
        self.radius = geometry.radius
        self.signs = palette.signs(picture.keys)
        self.grounds = {ground.key: ground for ground in picture.grounds}
        self.tiled = places != "dot" and (picture.shape == "grid" or places == "hexagon")
        self.styles = {style.kind: style for style in picture.style.markers}
        self.labels = StackLabels(palette, self.signs, self.radius, self._half)
        self.pieces: list[Spotted] = []
        """All pieces that have been drawn, in the order of the drawing."""

    def draw(self, spot: Spot) -> Iterator[svg.DrawingElement]:
        """All that lies on a place; on joined places everything lies in the middle of the region."""
        yield from self._name(spot)
        if self.picture.style.stacked and not self._joined(spot):
            yield from self._with_stacks(spot)
        else:
            yield from self._pieces(spot)
            yield from self._corner_markers(spot)
        yield from self._marks(spot)

    def ground_icon(self, spot: Spot) -> Iterator[svg.DrawingElement]:
        """The drawing on the ground of a place: fainter where something lies on it, smaller where there are stacks."""
        ground = self.grounds.get(spot.ground)
        if ground is None or self.places == "none" or self._in_row(spot):
            return
        x, y = self.geometry.at(spot)
        size = self.radius * (0.7 if self.tiled else 0.5)
        opacity = 0.5 if spot.items or spot.stacks else 0.9
        if text := _icon_text(ground.icon, x, y, size, ground.colour, ground.accent, opacity):
            yield svg.Raw(text)

    # ------------------------------------------------------------------------------------------------- names

    def _name(self, spot: Spot) -> Iterator[svg.DrawingElement]:
        if self.picture.shape == "grid" or not self.picture.style.labelled or self.places == "none":
            return
        x, y = self.geometry.at(spot)
        ground = self.grounds.get(spot.ground)
        style = {"text_anchor": "middle", "fill": shade(ground.colour, 0.45) if ground else SOFT}
        stacked = self.picture.style.stacked
        size = min(10.0 if stacked else 12.0, self.radius * 0.36)
        top = y - self.radius * (0.86 if stacked else 0.93)
        text = truncated(spot.label or spot.key, size, 2 * self.radius)
        yield label(text, size, x, top + size, font_family=FONT, **style)

    def _marks(self, spot: Spot) -> Iterator[svg.DrawingElement]:
        x, y = self.geometry.at(spot)
        for number, mark in enumerate(spot.marks):
            text = truncated(mark, 10, 2 * self.radius - 10)
            width = 10 + wide(text, 10)
            top = y + self.radius - 15 - 17 * number
            yield svg.Rectangle(round(x - width / 2, 2), round(top, 2), round(width, 2), 15, rx=7.5, fill=INK)
            yield label(text, 10, x, top + 11, text_anchor="middle", fill=PAPER)

    # ------------------------------------------------------------------------------------- places with stacks

    def _in_row(self, spot: Spot) -> bool:
        """True if the icon of the ground stands in the row above stacks, as something else lies here."""
        filled = bool(spot.items or spot.stacks or spot.markers)
        return self.picture.style.stacked and not self._joined(spot) and filled

    def _with_stacks(self, spot: Spot) -> Iterator[svg.DrawingElement]:
        """One row with the ground, pieces and markers, each in a room of its own; below it the stacks."""
        x, y = self.geometry.at(spot)
        middle = self.radius * (-0.7 if self.places == "square" else -0.5)
        ground = self.grounds.get(spot.ground)
        count = len(spot.items) + len(spot.markers) + (1 if ground and ground.icon != "none" else 0)
        half = self._half(middle - self.radius * 0.1, middle)
        step = min(SLOT * self.radius, 2 * half / max(1, count))
        size = step * 0.46
        left = x - step * (count - 1) / 2
        if ground and ground.icon != "none" and self._in_row(spot):
            strong = shade(ground.colour, 0.7)
            yield from _group(icon(ground.icon, left, y + middle, size, strong, ground.accent), 1.0)
            left += step
        for item in spot.items:
            yield from self._piece(spot, item, left, y + middle, size)
            left += step
        for one in spot.markers:
            yield marker(self.styles[one.kind], one, self.palette, left, y + middle, size * 0.85)
            left += step
        bottom = self.radius * (0.97 if self.places == "square" else 0.95) - 17 * len(spot.marks)
        for plate, slot in self.labels.plates(spot.stacks, x, y, middle + SLOT / 2 * self.radius + 2, bottom):
            if plate.item is not None:
                self.pieces.append(Spotted(spot, plate.item, slot.left, slot.top, slot.width, slot.height))
            yield self.labels.drawn(plate, slot)

    def _half(self, top: float, bottom: float) -> float:
        """Half of the width of a place between two heights, within the band of its owner."""
        band = self.radius * BAND + 2
        reach = max(abs(top), abs(bottom))
        if self.places == "hexagon":
            corner = self.radius / cos(pi / 6)  # along a row, a slanted edge takes twice the breadth of the band
            return max(0.0, min(self.radius - band, (corner - reach) * tan(pi / 3) - 2 * band))
        if self.places == "square":
            return self.radius - band
        return sqrt(max(0.0, (self.radius - band) ** 2 - reach**2))

    # ------------------------------------------------------------------------------------------ other places

    def _pieces(self, spot: Spot) -> Iterator[svg.DrawingElement]:
        x, y = self._middle(spot)
        grid = self.picture.shape == "grid"
        items = [*spot.items, *(item for stack in spot.stacks for item in stack.items)]
        count = len(items)
        across = 1 if count <= 1 else 2 if count <= 4 else 3
        size = self.radius * ((0.68 if grid else 0.5) if count == 1 else 0.34 if across < 3 else 0.27)
        step = size * 2.2
        rows = ceil(count / across) if count else 0
        for number, item in enumerate(items):
            row, column = divmod(number, across)
            in_row = min(across, count - row * across)
            left = x + (column - (in_row - 1) / 2) * step
            yield from self._piece(
                spot, item, left, y + (row - (rows - 1) / 2) * step + (0 if grid else self.radius * 0.09), size
            )

    def _corner_markers(self, spot: Spot) -> Iterator[svg.DrawingElement]:
        """Markers at the upper right, on the rim."""
        x, y = self.geometry.at(spot)
        size = min(11.0, self.radius * 0.24)
        out = 0.78 if self.places == "square" else 0.74 if self.places == "circle" else 0.66
        for number, one in enumerate(spot.markers):
            left, top = x + self.radius * out - number * 2.2 * size, y - self.radius * out
            yield marker(self.styles[one.kind], one, self.palette, left, top, size)

    def _joined(self, spot: Spot) -> bool:
        return any(other.region == spot.region and other is not spot for other in self.picture.spots)

    def _middle(self, spot: Spot) -> tuple[float, float]:
        """The middle of a region: its place nearest to the centre, or between two that are joined and equally near."""
        numbers = [number for number, other in enumerate(self.picture.spots) if other.region == spot.region]
        points = {number: self.geometry.at(self.picture.spots[number]) for number in numbers}
        x, y = (sum(point[axis] for point in points.values()) / len(points) for axis in (0, 1))
        away = {number: round(hypot(point[0] - x, point[1] - y)) for number, point in points.items()}
        nearest = sorted(numbers, key=lambda number: away[number])[:2]
        if len(nearest) < 2 or away[nearest[0]] != away[nearest[1]] or not self._linked(*nearest):
            return points[nearest[0]]
        (x, y), (to_x, to_y) = (points[number] for number in nearest)
        return (x + to_x) / 2, (y + to_y) / 2

    def _linked(self, a: int, b: int) -> bool:
        return (a, b) in self.picture.links or (b, a) in self.picture.links

    def _piece(self, spot: Spot, item: Item, x: float, y: float, size: float) -> Iterator[svg.DrawingElement]:
        self.pieces.append(Spotted(spot, item, x - size, y - size, 2 * size, 2 * size))
        yield svg.Group([*self._drawn(item, x, y, size)], class_="lying")

    def _drawn(self, item: Item, x: float, y: float, size: float) -> Iterator[svg.DrawingElement]:
        colour = BACK if item.back else self.palette.colour(item.hue)
        shape = "square" if item.back else self.palette.shape(item.key)
        if shape != "text":
            piece = shapes.piece(shape, x, y, size, colour)
            key = (item.name if item.owner else "") or item.key
            piece.append_title(f"{key} {item.badge}" if item.badge and not item.back else key or "face down")
            yield piece
        text = self._text_on(item, shape)
        if text:
            large = 2.0 if shape == "text" else 1.3 if item.owner else 1.0  # the sign of a figure shows what it is
            fits = min(size * large, 2.4 * size / len(text))
            ink = colour if shape == "text" else PAPER if dark(colour) else INK
            style = {"text_anchor": "middle", "fill": ink, "font_weight": "bold"}
            lower = y + (size * 0.25 if shape in ("tower", "house", "city") else 0)
            yield label(text, fits, x, lower + fits * 0.35, **style)

    def _text_on(self, item: Item, shape: str) -> str:
        """The number of pieces, and a sign where shape and colour alone do not distinguish them, or a badge."""
        number = str(item.count) if item.count > 1 else ""
        if item.back:
            return number
        if shape in shapes.SPEAKING:
            last = item.key.rpartition(" ")[2]
            return number or item.badge or (last if last.isdigit() else "")
        sign = self.palette.label(item.key)
        if not sign and (item.owner or not self.palette.coloured(item.key)):
            sign = self.signs.get(item.key, item.key[:2])
        return f"{number}{sign}{item.badge}"


@lru_cache(maxsize=4096)
def _icon_text(name: str, x: float, y: float, size: float, colour: str, accent: str, opacity: float) -> str:
    """The icon of a ground as it is written: boards are drawn again and again, and most of their ground stays."""
    return "".join(written(group) for group in _group(icon(name, x, y, size, colour, accent), opacity))


def _group(elements: list[svg.DrawingElement], opacity: float) -> Iterator[svg.DrawingElement]:
    """The elements of an icon as one."""
    if elements:
        faint = svg.Group(opacity=opacity, class_="icon")
        for element in elements:
            faint.append(element)
        yield faint
