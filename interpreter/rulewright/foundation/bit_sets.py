"""Sets of small numbers as the bits of one number."""

from __future__ import annotations

from collections.abc import Sequence


def bits_of(mask: int) -> list[int]:
    """The members of a set, least first."""
    if mask.bit_length() < 4 * mask.bit_count():
        return [number for number, digit in enumerate(f"{mask:b}"[::-1]) if digit == "1"]
    first = (mask & -mask).bit_length() - 1
    found, mask = [], mask >> first if mask else 0  # neighbours of a place far on are short numbers then
    while mask:
        low = mask & -mask
        found.append(first + low.bit_length() - 1)
        mask ^= low
    return found


def members_of(value: int | Sequence[int]) -> Sequence[int]:
    """The members of a set, least first, or the items of a list, as both are when rules are evaluated."""
    return bits_of(value) if isinstance(value, int) else value
