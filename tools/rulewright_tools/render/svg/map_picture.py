"""The map of an SVG picture: ground, lands, walls, and what lies on the places."""

from __future__ import annotations

from math import ceil, hypot

import drawsvg as svg

from rulewright_tools.render.colours import BACK, Palette, dark
from rulewright_tools.render.picture import Item, Picture, Spot
from rulewright_tools.render.svg import shapes
from rulewright_tools.render.svg.geometry import Geometry, Segment
from rulewright_tools.render.svg.icons import icon, shade
from rulewright_tools.render.svg.svg_primitives import FONT, INK, LAND, LINE, PAPER, SHADE, SOFT, WALL, label


class Map:
    """Draws the map from its corner (0, 0)."""

    def __init__(self, picture: Picture, palette: Palette, ink: str) -> None:
        self.picture = picture
        self.palette = palette
        self.soft = SOFT if ink == INK else ink
        self.signs = palette.signs(picture.keys)
        self.grounds = {ground.key: ground for ground in picture.grounds}
        default = {"grid": "square", "hexes": "hexagon"}.get(picture.shape, "circle")
        self.places = picture.style.places or default
        self.geometry = Geometry(picture, self.places)
        self.radius = self.geometry.radius
        self.width, self.height = self.geometry.width, self.geometry.height
        self._wide = max(3.0, min(10.0, self.radius * 0.2))
        """Of walls."""
        self.tiled = picture.shape == "grid" or self.places == "hexagon"
        self.elements: list[svg.DrawingElement] = []
        self._ways()
        for spot in picture.spots:
            self._place(spot)
        self._joined()
        self._lands()
        for spot in picture.spots:
            self._icon(spot)
        self._walls()
        for spot in picture.spots:
            self._content(spot)
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

    def _place(self, spot: Spot) -> None:
        if self.places == "none":
            return
        x, y = self.geometry.at(spot)
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

    def _icon(self, spot: Spot) -> None:
        """The drawing on the ground of a place, fainter where something lies on it."""
        ground = self.grounds.get(spot.ground)
        if ground is None or self.places == "none":
            return
        x, y = self.geometry.at(spot)
        size = self.radius * (0.7 if self.tiled else 0.5)
        elements = icon(ground.icon, x, y, size, ground.colour, ground.accent)
        if elements:
            faint = svg.Group(opacity=0.5 if spot.items else 0.9, class_="icon")
            for element in elements:
                faint.append(element)
            self._add(faint)

    def _joined(self) -> None:
        """A broad band makes one country of joined places: first its border, then its ground over both."""
        spots = self.picture.spots
        joined = [(a, b) for a, b in self.picture.links if spots[a].region == spots[b].region]
        for tone, more in ((LINE, 2), (LAND, 0)):
            for a, b in joined:
                ends = (self.geometry.at(spots[a]), self.geometry.at(spots[b]))
                self._line(ends, stroke=tone, stroke_width=round(self.radius * 2 + more, 2), stroke_linecap="round")

    def _lands(self) -> None:
        """Places that are somebody's land: tinted, and inside its outline a band in the owner's colour."""
        for spot in self.picture.spots if self.tiled else ():
            if not spot.tint:
                continue
            x, y = self.geometry.at(spot)
            colour = self.palette.colour(spot.tint)
            self._add(shapes.place(self.places, x, y, self.radius, fill=colour, fill_opacity=0.24, class_="land"))
        band = self.radius * 0.16
        for spot in self.picture.spots if self.tiled else ():
            for beyond, ends, (dx, dy) in self.geometry.sides(spot) if spot.tint else ():
                if beyond is None or beyond.tint != spot.tint:
                    moved = [(px + dx * band * 0.9, py + dy * band * 0.9) for px, py in ends]
                    colour = self.palette.colour(spot.tint)
                    self._line((moved[0], moved[1]), stroke=colour, stroke_width=round(band, 2), stroke_opacity=0.75)

    def _walls(self) -> None:
        """Walls, and the frame around a board whose edges matter."""
        walls = self.picture.walls
        colour = self.palette.ground(self.picture.style.wall) if self.picture.style.wall else WALL
        tones = {wall: colour if number == 0 else self.palette.colour(wall) for number, wall in enumerate(walls)}
        wide = self._wide
        if self.picture.shape == "grid":
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

    # ----------------------------------------------------------------------------------------- on the places

    def _content(self, spot: Spot) -> None:
        """Draw what lies on a place; on joined places everything lies in the middle of the region."""
        x, y = self._middle(spot)
        grid = self.picture.shape == "grid"
        if not grid and self.picture.style.labelled and self.places != "none":
            own_x, own_y = self.geometry.at(spot)
            ground = self.grounds.get(spot.ground)
            tone = shade(ground.colour, 0.45) if ground else SOFT
            style = {"text_anchor": "middle", "fill": self.soft if self.places == "none" else tone}
            size = min(12, self.radius * 0.36)
            text = spot.label or spot.key
            self._add(label(text, size, own_x, own_y - self.radius * 0.93 + size, font_family=FONT, **style))
        count = len(spot.items)
        across = 1 if count <= 1 else 2 if count <= 4 else 3
        size = self.radius * ((0.68 if grid else 0.5) if count == 1 else 0.34 if across < 3 else 0.27)
        step = size * 2.2
        rows = ceil(count / across) if count else 0
        for number, item in enumerate(spot.items):
            row, column = divmod(number, across)
            in_row = min(across, count - row * across)
            left = x + (column - (in_row - 1) / 2) * step
            self._piece(item, left, y + (row - (rows - 1) / 2) * step + (0 if grid else self.radius * 0.09), size)
        for number, mark in enumerate(spot.marks):
            own_x, own_y = self.geometry.at(spot)
            width = 10 + 6 * len(mark)
            top = own_y + self.radius - 15 - 17 * number
            self._add(svg.Rectangle(round(own_x - width / 2, 2), round(top, 2), width, 15, rx=7.5, fill=INK))
            self._add(label(mark, 10, own_x, top + 11, text_anchor="middle", fill=PAPER))

    def _middle(self, spot: Spot) -> tuple[float, float]:
        """The middle of a region: its place nearest to the centre."""
        points = [self.geometry.at(other) for other in self.picture.spots if other.region == spot.region]
        x, y = (sum(point[axis] for point in points) / len(points) for axis in (0, 1))
        return min(points, key=lambda point: round(hypot(point[0] - x, point[1] - y)))

    def _piece(self, item: Item, x: float, y: float, size: float) -> None:
        colour = BACK if item.back else self.palette.colour(item.key)
        shape = "square" if item.back else self.palette.shape(item.key)
        if shape != "text":
            piece = shapes.piece(shape, x, y, size, colour)
            piece.append_title(item.key or "face down")
            self._add(piece)
        text = self._text_on(item, shape)
        if text:
            fits = min(size * (2.0 if shape == "text" else 1.0), 2.4 * size / len(text))
            ink = colour if shape == "text" else PAPER if dark(colour) else INK
            style = {"text_anchor": "middle", "fill": ink, "font_weight": "bold"}
            lower = y + (size * 0.25 if shape == "tower" else 0)
            self._add(label(text, fits, x, lower + fits * 0.35, **style))

    def _text_on(self, item: Item, shape: str) -> str:
        """The number of pieces, and a sign where shape and colour alone do not tell them apart."""
        number = str(item.count) if item.count > 1 else ""
        if item.back:
            return number
        if shape in shapes.SPEAKING:
            last = item.key.rpartition(" ")[2]
            return number or (last if last.isdigit() else "")
        sign = self.palette.label(item.key)
        if not sign and not self.palette.coloured(item.key):
            sign = self.signs.get(item.key, item.key[:2])
        return f"{number}{sign}"

    def _coordinates(self) -> None:
        """Numbers of rows and columns at the border, as they stand in the keys of the places."""
        style = {"text_anchor": "middle", "fill": self.soft}
        out = self._wide if self.picture.edges else 0.0
        columns = {spot.x: self.geometry.at(spot)[0] for spot in self.picture.spots}
        rows = {spot.y: self.geometry.at(spot)[1] for spot in self.picture.spots}
        for number, x in enumerate(sorted(columns)):
            self._add(label(str(number), 12, columns[x], -10 - out, **style))
        for number, y in enumerate(sorted(rows)):
            self._add(label(str(number), 12, -16 - out, rows[y] + 4, **style))
