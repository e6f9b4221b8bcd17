"""Sizes of sets and cells in memory."""

from __future__ import annotations

WORD_BITS = 64
SMALL_BITS = 32


def words(bits: int) -> int:
    """The words that a set with so many members takes."""
    return max(1, -(-bits // WORD_BITS))


def cell_bytes(width: int) -> int:
    """The bytes of a cell with so many bits."""
    return 4 if abs(width) <= SMALL_BITS else 8 * words(width)
