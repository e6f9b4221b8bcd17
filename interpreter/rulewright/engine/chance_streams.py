"""Numbers of chance: counter-based streams, so that a draw depends on nothing but seed, stream and count.

The *n*-th number of a stream is ``mix(key + n * GAMMA)`` modulo 2**64, where ``mix`` is the finaliser of
SplitMix64 (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014) and the use of a
plain counter follows Salmon, Moraes, Dror and Shaw, *Parallel random numbers: as easy as 1, 2, 3* (SC 2011). The key
is ``mix(mix(seed) ^ hash64(name))``, ``hash64`` being 64-bit FNV-1a over the name in UTF-8. Everything is 64-bit
unsigned integer arithmetic with wrap-around, as WebAssembly has it.
"""

from __future__ import annotations

import sys
from array import array
from functools import lru_cache

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
