"""Sizes of sets and cells in memory."""

from __future__ import annotations

WORD_BITS = 64
SMALL_BITS = 32
FEW_WORDS = 16
"""Sets of more words lie in memory, and what is done with each word is a loop."""


def words(bits: int) -> int:
    """The words that a set with so many members takes."""
    return max(1, -(-bits // WORD_BITS))


def is_large(bits: int) -> bool:
    """True if a set with so many members lies in memory."""
    return words(bits) > FEW_WORDS


def cell_bytes(width: int) -> int:
    """The bytes of a cell with so many bits."""
    return 4 if abs(width) <= SMALL_BITS else 8 * words(width)
