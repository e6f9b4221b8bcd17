"""Answers: how often each option of each question was offered, how often it was taken, and whether that goes with
winning.

Shares of answers: of the times that an option was offered, how often it was taken.

Decisions of one game are not independent, so the interval is that of Wilson for as many decisions as are worth the same
as whole games drawn by chance: the ratio over clusters (W. G. Cochran, *Sampling techniques*, Wiley 1977, chapter 6)
and its effective size (E. L. Korn, B. I. Graubard, *Confidence intervals for proportions with small expected number of
positive counts estimated from survey data*, Survey Methodology 24, 1998).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from math import sqrt
from typing import TYPE_CHECKING

from rulewright.engine import Stepper
from rulewright.foundation import dataclass
from rulewright.ir import Choose
from rulewright.play import Game
from rulewright_lab.experiments.columns.portion_columns import PortionColumns
from rulewright_lab.experiments.observers.curves import Sums, keeps_memories
from rulewright_lab.experiments.statistics.paired_differences import LEVEL

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[np.float64]

PREFIX = "answers: "
OFFERED, TAKEN, PAYS = "offered", "taken", "pays"
WHOLE = 55_440
"""Shares of games are counted in these parts of 1, so that sums of any order are equal."""


class AnswerObserver:
    """Counts the options of questions at which there was a choice: pieces by what is printed on them, wherever they
    lie."""

    def __init__(self, game: Game) -> None:
        self.needs_states = keeps_memories(game)
        self._counts: Counter[str] = Counter()
        self._takers: dict[tuple[str, str], Counter[int]] = {}
        """For each option the number of times that each seat to which it was offered has taken it."""
        self._known: dict[tuple[Hashable, ...], tuple[str, list[str]]] = {}
        """Of questions about no pieces, whose options have one name wherever they are offered: the question's name, and
        those of the options."""

    def begin(self, at: Stepper, seed: int) -> None:
        """Forget the game before."""
        self._counts.clear()
        self._takers.clear()

    def answered(self, at: Stepper, option: int, size: int) -> None:
        """Count what is offered, and what is taken."""
        if size < 2:
            return
        question, names = self._named(at)
        for name in dict.fromkeys(names):
            self._counts[column_name(question, name, OFFERED)] += 1
            if at.seat is not None:
                self._takers.setdefault((question, name), Counter())[at.seat] += name == names[option]
        self._counts[column_name(question, names[option], TAKEN)] += 1

    def _named(self, at: Stepper) -> tuple[str, list[str]]:
        """The names of the question and of its options."""
        place = at.question, *at.offered()
        if place in self._known:
            return self._known[place]
        state = at.state()
        decision, question = state.decision, state.question
        assert decision is not None
        assert question is not None
        pieces = isinstance(question.instr, Choose) and question.instr.universe == "Piece"
        names = [
            at.engine.layout.key("Piece", one.value) if pieces and not one.extra and one.value >= 0 else one.key
            for one in decision.options
        ]
        if not pieces:
            self._known[place] = decision.name, names
        return decision.name, names

    def look(self, at: Stepper) -> None:
        """Ignore positions."""

    def end(self, at: Stepper, finished: bool) -> dict[str, float]:
        """The counts of the game, also of one that was stopped; of one that is over by how much those win more who have
        taken an option more often than the others."""
        found = {name: float(count) for name, count in self._counts.items()}
        if finished:
            wins = [(place == 1) / max(1, at.places.count(1)) for place in at.places]
            for (question, option), taken in self._takers.items():
                if (more := _more_often(taken, wins)) is not None:
                    found[column_name(question, option, PAYS)] = float(round(more * WHOLE))
        return found


def _more_often(taken: Counter[int], wins: list[float]) -> float | None:
    """The share that those win who have taken something more often than the mean of all to whom it was offered, less
    that of those who have taken it less often; None if all have taken it equally often."""
    mean = taken.total()
    more = [wins[seat] for seat, count in taken.items() if count * len(taken) > mean]
    less = [wins[seat] for seat, count in taken.items() if count * len(taken) < mean]
    return sum(more) / len(more) - sum(less) / len(less) if more else None


def column_name(question: str, option: str, what: str) -> str:
    """The name of the column of a count."""
    return f"{PREFIX}{question}\t{option}\t{what}"


def of_column(name: str) -> tuple[str, str, str] | None:
    """The question, the option and what is counted; None if it is another column."""
    if not name.startswith(PREFIX):
        return None
    question, option, what = name.removeprefix(PREFIX).split("\t")
    return question, option, what


@dataclass(frozen=True, slots=True)
class AnswerShare:
    """An option of a question."""

    question: str
    option: str
    games: int
    """Games in which it was offered."""
    offered: int
    taken: int
    low: float
    high: float
    """The interval of the share."""
    pays: tuple[int, float, float, float] | None = None
    """In so many games some have taken it more often than others: by how much those win more, with its interval."""

    @property
    def share(self) -> float:
        """The part of the times that it was offered in which it was taken."""
        return self.taken / self.offered


class AnswerStatistics:
    """The options of an arm."""

    def __init__(self) -> None:
        self._sums: dict[tuple[str, str], list[int]] = {}
        self._pays: dict[tuple[str, str], Sums] = {}

    def add(self, portion: PortionColumns) -> None:
        """Take in games."""
        import numpy as np

        for name in portion.packed:
            found = of_column(name)
            if found is None or found[2] == TAKEN:
                continue
            if found[2] == PAYS:
                self._pays.setdefault(found[:2], Sums()).add(portion.column(name))
                continue
            question, option, _ = found
            offered = np.nan_to_num(portion.column(name)).astype("int64")
            chosen = column_name(question, option, TAKEN)
            taken = np.nan_to_num(portion.column(chosen)).astype("int64") if chosen in portion.packed else 0 * offered
            sums = self._sums.setdefault((question, option), [0] * 6)
            each = (offered > 0, offered, taken, offered * offered, taken * taken, offered * taken)
            for number, values in enumerate(each):
                sums[number] += int(values.sum())

    def shares(self) -> list[AnswerShare]:
        """All of them: the questions by name, of each the option first that is surely taken most often."""
        found = []
        for (question, option), sums in self._sums.items():
            games, offered, taken, *_ = sums
            low, high = _interval(*sums)
            pays = _paid(self._pays.get((question, option), Sums()))
            found.append(AnswerShare(question, option, games, offered, taken, low, high, pays))
        return sorted(found, key=lambda one: (one.question, -one.low, -one.offered, one.option))


def _paid(sums: Sums) -> tuple[int, float, float, float] | None:
    if sums.count < 2:
        return None
    one = sums.point()
    assert one.low is not None
    assert one.high is not None
    return one.games, one.mean / WHOLE, one.low / WHOLE, one.high / WHOLE


def _interval(
    games: int, offered: int, taken: int, squares: int, taken_squares: int, products: int
) -> tuple[float, float]:
    share, size = taken / offered, float(games)
    if 0 < taken < offered and games > 1:
        left = taken_squares - 2 * share * products + share**2 * squares
        variance = games / (games - 1) * max(left, 0.0) / offered**2
        size = min(float(offered), share * (1 - share) / variance) if variance > 0 else float(offered)
    return _wilson(share, size)


def _wilson(share: float, size: float) -> tuple[float, float]:
    from scipy import stats

    z = float(stats.norm.ppf((1 + LEVEL) / 2))
    middle = (share + z * z / (2 * size)) / (1 + z * z / size)
    half = z / (1 + z * z / size) * sqrt(share * (1 - share) / size + z * z / (4 * size * size))
    return max(0.0, middle - half), min(1.0, middle + half)
