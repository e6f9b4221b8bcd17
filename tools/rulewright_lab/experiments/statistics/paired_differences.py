"""Differences of a measure between two arms, over games of equal seeds: with intervals, effect sizes and certainty.

Shares of games: the score interval for paired proportions (method 10 of R. G. Newcombe, *Improved confidence intervals
for the difference between binomial proportions based on paired data*, Statistics in Medicine 17, 1998), and the exact
test of McNemar (a binomial test of the pairs that differ). Other numbers: Student's *t* over the differences of pairs.
A difference of two values that are skewed alike is hardly skewed, so it holds with eight pairs, too, where a bootstrap
is too narrow (T. Hesterberg, *What teachers should know about the bootstrap*, The American Statistician 69, 2015). What
seldom differs is shown by no mean: so many pairs may differ as a share of them may be (E. B. Wilson), by as much as
values were apart at most, and the test is that of McNemar. Effects are *d* and *h* of J. Cohen, *Statistical power
analysis for the behavioral sciences* (1988).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import asin, comb, sqrt

from rulewright.foundation import dataclass
from rulewright_lab.experiments.statistics.column_statistics import ColumnStatistics, PairStatistics

LEVEL = 0.95
_LIMIT, _POWERED = 1.959964, 0.841621
"""Quantiles of the normal distribution: of 97.5 %, and of a power of 80 %."""
RARE = 6
"""So many pairs must differ before a test can find anything: all of five have one sign in one experiment of sixteen."""


@dataclass(frozen=True, slots=True)
class Difference:
    """The mean of a measure in one arm less that in the first."""

    pairs: int
    first: float
    other: float
    """The means of both arms over these pairs."""
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

    @property
    def detectable(self) -> float:
        """The smallest true difference that as many games would show in eight of ten cases: by the width of the
        interval (Cohen 1988, for a test at 5 %)."""
        return detectable(self.low, self.high)


def detectable(low: float, high: float) -> float:
    """The distance from its interval's middle that a value must have to be seen in eight of ten cases."""
    return (high - low) / 2 * (1 + _POWERED / _LIMIT)


def difference(pairs: PairStatistics, share: bool = False) -> Difference:
    """The difference of two pairs of values or more; those of a `share` are parts of 1, most of them 0 or 1."""
    n = pairs.count
    (mean_x, squares_x), (mean_y, squares_y), (mean, squares) = pairs.first, pairs.other, pairs.apart
    apart = (squares_x + squares_y) / (n - 1)
    ratio = squares / (n - 1) / apart if apart else None
    if share and pairs.yes_or_no:
        low, high = _newcombe(pairs)
        effect = 2 * asin(sqrt(mean_y)) - 2 * asin(sqrt(mean_x))
        chance = _mcnemar(pairs.more, pairs.differ)
        return Difference(n, mean_x, mean_y, mean, low, high, effect, "Cohen's h", ratio, "exact", chance)
    spread = sqrt(apart / 2)
    effect_size = mean / spread if spread else None if mean else 0.0
    if pairs.extent and pairs.differ < min(n, RARE):
        half, chance = wilson(pairs.differ, n)[1] * pairs.extent, _mcnemar(pairs.more, pairs.differ)
        return Difference(n, mean_x, mean_y, mean, -half, half, effect_size, "Cohen's d", ratio, "rare", chance)
    if not squares:
        chance = 2.0 ** (1 - n) if mean else 1.0  # all signs are the same
        return Difference(n, mean_x, mean_y, mean, mean, mean, effect_size, "Cohen's d", ratio, "constant", chance)
    low, high, chance = _student(n, mean, squares)
    return Difference(n, mean_x, mean_y, mean, low, high, effect_size, "Cohen's d", ratio, "t", chance)


