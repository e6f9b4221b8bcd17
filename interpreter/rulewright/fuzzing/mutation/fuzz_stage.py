"""The fuzzer, run on a mutant; it writes no scenario, as a mutant need not be corrected."""

from __future__ import annotations

from rulewright.fuzzing import Setting
from rulewright.fuzzing.search.coverage import Reached
from rulewright.fuzzing.search.portion_search import Portion, search
from rulewright.play.game import Game


def fuzzed(game: Game, setting: tuple[int, tuple[str, ...]], seed: int, games: int, most: int) -> str | None:
    """The first trouble in some whole games and the short ones that begin in their middle, in a sentence."""
    found = search(game, Portion(Setting(*setting), seed, games, most, Reached())).found
    return found.trouble.told if found else None
