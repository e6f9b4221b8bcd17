"""Answers at random, which follow from a seed: those of a playout."""

from __future__ import annotations

from rulewright.engine.chance_streams import MASK, PLAYERS, draw, stream_key


class RandomAnswers:
    """Gives the answers of the random game of a seed one after the other."""

    __slots__ = ("_counter", "_key")

    def __init__(self, seed: int) -> None:
        self._key, self._counter = stream_key(seed & MASK, PLAYERS), 0

    def __call__(self, size: int) -> int:
        """The next answer, where so many options are offered; of one nothing is drawn."""
        if size == 1:
            return 0
        number, self._counter = draw(self._key, self._counter, size)
        return number
