"""Games of the shipped rulesets, loaded once.

How many players they have is written down here: tests are collected in each process, before any ruleset is needed.
"""

from __future__ import annotations

from functools import cache

import rulewright as rw
from sampling import THOROUGH

PLAYERS = {
    "baron": (2, 3, 4, 5),
    "breakthrough": (2,),
    "carolus-magnus": (2, 3, 4),
    "connect-four": (2,),
    "domaine": (2, 3, 4),
    "goofspiel": (2,),
    "hex": (2,),
    "kings-and-things": (2, 3, 4),
    "kuhn-poker": (2,),
    "leduc-poker": (2,),
    "liars-dice": (2,),
    "loewenherz": (2, 3, 4),
    "othello": (2,),
    "pig": (2, 3, 4),
    "tic-tac-toe": (2,),
}
"""All of them; `test_random_games` compares this with the rulesets."""


def game(name: str, players: int | None = None, *variants: str) -> rw.Game:
    """A game; without a number of players one for the smallest, as the ruleset is loaded."""
    return _loaded(name, players or PLAYERS[name][0], *variants)


@cache
def _loaded(name: str, players: int, *variants: str) -> rw.Game:
    return rw.load(name, players, variants)


LONG = () if THOROUGH else ("kings-and-things",)
"""Games of thousands of decisions: every day they are played by tests of their own."""


def every_game() -> list[tuple[str, int]]:
    """Each shipped ruleset with each number of players; every day without the long ones, and of Löwenherz only the
    smallest, as it is Domaine in another edition."""
    counts = PLAYERS if THOROUGH else PLAYERS | {"loewenherz": (2,)}
    return [(name, count) for name, each in counts.items() for count in each if name not in LONG]
