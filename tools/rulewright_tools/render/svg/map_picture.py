"""The map of an SVG picture: ground, lands, walls, and what lies on the places."""

from __future__ import annotations

from dataclasses import replace
from math import hypot

import drawsvg as svg

from rulewright_tools.render.colours import Palette
from rulewright_tools.render.picture import Picture, Spot
from rulewright_tools.render.svg import shapes
from rulewright_tools.render.svg.geometry import Geometry, Segment
from rulewright_tools.render.svg.icons import shade
from rulewright_tools.render.svg.place_content import PlaceContent
from rulewright_tools.render.svg.region_outlines import region_outlines
from rulewright_tools.render.svg.svg_primitives import INK, LAND, LINE, PAPER, SHADE, SOFT, WALL, label

_NAMED, _GAP = 42.0, 40.0
"""For the name of a map, where there are several, and above it."""


class Map:
    """Draws the map from its corner (0, 0)."""

    def __init__(self, picture: Picture, palette: Palette, ink: str, base: Map | None = None) -> None:
        if base is not None:  # corners are small: no more than dots, and what lies on them
            picture = replace(picture, style=replace(picture.style, places="dot", labelled=False, stacked=False))
        self.picture = picture
        self.palette = palette
        self.soft = SOFT if ink == INK else ink
        self.grounds = {ground.key: ground for ground in picture.grounds}
        default = {"grid": "square", "hexes": "hexagon"}.get(picture.shape, "circle")
        self.places = picture.style.places or default
        self.geometry: Geometry = base.geometry.of_corners(picture) if base else Geometry(picture, self.places)
        self.radius = self.geometry.radius
        self.width, self.height = self.geometry.width, self.geometry.height
        self._wide = max(3.0, min(10.0, self.radius * 0.2))
        """Of walls."""
        self.tiled = self.places != "dot" and (picture.shape == "grid" or self.places == "hexagon")
        self.elements: list[svg.DrawingElement] = []
        self._ways()
        if not self.tiled:
            self._lines()
        for spot in picture.spots:
            self._place(spot)
        self._joined()
        covered = self._wide / 2 if picture.edges else 0.0
        self.elements += region_outlines(picture, self.geometry, palette, self.places, covered)
        content = PlaceContent(picture, palette, self.geometry, self.places)
        for spot in picture.spots:
            self.elements += content.ground_icon(spot)
        self._walls()
        if self.tiled:
            self._lines()
        for spot in picture.spots:
            self.elements += content.draw(spot)
        self.pieces = content.pieces
        """All pieces that lie on places, with the boxes around them."""
        if picture.shape == "grid":
            self._coordinates()

    def _add(self, element: svg.DrawingElement) -> None:
        self.elements.append(element)

    def _line(self, ends: Segment, **style: object) -> None:
        (x1, y1), (x2, y2) = ends
        self._add(svg.Line(round(x1, 2), round(y1, 2), round(x2, 2), round(y2, 2), **style))

    # ---------------------------------------------------------------------------------------------- the ground

    def _ways(self) -> None:
        """Lines between neighbours, where places do not touch."""
        spots = self.picture.spots
        for a, b in self.picture.links if not self.tiled else ():
            if spots[a].region != spots[b].region:
                ends = (self.geometry.at(spots[a]), self.geometry.at(spots[b]))
                self._line(ends, stroke=LINE, stroke_width=3, stroke_linecap="round")

    def _lines(self) -> None:
        """Roads, railways and the like: lines from place to place, side by side where there are several."""
        spots = self.picture.spots
        plain = self.palette.ground(self.picture.style.line) if self.picture.style.line else WALL
        wide = round(min(self._wide, self.radius * 0.3), 2)
        for edge in self.picture.edges:
            (x1, y1), (x2, y2) = self.geometry.at(spots[edge.one]), self.geometry.at(spots[edge.other])
            long = hypot(x2 - x1, y2 - y1) or 1.0
            for number, (name, owner) in enumerate(edge.lines):
                aside = (number - (len(edge.lines) - 1) / 2) * wide * 1.3 / long
                dx, dy = (y1 - y2) * aside, (x2 - x1) * aside
                tone = self.palette.colour(owner) if owner else plain
                ends = (round(part, 2) for part in (x1 + dx, y1 + dy, x2 + dx, y2 + dy))
                line = svg.Line(*ends, stroke=tone, stroke_width=wide, stroke_linecap="round", class_="line")
                line.append_title(f"{name} {edge.key}" + (f" {owner}" if owner else ""))
                self._add(line)

    def _place(self, spot: Spot) -> None:
        if self.places == "none":
            return
        x, y = self.geometry.at(spot)
        if self.places == "dot":
            dot = shapes.place("circle", x, y, max(3.0, self.radius * 0.14), fill=INK, stroke="none")
            dot.append_title(spot.key)
            self._add(dot)
            return
        ground = self.grounds.get(spot.ground)
        shaded = (round(spot.x / 1000) + round(spot.y / 1000)) % 2 == 1 and self.places == "square"
        fill = ground.colour if ground else SHADE if shaded and self.picture.shape == "grid" else LAND
        line = shade(ground.colour, 0.86) if ground else LINE
        if self.picture.shape == "grid" and self.places != "square":
            # A hole in the board, as for discs that are dropped in.
            self._add(shapes.place("square", x, y, self.radius, fill=fill, stroke=fill, stroke_width=1))
            hole = shapes.place(self.places, x, y, self.radius * 0.82, fill=PAPER, stroke=line, stroke_width=1.5)
            self._add(hole)
            return
        place = shapes.place(
            self.places, x, y, self.radius, fill=fill, stroke=line, stroke_width=1 if self.tiled else 2
        )
        place.append_title(f"{spot.key} {ground.title}" if ground else spot.key)
        self._add(place)

    def _joined(self) -> None:
        """A broad band makes one country of joined places: first its border, then its ground over both."""
        spots = self.picture.spots
        joined = [(a, b) for a, b in self.picture.links if spots[a].region == spots[b].region]
        for tone, more in ((LINE, 2), (LAND, 0)):
            for a, b in joined:
                ends = (self.geometry.at(spots[a]), self.geometry.at(spots[b]))
                self._line(ends, stroke=tone, stroke_width=round(self.radius * 2 + more, 2), stroke_linecap="round")

    def _walls(self) -> None:
        """Walls, and the frame around a board whose edges matter."""
        walls = self.picture.walls
        colour = self.palette.ground(self.picture.style.wall) if self.picture.style.wall else WALL
        tones = {wall: colour if number == 0 else self.palette.colour(wall) for number, wall in enumerate(walls)}
        wide = self._wide
        if self.picture.shape == "grid" and self.tiled:
            out = wide / 2 if self.picture.edges else 0.0
            frame = {"stroke": colour if self.picture.edges else LINE, "stroke_width": round(2 * out or 2, 2)}
            size = [round(length + 2 * out, 2) for length in (self.width, self.height)]
            corner = round(2 * out or 2, 2)
            self._add(svg.Rectangle(round(-out, 2), round(-out, 2), *size, rx=corner, fill="none", **frame))
        for edge in self.picture.edges:
            for wall in edge.walls[:1]:
                (x1, y1), (x2, y2) = self.geometry.edge(edge)
                style = {"stroke_width": round(wide, 2), "stroke_linecap": "round"}
                line = svg.Line(x1, y1, x2, y2, stroke=tones[wall], class_="wall", **style)
                line.append_title(f"{wall} {edge.key}")
                self._add(line)
            if edge.marked:
                (x1, y1), (x2, y2) = self.geometry.edge(edge)
                x, y, dx, dy = (x1 + x2) / 2, (y1 + y2) / 2, (x2 - x1) / 4, (y2 - y1) / 4
                style = {"stroke_width": round(wide, 2), "stroke_linecap": "round"}
                ends = (round(part, 2) for part in (x - dy, y + dx, x + dy, y - dx))
                line = svg.Line(*ends, stroke=colour, class_="mark", **style)
                line.append_title(f"{self.picture.style.mark} {edge.key}")
                self._add(line)

    def _coordinates(self) -> None:
        """Numbers of rows and columns at the border, as they stand in the keys of the places."""
        style = {"text_anchor": "middle", "fill": self.soft}
        out = self._wide if self.picture.edges else 0.0
        out = out if self.tiled else -0.6 * self.radius
        columns = {spot.x: self.geometry.at(spot)[0] for spot in self.picture.spots}
        rows = {spot.y: self.geometry.at(spot)[1] for spot in self.picture.spots}
        for number, x in enumerate(sorted(columns)):
            self._add(label(str(number), 12, columns[x], -10 - out, **style))
        for number, y in enumerate(sorted(rows)):
            self._add(label(str(number), 12, -16 - out, rows[y] + 4, **style))


