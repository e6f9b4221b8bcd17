"""Saves and logs of the shipped games, changed and sealed again with a checksum that fits."""

from __future__ import annotations

import json
import random
import sys
from functools import cache
from typing import Any

import seeds
from kinds import Kind, Outcome
from mutating import changed, sealed, tried, tried_log
from seeds import Pool
from shipped_games import every_game, game

import rulewright as rw
from rulewright.engine import log_data

POSITIONS = 12
"""Positions of each game."""
DEEP = (0, 1, 3, 8, 20, 40, 80)
"""After how many decisions they are saved."""

Named = tuple[str, int]


class Saves(Kind):
    """Saves."""

    name = "saves"
    weight = 120
    about = "changed saves with checksums that fit are loaded and played on"

    def __init__(self) -> None:
        self.games: list[Named] = []
        self.positions: Pool[tuple[Named, dict[str, Any]]]

    def prepare(self) -> None:
        """Load and compile the games."""
        self.games = [one for one in every_game() if not self.small or one[0] in seeds.SMALL_GAMES]
        positions = [(named, number) for named in self.games for number in range(POSITIONS)]
        self.positions = Pool([(named, self.data(position(named, number))) for named, number in positions],
                              lambda one: len(json.dumps(one[1])))  # fmt: skip

    def make(self, rng: random.Random) -> tuple[Named, Any, int]:
        """A position, changed."""
        named, data = self.positions.pick(rng)
        data = changed(data, rng)
        return named, data if rng.random() < 0.02 else sealed(data), rng.randrange(2**32)

    def data(self, state: rw.State) -> dict[str, Any]:
        """The data that is changed."""
        return state.save()

    def attempt(self, made: tuple[Named, Any, int]) -> Outcome:
        """Load it and go on."""
        named, data, seed = made
        return _outcome(tried(game(*named), data, random.Random(seed), 30 if seed % 8 == 0 else 4))

    def told(self, made: tuple[Named, Any, int]) -> str:
        """The game and the save."""
        before = sys.get_int_max_str_digits()
        sys.set_int_max_str_digits(0)  # numbers of thousands of digits are put in, too
        try:
            return f"{made[0]} {json.dumps(made[1])}"
        finally:
            sys.set_int_max_str_digits(before)


class Logs(Saves):
    """Logs."""

    name = "logs"
    weight = 520
    about = "changed logs with checksums that fit are replayed"

    def data(self, state: rw.State) -> dict[str, Any]:
        """The data that is changed."""
        return log_data(state)

    def attempt(self, made: tuple[Named, Any, int]) -> Outcome:
        """Play it again."""
        named, data, _ = made
        return _outcome(tried_log(game(*named), data))


def _outcome(word: str) -> Outcome:
    return Outcome(word if word.startswith("accepted") else f"refused {word}")


@cache
def position(named: Named, number: int) -> rw.State:
    """A position of a game: random, and always the same."""
    rng = random.Random(f"{named} {number}")
    playing = game(*named)
    state = playing.start(rng.randrange(2**64), ask_chance=number % 3 == 2)
    for _ in range(rng.choice(DEEP)):
        if state.decision is None:
            break
        state = state.choose(rng.randrange(len(state.decision.options)))
    return state
