"""Pairs of a game and the one that it changes, and the budget of games, and of seconds of the processor, for them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import process_time
from typing import TypeVar

from rulewright.compiler import OptionValue
from rulewright.play.game import Game

One = TypeVar("One")

GAMES = 300
"""Games of each kind, by default."""
SECONDS = 60.0
"""Seconds for all games together, by default."""


class PlayingBudget:
    """Games that may be played. With the same number of games the same are played, unless time ends them early.

    The seconds count from the first analysis that begins: loading and reading rules costs no games. Each analysis gets
    an equal part of the time that is left, and in it each number of players, so that none takes it all.
    """

    def __init__(self, games: int = GAMES, seconds: float | None = SECONDS) -> None:
        self.games, self.played = games, 0
        self.early: list[str] = []
        """The analyses that time has ended early."""
        self._seconds = seconds
        self._until: float | None = None
        self._now: tuple[str, float | None] = "", None

    @property
    def left(self) -> float:
        """The seconds that are left."""
        return math.inf if self._until is None else max(0.0, self._until - process_time())

    def begin(self, what: str, left: int) -> float:
        """An analysis begins, the first of so many that are left; the seconds that it has."""
        now = process_time()
        if self._until is None and self._seconds is not None:
            self._until = now + self._seconds
        self._now = what, _part(self._until, left)
        return self.left / max(1, left)

    def shared(self, several: Sequence[One]) -> Iterator[One]:
        """Several things of an analysis one after the other: each may take an equal part of the time that is left."""
        what, until = self._now
        for number, one in enumerate(several):
            self._now = what, _part(until, len(several) - number)
            yield one
        self._now = what, until

    @property
    def over(self) -> bool:
        """True if the analysis that is going on has no time left; then it has ended early."""
        what, until = self._now
        if until is None or process_time() < until:
            return False
        if what not in self.early:
            self.early.append(what)
        return True

    def seeds(self, share: float = 1.0) -> Iterator[int]:
        """The seeds of a share of the games, as long as there is time."""
        for seed in range(max(1, round(self.games * share)) if self.games else 0):
            if self.over:
                return
            self.played += 1
            yield seed


def _part(until: float | None, among: int) -> float | None:
    """The end of an equal part of the time until then."""
    now = process_time()
    return None if until is None else now + max(0.0, until - now) / max(1, among)


MOST = 4_000
"""Decisions of a game; one that takes longer is stopped, and its end is ignored."""


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


def each(pairs: Sequence[Pair]) -> Iterator[Pair]:
    """The pairs one after the other, each with its part of the time of an analysis."""
    yield from pairs[0].budget.shared(pairs)
