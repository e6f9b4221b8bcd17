"""A game beside the one that it changes, for one number of players; a whole game is beside one without rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property

from rulewright.compiler import OptionValue
from rulewright.diagnostics import RulesetError
from rulewright.engine import Agent
from rulewright.examination.playing.playing_budget import PlayingBudget
from rulewright.play.game import Game

MOST = 4_000
"""Decisions of a game; one that takes longer is stopped, and nothing is said of its end."""


@dataclass(frozen=True)
class Pair:
    """The two games, the rules with a name that the one has brought, and what may be played of them."""

    game: Game
    base: Game
    brought: frozenset[str]
    budget: PlayingBudget
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    """The parameters that were given; what a variant sets is not among them."""

    @property
    def alone(self) -> bool:
        """True of a whole game: it is beside nothing."""
        return not self.base.program.functions

    @cached_property
    def changed_functions(self) -> frozenset[str]:
        """The functions that the base has not, or has otherwise."""
        known = {f.name: f for f in self.base.program.functions}
        return frozenset(f.name for f in self.game.program.functions if known.get(f.name) != f)

    def agents(self, game: Game) -> list[tuple[Agent, ...]]:
        """The ways in which seats decide: at random, and so that they lead if the rules have a `score` of a player."""
        found: list[tuple[Agent, ...]] = [()]
        with suppress(RulesetError):
            found.append((game.policy("lead:score", look=4, noise=20),))
        return found


def each(pairs: Sequence[Pair]) -> Iterator[Pair]:
    """The pairs one after the other, each with its part of the time of an analysis."""
    yield from pairs[0].budget.shared(pairs)


__all__ = ["MOST", "Pair", "each"]
