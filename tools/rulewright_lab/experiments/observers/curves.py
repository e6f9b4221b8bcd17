"""Curves: a query that is evaluated each time that a rule has been used and is over.

Games that were played gone through once more in place, and what observers have seen of them.

Statistics of curves: mean and interval at each point, of an arm, and of its difference to the first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING, Protocol

from rulewright.engine import RandomAnswers, Stepper, stepper_of
from rulewright.foundation import dataclass
from rulewright.play import Game
from rulewright_lab.experiments.columns.portion_columns import PortionColumns
from rulewright_lab.experiments.columns.wanted import Curve
from rulewright_lab.experiments.statistics.paired_differences import LEVEL

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[np.float64]


class Observer(Protocol):
    """Looks at a game."""

    needs_states: bool
    """True if it asks for states, not only for what machine code reports at once."""

    def begin(self, at: Stepper, seed: int) -> None:
        """Take note of a game that has begun with a seed."""

    def answered(self, at: Stepper, option: int, size: int) -> None:
        """Take note of an answer that is about to be given, of so many."""

    def look(self, at: Stepper) -> None:
        """Take note of a position: the first one, and that after each answer."""

    def end(self, at: Stepper, finished: bool) -> dict[str, float]:
        """The numbers of the game, by name."""


def keeps_memories(game: Game) -> bool:
    """True if players remember hidden pieces: machine code does not, and would give a state only by going the whole way
    to it again with Python."""
    return game.engine.layout.known >= 0


class CourseWalk:
    """Goes through games of one ruleset."""

    def __init__(self, game: Game, observers: Sequence[Observer], rated: tuple[str, ...] = ()) -> None:
        """`rated` are the queries that observers ask :meth:`Stepper.rates`.

        Where one looks at states, Python goes through the games: machine code would have to read all cells for each.
        """
        self._game, self._observers, self._rated = game, observers, rated
        self._looks = any(one.needs_states for one in observers)

    def seen(self, seed: int, most: int, answers: Sequence[int] | None = None) -> dict[str, float]:
        """The numbers of all observers of a game: that of the seed at random, or with other answers."""
        stepper = self._stepper
        before = stepper.handed_over
        found = self._gone(stepper, seed, most, answers)
        if stepper.handed_over > before:  # uses were not counted right
            found = self._gone(self._exact, seed, most, answers)
        return found

    def _gone(self, stepper: Stepper, seed: int, most: int, answers: Sequence[int] | None) -> dict[str, float]:
        size, pick, number = stepper.begin(seed), RandomAnswers(seed), 0
        observers = self._observers
        for one in observers:
            one.begin(stepper, seed)
            one.look(stepper)
        while size and number < (most if answers is None else len(answers)):
            option = pick(size) if answers is None else answers[number]
            for one in observers:
                one.answered(stepper, option, size)
            size, number = stepper.apply(option), number + 1
            for one in observers:
                one.look(stepper)
        found: dict[str, float] = {}
        for one in observers:
            found |= one.end(stepper, not size)
        return found

    @cached_property
    def _stepper(self) -> Stepper:
        if self._looks:
            return self._exact
        return stepper_of(self._game.program, self._game.backend, self._game.passes, self._rated)

    @cached_property
    def _exact(self) -> Stepper:
        return stepper_of(self._game.program, "python", self._game.passes, self._rated)


MOST_POINTS = 500
"""Points of a curve at most."""


class CurveObserver:
    """Asks a query of the whole game, or about each player."""

    def __init__(self, game: Game, curve: Curve, about_players: bool) -> None:
        self.needs_states = keeps_memories(game)
        self._curve = curve
        self._rule = game.rule_names.index(curve.rule)
        self._seats: tuple[str | None, ...] = game.seats if about_players else (None,)
        self._found: dict[str, float] = {}
        self._points = 0

    def begin(self, at: Stepper, seed: int) -> None:
        """Forget the game before."""
        self._found, self._points = {}, 0

    def answered(self, at: Stepper, option: int, size: int) -> None:
        """Ignore answers."""

    def look(self, at: Stepper) -> None:
        """Ask, if the rule has been used once more; as often as it has, where that was several times at once."""
        begun = at.uses(self._rule)
        if begun <= self._points:
            return
        over = min(begun - at.running(self._curve.rule), MOST_POINTS)
        if over <= self._points:
            return
        state, query = at.state(), self._curve.query
        for number, seat in enumerate(self._seats):
            value = float(state.ask(query) if seat is None else state.ask(query, seat))
            for point in range(self._points, over):
                self._found[point_name(self._curve, number if seat is not None else None, point + 1)] = value
        self._points = over

    def end(self, at: Stepper, finished: bool) -> dict[str, float]:
        """The points of the game, of one that was stopped those that there are."""
        return self._found


def point_name(curve: Curve, seat: int | None, index: int) -> str:
    """The name of the column of a point: ``points(seat 1) after turn #3``."""
    return f"{series_name(curve, seat)} #{index}"


def series_name(curve: Curve, seat: int | None) -> str:
    """The name of a curve: ``points(seat 1) after turn``."""
    about = "" if seat is None else f"(seat {seat + 1})"
    return f"{curve.query}{about} after {curve.rule}"


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
        """Points of the differences to the first arm, in games of equal seeds."""
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
