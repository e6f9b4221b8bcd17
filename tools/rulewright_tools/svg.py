"""A picture drawn as SVG."""

from __future__ import annotations

from math import ceil, hypot

import drawsvg as svg

from rulewright_tools import shapes
from rulewright_tools.colours import BACK, Palette, dark
from rulewright_tools.picture import Holder, Item, Picture, Pile, Spot

SCALE = 0.11
"""Points for a thousandth of a unit of the map's layout."""

MARGIN = 40
HEAD = 68
SIDE = 350
"""Width of the panel with what lies beside the map."""

INK, PAPER, SOFT, LINE, LAND, SHADE = "#2b2a28", "#faf7f0", "#7b766b", "#cfc7b6", "#efe7d4", "#e4d9c0"
FONT = "Georgia, 'Iowan Old Style', 'DejaVu Serif', serif"
PLAIN = "system-ui, 'Segoe UI', Helvetica, Arial, 'DejaVu Sans', sans-serif"


def draw(picture: Picture, palette: Palette) -> str:
    """The picture as the text of an SVG file."""
    return _Sheet(picture, palette).text()


class _Sheet:
    def __init__(self, picture: Picture, palette: Palette) -> None:
        self.picture = picture
        self.palette = palette
        self.signs = palette.signs(picture.keys)
        default = {"grid": "square", "hexes": "hexagon"}.get(picture.shape, "circle")
        self.places = picture.style.places or default
        self.radius = self._radius()
        xs = [spot.x for spot in picture.spots] or [0]
        ys = [spot.y for spot in picture.spots] or [0]
        self.left, self.top = min(xs), min(ys)
        map_width = (max(xs) - min(xs)) * SCALE + 2 * self.radius if picture.spots else 0
        map_height = (max(ys) - min(ys)) * SCALE + 2 * self.radius if picture.spots else 0
        panel, panel_height = self._panel()
        gap = MARGIN if picture.spots and panel else 0
        width = max(300, ceil(2 * MARGIN + map_width + gap + (SIDE if panel else 0)))
        height = ceil(HEAD + MARGIN + max(map_height, panel_height))
        self.drawing = svg.Drawing(width, height, font_family=PLAIN)
        ground = palette.ground(picture.style.background) if picture.style.background else PAPER
        self.drawing.append(svg.Rectangle(0, 0, width, height, fill=ground))
        ink = PAPER if dark(ground) else INK
        self.drawing.append(_label(picture.title, 26, MARGIN, 46, font_family=FONT, font_weight="bold", fill=ink))
        self.origin = (MARGIN + self.radius, HEAD + self.radius)
        self._land()
        group = svg.Group(transform=f"translate({MARGIN + map_width + gap:.1f},{HEAD})")
        for element in panel:
            group.append(element)
        self.drawing.append(group)

    def text(self) -> str:
        """The file."""
        result = self.drawing.as_svg()
        assert isinstance(result, str)
        return result + "\n"

    # ------------------------------------------------------------------------------------------------ the map

    def _radius(self) -> float:
        """Half the distance of the nearest two neighbours, so that nothing overlaps."""
        spots = self.picture.spots
        steps = [hypot(spots[a].x - spots[b].x, spots[a].y - spots[b].y) for a, b in self.picture.links]
        nearest = min((step for step in steps if step > 0), default=1000.0)
        tight = self.places in ("square", "hexagon") or self.picture.shape == "grid"
        return max(16.0, min(70.0, nearest * SCALE / 2 * (1.0 if tight else 0.92)))

    def _at(self, spot: Spot) -> tuple[float, float]:
        return (
            round(self.origin[0] + (spot.x - self.left) * SCALE, 2),
            round(self.origin[1] + (spot.y - self.top) * SCALE, 2),
        )

    def _land(self) -> None:
        spots = self.picture.spots
        joined = [(a, b) for a, b in self.picture.links if spots[a].region == spots[b].region]
        if self.picture.shape not in ("grid", "hexes"):
            for a, b in self.picture.links:
                if (a, b) not in joined:
                    self._band(spots[a], spots[b], LINE, 3)
        for number, spot in enumerate(spots):
            self._place(spot, number)
        # A broad band makes one country of joined places: first its border, then its ground over both.
        width = self.radius * 1.7
        for a, b in joined:
            self._band(spots[a], spots[b], LINE, width + 4)
        for a, b in joined:
            self._band(spots[a], spots[b], LAND, width)
        for spot in spots:
            if any(spot in (spots[a], spots[b]) for a, b in joined):
                x, y = self._at(spot)
                self.drawing.append(shapes.place(self.places, x, y, self.radius - 1, fill=LAND))
        for spot in spots:
            self._content(spot)
        if self.picture.shape == "grid":
            self._coordinates()

    def _coordinates(self) -> None:
        """Numbers of rows and columns at the border, as they stand in the keys of the places."""
        style = {"text_anchor": "middle", "fill": SOFT}
        for column, x in enumerate(sorted({spot.x for spot in self.picture.spots})):
            self.drawing.append(_label(str(column), 11, self.origin[0] + (x - self.left) * SCALE, HEAD - 6, **style))
        for row, y in enumerate(sorted({spot.y for spot in self.picture.spots})):
            down = self.origin[1] + (y - self.top) * SCALE + 4
            self.drawing.append(_label(str(row), 11, MARGIN - 12, down, **style))

    def _band(self, one: Spot, other: Spot, colour: str, width: float) -> None:
        (x1, y1), (x2, y2) = self._at(one), self._at(other)
        self.drawing.append(svg.Line(x1, y1, x2, y2, stroke=colour, stroke_width=round(width, 2)))

    def _place(self, spot: Spot, number: int) -> None:
        if self.places == "none":
            return
        x, y = self._at(spot)
        ground = self.palette.ground(spot.colour) if spot.colour else LAND
        if self.picture.shape == "grid":
            shaded = (round(spot.x / 1000) + round(spot.y / 1000)) % 2 == 1
            under = SHADE if shaded and not spot.colour and self.places == "square" else ground
            self.drawing.append(shapes.place("square", x, y, self.radius, fill=under, stroke=LINE, stroke_width=1))
            if self.places != "square":
                # A hole in the board, as for discs that are dropped in.
                hole = shapes.place(self.places, x, y, self.radius * 0.84, fill=PAPER, stroke=LINE, stroke_width=1)
                self.drawing.append(hole)
            return
        self.drawing.append(shapes.place(self.places, x, y, self.radius, fill=ground, stroke=LINE, stroke_width=2))

    def _content(self, spot: Spot) -> None:
        """What lies on a place; on joined places everything lies in the middle of the region."""
        x, y = self._at(self._middle(spot))
        grid = self.picture.shape == "grid"
        if not grid and self.picture.style.labelled and self.places != "none":
            own_x, own_y = self._at(spot)
            style = {"text_anchor": "middle", "fill": SOFT, "font_family": FONT}
            self.drawing.append(_label(spot.label or spot.key, 12, own_x, own_y - self.radius + 15, **style))
        count = len(spot.items)
        across = 1 if count <= 1 else 2 if count <= 4 else 3
        size = self.radius * (0.74 if count == 1 and grid else 0.34 if across < 3 else 0.27)
        step = size * 2.2
        rows = ceil(count / across) if count else 0
        for number, item in enumerate(spot.items):
            row, column = divmod(number, across)
            in_row = min(across, count - row * across)
            left = x + (column - (in_row - 1) / 2) * step
            self._piece(item, left, y + (row - (rows - 1) / 2) * step + (0 if grid else 4), size)
        for number, mark in enumerate(spot.marks):
            own_x, own_y = self._at(spot)
            width = 10 + 6 * len(mark)
            top = own_y + self.radius - 15 - 17 * number
            self.drawing.append(svg.Rectangle(own_x - width / 2, top, width, 15, rx=7.5, fill=INK))
            self.drawing.append(_label(mark, 10, own_x, top + 11, text_anchor="middle", fill=PAPER))

    def _middle(self, spot: Spot) -> Spot:
        """The place in the middle of a region: along its run on a ring, else the one nearest to its centre."""
        members = [other for other in self.picture.spots if other.region == spot.region]
        if len(members) == 1 or not spot.items:
            return spot
        x = sum(other.x for other in members) / len(members)
        y = sum(other.y for other in members) / len(members)
        return min(members, key=lambda other: (hypot(other.x - x, other.y - y), other.key))

    def _piece(self, item: Item, x: float, y: float, size: float) -> None:
        colour, shape = self._look(item)
        if shape != "text":
            self.drawing.append(shapes.piece(shape, x, y, size, colour))
        text = self._text_on(item)
        if text:
            fits = min(size * (2.0 if shape == "text" else 1.15), 2.7 * size / len(text))
            ink = colour if shape == "text" else PAPER if dark(colour) else INK
            style = {"text_anchor": "middle", "fill": ink, "font_weight": "bold"}
            self.drawing.append(_label(text, fits, x, y + fits * 0.35, **style))

    def _look(self, item: Item) -> tuple[str, str]:
        return (BACK, "square") if item.back else (self.palette.colour(item.key), self.palette.shape(item.key))

    def _text_on(self, item: Item) -> str:
        """The number of pieces, and a sign where the colour alone does not tell them apart."""
        sign = self.palette.label(item.key)
        if not sign and not item.back and not self.palette.coloured(item.key):
            sign = self.signs.get(item.key, item.key[:2])
        return f"{item.count if item.count > 1 else ''}{sign}"

    # --------------------------------------------------------------------------------------------- beside it

    def _panel(self) -> tuple[list[svg.DrawingElement], float]:
        """What lies beside the map, as elements from the top left, and their height."""
        found: list[svg.DrawingElement] = []
        y = 0.0
        for holder in (*self.picture.holders, self.picture.table):
            y = self._holder(found, holder, y)
        return found, max(0.0, y - 12)

    def _holder(self, found: list[svg.DrawingElement], holder: Holder, y: float) -> float:
        lines: list[tuple[str, str, tuple[Item, ...]]] = []
        for pile in holder.piles:
            if pile.items:
                lines.extend(_rows(pile))
        for name, value in holder.facts:
            lines.extend(_folded(name, value))
        if not lines:
            return y
        height = 38 + 21 * len(lines)
        found.append(svg.Rectangle(0, y, SIDE, height, rx=8, fill="#ffffff", stroke=LINE))
        if holder.name:
            found.append(shapes.piece("disc", 20, y + 19, 7, self.palette.colour(holder.name)))
        found.append(_label(holder.name or "table", 15, 34 if holder.name else 14, y + 24, font_weight="bold"))
        for number, (title, value, items) in enumerate(lines):
            base = y + 48 + 21 * number
            found.append(_label(title, 11, 14, base, fill=SOFT))
            if value:
                found.append(_label(value, 12, 92, base))
            for place, item in enumerate(items):
                left = 92 + 128 * place
                colour, shape = self._look(item)
                found.append(shapes.piece("disc" if shape == "text" else shape, left + 6, base - 4, 6, colour))
                number_of = f"{item.count} " if item.count > 1 else ""
                found.append(_label(f"{number_of}{item.key or 'face down'}", 12, left + 17, base))
        return y + height + 12


def _rows(pile: Pile) -> list[tuple[str, str, tuple[Item, ...]]]:
    """A pile in lines of two items each; only the first line has the name."""
    return [
        (pile.name if start == 0 else "", "", pile.items[start : start + 2]) for start in range(0, len(pile.items), 2)
    ]


def _folded(name: str, value: str) -> list[tuple[str, str, tuple[Item, ...]]]:
    """A fact in lines that fit the panel."""
    lines: list[str] = [""]
    for part in value.split(", "):
        longer = f"{lines[-1]}, {part}" if lines[-1] else part
        if len(longer) > 38 and lines[-1]:
            lines.append(part)
        else:
            lines[-1] = longer
    return [(name if number == 0 else "", line, ()) for number, line in enumerate(lines)]


def _label(text: str, size: float, x: float, y: float, **style: object) -> svg.Text:
    return svg.Text(text, round(size, 2), round(x, 2), round(y, 2), **{"fill": INK, **style})
