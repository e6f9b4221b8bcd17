"""A picture of strength by simulations: a small diagram for each game, in colours that follow the reader's theme."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import log10

import drawsvg

from rulewright_tools.render.chance_curve import COLOURS

COLUMNS, WIDTH, HEIGHT, GAP, TOP, EDGE = 4, 190, 130, 62, 34, 44
STYLE = """
text { font-family: sans-serif; fill: #24292f }
.paper { fill: #ffffff } .grid { stroke: #d0d7de } .even { stroke: #8c959f }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 } .paper { fill: #0d1117 } .grid { stroke: #30363d } .even { stroke: #6e7681 }
}
"""
"""Colours for light and dark pages."""
Point = tuple[int, float, float, float]
"""Simulations, the share that is won, and the ends of its interval."""


def picture(curves: Mapping[str, Sequence[Point]], ticks: Sequence[int]) -> str:
    """An SVG picture of the curves, by the titles of the games; simulations on a scale of logarithms."""
    rows = -(-len(curves) // COLUMNS)
    width, height = COLUMNS * (WIDTH + GAP) + EDGE - 20, rows * (HEIGHT + GAP) + TOP + 14
    drawing = drawsvg.Drawing(width, height)
    drawing.append_css(STYLE)
    drawing.append(drawsvg.Rectangle(0, 0, width, height, class_="paper"))
    drawing.append(drawsvg.Text("Share won against mcts:100, by simulations (bars: intervals of 95 %)", 14, EDGE, 20))
    for number, (title, points) in enumerate(curves.items()):
        row, column = divmod(number, COLUMNS)
        at = drawsvg.Group(transform=f"translate({EDGE + column * (WIDTH + GAP)},{TOP + 24 + row * (HEIGHT + GAP)})")
        _diagram(at, title, points, ticks, COLOURS[number % len(COLOURS)])
        drawing.append(at)
    return str(drawing.as_svg())


def _diagram(at: drawsvg.Group, title: str, points: Sequence[Point], ticks: Sequence[int], colour: str) -> None:
    """One game."""
    first, last = log10(ticks[0]), log10(ticks[-1])

    def across(simulations: int) -> float:
        return WIDTH * (log10(simulations) - first) / (last - first)

    def down(share: float) -> float:
        return HEIGHT * (1 - share)

    at.append(drawsvg.Text(title.split(" - ")[0], 13, 0, -8, font_weight="bold"))
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        kind = "even" if share == 0.5 else "grid"
        at.append(drawsvg.Line(0, down(share), WIDTH, down(share), class_=kind))
        at.append(drawsvg.Text(f"{100 * share:.0f} %", 10, -5, down(share) + 3, text_anchor="end"))
    for tick in ticks:
        at.append(drawsvg.Text(f"{tick:,}", 10, across(tick), HEIGHT + 14, text_anchor="middle"))
    for simulations, share, low, high in points:
        x = across(simulations)
        at.append(drawsvg.Line(x, down(low), x, down(high), stroke=colour, stroke_width=1.5, opacity=0.55))
        at.append(drawsvg.Circle(x, down(share), 3.2, fill=colour))
    line = [value for simulations, share, _, _ in points for value in (across(simulations), down(share))]
    at.append(drawsvg.Lines(*line, fill="none", stroke=colour, stroke_width=2))
