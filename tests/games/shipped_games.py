"""Games of the shipped rulesets, loaded once."""

from __future__ import annotations

from functools import cache

import rulewright as rw


@cache
def game(name: str, players: int | None = None, *variants: str) -> rw.Game:
    return rw.load(name, players, variants)
