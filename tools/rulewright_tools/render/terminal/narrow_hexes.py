"""Wide fields of hexes in the terminal: one line for each row, three or four columns for each hex."""

from __future__ import annotations

from collections.abc import Collection

from rich.text import Text

from rulewright_tools.render.picture import Picture, Spot
from rulewright_tools.render.terminal.boxes import short_key
from rulewright_tools.render.terminal.text_style import MAY_NOT, TextStyle

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
