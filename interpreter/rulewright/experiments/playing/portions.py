"""The games of all arms in portions, played here or in other processes.

How games are cut into portions follows from how long they take, so it differs from run to run. Nothing else does:
each arm's portions are taken in the order of their seeds, whatever their sizes are and whoever has played them.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from time import perf_counter
from typing import NamedTuple

from rulewright.experiments.arms import Arm
from rulewright.experiments.columns.portion_columns import PortionColumns
from rulewright.experiments.playing.game_player import GamePlayer
from rulewright.host.workers import Jobs, all_in_order

FIRST = 8
"""Games of the first portion of an arm at random; one that is played by agents may take long for each."""
SPAN = 2.0
"""Seconds that a portion takes, as far as can be told."""
MOST_GAMES = 1 << 16
"""Games of a portion at most, for the sake of memory."""
GROWTH = 4
"""A portion is at most so many times as large as the last one."""


class Portion(NamedTuple):
    """Some games of an arm, to be played."""

    arm: int
    seeds: range


class PortionPlayer:
    """Plays portions: what each process has one of. It can be sent to other processes."""

    def __init__(self, arms: tuple[Arm, ...], wanted: tuple[str, ...], most: int, first: int = 0) -> None:
        """`first` is the first seed of the experiment."""
        self._given = arms, wanted, most, first
        self._players: dict[int, GamePlayer] = {}

    def __call__(self, portion: Portion) -> tuple[PortionColumns, float]:
        """A portion, and the seconds that it took."""
        begun = perf_counter()
        player = self._players.get(portion.arm)
        if player is None:
            arms, wanted, most, first = self._given
            player = self._players[portion.arm] = GamePlayer(arms[portion.arm], wanted, most, first)
        return player.play(portion.seeds), perf_counter() - begun

    def name(self, portion: Portion) -> str:
        """The name of a portion's arm, for whoever looks at workers."""
        return f"games of {self._given[0][portion.arm].name}"

    def __reduce__(self) -> tuple[type[PortionPlayer], tuple[tuple[Arm, ...], tuple[str, ...], int, int]]:
        return PortionPlayer, self._given


class Cutter:
    """Cuts what is left of the games of each arm into portions: always of the arm that has the fewest."""

    def __init__(
        self, arms: Sequence[Arm], begin: Sequence[int], end: int, border: Callable[[int], int] | None = None
    ) -> None:
        """From the first seed of each arm on that is left; `border` gives the seed that no portion which begins at a
        seed goes beyond."""
        self._next, self._end, self._border = [*begin], end, border
        self._size = [1 if arm.agents else FIRST for arm in arms]

    def next(self) -> Portion | None:
        """The next portion; None if nothing is left."""
        arm = min(range(len(self._next)), key=self._next.__getitem__)
        first = self._next[arm]
        if first >= self._end:
            return None
        end = min(first + self._size[arm], self._end)
        if self._border is not None:
            end = min(end, self._border(first))
        self._next[arm] = end
        return Portion(arm, range(first, end))

    def took(self, portion: Portion, seconds: float) -> None:
        """Note how long a portion took."""
        games = len(portion.seeds)
        wanted = int(games * SPAN / max(seconds, 1e-6))
        self._size[portion.arm] = max(1, min(wanted, GROWTH * games, MOST_GAMES))


def played(
    player: PortionPlayer, cutter: Cutter, jobs: Jobs = 1
) -> Generator[tuple[Portion, PortionColumns], None, None]:
    """All portions that a cutter gives, in its order; a few more than are asked for are played ahead by other
    processes."""
    with closing(all_in_order(player, cutter.next, jobs, player.name)) as found:
        for portion, (columns, seconds) in found:
            cutter.took(portion, seconds)
            yield portion, columns
