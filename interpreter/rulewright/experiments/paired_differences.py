"""Differences of a measure between two arms, over games of equal seeds: with intervals, effect sizes and certainty.

Shares of games: the score interval for paired proportions (method 10 of R. G. Newcombe,
*Improved confidence intervals for the difference between binomial proportions based on paired data*, Statistics in
Medicine 17, 1998), and the exact test of McNemar (a binomial test of the pairs that differ). Other numbers: for few
pairs the interval by a bootstrap over them (BCa: B. Efron, *Better bootstrap confidence intervals*, Journal of the
American Statistical Association 82, 1987) and a permutation of signs, for many Student's *t* over the differences.
Effects are *d* and *h* of J. Cohen, *Statistical power analysis for the behavioral sciences* (1988).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import asin, sqrt
from typing import TYPE_CHECKING, Any

from rulewright.foundation.lazy_dataclass import dataclass

if TYPE_CHECKING:
    import numpy as np

LEVEL = 0.95
FEW = 50
"""With fewer pairs the mean of their differences cannot be trusted to be normal."""
RESAMPLES = 9_999


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean of a measure in one arm less that in the first."""

    pairs: int
    mean: float
    low: float
    high: float
    """The interval that holds the true one with 95 % confidence."""
    effect: float | None
    """The difference in standard deviations; None if nothing varies in either arm."""
    kind: str
    """The name of the effect size."""
    variance_ratio: float | None
    """The variance of the difference over that of arms with independent games: below 1 pairing has helped."""
    method: str
    chance: float
    """So likely are differences as large if the arms are alike; not corrected for many comparisons."""


def difference(first: Sequence[float], other: Sequence[float], share: bool = False, seed: int = 0) -> Difference:
    """The difference of pairs of values, of two or more games; those of a `share` are parts of 1, most of them 0 or 1.
    The `seed` is that of resampling."""
    import numpy as np

    x, y = np.asarray(first, dtype=float), np.asarray(other, dtype=float)
    d = y - x
    apart = float(x.var(ddof=1) + y.var(ddof=1))
    ratio = float(d.var(ddof=1)) / apart if apart else None
    if share and set(np.unique(x)) | set(np.unique(y)) <= {0.0, 1.0}:
        low, high = _newcombe(x, y)
        effect = 2 * asin(sqrt(float(y.mean()))) - 2 * asin(sqrt(float(x.mean())))
        return Difference(len(d), float(d.mean()), low, high, effect, "Cohen's h", ratio, "exact", _mcnemar(d))
    spread = sqrt(apart / 2)
    effect_size = float(d.mean()) / spread if spread else None if d.any() else 0.0
    if not d.var():
        chance = 1.0 if not d.any() else 2.0 ** (1 - len(d))  # all signs are the same
        return Difference(
            len(d), float(d[0]), float(d[0]), float(d[0]), effect_size, "Cohen's d", ratio, "constant", chance
        )
    method, low, high, chance = _resampled(d, seed) if len(d) < FEW else _student(d)
    return Difference(len(d), float(d.mean()), low, high, effect_size, "Cohen's d", ratio, method, chance)


def _mcnemar(d: np.ndarray[Any, Any]) -> float:
    from scipy import stats

    more, differ = int((d > 0).sum()), int((d != 0).sum())
    return float(stats.binomtest(more, differ).pvalue) if differ else 1.0


def _newcombe(x: np.ndarray[Any, Any], y: np.ndarray[Any, Any]) -> tuple[float, float]:
    """The interval of the difference of two shares."""
    n = len(x)
    (low_x, high_x), (low_y, high_y) = wilson(int(x.sum()), n), wilson(int(y.sum()), n)
    p, q = float(x.mean()), float(y.mean())
    both, first, other = float((x * y).sum()), float(x.sum()), float(y.sum())
    cells = first * (n - first) * other * (n - other)
    covered = n * both - first * other
    covered = max(0.0, covered - n / 2) if covered > 0 else covered  # the correction that tells method 10 from 8
    phi = covered / sqrt(cells) if cells else 0.0
    below = (q - low_y) ** 2 - 2 * phi * (q - low_y) * (high_x - p) + (high_x - p) ** 2
    above = (high_y - q) ** 2 - 2 * phi * (high_y - q) * (p - low_x) + (p - low_x) ** 2
    return q - p - sqrt(max(0.0, below)), q - p + sqrt(max(0.0, above))


def wilson(hits: int, of: int) -> tuple[float, float]:
    """The interval of a share."""
    from scipy import stats

    found = stats.binomtest(hits, of).proportion_ci(LEVEL, method="wilson")
    return float(found.low), float(found.high)


def _student(d: np.ndarray[Any, Any]) -> tuple[str, float, float, float]:
    from scipy import stats

    found = stats.ttest_1samp(d, 0.0)
    ends = found.confidence_interval(LEVEL)
    return "t", float(ends.low), float(ends.high), float(found.pvalue)


def _resampled(d: np.ndarray[Any, Any], seed: int) -> tuple[str, float, float, float]:
    import numpy as np
    from scipy import stats

    dice = np.random.default_rng(seed)
    ends = stats.bootstrap((d,), np.mean, n_resamples=RESAMPLES, confidence_level=LEVEL, rng=dice).confidence_interval
    found = stats.permutation_test(
        (d,), np.mean, permutation_type="samples", vectorized=True, n_resamples=RESAMPLES, rng=dice
    )
    return "bootstrap", float(ends.low), float(ends.high), float(found.pvalue)


def mean_interval(values: Sequence[float], share: bool = False) -> tuple[float, float]:
    """The interval of a mean by itself: of a share that of Wilson, else by Student's *t*."""
    import numpy as np
    from scipy import stats

    x = np.asarray(values, dtype=float)
    if share and set(np.unique(x)) <= {0.0, 1.0}:
        return wilson(int(x.sum()), len(x))
    if len(x) < 2 or not x.var():
        return float(x[0]), float(x[0])
    ends = stats.ttest_1samp(x, 0.0).confidence_interval(LEVEL)
    return float(ends.low), float(ends.high)


def holm(chances: Sequence[float]) -> list[float]:
    """The chances corrected for their number, so that one in twenty experiments errs anywhere, not one in twenty
    comparisons (S. Holm, *A simple sequentially rejective multiple test procedure*, Scandinavian Journal of Statistics
    6, 1979)."""
    found, highest = [0.0] * len(chances), 0.0
    for rank, number in enumerate(sorted(range(len(chances)), key=lambda one: chances[one])):
        highest = max(highest, min(1.0, (len(chances) - rank) * chances[number]))
        found[number] = highest
    return found
