"""Facts of some games of an arm as columns: one number a game, from which all measures are found at once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rulewright.engine import Played
from rulewright.foundation import dataclass

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Numbers = NDArray[np.integer[Any]]
    Column = NDArray[np.float64]

FINISHED, UNFINISHED, FAILED = 0, 1, 2
"""Values of :attr:`GameColumns.status`: a game that is over, was stopped, or has ended in an error."""

STATUS_COLUMN, ENDING_COLUMN = "#status", "#ending"
"""Columns beside those of measures: what has become of a game, and the number of the rule that has ended it, or -1."""

Query = tuple[str, int | None]
"""A query that is evaluated at the end of each game, and the seat it is about."""


class Course(NamedTuple):
    """The course of a game that was played answer by answer, for measures that look at each decision."""

    played: Played | None
    """None if it has ended in an error."""
    fired: Sequence[int]
    """The number of uses of each rule."""


@dataclass(frozen=True, slots=True)
class GameColumns:
    """Some games; what nothing is known of is 0."""

    seeds: range
    status: Numbers
    ending: Numbers
    """The number of the rule that ended it, of ``Game.rule_names``; -1 for none."""
    decisions: Numbers
    options: Numbers
    """The numbers of options of all decisions together."""
    forced: Numbers
    """The number of decisions with one option."""
    places: Numbers
    """A row for each seat: its place, from 1."""
    shared: Numbers
    """The number of those in the first place, parties without players among them."""
    drawn: Numbers
    payoffs: Column
    """A row for each seat."""
    uses: Numbers
    """A row for each rule: the number of its uses; 0 in a game that has failed."""
    answers_to: dict[Query, Column]
    """The answers of queries at the end, in games that are finished."""
    failures: dict[int, str]
    """The fault of each game that has failed, by its seed."""
    courses: tuple[Course, ...] = ()
    """The games answer by answer, if a measure needs them."""

    def __len__(self) -> int:
        return len(self.seeds)

    @property
    def finished(self) -> NDArray[np.bool_]:
        """True for games that are over."""
        found: NDArray[np.bool_] = self.status == FINISHED
        return found


def joined(parts: Sequence[GameColumns]) -> GameColumns:
    """The columns of successive parts of some games, of one at least."""
    import numpy as np

    if len(parts) == 1:
        return parts[0]

    def column(of: Callable[[GameColumns], NDArray[Any]]) -> NDArray[Any]:
        return np.concatenate([of(one) for one in parts], axis=-1)

    return GameColumns(
        range(parts[0].seeds.start, parts[-1].seeds.stop),
        column(lambda one: one.status),
        column(lambda one: one.ending),
        column(lambda one: one.decisions),
        column(lambda one: one.options),
        column(lambda one: one.forced),
        column(lambda one: one.places),
        column(lambda one: one.shared),
        column(lambda one: one.drawn),
        column(lambda one: one.payoffs),
        column(lambda one: one.uses),
        {query: column(lambda one, query=query: one.answers_to[query]) for query in parts[0].answers_to},  # type: ignore[misc]
        {seed: why for one in parts for seed, why in one.failures.items()},
        tuple(course for one in parts for course in one.courses),
    )


class GameFacts(NamedTuple):
    """The facts of a game that was played by itself."""

    course: Course
    answers_to: tuple[float, ...]
    """The answers of the queries, in their order; none if it is not finished."""
    why: str = ""
    """The fault of a game that has failed."""


def columns_of(
    seeds: range, facts: Sequence[GameFacts], players: int, rules: Sequence[str], queries: Sequence[Query], keep: bool
) -> GameColumns:
    """The columns of games that were played one by one; with `keep` their courses are kept."""
    import numpy as np

    numbers = {name: number for number, name in enumerate(rules)}
    each = [one.course.played for one in facts]
    ends = [one is not None and one.finished for one in each]
    status = [FAILED if one is None else FINISHED if one.finished else UNFINISHED for one in each]
    results = [None if one is None else one.result for one in each]

    def whole(values: Iterable[int]) -> Numbers:
        return np.fromiter(values, np.int64, len(facts))

    def rows(count: int, values: Iterable[Iterable[float]], kind: type) -> NDArray[Any]:
        found: NDArray[Any] = np.zeros((count, len(facts)), kind)
        for number, one in enumerate(values):
            for row, value in enumerate(one):
                found[row, number] = value
        return found

    answers = rows(len(queries), (one.answers_to for one in facts), float)
    return GameColumns(
        seeds,
        whole(status),
        whole(numbers[one.rule] if over and one is not None else -1 for one, over in zip(each, ends, strict=True)),
        whole(0 if one is None else one.decisions for one in each),
        whole(0 if one is None else one.options for one in each),
        whole(0 if one is None else one.forced for one in each),
        rows(players, (() if one is None else one.places for one in each), int),
        whole(0 if one is None else one.places.count(1) + len(one.parties) for one in results),
        whole(one is not None and one.drawn for one in results),
        rows(players, (() if one is None else map(float, one.payoffs) for one in each), float),
        rows(len(rules), (() if one.course.played is None else one.course.fired for one in facts), int),
        {query: answers[number] for number, query in enumerate(queries)},
        {seed: one.why for seed, one in zip(seeds, facts, strict=True) if one.why},
        tuple(one.course for one in facts) if keep else (),
    )
