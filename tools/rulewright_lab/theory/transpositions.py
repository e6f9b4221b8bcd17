"""A table of positions whose worth is known within bounds, in so much memory and no more.

It has two halves: when the young one is full it becomes the old one, and what is asked for again moves to the young
one, so that what nobody needs any more is forgotten. Keys are digests of 16 bytes: that two of a thousand million
positions have the same one is less likely than 1 in 10^20.
"""

from __future__ import annotations

from collections.abc import Hashable
from hashlib import blake2b

Known = tuple[int, int]
"""The least and the most that a position can be worth."""
LOWEST, HIGHEST = -(1 << 30), 1 << 30
"""In place of a bound that is not known."""
NOTHING: Known = LOWEST, HIGHEST
ENTRY_BYTES = 170
"""The memory of an entry, about."""


class Transpositions:
    """Bounds by positions."""

    def __init__(self, memory: int) -> None:
        self._most = max(1 << 10, memory // ENTRY_BYTES // 2)
        self._young: dict[bytes, Known] = {}
        self._old: dict[bytes, Known] = {}
        self._pairs: dict[Known, Known] = {}
        """Each pair of bounds once."""

    def find(self, key: bytes) -> Known:
        """The bounds of a position."""
        found = self._young.get(key)
        if found is None:
            found = self._old.get(key)
            if found is None:
                return NOTHING
            self._put(key, found)
        return found

    def note(self, key: bytes, least: int, most: int) -> None:
        """Note bounds, beside those that are known."""
        low, high = self.find(key)
        both = max(low, least), min(high, most)
        self._put(key, self._pairs.setdefault(both, both))

    def _put(self, key: bytes, known: Known) -> None:
        if len(self._young) >= self._most:
            self._old, self._young = self._young, {}
        self._young[key] = known


def short(key: Hashable) -> bytes:
    """The digest of a key."""
    return blake2b(key if isinstance(key, bytes) else repr(key).encode(), digest_size=16).digest()
