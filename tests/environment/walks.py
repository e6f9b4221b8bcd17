"""Walks at random through the shipped games."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import rulewright as rw

SMALL = ("tic-tac-toe", "connect-four", "breakthrough", "kuhn-poker", "leduc-poker")
LARGE = ("carolus-magnus", "domaine", "loewenherz", "baron", "kings-and-things")
GAMES = [*((name, 2) for name in SMALL), *((name, players) for name in LARGE for players in (2, 4))]


@cache
def loaded(name: str, players: int) -> rw.Game:
    """A shipped game."""
    return rw.load(name, players)


def walk(game: rw.Game, seed: int, answers: int, ask_chance: bool = False) -> Iterator[rw.State]:
    """The states of a game at random, from its beginning, after so many answers at most."""
    state, random = game.start(seed, ask_chance=ask_chance), Random(seed)
    for _ in range(answers):
        yield state
        if state.decision is None:
            return
        state = state.choose(random.randrange(len(state.decision.options)))
