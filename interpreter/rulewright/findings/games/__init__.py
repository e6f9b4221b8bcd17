"""Analyses that play games: of a variant beside its base, with the same seeds, or of a whole game alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from rulewright.findings.games.part_of_no_effect import parts_of_no_effect
from rulewright.findings.games.playing_budget import Pair
from rulewright.findings.games.stopped_game import stopped_games
from rulewright.findings.suspects import Suspect

SIDE_BY_SIDE: dict[str, Callable[[Sequence[Pair]], Iterable[Suspect]]] = {
    "games that stop": stopped_games,
    "parts of no effect": parts_of_no_effect,
}
"""All of them, by what they look for."""

__all__ = ["SIDE_BY_SIDE"]
