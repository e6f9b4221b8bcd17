"""The text of a file of weights."""

from __future__ import annotations

from rulewright.play import Game
from rulewright_lab.evaluation.weights_file import text_of
from rulewright_lab.learning.fitting import Fitted
from rulewright_lab.learning.samples import Learning


def weights_text(game: Game, learning: Learning, rounds: int, fitted: Fitted) -> str:
    """The text of what was learnt, and from what; the same for the same games."""
    learnt = {
        "agents": list(learning.agents),
        "games": fitted.games,
        "positions": fitted.positions,
        "rounds": rounds,
        "seed": learning.seed,
    }
    return text_of(game.engine, fitted.evaluation, learnt)
