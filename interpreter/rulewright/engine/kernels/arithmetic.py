"""Functions on which all searches agree: when another option is tried, logarithms, and hashes."""

from __future__ import annotations

from rulewright.engine.search_arithmetic import ALL_TRIED, LOG_2, LOGARITHM_BITS, LOGARITHMS, WIDENING

FACTOR = 0x9FB21C651E98DF25
"""An odd number with bits that look random: a product with it has good first bits."""


def may_widen(tried: int, visits: int) -> bool:
    """True if one more option may be tried at a question that was looked at so often."""
    return tried < ALL_TRIED or tried * tried <= WIDENING * visits


def logarithm(number: int) -> float:
    """The logarithm of a number above 0: of a large one, that of its first bits."""
    spare = number.bit_length() - LOGARITHM_BITS
    if spare <= 0:
        return LOGARITHMS[number]
    return LOGARITHMS[number >> spare] + spare * LOG_2
