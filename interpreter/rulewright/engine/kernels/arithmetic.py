"""Functions on which all searches agree: when another option is tried, leads, logarithms, and hashes."""

from __future__ import annotations

from math import inf

from rulewright.engine.kernels.vocabulary import Reals
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


def lead_of(rates: Reals, players: int, seat: int) -> float:
    """By how much a seat is rated higher than the best of the others; of one seat the rate itself."""
    best = -inf if players > 1 else 0.0
    for other in range(players):
        if other != seat:
            best = max(best, rates[other])
    return rates[seat] - best