class Maps:
    """Draws the maps of a picture below each other, each with its name if there are several, from the corner (0, 0);
    corners on their cells.
    """

    def __init__(self, picture: Picture, palette: Palette, ink: str) -> None:
        self.maps: list[tuple[Map, float]] = []
        """Each with the distance of its corner from the upper edge."""
        self.elements: list[svg.DrawingElement] = []
        self.width = self.height = 0.0
        drawn: dict[str, tuple[Map, float]] = {}
        alone = [one for one in picture.maps if not one.base]
        for one in (*alone, *(one for one in picture.maps if one.base)):
            if one.base:
                base, top = drawn[one.base]
                map_ = Map(one, palette, ink, base)
                self.elements += _moved_down(map_.elements, top)
                self.maps.append((map_, top))
                continue
            if len(alone) > 1:
                self.height += _GAP if self.maps else 0.0
                self.elements.append(label(one.name, 17, 0, self.height + 6, font_weight="bold", fill=ink))
                self.height += _NAMED
            map_ = Map(one, palette, ink)
            self.elements += _moved_down(map_.elements, self.height)
            drawn[one.place] = map_, self.height
            self.maps.append((map_, self.height))
            self.width, self.height = max(self.width, map_.width), self.height + map_.height


def _moved_down(elements: list[svg.DrawingElement], top: float) -> list[svg.DrawingElement]:
    if not top:
        return elements
    group = svg.Group(transform=f"translate(0,{top:g})")
    for element in elements:
        group.append(element)
    return [group]
