"""Games to learn from, played in any process: each has a seed of its own, so it does not matter which."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import rulewright as rw
import rulewright_lab as lab

BATCH = 8
"""Games that another process plays before it returns what it has seen."""
Seen = list[lab.learning.GameSamples | None]


class _Player:
    """Plays batches of games; errors of the rules are returned as data. It can be sent to other processes."""

    def __init__(self, game: rw.Game, learning: lab.learning.Learning, player: lab.learning.Evaluation | None) -> None:
        self._game, self._learning, self._player = game, learning, player

    def __call__(self, numbers: range) -> Seen | tuple[rw.Diagnostic, ...]:
        """The games with these numbers."""
        try:
            play = lab.learning.self_play if self._learning.is_derived else lab.learning.samples_of
            return [play(self._game, self._learning, number, self._player) for number in numbers]
        except rw.RulesetError as error:
            return error.diagnostics


class LearningGames:
    """The games of a learner."""

    def __init__(self, game: rw.Game, learning: lab.learning.Learning, jobs: rw.workers.Jobs) -> None:
        self._game, self._learning, self._jobs = game, learning, jobs

    def played(
        self, numbers: range, player: lab.learning.Evaluation | None
    ) -> Iterator[lab.learning.GameSamples | None]:
        """The games with these numbers, in their order."""
        size = 1 if self._jobs == 1 else BATCH
        batches = iter([numbers[at : at + size] for at in range(0, len(numbers), size)])
        work, name = _Player(self._game, self._learning, player), f"games of {self._game.name}"
        with closing(rw.workers.map_in_order(work, lambda: next(batches, None), self._jobs, name)) as played:
            for _, found in played:
                if isinstance(found, tuple):
                    raise rw.RulesetError(found)
                yield from found
