"""Estimates from figures of many games together, with intervals by a bootstrap over games.

Games of one seed belong together, so whole seeds are drawn again, the same for two arms that are compared: percentile
intervals (B. Efron, R. J. Tibshirani, *An introduction to the bootstrap*, Chapman & Hall 1993, chapters 13 and 16).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from rulewright.foundation import dataclass
from rulewright_lab.experiments.columns.portion_columns import PortionColumns
from rulewright_lab.experiments.statistics.paired_differences import LEVEL

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[np.float64]

LEAST = 2
"""The least number of games for figures."""


@dataclass(frozen=True, slots=True)
class Estimator:
    """Figures that are estimated together, and the columns that they come from."""

    units: Mapping[str, str]
    """The estimates by name, each with its unit."""
    columns: tuple[str, ...]
    compute: Callable[[Column, Column], Column]
    """From the columns as rows, and weights of the games, a row for each set of games: a row of estimates for each."""
    games: int
    """So many games, from the first seed on, are looked at, at most."""
    resamples: int
    fewest: int
    """The least number of games for an interval: drawing again from so few would promise too much."""
    imagined: tuple[tuple[float, ...], ...] = ()
    """Games besides that count in each resample, but not in the figure: so the interval has a width where all games are
    alike. With them all are weighed at random instead of drawn (D. B. Rubin, *The Bayesian bootstrap*, The Annals of
    Statistics 9, 1981)."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure of an arm, or the difference between two."""

    games: int
    value: float
    low: float | None
    high: float | None
    """The interval that holds the true one with 95 % confidence; None of too few games."""
    chance: float
    """Of a difference: so likely is one as large if the arms are alike, by the same bootstrap; else 1."""


class EstimatorColumns:
    """The columns of an arm that an estimator needs."""

    def __init__(self, estimator: Estimator) -> None:
        self.estimator = estimator
        self._found: list[Column] = []
        self._games = 0

    def add(self, portion: PortionColumns) -> None:
        """Take in games, in the order of their seeds."""
        import numpy as np

        if self._games >= self.estimator.games:
            return
        self._games += len(portion)
        blank = np.full(len(portion), np.nan)
        names = self.estimator.columns
        self._found.append(np.stack([portion.column(name) if name in portion.packed else blank for name in names]))

    def rows(self) -> Column:
        """All of them so far, a column for each game; NaN where there is nothing of it."""
        import numpy as np

        self._found = [np.hstack(self._found)[:, : self.estimator.games]] if self._found else []
        return self._found[0] if self._found else np.zeros((len(self.estimator.columns), 0))


def estimates(found: EstimatorColumns, seed: int) -> dict[str, Estimate]:
    """The figures of an arm, as far as they are defined."""
    return _estimates([found.estimator], [found.rows()], seed)


def differences(first: EstimatorColumns, other: EstimatorColumns, seed: int) -> dict[str, Estimate]:
    """The figures of an arm less those of the first, from the games that both have."""
    return _estimates([first.estimator, other.estimator], [first.rows(), other.rows()], seed)


def _estimates(estimators: Sequence[Estimator], arms: Sequence[Column], seed: int) -> dict[str, Estimate]:
    import numpy as np

    estimator = estimators[0]
    games = min(one.shape[1] for one in arms)
    arms = [one[:, :games] for one in arms]
    known = np.logical_and.reduce([(one == one).all(axis=0) for one in arms])
    arms = [one[:, known] for one in arms]
    count = int(known.sum())
    if count < LEAST:
        return {}
    dice, more = np.random.default_rng(seed), len(estimator.imagined)
    resamples = estimator.resamples if count >= estimator.fewest else 0
    if more:
        arms = [np.hstack((one, np.array(estimator.imagined).T)) for one in arms]
        drawn = dice.exponential(size=(resamples, count + more))
    else:
        drawn = dice.multinomial(count, np.full(count, 1 / count), resamples).astype(float)
    whole = _apart(estimators, arms, np.repeat([[1.0, 0.0]], [count, more], axis=1))[0]
    samples = _apart(estimators, arms, drawn) if len(drawn) else np.zeros((0, len(whole)))
    found = {}
    for number, name in enumerate(estimator.units):
        value, some = float(whole[number]), samples[:, number]
        some = some[some == some]
        if value != value:
            continue
        low, high = map(float, np.quantile(some, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])) if len(some) else (None, None)
        found[name] = Estimate(count, value, low, high, _chance(some) if len(arms) > 1 else 1.0)
    return found


def _apart(estimators: Sequence[Estimator], arms: Sequence[Column], weights: Column) -> Column:
    first, *others = (one.compute(rows, weights) for one, rows in zip(estimators, arms, strict=True))
    return others[0] - first if others else first


def _chance(samples: Column) -> float:
    """Twice the part of the samples on the other side of 0, never 0 itself."""
    tail = min(int((samples <= 0).sum()), int((samples >= 0).sum()))
    return min(1.0, 2 * (tail + 1) / (len(samples) + 1))
