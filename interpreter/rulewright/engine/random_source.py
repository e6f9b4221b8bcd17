"""Numbers beside those of the game: for players who decide by chance, and for what they imagine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache

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

    def pairs(self, size: int, count: int) -> Iterable[tuple[int, int]]:
        """So many pairs of numbers below `size`."""
        if size == 1:
            return ((0, 0),) * count
        first, second, self._counter = _pairs(self._key, self._counter, size, count)
        return zip(first, second, strict=True)

    def some(self, size: int, most: int) -> Sequence[int]:
        """At most `most` different numbers below `size`, in random order."""
        numbers, self._counter = (_some if size < _KEPT_SIZE else _some.__wrapped__)(
            self._key, self._counter, size, min(most, size)
        )
        return numbers

    def shuffled(self, items: Sequence[int]) -> list[int]:
        """The items in an order of which each is equally likely."""
        return [items[number] for number in self.some(len(items), len(items))]


_KEPT = 128
_KEPT_SIZE = 512


# The worlds of a player are dealt with the same dice at each decision.
@lru_cache(_KEPT)
def _some(key: int, counter: int, size: int, most: int) -> tuple[tuple[int, ...], int]:
    numbers = list(range(size))
    for i in range(most):
        if size - i > 1:
            number, counter = draw(key, counter, size - i)
            j = i + number
            numbers[i], numbers[j] = numbers[j], numbers[i]
    return tuple(numbers[:most]), counter


@lru_cache(_KEPT)
def _pairs(key: int, counter: int, size: int, count: int) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    numbers, counter = draws(key, counter, size * size, count)
    return tuple([number // size for number in numbers]), tuple([number % size for number in numbers]), counter
