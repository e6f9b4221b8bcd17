"""Seats that are played by a policy, for the tools that play games: how it is written, and what it picks."""

from __future__ import annotations

from typing import Annotated

import typer

import rulewright as rw
from rulewright_tools.console import CommandError

Policies = Annotated[
    str | None,
    typer.Option(
        "--policy",
        metavar="HOW,HOW…",
        help="random, greedy:QUERY or lead:QUERY; one for all seats, or one for each seat in order.",
    ),
]
Look = Annotated[
    int, typer.Option("--look", min=1, metavar="N", help="How many options a policy tries for a decision.")
]
Noise = Annotated[
    int,
    typer.Option("--noise", min=0, max=100, metavar="PERCENT", help="How often a policy takes any option at random."),
]


def split(text: str | None) -> tuple[str, ...]:
    """The words of ``--policy``."""
    return tuple(word.strip() for word in text.split(",")) if text else ()


def policies_of(game: rw.Game, words: tuple[str, ...], look: int = 8, noise: int = 10) -> tuple[rw.Policy, ...]:
    """The policies that are meant; none if nothing is said, else one for all seats or one for each."""
    if len(words) not in (0, 1, len(game.seats)):
        seats = f"{len(game.seats)} seats: {', '.join(game.seats)}"
        raise CommandError(
            f"--policy names {len(words)} policies, but the game has {seats}; give one for all, or each one"
        )
    return tuple(game.policy(word, look, noise) for word in words)
