"""Numbers of chance: counter-based streams, so that a draw depends on nothing but seed, stream and count.

The *n*-th number of a stream is ``mix(key + n * GAMMA)`` modulo 2**64, where ``mix`` is the finaliser of
SplitMix64 (Steele, Lea and Flood, *Fast splittable pseudorandom number generators*, OOPSLA 2014) and the use of a
plain counter follows Salmon, Moraes, Dror and Shaw, *Parallel random numbers: as easy as 1, 2, 3* (SC 2011). The key
is ``mix(mix(seed) ^ hash64(name))``, ``hash64`` being 64-bit FNV-1a over the name in UTF-8. Everything is 64-bit
unsigned integer arithmetic with wrap-around, as WebAssembly has it.
"""

from __future__ import annotations

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


def words(key: int, counter: int, count: int) -> list[int]:
    """So many words of a stream, from a counter on."""
    found: list[int] = []
    step = (key + counter * GAMMA) & MASK
    for _ in range(count):
        # `mix`, written out: where worlds are dealt anew, thousands of numbers are drawn.
        z = ((step ^ (step >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        found.append(z ^ (z >> 31))
        step = (step + GAMMA) & MASK
    return found
