"""Seats that are played by agents, for the tools that play games: how these are written."""

from __future__ import annotations

from typing import Annotated

import typer

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools.console import CommandError

Policies = Annotated[
    str | None,
    typer.Option(
        "--seats",
        "--policy",
        metavar="HOW,HOW…",
        help=f"{', '.join(lab.agents.FORMS)}; one for all seats, or one for each seat in order.",
    ),
]
Look = Annotated[
    int, typer.Option("--look", min=1, metavar="N", help="How many options greedy and lead try for a decision.")
]
Noise = Annotated[
    int,
    typer.Option(
        "--noise", min=0, max=100, metavar="PERCENT", help="How often greedy, lead and learnt take any option."
    ),
]


def split(text: str | None) -> tuple[str, ...]:
    """The words of ``--seats``."""
    return tuple(lab.agents.split_words(text)) if text else ()


def policies_of(game: rw.Game, words: tuple[str, ...], look: int = 8, noise: int = 10) -> tuple[rw.playing.Agent, ...]:
    """The agents that are meant; none without an option, else one for all seats or one for each."""
    if len(words) not in (0, 1, len(game.seats)):
        seats = f"{len(game.seats)} seats: {', '.join(game.seats)}"
        raise CommandError(
            f"--seats names {len(words)} agents, but the game has {seats}; give one for all, or each one"
        )
    return tuple(lab.agent(game, word, look, noise) for word in words)
