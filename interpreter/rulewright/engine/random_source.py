"""Numbers beside those of the game: for players who decide by chance, and for what they imagine."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.engine.chance_streams import draw, draws, hash64, stream_key


class Dice:
    """The numbers of one stream, one after the other; equal seeds and names give equal numbers."""

    def __init__(self, seed: int, name: str) -> None:
        self._key = stream_key(seed, hash64(name))
        self._counter = 0

    def below(self, size: int) -> int:
        """A number from 0 to `size` - 1, all equally likely; nothing is drawn if there is only one."""
        if size == 1:
            return 0
        number, self._counter = draw(self._key, self._counter, size)
        return number

    def several(self, size: int, count: int) -> list[int]:
        """The numbers that so many calls of :meth:`below` would give."""
        if size == 1:
            return [0] * count
        numbers, self._counter = draws(self._key, self._counter, size, count)
        return numbers

    def some(self, size: int, most: int) -> list[int]:
        """At most `most` different numbers below `size`, in random order."""
        numbers = list(range(size))
        most = min(most, size)
        for i in range(most):
            j = i + self.below(size - i)
            numbers[i], numbers[j] = numbers[j], numbers[i]
        return numbers[:most]

    def shuffled(self, items: Sequence[int]) -> list[int]:
        """The items in an order of which each is equally likely."""
        return [items[number] for number in self.some(len(items), len(items))]
