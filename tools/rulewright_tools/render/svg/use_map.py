"""The map of a game with the use of its places: on each a disc as large as its share of games, with the share."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import ceil, sqrt

import drawsvg as svg

from rulewright_tools.render.colours import Palette, dark
from rulewright_tools.render.picture import Picture
from rulewright_tools.render.svg.map_picture import Map
from rulewright_tools.render.svg.svg_primitives import INK, PAPER, PLAIN

_EDGE = 22
_LARGEST = 0.86
_SHIFT = {"transform": f"translate({_EDGE},{_EDGE})", "font_family": PLAIN}
_TOLD = 0.05
"""A share below this is drawn without a number."""


class UseMap:
    """A board that is drawn once, and what is drawn over it for each use."""

    def __init__(self, picture: Picture, palette: Palette) -> None:
        paper = palette.ground(picture.style.background) if picture.style.background else PAPER
        self._spots = picture.spots
        self._map = map_ = Map(picture, palette, PAPER if dark(paper) else INK)
        self.width, self.height = ceil(map_.width + 2 * _EDGE), ceil(map_.height + 2 * _EDGE)
        group = svg.Group(**_SHIFT)
        for element in map_.elements:
            group.append(element)
        self.board = self._text(svg.Rectangle(0, 0, self.width, self.height, fill=paper), group)
        """The elements of the board alone."""

    def discs(self, shares: Mapping[str, float]) -> str:
        """The elements over it: shares are by the keys of places."""
        letters = round(min(self._map.radius * 0.53, 26.0), 1)
        discs = svg.Group(fill=INK, stroke=PAPER, stroke_width=1.5, **_SHIFT)
        bold = {"text_anchor": "middle", "font_weight": "bold", "font_size": letters}
        inside = svg.Group(fill=PAPER, **bold, **_SHIFT)
        below = svg.Group(fill=INK, **bold, **_SHIFT)
        for spot in self._spots:
            share = shares.get(spot.key, 0.0)
            if not share:
                continue
            x, y = (round(at, 1) for at in self._map.geometry.at(spot))
            size = max(1.5, self._map.radius * _LARGEST * sqrt(share))
            discs.append(svg.Circle(x, y, round(size, 1)))
            if share < _TOLD:
                continue
            fits = size > letters * 0.75
            at = y + letters * 0.35 if fits else min(y + size + letters * 0.95, y + self._map.radius)
            (inside if fits else below).append(svg.Raw(f'<text x="{x:g}" y="{at:.1f}">{100 * share:.0f}</text>'))
        return self._text(discs, inside, below)

    def _text(self, *elements: svg.DrawingElement) -> str:
        drawing = svg.Drawing(self.width, self.height)
        for one in elements:
            drawing.append(one)
        text = str(drawing.as_svg())
        inner = text[text.index("</defs>") + len("</defs>") : text.rindex("</svg>")]
        short = re.sub(r"(\d\.\d)\d+", r"\1", re.sub("<title>[^<]*</title>|\n", "", inner))
        return re.sub(r"></(?:path|circle|rect|line)>", "/>", short)
