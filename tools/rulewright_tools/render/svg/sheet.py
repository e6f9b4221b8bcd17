"""A picture drawn as SVG: a sheet with the map and, beside it, what the players have."""

from __future__ import annotations

from math import ceil

import drawsvg as svg

import rulewright as rw
from rulewright_tools.render.colours import Palette, dark
from rulewright_tools.render.picture import Picture
from rulewright_tools.render.svg import svg_primitives
from rulewright_tools.render.svg.legend import legend
from rulewright_tools.render.svg.map_picture import Maps
from rulewright_tools.render.svg.side_panel import Panel
from rulewright_tools.render.svg.svg_primitives import FONT, INK, PAPER, PLAIN

MARGIN = 44
HEAD = 84


def draw(picture: Picture, palette: Palette) -> str:
    """The picture as the text of an SVG file."""
    paper = palette.ground(picture.style.background) if picture.style.background else PAPER
    ink = PAPER if dark(paper) else INK
    maps = Maps(picture, palette, ink)
    panel = Panel(picture, palette, maps.height)
    gap = MARGIN if picture.spots and panel.height else 0
    width = max(300, ceil(2 * MARGIN + maps.width + gap + panel.width))
    below, long = ([], 0.0) if panel.explains else legend(picture, palette, maps.width)
    under = maps.height + (MARGIN / 2 + long if long else 0.0)
    height = ceil(HEAD + MARGIN + max(under, panel.height))
    drawing = svg.Drawing(width, height, font_family=PLAIN)
    drawing.append(svg.Rectangle(0, 0, width, height, fill=paper))
    drawing.append(svg_primitives.label(picture.title, 27, MARGIN, 48, font_family=FONT, font_weight="bold", fill=ink))
    parts = (
        (maps.elements, MARGIN, HEAD),
        (panel.elements, MARGIN + maps.width + gap, HEAD),
        (below, MARGIN, HEAD + maps.height + MARGIN / 2),
    )
    for elements, left, top in parts:
        group = svg.Group(transform=f"translate({left:.1f},{top:g})")
        for element in elements:
            group.append(element)
        drawing.append(group)
    result = drawing.as_svg()
    assert isinstance(result, str)
    return rw.characters.printable(result, lines=True) + "\n"
