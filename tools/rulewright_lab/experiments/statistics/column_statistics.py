"""Statistics of columns of any length: moments, extremes and histograms of each, moments and counts of pairs.

Moments of two parts are joined as T. F. Chan, G. H. Golub and R. J. LeVeque say (*Algorithms for computing the sample
variance*, The American Statistician 37, 1983). The parts are blocks of so many games each, whatever portions these came
in, so the last bits are the same, too.

A histogram has the number of games of each value. When these are too many, bits of their mantissas are left out until
they are not, as few for all as that takes: a histogram with bounded relative error, as that of C. Masson, J. E. Rim and
H. K. Lee, *DDSketch: a fast and fully-mergeable quantile sketch with relative-error guarantees*, Proceedings of the
VLDB Endowment 12, 2019. It depends on nothing but the values, not on their order.
"""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

from rulewright.foundation import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[np.float64]

BLOCK = 4096
"""Games whose moments are found at once."""
MOST_VALUES = 2048
"""Values that a histogram has at most."""
_MANTISSA = 52
DIGITS = 9
"""Decimals to which differences are proportional to each other."""


class Moments:
    """Count, mean and the sum of squared deviations of several columns at once."""

    def __init__(self, columns: int) -> None:
        import numpy as np

        self.count, self.mean, self.squares = np.zeros(columns, np.int64), np.zeros(columns), np.zeros(columns)

    def add(self, values: Column, known: NDArray[np.bool_]) -> None:
        """Take in a block, a row for each column, where its values are known."""
        import numpy as np

        count = known.sum(axis=1)
        begin = np.nan_to_num(np.take_along_axis(values, known.argmax(axis=1)[:, None], axis=1))
        off = np.where(known, values - begin, 0)  # so nothing is rounded where all values are equal
        shift = off.sum(axis=1) / count.clip(1)
        squares = (np.where(known, off - shift[:, None], 0) ** 2).sum(axis=1)
        mean = begin[:, 0] + shift
        both, apart = self.count + count, mean - self.mean
        part = count / both.clip(1)
        self.mean = self.mean + apart * part
        self.squares = self.squares + squares + apart**2 * self.count * part
        self.count = both


class Histogram:
    """The number of games of each value of a column."""

    def __init__(self) -> None:
        self._counts: dict[int, int] = {}
        self._dropped = 0
        """The bits of the mantissas that are left out."""

    def add(self, values: Column) -> None:
        """Take in values, all known."""
        import numpy as np

        found, times = np.unique(np.ascontiguousarray(values + 0.0).view(np.int64) >> self._dropped, return_counts=True)
        counts = self._counts
        for key, more in zip(found.tolist(), times.tolist(), strict=True):
            counts[key] = counts.get(key, 0) + more
        while len(self._counts) > MOST_VALUES and self._dropped < _MANTISSA:
            self._dropped += 1
            coarse: dict[int, int] = {}
            for key, more in self._counts.items():
                coarse[key >> 1] = coarse.get(key >> 1, 0) + more
            self._counts = coarse

    @property
    def exact(self) -> bool:
        """True if its values are those of games, not the ends of intervals that hold them."""
        return not self._dropped

    def counts(self) -> dict[float, int]:
        """For each value the number of games, the lowest first; of an interval the end that is nearer to 0."""
        import numpy as np

        keys = np.fromiter(self._counts, np.int64, len(self._counts)) << self._dropped
        found = zip(keys.view(np.float64).tolist(), self._counts.values(), strict=True)
        return dict(sorted(found))

    def copy(self) -> Histogram:
        """Another one with the same games."""
        made = Histogram()
        made._counts, made._dropped = dict(self._counts), self._dropped
        return made


@dataclass(frozen=True, slots=True)
class ColumnStatistics:
    """A measure of an arm, over the games in which it is defined."""

    count: int
    mean: float
    squares: float
    """The sum of the squared deviations from the mean."""
    histogram: Histogram
    least: float
    most: float

    @property
    def variance(self) -> float:
        """The variance of single games; 0 of fewer than two."""
        return self.squares / (self.count - 1) if self.count > 1 else 0.0

    @property
    def spread(self) -> float:
        """The standard deviation of single games."""
        return float(self.variance**0.5)

    @property
    def yes_or_no(self) -> bool:
        """True if all values are 0 or 1."""
        return self.histogram.exact and self.histogram.counts().keys() <= {0.0, 1.0}

    def quantile(self, share: float) -> float:
        """The lowest value that so large a share of the games does not exceed; as exact as :attr:`histogram` is."""
        reached = 0
        for value, games in self.histogram.counts().items():
            reached += games
            if reached >= share * self.count:
                return value
        return self.most


