"""Games of the shipped rulesets, loaded once."""

from __future__ import annotations

from functools import cache

import rulewright as rw
from rulewright.compiler import player_counts, sources


@cache
def game(name: str, players: int | None = None, *variants: str) -> rw.Game:
    return rw.load(name, players, variants)


def every_game() -> list[tuple[str, int]]:
    """Each shipped ruleset with each number of players."""
    found = []
    for folder in rw.shipped_rulesets():
        source = sources(rw.open_ruleset(folder))
        found += [(folder.name, count) for count in player_counts(source.rules)]
    return found
