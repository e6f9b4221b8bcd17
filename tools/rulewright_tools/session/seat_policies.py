"""Seats that are played by agents, for the tools that play games: how these are written."""

from __future__ import annotations

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools.console import CommandError


def split(text: str | None) -> tuple[str, ...]:
    """The words of ``--seats``."""
    return tuple(lab.agents.split_words(text)) if text else ()


def policies_of(game: rw.Game, words: tuple[str, ...]) -> tuple[rw.playing.Agent, ...]:
    """The agents that are meant; none without an option, else one for all seats or one for each."""
    if len(words) not in (0, 1, len(game.seats)):
        seats = f"{len(game.seats)} seats: {', '.join(game.seats)}"
        raise CommandError(
            f"--seats names {len(words)} agents, but the game has {seats}; give one for all, or each one"
        )
    return tuple(lab.agent(game, word) for word in words)
