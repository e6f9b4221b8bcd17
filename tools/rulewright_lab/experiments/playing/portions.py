"""The games of all arms in portions, played here or in other processes.

How games are cut into portions follows from how long they take, so it differs from run to run. Nothing else does: each
arm's portions are taken in the order of their seeds, with any sizes and any workers.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import NamedTuple

from rulewright.compiler import OptionValue
from rulewright_lab.experiments.arms import Arm
from rulewright_lab.experiments.columns.portion_columns import PortionColumns
from rulewright_lab.experiments.playing.game_player import GamePlayer

FIRST = 8
"""Games of the first portion of an arm at random; one that is played by agents may take long for each."""
SPAN = 2.0
"""Seconds that a portion takes, estimated."""
MOST_GAMES = 1 << 16
"""Games of a portion at most, for the sake of memory."""
GROWTH = 4
"""A portion is at most so many times as large as the last one."""


class Portion(NamedTuple):
    """Some games of an arm, to be played."""

    arm: int
    seeds: range
    setting: Mapping[str, OptionValue] | None = None
    """Values of parameters with which the first arm is played in place of one that is known beforehand."""


class PortionPlayer:
    """Plays portions: what each process has one of. It can be sent to other processes."""

    def __init__(
        self,
        arms: tuple[Arm, ...],
        wanted: tuple[str, ...],
        most: int,
        first: int = 0,
        varied: Mapping[int, Arm] | None = None,
    ) -> None:
        """`first` is the first seed of the experiment. `varied` has arms with settings that are loaded already, by
        their numbers; they stay here, other processes load them by themselves."""
        self._given = arms, wanted, most, first
        self._varied = {} if varied is None else varied
        self._players: dict[int, GamePlayer] = {}

    def __call__(self, portion: Portion) -> tuple[PortionColumns, float]:
        """A portion, and the seconds that it took."""
        begun = perf_counter()
        player = self._players.get(portion.arm)
        if player is None:
            _, wanted, most, first = self._given
            player = self._players[portion.arm] = GamePlayer(self._arm(portion), wanted, most, first)
        return player.play(portion.seeds), perf_counter() - begun

    def _arm(self, portion: Portion) -> Arm:
        arms = self._given[0]
        if portion.setting is None:
            return arms[portion.arm]
        return self._varied.get(portion.arm) or arms[0].varied(arms[0].name, portion.setting)

    def name(self, portion: Portion) -> str:
        """The name of a portion's arm, for displays of workers."""
        arms = self._given[0]
        return f"games of {arms[portion.arm if portion.setting is None else 0].name}"

    def __reduce__(self) -> tuple[type[PortionPlayer], tuple[tuple[Arm, ...], tuple[str, ...], int, int]]:
        return PortionPlayer, self._given


class Listed:
    """Portions that are known beforehand, one after the other."""

    def __init__(self, wanted: Sequence[Portion]) -> None:
        self._left = deque(wanted)

    def next(self) -> Portion | None:
        """The next of them; None if nothing is left."""
        return self._left.popleft() if self._left else None

    def had(self, arm: int, seeds: range) -> bool:
        """Note that a portion has been played before; False if it was not to be."""
        return (portion := self.next()) is not None and (portion.arm, portion.seeds) == (arm, seeds)

    def took(self, portion: Portion, seconds: float) -> None:
        """Ignore durations: portions are cut as before."""

    @property
    def left(self) -> bool:
        """True while there is a next one."""
        return bool(self._left)


class Cutter:
    """Cuts the games of each arm into portions: always of the arm that has the fewest, of all the same seeds."""

    def __init__(
        self,
        arms: Mapping[int, Arm],
        seeds: range,
        border: Callable[[int], int] | None = None,
        settings: Mapping[int, Mapping[str, OptionValue]] | None = None,
    ) -> None:
        """Arms and their `settings` by their numbers; `border` gives the seed that no portion which begins at a seed
        goes beyond."""
        self._next, self._end, self._border = dict.fromkeys(arms, seeds.start), seeds.stop, border
        self._settings = {} if settings is None else settings
        self._size = {number: 1 if arm.agents else FIRST for number, arm in arms.items()}

    def next(self) -> Portion | None:
        """The next portion; None if nothing is left."""
        arm = self._behind
        first = self._next[arm]
        if first >= self._end:
            return None
        end = min(first + min(self._size.values()), self._end)
        if (front := max(self._next.values())) > first:
            end = min(end, front)
        if self._border is not None:
            end = min(end, self._border(first))
        self._next[arm] = end
        return Portion(arm, range(first, end), self._settings.get(arm))

    def had(self, arm: int, seeds: range) -> bool:
        """Note that a portion has been played before; False if it was not to be."""
        if self._next.get(arm) != seeds.start or seeds.stop > self._end:
            return False
        self._next[arm] = seeds.stop
        return True

    def took(self, portion: Portion, seconds: float) -> None:
        """Note how long a portion took."""
        games = len(portion.seeds)
        wanted = int(games * SPAN / max(seconds, 1e-6))
        self._size[portion.arm] = max(1, min(wanted, GROWTH * games, MOST_GAMES))

    @property
    def left(self) -> bool:
        """True while there is a next one."""
        return self._next[self._behind] < self._end

    @property
    def _behind(self) -> int:
        return min(self._next, key=self._next.__getitem__)
