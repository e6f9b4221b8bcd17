"""Curves of the chances of all seats over a game."""

from __future__ import annotations

from collections.abc import Sequence

WIDTH, HEIGHT, EDGE = 640, 240, 40
COLOURS = ("#c0392b", "#2471a3", "#229954", "#b7950b", "#7d3c98", "#566573")
"""Colours that most people can distinguish; seats beyond these begin anew."""


def curve(seats: Sequence[str], chances: Sequence[tuple[int, Sequence[float]]]) -> str:
    """An SVG picture: for each seat a line through its chances, by the numbers of the decisions."""
    import drawsvg

    picture = drawsvg.Drawing(WIDTH + 2 * EDGE, HEIGHT + 2 * EDGE)
    picture.append(drawsvg.Rectangle(0, 0, WIDTH + 2 * EDGE, HEIGHT + 2 * EDGE, fill="white"))
    first, last = (chances[0][0], chances[-1][0]) if chances else (0, 1)
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = EDGE + HEIGHT * (1 - share)
        picture.append(drawsvg.Line(EDGE, y, EDGE + WIDTH, y, stroke="#d5d8dc"))
        picture.append(drawsvg.Text(f"{100 * share:.0f} %", 11, EDGE - 6, y + 4, text_anchor="end"))
    for number in (first, last):
        picture.append(drawsvg.Text(str(number), 11, _x(number, first, last), HEIGHT + EDGE + 16, text_anchor="middle"))
    for seat, name in enumerate(seats):
        colour, points = COLOURS[seat % len(COLOURS)], list[float]()
        for number, each in chances:
            points += [_x(number, first, last), EDGE + HEIGHT * (1 - each[seat])]
        if points:
            picture.append(drawsvg.Lines(*points, fill="none", stroke=colour, stroke_width=2))
        picture.append(drawsvg.Text(name, 13, EDGE + 90 * seat, EDGE - 14, fill=colour))
    return str(picture.as_svg())


def _x(number: int, first: int, last: int) -> float:
    """The place of a decision."""
    return EDGE + WIDTH * (number - first) / max(last - first, 1)
