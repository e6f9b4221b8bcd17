"""The panel beside the map of an SVG picture: seats, their pieces and numbers, the table, the legend.

It is never longer than the map, if it can be helped: what does not fit stands in a further column.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

import drawsvg as svg

from rulewright_tools.render.colours import BACK, Palette
from rulewright_tools.render.picture import Holder, Item, Picture, gathered
from rulewright_tools.render.svg import shapes
from rulewright_tools.render.svg.legend import legend
from rulewright_tools.render.svg.svg_primitives import INK, LINE, PAPER, SOFT, label, truncated, wide

SIDE = 372
"""The width of the panel, in pixels."""

ROW = 21
INDENT, INDENT_MOST = 92.0, 150.0
"""The position at which the contents begin, beside their names; with long names further to the right."""

GAP = 12

SHORT = 18
"""A fact of no more letters than this, its name included, stands in the head."""


@dataclass(slots=True)
class _Block:
    """A block that is not split between columns, drawn from its corner (0, 0)."""

    elements: list[svg.DrawingElement] = field(default_factory=list)
    height: float = 0.0


class Panel:
    """Draws the panel from its corner (0, 0), beside a map of a height."""

    def __init__(self, picture: Picture, palette: Palette, beside: float) -> None:
        self.palette = palette
        holders = (*picture.holders, picture.table)
        names = [part[0] for holder in holders for part in (*((pile.name,) for pile in holder.piles), *holder.facts)]
        widest = max((wide(name, 11) for name in names), default=0.0)
        self._indent = max(INDENT, min(INDENT_MOST, 26 + widest))
        seats = {owner for owner in (*picture.seats, picture.turn) if owner}
        blocks = [
            self._holder(one, picture.style.to_move if one.name == picture.turn else "", one.name in seats)
            for one in holders
        ]
        self.elements: list[svg.DrawingElement] = []
        self.width = self.height = 0.0
        top = self._in_columns([block for block in blocks if block.height], beside)
        self.explains = self._with_legend(_Block(*legend(picture, palette, SIDE)), top, beside)
        """True if the legend stands here."""

    def _in_columns(self, blocks: list[_Block], beside: float) -> float:
        """Draws blocks below each other, and returns where the last column ends."""
        most = max([beside, *(block.height for block in blocks)])
        column, top = 0, 0.0
        for block in blocks:
            if beside and top and top + block.height > most:
                column, top = column + 1, 0.0
            self._add(block, column, top)
            top += block.height + GAP
        return top

    def _with_legend(self, block: _Block, top: float, beside: float) -> bool:
        """Draws the legend below the last column, if it is no longer than the map then."""
        if not block.height or (beside and top + block.height > max(beside, self.height)):
            return False
        self._add(block, round(self.width / (SIDE + GAP)) - 1 if self.width else 0, top)
        return True

    def _add(self, block: _Block, column: int, top: float) -> None:
        group = svg.Group(transform=f"translate({column * (SIDE + GAP):g},{top:g})")
        for element in block.elements:
            group.append(element)
        self.elements.append(group)
        self.height = max(self.height, top + block.height)
        self.width = max(self.width, (column + 1) * (SIDE + GAP) - GAP)

    def _holder(self, holder: Holder, to_move: str, always: bool) -> _Block:
        """A seat, a party or the table, in a frame; `to_move` are the words that mark the player to act.

        A seat `always` has one, also with nothing in it: it shows their colour, and whose turn it is.
        """
        block = _Block()
        short = self._chips(holder) if holder.name else []
        rows: list[tuple[str, list[tuple[Item | None, str]]]] = []
        for pile in holder.piles:
            under = [(None, pile.beneath)] if pile.beneath else []
            rows += self._flowing(pile.name, [*gathered(pile.items), *under])
        for name, value in _gathered([fact for fact in holder.facts if fact not in short]):
            rows += self._flowing(name, [(None, part) for part in _parts(value)])
        if not (rows or short or always):
            return block
        block.height = 42 + ROW * len(rows) if rows else 40
        edge = {"stroke": INK, "stroke_width": 1.6} if to_move else {"stroke": LINE}
        add = block.elements.append
        add(svg.Rectangle(0, 0, SIDE, block.height, rx=9, fill="#ffffff", **edge))
        right = SIDE - 12.0
        for name, value in reversed(short):
            width = _chip_width(name, value)
            add(svg.Rectangle(round(right - width, 2), 9, round(width, 2), 22, rx=11, fill="#f3eee2"))
            add(label(name, 11, right - width + 9, 24, fill=SOFT))
            add(label(value, 14, right - 9, 25, text_anchor="end", font_weight="bold"))
            right -= width + 6
        if to_move and right - wide(to_move, 11) > 150:
            width = wide(to_move, 11) + 18
            add(svg.Rectangle(round(right - width, 2), 9, round(width, 2), 22, rx=11, fill=INK))
            add(label(to_move, 11, right - width / 2, 24, text_anchor="middle", fill=PAPER))
            right -= width + 6
        if holder.name:
            add(shapes.piece("disc", 21, 20, 7.5, self.palette.colour(holder.name)))
        left = 36 if holder.name else 14
        add(label(truncated(holder.shown, 15, right - left), 15, left, 25, font_weight="bold"))
        for number, (name, parts) in enumerate(rows):
            base = 52 + ROW * number
            add(label(truncated(name, 11, self._indent - 18), 11, 14, base, fill=SOFT))
            at = self._indent
            for item, words in parts:
                if item is not None:
                    colour = BACK if item.back else self.palette.colour(item.hue)
                    shape = "square" if item.back else self.palette.shape(item.key)
                    add(shapes.piece("disc" if shape == "text" else shape, at + 6, base - 4, 6.5, colour))
                block.elements += self._words(item, words, at + (17 if item is not None else 0), base)
                at += _room(item, words)
        return block

    @staticmethod
    def _chips(holder: Holder) -> list[tuple[str, str]]:
        """The facts that stand beside the name, as long as there is room; those of one field all or none."""
        found, left = list[tuple[str, str]](), SIDE - 48 - wide(holder.shown, 15)
        for _, group in groupby(holder.facts, _first_word):
            held = [fact for fact in group if len(fact[0]) + len(fact[1]) < SHORT]
            width = sum(_chip_width(*fact) + 6 for fact in held)
            if width <= left:
                found += held
                left -= width
        return found

    def _words(self, item: Item | None, words: str, left: float, base: float) -> Iterator[svg.DrawingElement]:
        """Pieces of a pile in words, their badge in bold."""
        badge = item.badge if item is not None else ""
        name = words.removesuffix(f" {badge}") if badge else words
        yield label(truncated(name.replace("_", " "), 12, SIDE - 10 - left), 12, left, base)
        if name != words:
            yield label(badge, 12, left + wide(f"{name} ", 12), base, font_weight="bold")

    def _flowing(
        self, name: str, parts: list[tuple[Item | None, str]]
    ) -> list[tuple[str, list[tuple[Item | None, str]]]]:
        """Parts in rows that fit the panel; only the first has the name."""
        rows: list[tuple[str, list[tuple[Item | None, str]]]] = []
        left = float(SIDE)
        for item, words in parts:
            if left + _room(item, words) > SIDE:
                rows.append((name if not rows else "", []))
                left = self._indent
            rows[-1][1].append((item, words))
            left += _room(item, words)
        return rows


def _chip_width(name: str, value: str) -> float:
    return wide(name, 11) + wide(value, 14) + 28


def _first_word(fact: tuple[str, str]) -> str:
    return fact[0].split(" ")[0]


def _gathered(facts: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Facts of which neighbours begin with the same word, as those of one field, are one."""
    found = list[tuple[str, str]]()
    for word, group in groupby(facts, _first_word):
        held = list(group)
        found += (
            held if len(held) < 2 else [(word, ", ".join(f"{name[len(word) + 1 :]} {value}" for name, value in held))]
        )
    return found


def _room(item: Item | None, words: str) -> float:
    return round(wide(words, 12) + (30 if item is not None else 12), 2)


def _parts(value: str) -> list[str]:
    """A value in parts that may stand on different lines."""
    parts = value.split(", ")
    return [f"{part}," for part in parts[:-1]] + parts[-1:]
