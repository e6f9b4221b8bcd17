"""Choices by a preference (:mod:`rulewright.engine.policies.policy`): which options are tried, and one of the best."""

from __future__ import annotations

from math import inf

from rulewright.engine.kernels.vocabulary import Dice, Reals, Words

WON = float(1 << 40)
"""A game that is won is worth so much more than one that is open, and one that is lost so much less: more than any
standing."""


def try_some(dice: Dice, numbers: Words, size: int, most: int) -> int:
    """Put at most so many different numbers below a size first in a row, in random order; how many."""
    for at in range(size):
        numbers[at] = at
    count = min(size, most)
    for at in range(min(count, size - 1)):
        other = at + dice.below(size - at)
        numbers[at], numbers[other] = numbers[other], numbers[at]
    return count


def one_of_the_best(dice: Dice, numbers: Words, worths: Reals, count: int) -> int:
    """One of the first numbers of the highest worth. The row is another one then."""
    best, most = 0, -inf
    for at in range(count):
        if worths[at] > most:
            best, most = 0, worths[at]
        if worths[at] == most:
            numbers[best] = numbers[at]
            best += 1
    return int(numbers[dice.below(best)])
