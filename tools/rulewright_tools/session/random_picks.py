"""Picks of the random seat. Integers only, because a game depends on them."""

from __future__ import annotations

from hashlib import blake2b


def pick(seed: int, number: int, size: int) -> int:
    """The option that the random seat takes as its decision number `number`: 0 to below `size`, all equally likely.

    A hash of seed and number, so it is the same on every machine and does not depend on who else plays.
    """
    # Numbers above the last whole multiple of `size` would favour the small picks: they are drawn again.
    fair = 2**64 - 2**64 % size
    attempt = 0
    while True:
        text = f"random/{seed}/{number}/{attempt}"
        drawn = int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")
        if drawn < fair:
            return drawn % size
        attempt += 1