class SeveralStatistics:
    """The statistics of all measures of an arm, block by block."""

    def __init__(self, names: tuple[str, ...]) -> None:
        import numpy as np

        self._names = names
        self._moments = Moments(len(names))
        self._histograms = [Histogram() for _ in names]
        self._least, self._most = np.full(len(names), np.inf), np.full(len(names), -np.inf)

    def add(self, block: Column) -> None:
        """Take in a block, a row for each measure."""
        import numpy as np

        known = block == block
        self._moments.add(block, known)
        self._least = np.minimum(self._least, np.where(known, block, np.inf).min(axis=1))
        self._most = np.maximum(self._most, np.where(known, block, -np.inf).max(axis=1))
        for histogram, row, has in zip(self._histograms, block, known, strict=True):
            histogram.add(row[has])

    def copy(self) -> SeveralStatistics:
        """Another one, which may take in more."""
        made = SeveralStatistics(self._names)
        moments = self._moments
        made._moments.count, made._moments.mean, made._moments.squares = moments.count, moments.mean, moments.squares
        made._histograms = [one.copy() for one in self._histograms]
        made._least, made._most = self._least, self._most
        return made

    def each(self) -> dict[str, ColumnStatistics]:
        """Statistics of each measure that has a value in some game."""
        moments = self._moments
        rows = zip(moments.count, moments.mean, moments.squares, self._histograms, self._least, self._most, strict=True)
        return {
            name: ColumnStatistics(int(n), float(mean), float(squares), histogram, float(least), float(most))
            for name, (n, mean, squares, histogram, least, most) in zip(self._names, rows, strict=True)
            if n
        }


@dataclass(frozen=True, slots=True)
class PairStatistics:
    """A measure in two arms, over the seeds for which it is defined in both."""

    count: int
    first: tuple[float, float]
    other: tuple[float, float]
    apart: tuple[float, float]
    """The mean, and the sum of squared deviations from it: of the first arm, of the other one, of the second less the
    first."""
    both: int
    """The pairs of which each value is 1."""
    more: int
    """The pairs in which the other arm has more."""
    differ: int
    """The pairs whose values differ."""
    yes_or_no: bool
    """True if all values are 0 or 1."""
    extent: float
    """The distance of the lowest value in either arm from the highest."""
    shape: bytes
    """Digest, equal for measures whose differences are proportional: each follows from the other in all pairs."""


class SeveralPairs:
    """The statistics of pairs of all measures that two arms have."""

    def __init__(self, names: tuple[str, ...]) -> None:
        import numpy as np

        self._names, count = names, len(names)
        self._first, self._other, self._apart = Moments(count), Moments(count), Moments(count)
        self._both, self._more, self._differ = (np.zeros(count, np.int64) for _ in range(3))
        self._binary = np.ones(count, bool)
        self._least, self._most = np.full(count, np.inf), np.full(count, -np.inf)
        self._scale = np.zeros(count)
        """The first difference of each that is not 0."""
        self._shapes = [blake2b(digest_size=16) for _ in names]

    def add(self, first: Column, other: Column) -> None:
        """Take in a block of each arm, with a row for each measure and the same seeds."""
        import numpy as np

        apart = other - first
        known = apart == apart
        for moments, block in ((self._first, first), (self._other, other), (self._apart, apart)):
            moments.add(block, known)
        self._both = self._both + ((first == 1) & (other == 1)).sum(axis=1)
        self._more = self._more + (apart > 0).sum(axis=1)
        self._differ = self._differ + (known & (apart != 0)).sum(axis=1)
        binary = ((first == 0) | (first == 1)) & ((other == 0) | (other == 1))
        self._binary = self._binary & (binary | ~known).all(axis=1)
        self._least = np.minimum(self._least, np.where(known, np.minimum(first, other), np.inf).min(axis=1))
        self._most = np.maximum(self._most, np.where(known, np.maximum(first, other), -np.inf).max(axis=1))
        off = np.where(known, apart, 0)
        begins = np.take_along_axis(off, (off != 0).argmax(axis=1)[:, None], axis=1)[:, 0]
        self._scale = np.where(self._scale == 0, begins, self._scale)
        parts = np.round(off / np.where(self._scale == 0, 1, self._scale)[:, None], DIGITS) + 0.0
        for shape, row in zip(self._shapes, np.where(known, parts, np.inf), strict=True):
            shape.update(row.tobytes())

    def copy(self) -> SeveralPairs:
        """Another one, which may take in more."""
        made = SeveralPairs(self._names)
        for old, new in ((self._first, made._first), (self._other, made._other), (self._apart, made._apart)):
            new.count, new.mean, new.squares = old.count, old.mean, old.squares
        made._both, made._more, made._differ, made._binary = self._both, self._more, self._differ, self._binary
        made._least, made._most, made._scale = self._least, self._most, self._scale
        made._shapes = [one.copy() for one in self._shapes]
        return made

    def each(self) -> dict[str, PairStatistics]:
        """Statistics of each measure with a pair."""

        def of(moments: Moments, row: int) -> tuple[float, float]:
            return float(moments.mean[row]), float(moments.squares[row])

        return {
            name: PairStatistics(
                int(self._apart.count[row]),
                of(self._first, row),
                of(self._other, row),
                of(self._apart, row),
                int(self._both[row]),
                int(self._more[row]),
                int(self._differ[row]),
                bool(self._binary[row]),
                float(self._most[row] - self._least[row]),
                self._shapes[row].digest(),
            )
            for row, name in enumerate(self._names)
            if self._apart.count[row]
        }
