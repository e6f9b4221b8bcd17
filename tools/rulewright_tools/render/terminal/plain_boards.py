"""Rings, bare grids and free graphs in the terminal."""

from __future__ import annotations

from collections.abc import Collection

from rich.text import Text

from rulewright_tools.render.picture import Picture, Spot
from rulewright_tools.render.terminal.text_style import MAY, MAY_NOT, TextStyle

WIDE_CELL = 15
"""Columns of a cell of a ring, its left border included."""


def grid(picture: Picture, brush: TextStyle, room: int, possible: Collection[str]) -> list[Text]:
    """A grid whose edges do not matter: its squares side by side."""
    columns = sorted({spot.x for spot in picture.spots})
    rows = sorted({spot.y for spot in picture.spots})
    by_place = {(spot.x, spot.y): spot for spot in picture.spots}
    grounds = {ground.key: ground for ground in picture.grounds}
    signs = max((len(ground.sign) for ground in picture.grounds), default=0)
    cell = max(
        [
            1,
            *(
                brush.on(spot, brush.markers(picture, spot)).cell_len + (signs + 1 if signs else 0)
                for spot in picture.spots
            ),
        ]
    )
    cell = min(cell, max(1, (room - 6) // max(1, len(columns)) - 2))
    side = len(str(len(rows) - 1))
    head = Text(" " * (side + 2), style="dim")
    for number in range(len(columns)):
        head.append(str(number).center(cell + 2))
    lines = [head]
    for number, y in enumerate(rows):
        line = Text(f"{number:>{side}}  ", style="")
        line.stylize("dim")
        for across, x in enumerate(columns):
            spot = by_place.get((x, y))
            if spot is None:
                line.append(" " * (cell + 2))
                continue
            ground = grounds.get(spot.ground)
            markers = brush.markers(picture, spot)
            square = brush.square(spot, ground, cell + 2, spot.key in possible, MAY_NOT, markers)
            if ground is None and (number + across) % 2 == 1:
                square.style = "on grey19"
            line.append_text(square)
        lines.append(line)
    return lines


def ring(picture: Picture, brush: TextStyle, possible: Collection[str]) -> list[Text]:
    """The places around the rim of a rectangle, clockwise from the top left."""
    spots = picture.spots
    columns = min(5, -(-len(spots) // 2)) if len(spots) > 5 else len(spots)
    rows = max(2, -(-(len(spots) - 2 * columns) // 2) + 2) if len(spots) > columns else 1
    rim = [(0, column) for column in range(columns)]
    rim += [(row, columns - 1) for row in range(1, rows - 1)]
    rim += [(rows - 1, column) for column in reversed(range(columns))] if rows > 1 else []
    rim += [(row, 0) for row in reversed(range(1, rows - 1))]
    cells: dict[tuple[int, int], list[Text]] = {
        place: _ring_cell(picture, spot, brush, spot.key in possible) for place, spot in zip(rim, spots, strict=False)
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


def _ring_cell(picture: Picture, spot: Spot, brush: TextStyle, may: bool) -> list[Text]:
    """The lines of a cell: its name, which stands in its upper border, and what lies there."""
    alone = picture.region_name(spot) == spot.key
    first = spot.region == spot.key
    name = spot.key if alone else picture.region_name(spot) if first else f"({picture.region_name(spot)})"
    lines = [Text(f"{name} {MAY}" if may else name, style="bold" if first else "dim")]
    lines += [Text(f" {mark} ", style="bold reverse") for mark in (*spot.marks, *marked(picture, spot))]
    line = ground_sign(picture, spot, brush)
    for sign in (*map(brush.item, spot.items), *map(brush.stack, spot.stacks)):
        if line.cell_len and line.cell_len + sign.cell_len + 1 > WIDE_CELL - 3:
            lines.append(line)
            line = Text()
        if line.cell_len:
            line.append(" ")
        line.append_text(sign)
    return [*lines, line]


def places(picture: Picture, brush: TextStyle, possible: Collection[str]) -> list[Text]:
    """Every region on a line of its own: for free graphs, large rings and small windows."""
    lines = []
    for spot in picture.spots:
        if spot.region != spot.key:
            continue
        line = Text(f"{MAY} " if spot.key in possible else "  ")
        line.append(picture.region_name(spot), style="bold")
        for mark in (*spot.marks, *marked(picture, spot)):
            line.append(f" {mark}", style="bold reverse")
        if spot.rim:
            line.append("  ").append_text(brush.owner(spot.rim))
        line.append("  ")
        if sign := ground_sign(picture, spot, brush):
            line.append_text(sign).append("  ")
        lines.append(line.append_text(brush.items(spot.items)))
        for stack in spot.stacks:
            line.append("   " if spot.items or stack is not spot.stacks[0] else "")
            line.append_text(brush.owner(stack.owner)).append(" ").append_text(brush.items(stack.items))
    return lines


def marked(picture: Picture, spot: Spot) -> list[str]:
    """The markers of a place in words."""
    names = {style.kind: style.name for style in picture.style.markers}
    return [f"{names[one.kind]} {one.value}" if one.value else names[one.kind] for one in spot.markers]


def ground_sign(picture: Picture, spot: Spot, brush: TextStyle) -> Text:
    """The sign of a place's ground, if it has any."""
    ground = next((ground for ground in picture.grounds if ground.key == spot.ground), None)
    return brush.ground(ground) if ground else Text()


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
