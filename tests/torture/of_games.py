"""Random games of the shipped rulesets: in every rest every invariant and every property is asked."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

import seeds
from kinds import Kind, Outcome

import rulewright as rw
from rulewright.compiler import player_counts, sources

MOST = 100_000


class Games(Kind):
    """Whole games: each setting in turn, with a seed of its own."""

    name = "games"
    weight = 1
    patience = 200.0  # a whole game, and all its invariants some thousand times
    about = "random games of each shipped ruleset, number of players and variant, invariants asked in every rest"
    unit = "decisions"

    def __init__(self) -> None:
        self.settings: list[tuple[str, int, tuple[str, ...]]] = []

    def prepare(self) -> None:
        """Find the settings."""
        for folder in rw.shipped_rulesets():
            if self.small and folder.name not in seeds.SMALL_GAMES:
                continue
            source = sources(rw.open_ruleset(folder))
            for players in player_counts(source.rules):
                self.settings += [(folder.name, players, v) for v in ((), *((title,) for title in source.variants))]

    def numbered(self, seed: int, number: int) -> Any:
        """Settings take turns."""
        game_seed = random.Random(f"{seed} {self.name} {number}").randrange(2**64)
        return self.settings[number % len(self.settings)], game_seed

    def attempt(self, made: tuple[tuple[str, int, tuple[str, ...]], int]) -> Outcome:
        """Play it."""
        setting, seed = made
        played = game(setting).playout(seed, check=True, most=MOST)
        assert not played.broken, f"{played.broken} do not hold in {setting} with seed {seed}"
        assert played.finished, f"not over after {played.decisions} decisions: {setting} with seed {seed}"
        ranks = sorted(played.places)
        assert ranks[0] == 1, f"nobody has won: {ranks} in {setting} with seed {seed}"
        return Outcome(
            f"over {setting[0]} {setting[1]}" + "".join(f", {title}" for title in setting[2]), played.decisions
        )


@cache
def game(setting: tuple[str, int, tuple[str, ...]]) -> rw.Game:
    """The game of a setting, compiled once."""
    name, players, variants = setting
    return rw.load(name, players, variants)
