"""The statistics of scipy that experiments need, in Python: scipy itself is C and Fortran, and not to be had in a
browser.

In an export this file is the module ``scipy.stats``. Its results are equal to the digits that reports have.

The incomplete beta function is found by its continued fraction, after W. J. Lentz (*Generating Bessel functions in Mie
scattering calculations using continued fractions*, Applied Optics 15, 1976).
"""

from __future__ import annotations

import math
from statistics import NormalDist
from types import SimpleNamespace

_NORMAL = NormalDist()
_TINY, _EXACT, _ROUNDS = 1e-300, 1e-15, 10_000
_FEW = 1000
"""Up to so many trials shares are counted in whole numbers."""


def _beta_fraction(a: float, b: float, x: float) -> float:
    c, d = 1.0, 1 / ((1 - (a + b) * x / (a + 1)) or _TINY)
    found = d
    for m in range(1, _ROUNDS):
        for part in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / ((1 + part * d) or _TINY)
            c = (1 + part / c) or _TINY
            found *= c * d
        if abs(c * d - 1) < _EXACT:
            break
    return found


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularized incomplete beta function."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * _beta_fraction(a, b, x) / a
    return 1 - front * _beta_fraction(b, a, 1 - x) / b


class _Student:
    """Student's *t*."""

    def sf(self, value: float, freedom: float) -> float:
        """So likely is more than a value."""
        half = _incomplete_beta(freedom / 2, 0.5, freedom / (freedom + value * value)) / 2
        return half if value >= 0 else 1 - half

    def ppf(self, share: float, freedom: float) -> float:
        """The value below which so large a share is, of the upper half."""
        low, high = 0.0, 1.0
        while self.sf(high, freedom) > 1 - share:
            high *= 2
        while high - low > _EXACT * high:
            middle = (low + high) / 2
            if middle in (low, high):
                break
            low, high = (middle, high) if self.sf(middle, freedom) > 1 - share else (low, middle)
        return (low + high) / 2


t = _Student()


class _Binomial:
    """A test whether one of two outcomes is as likely as the other."""

    def __init__(self, hits: int, of: int) -> None:
        self._hits, self._of = hits, of

    @property
    def pvalue(self) -> float:
        """So likely is an outcome that is no likelier."""
        fewer, n = min(self._hits, self._of - self._hits), self._of
        if 2 * fewer == n:
            return 1.0
        if n <= _FEW:
            return min(1.0, float(2 * sum(math.comb(n, k) for k in range(fewer + 1)) / 2**n))
        return min(1.0, 2 * _incomplete_beta(n - fewer, fewer + 1, 0.5))

    def proportion_ci(self, level: float, method: str) -> SimpleNamespace:
        """The interval of the share, as Wilson has it."""
        n, share = self._of, self._hits / self._of
        z = _NORMAL.inv_cdf((1 + level) / 2)
        middle = (share + z * z / (2 * n)) / (1 + z * z / n)
        half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
        low, high = (0.0 if self._hits == 0 else middle - half), (1.0 if self._hits == n else middle + half)
        return SimpleNamespace(low=low, high=high)


def binomtest(hits: int, of: int) -> _Binomial:
    """The test of so many hits of so many trials."""
    return _Binomial(hits, of)
