"""A picture drawn in the terminal, within the width there is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.text import Text

from rulewright_tools.colours import BACK, Palette, dark
from rulewright_tools.picture import Holder, Item, Picture, Pile, Spot

WIDE_CELL = 15
"""Columns of a cell of a ring, its left border included."""


class Board:
    """Draws pictures of one game: the signs stay the same through a game."""

    def __init__(self, palette: Palette, keys: Sequence[str], width: int = 80) -> None:
        self._palette = palette
        self._signs = palette.signs(keys)
        self._width = max(40, width)

    def draw(self, picture: Picture) -> list[Text]:
        """The whole picture, line by line."""
        lines = self._map(picture)
        if lines:
            legend = self._legend(picture)
            lines += [Text(), *legend, Text()] if legend else [Text()]
        for holder in (*picture.holders, picture.table):
            lines.extend(self._holder(holder))
        return lines

    def styled(self, key: str, text: str | None = None) -> Text:
        """A key (or another text for it) in its colour, readable on light and dark terminals."""
        colour = self._palette.colour(key)
        return Text(text or key, style=f"bold {'#ffffff' if dark(colour) else '#1b1b1e'} on {colour}")

    # ------------------------------------------------------------------------------------------------ the map

    def _map(self, picture: Picture) -> list[Text]:
        if not picture.spots:
            return []
        if picture.shape == "grid":
            return self._grid(picture)
        if picture.shape == "ring" and self._width >= 5 * WIDE_CELL + 1 and len(picture.spots) <= 28:
            return self._ring(picture)
        return self._list(picture)

    def _grid(self, picture: Picture) -> list[Text]:
        columns = sorted({spot.x for spot in picture.spots})
        rows = sorted({spot.y for spot in picture.spots})
        by_place = {(spot.x, spot.y): spot for spot in picture.spots}
        texts = {spot.key: self._cell(spot) for spot in picture.spots}
        cell = max([1, *(text.cell_len for text in texts.values())])
        cell = min(cell, max(1, (self._width - 6) // max(1, len(columns)) - 2))
        side = len(str(len(rows) - 1))
        head = Text(" " * (side + 2), style="dim")
        for number in range(len(columns)):
            head.append(str(number).center(cell + 2))
        lines = [head]
        for number, y in enumerate(rows):
            line = Text(f"{number:>{side}}  ", style="")
            line.stylize("dim")
            for across, x in enumerate(columns):
                line.append_text(self._square(texts, by_place.get((x, y)), cell, (number + across) % 2 == 1))
            lines.append(line)
        return lines

    def _square(self, texts: dict[str, Text], spot: Spot | None, cell: int, shaded: bool) -> Text:
        if spot is None:
            return Text(" " * (cell + 2))
        content = texts[spot.key].copy()
        content.truncate(cell)
        left = (cell - content.cell_len) // 2
        if not content.plain:
            content = Text("·" if cell == 1 else "·".center(cell), style="dim")
            left = 0
        line = Text(" " * (left + 1), style="on grey19" if shaded else "")
        line.append_text(content)
        line.append(" " * (cell + 2 - line.cell_len))
        return line

    def _cell(self, spot: Spot) -> Text:
        text = Text()
        for item in spot.items:
            text.append_text(self._item_sign(item))
        for mark in spot.marks:
            text.append(mark[:1] + "*", style="bold")
        return text

    def _item_sign(self, item: Item) -> Text:
        sign = self._signs.get(item.key, item.key[:2])
        if item.back:
            return Text(f"{item.count if item.count > 1 else ''}#", style=f"bold on {BACK}")
        return self.styled(item.key, f"{item.count if item.count > 1 else ''}{sign}")

    def _ring(self, picture: Picture) -> list[Text]:
        """The places around the rim of a rectangle, clockwise from the top left."""
        spots = picture.spots
        columns = min(5, -(-len(spots) // 2)) if len(spots) > 5 else len(spots)
        rows = max(2, -(-(len(spots) - 2 * columns) // 2) + 2) if len(spots) > columns else 1
        rim = [(0, column) for column in range(columns)]
        rim += [(row, columns - 1) for row in range(1, rows - 1)]
        rim += [(rows - 1, column) for column in reversed(range(columns))] if rows > 1 else []
        rim += [(row, 0) for row in reversed(range(1, rows - 1))]
        cells: dict[tuple[int, int], list[Text]] = {
            place: self._ring_cell(picture, spot) for place, spot in zip(rim, spots, strict=False)
        }
        lines: list[Text] = []
        for row in range(rows):
            height = max((len(cells[row, column]) for column in range(columns) if (row, column) in cells), default=1)
            for line_number in range(height):
                line = Text()
                for column in range(columns):
                    line.append_text(_row_of_cell(cells.get((row, column)), line_number))
                line.rstrip()
                lines.append(line)
        return lines

    def _ring_cell(self, picture: Picture, spot: Spot) -> list[Text]:
        """The lines of a cell: its name, which stands in its upper border, and what lies there."""
        alone = picture.region_name(spot) == spot.key
        first = spot.region == spot.key
        name = spot.key if alone else picture.region_name(spot) if first else f"({picture.region_name(spot)})"
        lines = [Text(name, style="bold" if first else "dim")]
        lines += [Text(f" {mark} ", style="bold reverse") for mark in spot.marks]
        line = Text()
        for item in spot.items:
            sign = self._item_sign(item)
            if line.cell_len and line.cell_len + sign.cell_len + 1 > WIDE_CELL - 3:
                lines.append(line)
                line = Text()
            if line.cell_len:
                line.append(" ")
            line.append_text(sign)
        return [*lines, line]

    def _list(self, picture: Picture) -> list[Text]:
        """Every region on a line of its own: for free graphs, hex fields, large rings and small windows."""
        lines = []
        for spot in picture.spots:
            if spot.region != spot.key:
                continue
            line = Text("  ")
            line.append(picture.region_name(spot), style="bold")
            for mark in spot.marks:
                line.append(f" {mark}", style="bold reverse")
            line.append("  ")
            line.append_text(self._items(spot.items))
            lines.extend(self._wrapped(line, 6))
        return lines

    # --------------------------------------------------------------------------------------------- beside it

    def _legend(self, picture: Picture) -> list[Text]:
        on_map = {item.key for spot in picture.spots for item in spot.items if not item.back}
        entries = [
            Text().append_text(self.styled(key, self._signs[key])).append(f" {key}")
            for key in sorted(on_map)
            if key in self._signs and self._signs[key].lower() != key.lower()
        ]
        return self._wrapped(Text("  ").append_text(Text("   ").join(entries)), 2) if entries else []

    def _holder(self, holder: Holder) -> list[Text]:
        parts = []
        for pile in holder.piles:
            if pile.items:
                parts.append(self._pile(pile))
        for name, value in holder.facts:
            parts.append(Text().append(f"{name} ", style="dim").append(value))
        if not parts:
            return []
        lines = [self.styled(holder.name) if holder.name else Text("table", style="bold")]
        for part in parts:
            lines.extend(self._wrapped(Text("  ").append_text(part), 6))
        return lines

    def _pile(self, pile: Pile) -> Text:
        return Text().append(f"{pile.name} ", style="dim").append_text(self._items(pile.items))

    def _items(self, items: Iterable[Item]) -> Text:
        text = Text()
        for number, item in enumerate(items):
            if number:
                text.append(", ")
            if item.count > 1:
                text.append(f"{item.count} ")
            text.append_text(Text("face down", style="dim") if item.back and not item.key else self.styled(item.key))
        return text

    def _wrapped(self, line: Text, indent: int) -> list[Text]:
        """The line, broken between words where it is too wide; what follows is indented."""
        lines: list[Text] = []
        rest = line
        room = self._width
        while rest.cell_len > room:
            cut = max(rest.plain.rfind(mark, 1, room) for mark in (", ", "   "))
            cut = cut + 1 if cut > indent else room
            first, rest = rest.divide([cut])
            lines.append(first)
            rest = Text(" " * indent).append_text(_stripped(rest))
        return [*lines, rest]


def _row_of_cell(content: list[Text] | None, number: int) -> Text:
    """One line of a cell, with its left border; the name stands in the upper one."""
    line = Text()
    if content is None:
        return line.append(" " * WIDE_CELL)
    part = content[number].copy() if number < len(content) else Text()
    part.truncate(WIDE_CELL - 3)
    line.append("┌ " if number == 0 else "│ ", style="dim")
    line.append_text(part)
    if number == 0:
        return line.append(" " + "─" * (WIDE_CELL - 4 - part.cell_len) + " ", style="dim")
    return line.append(" " * (WIDE_CELL - 2 - part.cell_len))


def _stripped(text: Text) -> Text:
    leading = len(text.plain) - len(text.plain.lstrip())
    return text[leading:] if leading else text
