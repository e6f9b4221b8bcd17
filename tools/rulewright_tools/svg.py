"""A picture drawn as SVG."""

from __future__ import annotations

from math import ceil, hypot

import drawsvg as svg

from rulewright_tools.colours import BACK, Palette, dark
from rulewright_tools.picture import Holder, Item, Picture, Pile, Spot

SCALE = 0.11
"""Points for a thousandth of a unit of the map's layout."""

MARGIN = 40
SIDE = 330
"""Width of the panel with what lies beside the map."""

INK, PAPER, SOFT, LINE, LAND, SHADE = "#2b2a28", "#faf7f0", "#7b766b", "#cfc7b6", "#efe7d4", "#e4d9c0"
FONT = "Georgia, 'Times New Roman', serif"
PLAIN = "system-ui, 'Segoe UI', Helvetica, Arial, sans-serif"


def draw(picture: Picture, palette: Palette) -> str:
    """The picture as the text of an SVG file."""
    return _Sheet(picture, palette).text()


class _Sheet:
    def __init__(self, picture: Picture, palette: Palette) -> None:
        self.picture = picture
        self.palette = palette
        self.signs = palette.signs(picture.keys)
        xs = [spot.x for spot in picture.spots] or [0]
        ys = [spot.y for spot in picture.spots] or [0]
        self.radius = self._radius()
        self.left, self.top = min(xs), min(ys)
        self.map_width = (max(xs) - min(xs)) * SCALE + 2 * self.radius if picture.spots else 0
        self.map_height = (max(ys) - min(ys)) * SCALE + 2 * self.radius if picture.spots else 0
        panel, panel_height = self._panel()
        head = 64
        gap = MARGIN if picture.spots else 0
        width = ceil(2 * MARGIN + self.map_width + gap + SIDE)
        height = ceil(head + MARGIN + max(self.map_height, panel_height))
        self.drawing = svg.Drawing(width, height, font_family=PLAIN)
        self.drawing.append(svg.Rectangle(0, 0, width, height, fill=PAPER))
        self._text(picture.title, 24, MARGIN, 44, font_family=FONT, font_weight="bold")
        self.origin = (MARGIN + self.radius, head + self.radius)
        self._land()
        group = svg.Group(transform=f"translate({MARGIN + self.map_width + gap:.1f},{head})")
        for element in panel:
            group.append(element)
        self.drawing.append(group)

    def text(self) -> str:
        result = self.drawing.as_svg()
        assert isinstance(result, str)
        return result + "\n"

    # ------------------------------------------------------------------------------------------------ the map

    def _radius(self) -> float:
        """Half the distance of the nearest two neighbours, so that nothing overlaps."""
        spots = self.picture.spots
        steps = [hypot(spots[a].x - spots[b].x, spots[a].y - spots[b].y) for a, b in self.picture.links]
        nearest = min((step for step in steps if step > 0), default=1000.0)
        return max(16.0, min(70.0, nearest * SCALE / 2 * (1.0 if self.picture.shape == "grid" else 0.92)))

    def _at(self, spot: Spot) -> tuple[float, float]:
        return (
            self.origin[0] + (spot.x - self.left) * SCALE,
            self.origin[1] + (spot.y - self.top) * SCALE,
        )

    def _land(self) -> None:
        spots = self.picture.spots
        grid = self.picture.shape == "grid"
        for a, b in self.picture.links:
            joined = spots[a].region == spots[b].region
            if grid and not joined:
                continue
            (x1, y1), (x2, y2) = self._at(spots[a]), self._at(spots[b])
            if joined:
                # Under the places: a broad band makes one country of them.
                self.drawing.append(svg.Line(x1, y1, x2, y2, stroke=LINE, stroke_width=self.radius * 1.7 + 4))
                self.drawing.append(svg.Line(x1, y1, x2, y2, stroke=LAND, stroke_width=self.radius * 1.7))
            else:
                self.drawing.append(svg.Line(x1, y1, x2, y2, stroke=LINE, stroke_width=3))
        for number, spot in enumerate(spots):
            self._place(spot, number)
        for spot in spots:
            self._content(spot)

    def _place(self, spot: Spot, number: int) -> None:
        x, y = self._at(spot)
        if self.picture.shape == "grid":
            size = 2 * self.radius
            shaded = (round(spot.x / 1000) + round(spot.y / 1000)) % 2 == 1
            self.drawing.append(
                svg.Rectangle(
                    x - self.radius, y - self.radius, size, size,
                    fill=SHADE if shaded else LAND, stroke=LINE, stroke_width=1,
                )
            )
            return
        alone = all(spot.region != other.region for other in self.picture.spots if other is not spot)
        self.drawing.append(
            svg.Circle(x, y, self.radius, fill=LAND, stroke=LINE if alone else "none", stroke_width=2)
        )
        self._text(spot.key, 11, x, y - self.radius + 14, text_anchor="middle", fill=SOFT, font_family=FONT)

    def _content(self, spot: Spot) -> None:
        x, y = self._at(spot)
        grid = self.picture.shape == "grid"
        count = len(spot.items)
        across = min(3, max(1, ceil(count**0.5))) if count else 1
        size = self.radius * (0.72 if count == 1 and grid else 0.3 if across > 2 else 0.36)
        step = size * 2.15
        rows = ceil(count / across) if count else 0
        for number, item in enumerate(spot.items):
            row, column = divmod(number, across)
            in_row = min(across, count - row * across)
            self._piece(
                item,
                x + (column - (in_row - 1) / 2) * step,
                y + (row - (rows - 1) / 2) * step + (0 if grid else 3),
                size,
            )
        for number, mark in enumerate(spot.marks):
            width = 7 + 5.6 * len(mark)
            top = y + self.radius - 13 - 15 * number
            self.drawing.append(svg.Rectangle(x - width / 2, top, width, 14, rx=7, fill=INK))
            self._text(mark, 9, x, top + 10, text_anchor="middle", fill=PAPER)

    def _piece(self, item: Item, x: float, y: float, size: float) -> None:
        colour = BACK if item.back else self.palette.colour(item.key)
        self.drawing.append(svg.Circle(x, y, size, fill=colour, stroke=INK, stroke_width=1))
        sign = "?" if item.back else self.signs.get(item.key, item.key[:2])
        text = f"{item.count}{sign}" if item.count > 1 else sign
        self._text(
            text, min(size * 1.1, 2.6 * size / max(1, len(text))), x, y,
            text_anchor="middle", dominant_baseline="central",
            fill=PAPER if dark(colour) else INK, font_weight="bold",
        )

    # --------------------------------------------------------------------------------------------- beside it

    def _panel(self) -> tuple[list[svg.DrawingElement], float]:
        """What lies beside the map, as elements from the top left, and their height."""
        found: list[svg.DrawingElement] = []
        y = 0.0
        for holder in (*self.picture.holders, self.picture.table):
            y = self._holder(found, holder, y)
        return found, y

    def _holder(self, found: list[svg.DrawingElement], holder: Holder, y: float) -> float:
        lines: list[tuple[str, str, tuple[Item, ...]]] = []
        for pile in holder.piles:
            if pile.items:
                lines.extend(_rows(pile))
        lines.extend((name, value, ()) for name, value in holder.facts)
        if not lines:
            return y
        height = 34 + 21 * len(lines)
        found.append(svg.Rectangle(0, y, SIDE, height, rx=8, fill="#ffffff", stroke=LINE))
        name = holder.name or "table"
        if holder.name:
            colour = self.palette.colour(holder.name)
            found.append(svg.Circle(18, y + 17, 7, fill=colour, stroke=INK, stroke_width=1))
        found.append(_label(name, 14, 32 if holder.name else 14, y + 22, font_weight="bold"))
        for number, (title, value, items) in enumerate(lines):
            base = y + 44 + 21 * number
            found.append(_label(title, 11, 14, base, fill=SOFT))
            if value:
                found.append(_label(value, 12, 100, base))
            across = 100.0
            for item in items:
                colour = BACK if item.back else self.palette.colour(item.key)
                found.append(svg.Circle(across + 6, base - 4, 6, fill=colour, stroke=INK, stroke_width=0.8))
                text = f"{item.count} {item.key or 'face down'}"
                found.append(_label(text, 11, across + 16, base))
                across += 112
        return y + height + 12

    def _text(self, text: str, size: float, x: float, y: float, **style: object) -> None:
        self.drawing.append(_label(text, size, x, y, **style))


def _rows(pile: Pile) -> list[tuple[str, str, tuple[Item, ...]]]:
    """A pile in lines of two items each; only the first line has the name."""
    return [
        (pile.name if start == 0 else "", "", pile.items[start : start + 2]) for start in range(0, len(pile.items), 2)
    ]


def _label(text: str, size: float, x: float, y: float, **style: object) -> svg.Text:
    return svg.Text(text, round(size, 2), round(x, 2), round(y, 2), **{"fill": INK, **style})
