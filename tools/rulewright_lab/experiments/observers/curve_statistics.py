"""Statistics of curves: mean and interval at each point, of an arm, and of its difference to the first."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from math import sqrt
from typing import TYPE_CHECKING

from rulewright.foundation import dataclass
from rulewright_lab.experiments.columns.portion_columns import PortionColumns
from rulewright_lab.experiments.statistics.paired_differences import LEVEL

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Point:
    """A mean over games; its interval needs two."""

    games: int
    mean: float
    low: float | None
    high: float | None


class Sums:
    """Count, sum and sum of squares of whole numbers: exact, in any order."""

    __slots__ = ("count", "squares", "total")

    def __init__(self) -> None:
        self.count = self.total = self.squares = 0

    def add(self, values: Column) -> None:
        """Take in those that are known."""
        known = values[values == values].astype("int64")
        self.count += len(known)
        self.total += int(known.sum())
        self.squares += int((known * known).sum())

    def point(self) -> Point:
        """The mean with its interval by Student's *t*."""
        n, mean = self.count, self.total / self.count
        if n < 2:
            return Point(n, mean, None, None)
        error = sqrt((n * self.squares - self.total**2) / (n * (n - 1)) / n)
        half = _student(n) * error
        return Point(n, mean, mean - half, mean + half)


class CurveStatistics:
    """The points of all curves, by the names of their columns: for each arm, and for each against the first."""

    def __init__(self, arms: int, series: tuple[str, ...]) -> None:
        self.series = series
        self._own: list[dict[str, Sums]] = [{} for _ in range(arms)]
        self._apart: list[dict[str, Sums]] = [{} for _ in range(arms)]
        self._waiting: list[tuple[deque[_Part], deque[_Part]]] = [(deque(), deque()) for _ in range(arms)]

    def add(self, arm: int, portion: PortionColumns) -> None:
        """Take in games of an arm, in the order of their seeds."""
        columns = {name: portion.column(name) for name in portion.packed if name.rpartition(" #")[0] in self.series}
        for name, column in columns.items():
            self._own[arm].setdefault(name, Sums()).add(column)
        for other in range(1, len(self._own)) if arm == 0 else (arm,):
            self._waiting[other][int(arm > 0)].append(_Part(len(portion), columns))
            self._pair(other)

    def _pair(self, arm: int) -> None:
        firsts, others = self._waiting[arm]
        while firsts and others:
            count = min(firsts[0].games, others[0].games)
            first, other = (_taken(parts, count) for parts in (firsts, others))
            for name in first.keys() & other.keys():
                self._apart[arm].setdefault(name, Sums()).add(other[name] - first[name])

    def points(self, arm: int, series: str) -> dict[int, Point]:
        """The points of a curve, by their numbers."""
        return _points(self._own[arm], series)

    def differences(self, arm: int, series: str) -> dict[int, Point]:
        """The same of the differences to the first arm, in games of equal seeds."""
        return _points(self._apart[arm], series)


@dataclass(frozen=True, slots=True)
class _Part:
    games: int
    columns: Mapping[str, Column]


def _taken(parts: deque[_Part], count: int) -> dict[str, Column]:
    """So many games from the front."""
    part = parts.popleft()
    if part.games > count:
        rest = {name: column[count:] for name, column in part.columns.items()}
        parts.appendleft(_Part(part.games - count, rest))
    return {name: column[:count] for name, column in part.columns.items()}


def _points(found: Mapping[str, Sums], series: str) -> dict[int, Point]:
    numbers = {
        int(index): sums for name, sums in found.items() for s, _, index in [name.rpartition(" #")] if s == series
    }
    return {index: numbers[index].point() for index in sorted(numbers) if numbers[index].count}


def _student(n: int) -> float:
    from scipy import stats

    return float(stats.t.ppf((1 + LEVEL) / 2, n - 1))
