"""Games of the shipped rulesets, loaded once: what is made for a program is found again by whoever has the same one."""

from __future__ import annotations

import rulewright as rw
from rulewright.engine.native.tiering import EngineName

_games: dict[tuple[str, int | None], rw.Game] = {}


def shipped_game(name: str, players: int | None = None, engine: EngineName = "auto") -> rw.Game:
    """A shipped game with its usual options; all engines have one program."""
    if (name, players) not in _games:
        game = rw.load(name, players)
        _games[name, players] = _games.setdefault((name, game.players), game)
    game = _games[name, players]
    return game if engine == "auto" else rw.Game(game.program, game.ruleset, engine)


__all__ = ["shipped_game"]