def independent_difference(first: ColumnStatistics, other: ColumnStatistics, share: bool = False) -> Difference:
    """The difference of games that are no pairs: of shares method 10 of R. G. Newcombe (*Interval estimation for the
    difference between independent proportions*, Statistics in Medicine 17, 1998) and Fisher's exact test. Of other
    numbers the wider interval of Student's and Welch's *t*: Student's holds if a few games are equal by chance, Welch's
    if the arms vary by different amounts."""
    from scipy import stats

    n, m, mean = first.count, other.count, other.mean - first.mean
    if share and first.yes_or_no and other.yes_or_no:
        hits, others = round(first.mean * n), round(other.mean * m)
        (low_x, high_x), (low_y, high_y) = wilson(hits, n), wilson(others, m)
        low = mean - sqrt((other.mean - low_y) ** 2 + (high_x - first.mean) ** 2)
        high = mean + sqrt((high_y - other.mean) ** 2 + (first.mean - low_x) ** 2)
        effect = 2 * asin(sqrt(other.mean)) - 2 * asin(sqrt(first.mean))
        chance = float(stats.fisher_exact([[hits, n - hits], [others, m - others]])[1])
        return Difference(
            m, first.mean, other.mean, mean, low, high, effect, "Cohen's h", None, "independent exact", chance
        )
    of_first, of_other, pooled = first.variance / n, other.variance / m, (first.squares + other.squares) / (n + m - 2)
    spread, error = sqrt((first.variance + other.variance) / 2), sqrt(of_first + of_other)
    effect_size = mean / spread if spread else None if mean else 0.0
    if not pooled:
        chance = float(1 / comb(n + m, m)) if mean else 1.0  # all of one kind lie on one side
        return Difference(
            m, first.mean, other.mean, mean, mean, mean, effect_size, "Cohen's d", None, "independent constant", chance
        )
    freedom = error**4 / (of_first**2 / (n - 1) + of_other**2 / (m - 1))
    each = (error, freedom), (sqrt(pooled * (1 / n + 1 / m)), n + m - 2)
    half = max(float(stats.t.ppf((1 + LEVEL) / 2, free)) * off for off, free in each)
    chance = max(float(2 * stats.t.sf(abs(mean) / off, free)) for off, free in each)
    return Difference(
        m,
        first.mean,
        other.mean,
        mean,
        mean - half,
        mean + half,
        effect_size,
        "Cohen's d",
        None,
        "independent t",
        chance,
    )


def _mcnemar(more: int, differ: int) -> float:
    from scipy import stats

    return float(stats.binomtest(more, differ).pvalue) if differ else 1.0


def _newcombe(pairs: PairStatistics) -> tuple[float, float]:
    """The interval of the difference of two shares."""
    n, p, q = pairs.count, pairs.first[0], pairs.other[0]
    first, other, both = round(p * n), round(q * n), pairs.both
    (low_x, high_x), (low_y, high_y) = wilson(first, n), wilson(other, n)
    cells = first * (n - first) * other * (n - other)
    covered: float = n * both - first * other
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


def _student(n: int, mean: float, squares: float) -> tuple[float, float, float]:
    """The interval of a mean, and the chance of one so far from 0."""
    from scipy import stats

    error = sqrt(squares / (n - 1) / n)
    half = float(stats.t.ppf((1 + LEVEL) / 2, n - 1)) * error
    return mean - half, mean + half, float(2 * stats.t.sf(abs(mean) / error, n - 1))


def mean_interval(found: ColumnStatistics, share: bool = False) -> tuple[float, float]:
    """The interval of a mean by itself: of a share that of Wilson, else by Student's *t*."""
    if share and found.yes_or_no:
        return wilson(round(found.mean * found.count), found.count)
    if not found.squares:
        return found.mean, found.mean
    return _student(found.count, found.mean, found.squares)[:2]


def holm(chances: Sequence[float], same: Sequence[Hashable] | None = None) -> list[float]:
    """The chances corrected for their number, so that one in twenty experiments errs anywhere, not one in twenty
    comparisons (S. Holm, *A simple sequentially rejective multiple test procedure*, Scandinavian Journal of Statistics
    6, 1979). Those that are the `same` but for their units are one comparison, by the highest of their chances; where
    that is None nothing was compared."""
    keys: Sequence[Hashable] = range(len(chances)) if same is None else same
    largest: dict[Hashable, float] = {}
    for key, chance in zip(keys, chances, strict=True):
        if key is not None:
            largest[key] = max(chance, largest.get(key, 0.0))
    found: dict[Hashable, float] = {None: 1.0}
    highest = 0.0
    for rank, key in enumerate(sorted(largest, key=lambda one: largest[one])):
        highest = found[key] = max(highest, min(1.0, (len(largest) - rank) * largest[key]))
    return [found[key] for key in keys]


def rounded(number: float) -> float:
    """A number as reports have it: six digits, so that the last bits of a machine do not show."""
    return float(f"{number:.6g}") + 0.0
