"""Methods about the rules of the game at hand: what they say differently."""

from __future__ import annotations

from rulewright_tools.studio.host.files.folder import Folder
from rulewright_tools.studio.host.game.methods import GameMethods
from rulewright_tools.studio.host.messages import Answered, Method, Params
from rulewright_tools.studio.host.rules.differences import differences


class RuleMethods:
    """The rules of the game of one page."""

    def __init__(self, folder: Folder, game: GameMethods) -> None:
        self._folder = folder
        self._game = game

    @property
    def methods(self) -> dict[str, Method]:
        """Methods by their names."""
        return {"rules/compare": self._compare}

    def _compare(self, params: Params) -> Answered:
        params.done()
        viewpoint = self._game.now
        game, opened = viewpoint.play.game, self._game.first_rules.get(viewpoint.game.ruleset)
        found = differences(self._folder, game, viewpoint.game.options, opened)
        return {"parameters": game.parameters, "comparisons": list(found)}
