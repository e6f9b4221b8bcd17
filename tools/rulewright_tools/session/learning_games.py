"""Games to learn from, in one process or in several: each has a seed of its own, so it does not matter who plays it."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import lru_cache

import rulewright as rw
from rulewright_tools.console import CommandError

BATCH = 8
"""Games that another process plays before it tells what it has seen."""
Seen = list[rw.learning.GameSamples | None]


@dataclass(frozen=True, slots=True)
class Source:
    """All that another process needs to load the game."""

    ruleset: str
    players: int
    variants: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    backend: rw.playing.EngineName

    def load(self) -> rw.Game:
        """The game."""
        return rw.load(self.ruleset, self.players, self.variants, dict(self.options), self.backend)


@lru_cache(maxsize=1)
def _loaded(source: Source) -> rw.Game:
    return source.load()


def play_elsewhere(
    source: Source, learning: rw.learning.Learning, numbers: range, player: rw.learning.Evaluation | None
) -> Seen | tuple[rw.Diagnostic, ...]:
    """In another process: some games. What is wrong with the rules comes back as data."""
    try:
        return [rw.learning.samples_of(_loaded(source), learning, number, player) for number in numbers]
    except rw.RulesetError as error:
        return error.diagnostics


class LearningGames:
    """The games of a learner."""

    def __init__(self, game: rw.Game, source: Source, learning: rw.learning.Learning, jobs: int) -> None:
        self._game, self._source, self._learning, self._jobs = game, source, learning, jobs

    def played(self, numbers: range, player: rw.learning.Evaluation | None) -> Iterator[rw.learning.GameSamples | None]:
        """The games with these numbers, in their order."""
        if self._jobs == 1 or len(numbers) <= BATCH:
            for number in numbers:
                yield rw.learning.samples_of(self._game, self._learning, number, player)
            return
        batches = [numbers[at : at + BATCH] for at in range(0, len(numbers), BATCH)]
        try:
            with rw.workers.process_pool(min(self._jobs, len(batches))) as pool:
                waiting: deque[Future[Seen | tuple[rw.Diagnostic, ...]]] = deque()
                for batch in batches:
                    waiting.append(pool.submit(play_elsewhere, self._source, self._learning, batch, player))
                while waiting:
                    found = waiting.popleft().result()
                    if isinstance(found, tuple):
                        raise rw.RulesetError(found)
                    yield from found
        except BrokenProcessPool as error:
            raise CommandError("a process that played games was killed (out of memory?); try fewer --jobs") from error
