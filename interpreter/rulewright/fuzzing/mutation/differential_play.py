"""Games of the original and of a mutant with the same seeds: whether they differ, and what breaks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.diagnostics import RulesetError
from rulewright.engine import Played
from rulewright.play.game import Game

Setting = tuple[int, tuple[str, ...]]
"""A number of players, and titles of variants."""

LONGER = 8
"""A game that takes so many times as many decisions as any of the original's does not end."""


@dataclass(frozen=True, slots=True)
class Round:
    """One game of each kind that is played: its seed, and how the seats decide."""

    seed: int
    policy: str = ""
    """Empty: at random."""


@dataclass(frozen=True, slots=True)
class Course:
    """The course of a game: equal courses, equal games, as far as can be seen from outside."""

    answers: tuple[int, ...]
    sizes: tuple[int, ...]
    """The number of options each time."""
    places: tuple[int, ...]
    rule: str
    views: str


def rounds(seed: int, games: int, policies: tuple[str, ...]) -> Iterator[Round]:
    """The games that are played of each setting: at random, and one more with each policy."""
    for number in range(games):
        yield Round(seed + number)
    for policy in policies if games else ():
        yield Round(seed, policy)


def policies_of(game: Game) -> tuple[str, ...]:
    """Policies by which seats may decide, besides the random one: the query `score`, if the rules have one for a
    player.
    """
    try:
        game.policy("lead:score")
    except RulesetError:
        return ()
    return ("lead:score",)


def course(game: Game, one: Round, most: int) -> tuple[Course, Played]:
    """Play one game, and look whenever it rests whether all holds that must hold."""
    policies = (game.policy(one.policy, look=2),) if one.policy else ()
    played = game.playout(one.seed, keep=True, most=most, policies=policies, check=True)
    seats = (None, *range(game.players))
    views = json.dumps([played.state.view(seat) for seat in seats], sort_keys=True)
    return Course(played.answers, played.sizes, played.places, played.rule, views), played
