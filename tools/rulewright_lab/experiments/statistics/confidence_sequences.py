"""Confidence sequences: intervals of a mean that all hold it together, so that one may look after any number of games
and stop when one likes.

Of values with known bounds it is the predictable plug-in empirical Bernstein confidence sequence (theorem 2 of I.
Waudby-Smith and A. Ramdas, *Estimating means of bounded random variables by betting*, Journal of the Royal Statistical
Society B 86, 2024; S. R. Howard, A. Ramdas, J. McAuliffe and J. Sekhon, *Time-uniform, nonparametric, nonasymptotic
confidence sequences*, Annals of Statistics 49, 2021). Any bets that follow from earlier values alone are valid; those
here are the best for reaching the wanted width soonest, which is the only thing that is looked for.

Of other values it is asymptotic, valid in the limit of many games: proposition 2.1 of I. Waudby-Smith, D. Arbour, R.
Sinha, E. H. Kennedy and A. Ramdas, *Time-uniform central limit theory and asymptotic confidence sequences*, Annals of
Statistics 52, 2024.

The library of these authors, confseq, is not used: it can only be installed with a compiler of C++ and Boost.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import inf, log, sqrt
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[np.float64]

LARGEST_BET = 0.75
"""Bets are kept away from 1, at which one value could lose all."""
FEWEST = 100
"""So many games make an asymptotic interval at least."""
CARRIED = 6
"""So many values must carry the variance at least: where all but fewer are alike, what is seldom is unknown."""


class ConfidenceSequence(ABC):
    """The interval of a mean after the values so far."""

    method = ""
    """The name of the method."""

    def __init__(self) -> None:
        self.games = 0
        self.low, self.high = -inf, inf

    @abstractmethod
    def add(self, values: Column, extent: float = 0.0) -> None:
        """Take in some more values. What they are taken in with changes nothing but when one looks. Of differences
        `extent` is by how much one may be away from 0, as far as is known."""

    @property
    def half_width(self) -> float:
        """Half of the width of the interval."""
        return (self.high - self.low) / 2


class EmpiricalBernstein(ConfidenceSequence):
    """Of values between two bounds, with bets for an interval of a half-width."""

    method = "empirical Bernstein"

    def __init__(self, low: float, high: float, half_width: float, error: float) -> None:
        """`error` is the chance that the mean is ever outside."""
        super().__init__()
        self._begin, self._range = low, high - low
        self.low, self.high = low, high
        self._aim = half_width / self._range
        self._bound = log(2 / error)
        self._sum, self._squares = 0.5, 0.25  # one unseen value in the middle
        self._bets = self._weighted = self._spent = 0.0

    def add(self, values: Column, extent: float = 0.0) -> None:
        """Take in some more values; the interval is looked at behind the last one."""
        import numpy as np

        if not len(values):
            return
        x = (values - self._begin) / self._range
        if x.min() < 0 or x.max() > 1:
            raise ValueError("a value is out of its bounds")
        seen = self.games + 1 + np.arange(len(x))
        sums = np.cumsum(np.concatenate(([self._sum], x)))
        before = sums[:-1] / seen
        after = sums[1:] / (seen + 1)
        squares = np.cumsum(np.concatenate(([self._squares], (x - after) ** 2)))
        variance = squares[:-1] / seen
        bets = np.minimum(self._aim / variance, LARGEST_BET)
        spent = 4 * (x - before) ** 2 * (-np.log1p(-bets) - bets) / 4

        def on(total: float, more: Column) -> float:
            """The total one by one, so that it is the same in whatever parts values come."""
            return float(np.cumsum(np.concatenate(([total], more)))[-1])

        self._sum, self._squares = float(sums[-1]), float(squares[-1])
        self._bets, self._weighted = on(self._bets, bets), on(self._weighted, bets * x)
        self._spent = on(self._spent, spent)
        self.games += len(x)
        middle, half = self._weighted / self._bets, (self._bound + self._spent) / self._bets
        self.low = max(self.low, self._begin + self._range * (middle - half))
        self.high = min(self.high, self._begin + self._range * (middle + half))


class Asymptotic(ConfidenceSequence):
    """Of values without bounds, narrowest after about so many games.

    Where too few values carry the variance, the interval of differences is the share of pairs that may differ,
    times their extent; of single values nothing is known yet."""

    method = "asymptotic"

    def __init__(self, narrowest: int, error: float) -> None:
        """`error` is the chance that the mean is ever outside, in the limit of many games."""
        super().__init__()
        self._error = error
        self._scale = (-2 * log(error) + log(-2 * log(error) + 1)) / max(narrowest, FEWEST)
        self._first = 0.0
        self._powers = [0.0] * 4
        self._differing = EmpiricalBernstein(0, 1, 1 / FEWEST, error)

    def add(self, values: Column, extent: float = 0.0) -> None:
        """Take in some more values; the interval is looked at behind the last one."""
        import numpy as np

        if not len(values):
            return
        if not self.games:
            self._first = float(values[0])
        x = values - self._first
        self._powers = [
            float(np.cumsum(np.concatenate(([sum_], x**power)))[-1]) for power, sum_ in enumerate(self._powers, 1)
        ]
        self.games += len(x)
        self._differing.add((values != 0) * 1.0)
        n, scale = self.games, self._scale
        mean, square, cube, fourth = (sum_ / n for sum_ in self._powers)
        variance = square - mean * mean
        tails = fourth - 4 * mean * cube + 6 * mean * mean * square - 3 * mean**4
        if n < FEWEST:
            return
        if n * variance * variance < CARRIED * tails or variance <= 0:
            half = self._differing.high * extent or inf
            self.low, self.high = -half, half
            return
        grown = n * scale + 1
        half = sqrt(variance * 2 * grown / (n * n * scale) * log(sqrt(grown) / self._error))
        self.low, self.high = self._first + mean - half, self._first + mean + half
