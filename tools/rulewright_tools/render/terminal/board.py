"""A picture drawn in the terminal, within the width there is."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from rich.text import Text

from rulewright_tools.render.colours import Palette
from rulewright_tools.render.picture import Holder, Picture, Pile, Spot
from rulewright_tools.render.terminal import plain_boards
from rulewright_tools.render.terminal.boxes import MARK, boxed, short_key
from rulewright_tools.render.terminal.lattice import lattice
from rulewright_tools.render.terminal.text_style import MAY, MAY_NOT, TextStyle
from rulewright_tools.text_wrapping import wrapped

WIDTHS = (4, 3)
"""Columns for a hex, the wider ones if there is room."""


def narrow_hexes(picture: Picture, brush: TextStyle, room: int, possible: Collection[str]) -> list[Text]:
    """The map, line by line, within `room` columns; nothing if it does not fit, or if walls would not be seen.

    Before each row stands the name of its first place: those to its right follow.
    """
    if any(edge.walls or edge.marked or edge.lines for edge in picture.edges):
        return []
    west = min(spot.x for spot in picture.spots)
    rows: dict[int, list[Spot]] = {}
    for spot in sorted(picture.spots, key=lambda spot: (spot.y, spot.x)):
        rows.setdefault(spot.y, []).append(spot)
    side = max(len(short_key(row[0].key)) for row in rows.values()) + 1
    widest = max(spot.x for spot in picture.spots) - west
    for width in WIDTHS:
        if side + round(widest * width / 1000) + width <= room:
            return [_row(picture, brush, row, west, side, width, possible) for row in rows.values()]
    return []


def _row(
    picture: Picture, brush: TextStyle, row: list[Spot], west: int, side: int, width: int, possible: Collection[str]
) -> Text:
    grounds = {ground.key: ground for ground in picture.grounds}
    line = Text(f"{short_key(row[0].key):>{side - 1}} ", style="")
    line.stylize("dim")
    for spot in row:
        at = side + round((spot.x - west) * width / 1000)
        line.append(" " * (at - line.cell_len))
        markers = brush.markers(picture, spot)
        ground = grounds.get(spot.ground)
        line.append_text(brush.square(spot, ground, width - 1, spot.key in possible, MAY_NOT, markers)).append(" ")
    line.rstrip()
    return line


BESIDE = 16
"""Columns that the legend needs beside the map."""


class Board:
    """Draws pictures of one game: the signs stay the same through a game."""

    def __init__(self, palette: Palette, keys: Sequence[str], width: int = 80) -> None:
        self._brush = TextStyle(palette, keys)
        self._width = max(40, width)
        self.styled = self._brush.styled

    def draw(self, picture: Picture, possible: Mapping[str, Collection[str]] | None = None) -> list[Text]:
        """The whole picture, line by line; places and edges that are possible answers, by the universe of the places of
        their map, are marked."""
        possible = possible or {}
        self._brush.meet(picture.style.owners)
        lines: list[Text] = []
        for number, one in enumerate(picture.maps):
            lines += [Text(one.name, style="bold")] if one.name else []
            legend = self._legend(picture, possible) if number == 0 else []
            lines += [*self._with_legend(self._map(one, possible.get(one.place, ())), legend), Text()]
        for holder in (*picture.holders, *self._elsewhere(picture), picture.table):
            lines.extend(self._holder(holder, self._standing(picture, holder.name)))
        return lines

    def _map(self, picture: Picture, possible: Collection[str]) -> list[Text]:
        lines: list[Text] = []
        if picture.shape == "graph" or picture.style.places == "dot" or (picture.shape == "grid" and picture.lines):
            lines = lattice(picture, self._brush, self._width, possible)
        elif picture.shape == "hexes":
            lines = boxed(picture, self._brush, self._width, possible)
            lines = lines or narrow_hexes(picture, self._brush, self._width, possible)
        elif picture.shape == "grid" and picture.edges:
            lines = boxed(picture, self._brush, self._width, possible)
        elif picture.shape == "grid":
            return plain_boards.grid(picture, self._brush, self._width, possible)
        elif picture.shape == "ring" and self._width >= 5 * plain_boards.WIDE_CELL + 1 and len(picture.spots) <= 28:
            return plain_boards.ring(picture, self._brush, possible)
        if lines:
            return lines
        return [
            part
            for line in plain_boards.places(picture, self._brush, possible)
            for part in wrapped(line, self._width, 6)
        ]

    # --------------------------------------------------------------------------------------------- beside it

    def _legend(self, picture: Picture, possible: Mapping[str, Collection[str]]) -> list[Text]:
        entries = self._brush.legend(picture)
        drawn = dict.fromkeys((*picture.walls, *picture.lines))
        entries += [Text().append("━━", style="bold").append(f" {name.replace('_', ' ')}") for name in drawn]
        if picture.style.mark:
            entries.append(Text().append(MARK, style="bold").append(f"  {picture.style.mark.replace('_', ' ')}"))
        if any(spot.key in possible.get(one.place, ()) for one in picture.maps for spot in one.spots):
            entries.append(Text(f"{MAY}  {picture.style.possible}"))
        if any(edge.key in possible.get(one.place, ()) for one in picture.maps for edge in one.edges):
            entries.append(Text(f"── {picture.style.possible}"))
        return entries

    def _with_legend(self, lines: list[Text], entries: list[Text]) -> list[Text]:
        """The legend to the right of the map, where there is room for it; else below."""
        if not entries:
            return lines
        wide = max(line.cell_len for line in lines)
        if self._width - wide - 2 < max(BESIDE, *(entry.cell_len for entry in entries)) or len(entries) > len(lines):
            below = Text("  ").append_text(Text("   ").join(entries))
            return [*lines, Text(), *wrapped(below, self._width, 2)]
        first = 1 if len(entries) < len(lines) else 0
        found = list(lines)
        for number, entry in enumerate(entries, start=first):
            line = lines[number].copy()
            found[number] = line.append(" " * (wide + 2 - line.cell_len)).append_text(entry)
        return found

    def _elsewhere(self, picture: Picture) -> list[Holder]:
        """The holders who only have something on the map."""
        named = {holder.name for holder in picture.holders}
        owners = {stack.owner for spot in picture.everywhere for stack in spot.stacks if stack.owner} - named
        return [Holder(owner, (), ()) for owner in sorted(owners)]

    def _standing(self, picture: Picture, owner: str) -> list[Pile]:
        """The stacks of an owner on the map, each under the name of its place."""
        return [
            Pile(short_key(spot.key), stack.items)
            for spot in picture.everywhere
            for stack in spot.stacks
            if stack.owner == owner
        ]

    def _holder(self, holder: Holder, standing: Sequence[Pile]) -> list[Text]:
        """A name with its facts, and the piles below it; below these what stands on the map."""
        facts = Text("   ").join(Text().append(f"{name} ", style="dim").append(value) for name, value in holder.facts)
        piles = Text("   ").join(self._pile(pile) for pile in holder.piles if pile.items)
        if not (facts or piles or standing):
            return []
        name = self.styled(holder.name, holder.shown) if holder.name else Text(holder.shown, style="bold")
        lines = [Text().append_text(name).append("   ").append_text(facts)] if facts else [name]
        below = [piles] if piles else []
        below += [Text("   ").join(map(self._pile, standing))] if standing else []
        lines = [part for line in lines for part in wrapped(line, self._width, 2)]
        return [*lines, *(part for line in below for part in wrapped(Text("  ").append_text(line), self._width, 4))]

    def _pile(self, pile: Pile) -> Text:
        text = Text().append(f"{pile.name} ", style="dim").append_text(self._brush.items(pile.items))
        return text.append(f" {pile.beneath}" if pile.beneath else "")
