"""Use of the places of a board, drawn over the board itself, as part of a page."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping

import rulewright as rw
from rulewright_tools.console import plural
from rulewright_tools.render.svg.use_map import UseMap
from rulewright_tools.render.theme import palette_of
from rulewright_tools.reports.html.parts import Html, element, figure, row, section, table
from rulewright_tools.session.place_use import MEANINGS, PlaceUse

PLACES = 12
"""So many places are in the table of a board."""


class Boards:
    """The boards of a page, each drawn in full once."""

    def __init__(self) -> None:
        self._drawn: set[str] = set()

    def part(self, title: str | None, game: rw.Game, use: PlaceUse) -> Html:
        """A board once for each use that differs from place to place."""
        drawing = UseMap(use.picture, palette_of(game))
        pictures = []
        for kind, shares in use.shares.items():
            meaning = MEANINGS[kind]
            often = sorted(shares.items(), key=lambda one: (-one[1], one[0]))
            rows = [[key, f"{100 * share:.0f} %"] for key, share in often[:PLACES]]
            never = sum(1 for _, share in often if not share)
            unused = f"{never} of {len(often)} are never used" if never else f"each of {len(often)} is used at times"
            numbers = table(("Place", "Games"), rows, f"The {len(rows)} places used most; {unused}")
            caption = Html(element("b", meaning) + f", in percent of {plural(use.games, 'game')}")
            label = f"{meaning}: the board, with a disc on each place"
            pictures.append(figure(self._svg(drawing, shares), caption, label, numbers))
        return section(title, row(*pictures), level=3)

    def _svg(self, drawing: UseMap, shares: Mapping[str, float]) -> str:
        name = f"board-{hashlib.sha256(drawing.board.encode()).hexdigest()[:8]}"
        board = f'<use href="#{name}"/>' if name in self._drawn else f'<g id="{name}">{drawing.board}</g>'
        self._drawn.add(name)
        return f'<svg viewBox="0 0 {drawing.width} {drawing.height}">{board}{drawing.discs(shares)}</svg>'
