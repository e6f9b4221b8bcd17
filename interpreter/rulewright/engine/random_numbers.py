"""Random numbers: counter-based streams, those of the game and those of players and searches beside it."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache

from rulewright.host.api_arguments import invalid_argument, shortened

WORDS = 1 << 64
"""The number of words, which a stream gives equally often."""
MASK = WORDS - 1
GAMMA = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    """The finaliser of SplitMix64: a bijection of 64-bit numbers in which every bit depends on every bit."""
    z &= MASK
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def hash64(name: str) -> int:
    """64-bit FNV-1a."""
    h = 0xCBF29CE484222325
    for byte in name.encode():
        h = ((h ^ byte) * 0x100000001B3) & MASK
    return h


PLAYERS = hash64("the answers of players who choose at random")
"""The name of the stream from which the answers of a game at random come."""


def stream_key(seed: int, name_hash: int) -> int:
    """The key of a stream; `name_hash` is :func:`hash64` of its name."""
    return mix(mix(seed) ^ name_hash)


def draw(key: int, counter: int, below: int) -> tuple[int, int]:
    """A number from 0 to `below` - 1, all equally likely, and the next counter.

    Numbers from the last, incomplete run of `below` are thrown away, so nothing is favoured.
    """
    limit = WORDS - WORDS % below
    while True:
        word = mix(key + counter * GAMMA)
        counter += 1
        if word < limit:
            return word % below, counter


def words(key: int, counter: int, count: int) -> array[int]:
    """So many words of a stream, from a counter on: where worlds are dealt anew, thousands are drawn.

    Many at once are `mix` of one large integer that holds a word in each of its lanes (SIMD within a register: L.
    Lamport, *Multiple byte processing with full-word instructions*, Communications of the ACM 18(8), 1975). A lane is
    twice as wide as a word, so no product reaches the next one.
    """
    found = array("Q")
    while count - len(found) > _FEW:
        missing = count - len(found)
        lanes = min(_MOST, 1 << (missing - 1).bit_length())
        ones, low, steps = _lanes(lanes)
        z = ((key + (counter + len(found)) * GAMMA & MASK) * ones + steps) & low
        z = ((z ^ (z >> 30)) & low) * 0xBF58476D1CE4E5B9 & low
        z = ((z ^ (z >> 27)) & low) * 0x94D049BB133111EB & low
        found += array("Q", (z ^ (z >> 31)).to_bytes(2 * 8 * lanes, sys.byteorder))[_EVERY_OTHER][:missing]
    found.extend(mix(key + number * GAMMA) for number in range(counter + len(found), counter + count))
    return found


_FEW, _MOST = 12, 256
_EVERY_OTHER = slice(None, None, 2) if sys.byteorder == "little" else slice(None, None, -2)
"""The lower halves of the lanes, the first one first."""


@lru_cache(None)
def _lanes(count: int) -> tuple[int, int, int]:
    """A one in each of so many lanes, the bits of a word in each, and in the n-th n times :data:`GAMMA`."""
    ones = sum(1 << 128 * n for n in range(count))
    return ones, ones * MASK, sum((n * GAMMA & MASK) << 128 * n for n in range(count))


class Dice:
    """The numbers of one stream, one after the other; equal seeds and names give equal numbers."""

    def __init__(self, seed: int, name: str) -> None:
        self._key = stream_key(seed, hash64(name))
        self._counter = 0
        self._first = 0
        """The counter of the first of the words that are read ahead."""
        self._ahead: Sequence[int] = ()

    def below(self, size: int) -> int:
        """A number from 0 to `size` - 1, all equally likely; nothing is drawn if there is only one."""
        if type(size) is not int or not 0 < size <= WORDS:
            raise invalid_argument("the size", size, "it is a whole number of at least 1")
        if size == 1:
            return 0
        counter = self._counter
        at = counter - self._first
        if not 0 <= at < len(self._ahead):  # who has drawn much will draw more
            self._first, self._ahead, at = counter, words(self._key, counter, min(1 + counter // 4, _AHEAD)), 0
        word = self._ahead[at]
        if word < WORDS - size:  # not thrown away
            self._counter = counter + 1
            return word % size
        number, self._counter = draw(self._key, counter, size)
        return number

    def pairs(self, size: int, count: int) -> Iterable[tuple[int, int]]:
        """For the engine: so many pairs of numbers below `size`."""
        if size == 1:
            return ((0, 0),) * count
        first, second, self._counter = _pairs(self._key, self._counter, size, count)
        return zip(first, second, strict=True)

    def some(self, size: int, most: int) -> Sequence[int]:
        """At most `most` different numbers below `size`, in random order."""
        if type(size) is not int or type(most) is not int or not 0 <= size <= _SOME or most < 0:
            raise invalid_argument(
                "the size", size, f"it is at most {_SOME}, and so many numbers are wanted: {shortened(most)}"
            )
        numbers, self._counter = (_some if size < _KEPT_SIZE else _some.__wrapped__)(
            self._key, self._counter, size, min(most, size)
        )
        return numbers

    def shuffled(self, items: Sequence[int]) -> list[int]:
        """The items in an order of which each is equally likely."""
        if not isinstance(items, Sequence):
            raise invalid_argument("the items", items, "they are a list")
        return [items[number] for number in self.some(len(items), len(items))]


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


GATHERING_SHIFT, PLACE_SHIFT, SPREAD_SHIFT = 40, 41, 51
"""The bits of the key of a run that say whether its answers are gathered, where, and how closely."""
PLACES = 1000
FEW_OPTIONS = 8
"""Of so few options each is equally likely all the same."""
LEAST_SPREAD = 4


def answer_near(below: Callable[[int], int], size: int, place: int, spread: int) -> int:
    """An answer near to a place, of :data:`PLACES`, at most `spread` from there; anywhere if that is 0."""
    if not spread or size <= FEW_OPTIONS:
        return below(size)
    number = place * (size - 1) // (PLACES - 1) - spread
    number += below(spread + 1)
    number += below(spread + 1)
    return max(0, min(size - 1, number))


class GatheredAnswers:
    """The answers of a run of the fuzzer: in every other run many options are taken that lie close to each other in
    their order, which on a board means close together. Walls and lines that only close when many answers fit are so
    closed now and then."""

    def __init__(self, seed: int) -> None:
        self._key, self._counter = stream_key(seed & MASK, PLAYERS), 0
        self._place = (self._key >> PLACE_SHIFT) % PLACES
        gathers = self._key >> GATHERING_SHIFT & 1
        self._spread = LEAST_SPREAD << (self._key >> SPREAD_SHIFT & 3) if gathers else 0

    def __call__(self, size: int) -> int:
        """The next answer, where so many options are offered; of one nothing is drawn."""
        return 0 if size == 1 else answer_near(self._draw, size, self._place, self._spread)

    def _draw(self, size: int) -> int:
        number, self._counter = draw(self._key, self._counter, size)
        return number


_SOME = 1 << 24
_AHEAD = 64
"""So many words are read ahead at most."""

_KEPT = 128
_KEPT_SIZE = 512
_STREAMS = 1 << 11
_FIRST = 1 << 12
"""So many words of a stream are kept: its first."""
_begun: dict[int, array[int]] = {}
"""The first words of streams, as far as they were drawn: the worlds of a player are dealt with the same dice
at each decision."""


def _words(key: int, counter: int, count: int) -> Sequence[int]:
    """So many words of a stream, from a counter on."""
    end = counter + count
    if end > _FIRST:
        return words(key, counter, count)
    begun = _begun.get(key, array("Q"))
    if len(begun) < end:
        begun = begun + words(key, len(begun), end - len(begun))  # another one: threads may share it
        if len(_begun) >= _STREAMS:
            _begun.pop(next(iter(_begun)), None)
        _begun[key] = begun
    return begun[counter:end]


def _numbers(key: int, counter: int, sizes: Sequence[int]) -> tuple[list[int], int]:
    """For each size a number below it, as :func:`draw` gives one after the other, and the next counter."""
    words = _words(key, counter, len(sizes))
    if not words or max(words) < WORDS - max(sizes):  # none of them is thrown away
        return [word % size for word, size in zip(words, sizes, strict=True)], counter + len(words)
    found: list[int] = []
    for size in sizes:
        number, counter = draw(key, counter, size)
        found.append(number)
    return found, counter


@lru_cache(_KEPT)
def _some(key: int, counter: int, size: int, most: int) -> tuple[tuple[int, ...], int]:
    numbers = list(range(size))
    taken, counter = _numbers(key, counter, range(size, size - min(most, size - 1), -1))
    for i, number in enumerate(taken):
        j = i + number
        numbers[i], numbers[j] = numbers[j], numbers[i]
    return tuple(numbers[:most]), counter


@lru_cache(_KEPT)
def _pairs(key: int, counter: int, size: int, count: int) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    numbers, counter = _numbers(key, counter, (size * size,) * count)
    return tuple([number // size for number in numbers]), tuple([number % size for number in numbers]), counter
