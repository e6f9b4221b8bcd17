"""The games of all arms in portions, played here or in other processes, and given in one order whoever plays them."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures import Future
from itertools import islice
from typing import NamedTuple

from rulewright.experiments.arms import Arm
from rulewright.experiments.game_rows import GamePlayer, GameRow
from rulewright.host.workers import process_pool

SIZE = 10
"""Games of a portion."""


class Portion(NamedTuple):
    """Some games of an arm."""

    arm: int
    seeds: range


def portions(arms: int, seed: int, games: int) -> Iterator[Portion]:
    """All portions: the arms in turn, so that at any time all of them have had about the same seeds."""
    for start in range(seed, seed + games, SIZE):
        for arm in range(arms):
            yield Portion(arm, range(start, min(start + SIZE, seed + games)))


_players: list[GamePlayer] = []
"""In another process: who plays the games of each arm."""


def _prepare(arms: tuple[Arm, ...], wanted: tuple[str, ...], most: int) -> None:
    _players[:] = made(arms, wanted, most)


def _play_elsewhere(portion: Portion) -> list[GameRow]:
    return _players[portion.arm].play(portion.seeds)


def made(arms: tuple[Arm, ...], wanted: tuple[str, ...], most: int) -> list[GamePlayer]:
    """Players of the games of each arm."""
    return [GamePlayer(arm, wanted, most) for arm in arms]


def played(
    arms: tuple[Arm, ...], wanted: tuple[str, ...], most: int, todo: Iterable[Portion], jobs: int
) -> Generator[tuple[Portion, list[GameRow]], None, None]:
    """The rows of some portions, in their order; a few more than are asked for are played ahead by other processes."""
    if jobs == 1:
        players = made(arms, wanted, most)
        for portion in todo:
            yield portion, players[portion.arm].play(portion.seeds)
        return
    left = iter(todo)
    with process_pool(jobs, _prepare, arms, wanted, most) as pool:
        waiting: deque[tuple[Portion, Future[list[GameRow]]]] = deque()
        while True:
            for more in islice(left, 2 * jobs - len(waiting)):
                waiting.append((more, pool.submit(_play_elsewhere, more)))
            if not waiting:
                return
            portion, future = waiting.popleft()
            yield portion, future.result()
