"""Figures from many games: shares with their uncertainty, and how long games are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

_Z = 1.959963984540054
"""So many standard deviations on each side of the mean hold 95 % of a normal distribution."""


def wilson(hits: Fraction | int, of: int) -> tuple[float, float]:
    """The interval that holds the true share with 95 % confidence; hits may be shared, each has a part of them then.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", Journal of the American
    Statistical Association 22 (1927), 209-212; recommended for all sizes by Brown, Cai and DasGupta, Statistical
    Science 16 (2001), 101-133.
    """
    if of == 0:
        return 0.0, 1.0
    z = _Z
    share = float(hits / of)
    middle = share + z * z / (2 * of)
    reach = z * sqrt(share * (1 - share) / of + z * z / (4 * of * of))
    scale = 1 + z * z / of
    # At the ends the formula gives 0 and 1 but for rounding.
    low = 0.0 if hits == 0 else max(0.0, (middle - reach) / scale)
    high = 1.0 if hits == of else min(1.0, (middle + reach) / scale)
    return low, high


@dataclass(frozen=True, slots=True)
class Spread:
    """A summary of a number that many games gave, such as what they were worth to a seat."""

    mean: Fraction
    spread: float
    """The standard deviation of the number of one game, as estimated from these games."""
    interval: tuple[float, float]
    """The interval of the mean: it holds the true one with 95 % confidence, if there are more than a few games."""
    least: Fraction
    most: Fraction

    @staticmethod
    def of(counts: Mapping[Fraction, int] | Mapping[int, int]) -> Spread:
        """From how often each number came."""
        games = sum(counts.values())
        if not games:
            return Spread(Fraction(0), 0.0, (0.0, 0.0), Fraction(0), Fraction(0))
        mean = Fraction(sum((number * times for number, times in counts.items()), Fraction(0)), games)
        squares = sum(((number - mean) ** 2 * times for number, times in counts.items()), Fraction(0))
        spread = sqrt(squares / (games - 1)) if games > 1 else 0.0
        reach = _Z * spread / sqrt(games)
        ends = Fraction(min(counts)), Fraction(max(counts))
        return Spread(mean, spread, (float(mean) - reach, float(mean) + reach), *ends)


@dataclass(frozen=True, slots=True)
class Lengths:
    """A summary of a list of whole numbers, exactly."""

    mean: Fraction
    least: int
    low: int
    median: int
    high: int
    most: int

    @staticmethod
    def of(counts: Counter[int]) -> Lengths:
        """From how often each number came; a quantile is the smallest number that so large a part does not exceed."""
        total = sum(counts.values())
        if not total:
            return Lengths(Fraction(0), 0, 0, 0, 0, 0)
        numbers = sorted(counts)

        def quantile(numerator: int, denominator: int) -> int:
            seen = 0
            for number in numbers:
                seen += counts[number]
                if seen * denominator >= total * numerator:
                    return number
            return numbers[-1]

        mean = Fraction(sum(number * times for number, times in counts.items()), total)
        return Lengths(mean, numbers[0], quantile(1, 10), quantile(1, 2), quantile(9, 10), numbers[-1])
