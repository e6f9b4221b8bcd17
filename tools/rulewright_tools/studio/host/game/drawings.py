"""Drawings of the positions of a game, its log in sentences, its questions: made once for all pages that see alike."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from weakref import WeakKeyDictionary

import rulewright as rw
from rulewright_tools.printing.components import Components
from rulewright_tools.printing.layout import Layout
from rulewright_tools.render.colours import Palette
from rulewright_tools.render.picture import Picture
from rulewright_tools.render.position_picture import picture_of
from rulewright_tools.render.svg.board import Board, Numbers, draw_board
from rulewright_tools.render.theme import palette_of
from rulewright_tools.studio.host.game.question import Questions
from rulewright_tools.studio.host.game.supplies import Supplies
from rulewright_tools.studio.host.game.viewer_log import ViewerLog
from rulewright_tools.studio.host.play.played_game import PlayedGame

KEPT = 16
"""Positions whose drawings are kept: those that are looked at, and those with which they are compared."""


@dataclass(frozen=True)
class Drawing:
    """A position for a viewer, drawn as far as it is needed."""

    picture: Picture
    _palette: Palette
    _places: Numbers
    _edges: Numbers
    _printed: Callable[[str], str]

    @cached_property
    def board(self) -> Board:
        """The maps."""
        return draw_board(self.picture, self._palette, self._places, self._edges)

    @cached_property
    def supplies(self) -> Supplies:
        """The supplies of players, and the table beside the board."""
        return Supplies(self.picture, self._palette, self._printed)


class Drawings:
    """The drawings of one game. Where nothing is hidden all viewers see alike."""

    def __init__(self, rules: rw.Game) -> None:
        self.rules = rules
        self.questions = Questions(rules)
        self._palette = palette_of(rules)
        model = rules.model
        self._places = _numbered((board.place, key) for board in model.boards for key in model.keys(board.place))
        self._edges = _numbered((board.place, key) for board in model.boards for key in model.keys(board.edge or ""))
        self._printed = cache(Components(Layout(rules), pale=False).printed)
        self._logs: dict[int | None, ViewerLog] = {}
        self._drawn: OrderedDict[tuple[int, int | None], tuple[rw.State, Drawing]] = OrderedDict()

    @staticmethod
    def of(game: PlayedGame) -> Drawings:
        """The drawings of a game with its rules as they are now."""
        found = _FOUND.get(game)
        if found is None or found.rules is not game.play.game:
            found = _FOUND[game] = Drawings(game.play.game)
        return found

    def log(self, viewer: int | None) -> ViewerLog:
        """The log for a viewer."""
        alike = self._alike(viewer)
        if alike not in self._logs:
            self._logs[alike] = ViewerLog(self.rules, alike)
        return self._logs[alike]

    def drawing(self, state: rw.State, viewer: int | None) -> Drawing:
        """A position as a viewer sees it."""
        key = (id(state), self._alike(viewer))
        kept = self._drawn.get(key)
        if kept is None or kept[0] is not state:
            picture = picture_of(self.rules, state, key[1])
            self._drawn[key] = kept = (state, Drawing(picture, self._palette, self._places, self._edges, self._printed))
        self._drawn.move_to_end(key)
        if len(self._drawn) > KEPT:
            self._drawn.popitem(last=False)
        return kept[1]

    def _alike(self, viewer: int | None) -> int | None:
        return viewer if self.rules.has_secrets else rw.playing.PUBLIC


_FOUND: WeakKeyDictionary[PlayedGame, Drawings] = WeakKeyDictionary()


def _numbered(places: Iterable[tuple[str, str]]) -> dict[tuple[str, str], int]:
    return {place: number for number, place in enumerate(places)}
