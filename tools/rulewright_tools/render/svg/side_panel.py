"""The panel beside the map of an SVG picture: seats, their pieces and numbers, the table, the legend."""

from __future__ import annotations

import drawsvg as svg

from rulewright_tools.render.colours import BACK, Palette
from rulewright_tools.render.picture import Holder, Item, Picture, gathered
from rulewright_tools.render.svg import shapes
from rulewright_tools.render.svg.icons import icon
from rulewright_tools.render.svg.svg_primitives import INK, LINE, SOFT, WALL, label, wide

SIDE = 372
"""Its width."""

ROW = 21
INDENT = 92
"""The position at which the contents begin, beside their names."""

SHORT = 18
"""A fact of no more letters than this, its name included, stands in the head."""


class Panel:
    """Draws the panel from its corner (0, 0)."""

    def __init__(self, picture: Picture, palette: Palette) -> None:
        self.palette = palette
        self.wall = palette.ground(picture.style.wall) if picture.style.wall else WALL
        self.elements: list[svg.DrawingElement] = []
        self.height = 0.0
        for holder in (*picture.holders, picture.table):
            self._holder(holder, bool(holder.name) and holder.name == picture.turn)
        self._legend(picture)
        self.height = max(0.0, self.height - 12)

    def _holder(self, holder: Holder, asked: bool) -> None:
        short = [fact for fact in holder.facts if len(fact[0]) + len(fact[1]) < SHORT] if holder.name else []
        rows: list[tuple[str, list[tuple[Item | None, str]]]] = []
        for pile in holder.piles:
            under = [(None, f"on {pile.under} more")] if pile.under else []
            rows += _flowing(pile.name, [*gathered(pile.items), *under])
        for name, value in holder.facts:
            if (name, value) not in short:
                rows += _flowing(name, [(None, part) for part in _parts(value)])
        if not rows and not short:
            return
        top = self.height
        height = 42 + ROW * len(rows) if rows else 40
        edge = {"stroke": INK, "stroke_width": 1.6} if asked else {"stroke": LINE}
        self._add(svg.Rectangle(0, top, SIDE, height, rx=9, fill="#ffffff", **edge))
        if holder.name:
            self._add(shapes.piece("disc", 21, top + 20, 7.5, self.palette.colour(holder.name)))
        self._add(label(holder.name or "table", 15, 36 if holder.name else 14, top + 25, font_weight="bold"))
        right = SIDE - 12.0
        for name, value in reversed(short):
            width = wide(name, 11) + wide(value, 14) + 28
            self._add(svg.Rectangle(round(right - width, 2), top + 9, round(width, 2), 22, rx=11, fill="#f3eee2"))
            self._add(label(name, 11, right - width + 9, top + 24, fill=SOFT))
            self._add(label(value, 14, right - 9, top + 25, text_anchor="end", font_weight="bold"))
            right -= width + 6
        for number, (name, parts) in enumerate(rows):
            base = top + 52 + ROW * number
            self._add(label(name, 11, 14, base, fill=SOFT))
            left = float(INDENT)
            for item, words in parts:
                if item is not None:
                    colour = BACK if item.back else self.palette.colour(item.key)
                    shape = "square" if item.back else self.palette.shape(item.key)
                    self._add(shapes.piece("disc" if shape == "text" else shape, left + 6, base - 4, 6.5, colour))
                self._add(label(words, 12, left + (17 if item is not None else 0), base))
                left += _room(item, words)
        self.height += height + 12

    def _legend(self, picture: Picture) -> None:
        """The kinds of ground and of walls, in two columns."""
        used = {spot.ground for spot in picture.spots}
        grounds = [ground for ground in picture.grounds if ground.key in used]
        entries = len(grounds) + len(picture.walls)
        if not entries:
            return
        top = self.height + 4
        for number, ground in enumerate(grounds):
            x, y = 4 + SIDE / 2 * (number % 2), top + 30 * (number // 2)
            self._add(svg.Rectangle(x, y, 24, 24, rx=4, fill=ground.colour, stroke=LINE))
            for element in icon(ground.icon, x + 12, y + 12, 9, ground.colour, ground.accent):
                self._add(element)
            self._add(label(ground.title, 12, x + 34, y + 16))
        for number, wall in enumerate(picture.walls, start=len(grounds)):
            x, y = 4 + SIDE / 2 * (number % 2), top + 30 * (number // 2)
            tone = self.wall if number == len(grounds) else self.palette.colour(wall)
            self._add(svg.Line(x + 2, y + 12, x + 22, y + 12, stroke=tone, stroke_width=6, stroke_linecap="round"))
            self._add(label(wall.replace("_", " "), 12, x + 34, y + 16))
        self.height = top + 30 * ((entries + 1) // 2) + 6

    def _add(self, element: svg.DrawingElement) -> None:
        self.elements.append(element)


def _flowing(name: str, parts: list[tuple[Item | None, str]]) -> list[tuple[str, list[tuple[Item | None, str]]]]:
    """Parts in rows that fit the panel; only the first has the name."""
    rows: list[tuple[str, list[tuple[Item | None, str]]]] = []
    left = float(SIDE)
    for item, words in parts:
        if left + _room(item, words) > SIDE:
            rows.append((name if not rows else "", []))
            left = INDENT
        rows[-1][1].append((item, words))
        left += _room(item, words)
    return rows


def _room(item: Item | None, words: str) -> float:
    return round(wide(words, 12) + (30 if item is not None else 12), 2)


def _parts(value: str) -> list[str]:
    """A value in parts that may stand on different lines."""
    parts = value.split(", ")
    return [f"{part}," for part in parts[:-1]] + parts[-1:]
