"""Thoughts of agents that search: the answers to a question, the best one first, and the chances behind each.

The effort of a search for a decision: so many simulations, with the same answer everywhere, or so much time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from time import perf_counter
from typing import Protocol

from rulewright.engine import Dice, Engine, Payoffs, State
from rulewright.foundation.lazy_dataclass import dataclass

KeepGoing = Callable[[int, float], bool]
"""Given the number of simulations, and the part of the effort that is spent, from 0 to 1; false to stop now."""
_FIRST, _MOMENT = 4, 0.02
"""The simulations of the first slice, and the seconds that the others take."""


def always(done: int, part: float) -> bool:
    """Never stop early."""
    return True


@dataclass(frozen=True, slots=True)
class Effort:
    """One of both; the other is 0."""

    simulations: int = 0
    milliseconds: int = 0

    def __str__(self) -> str:
        return f"{self.milliseconds}ms" if self.milliseconds else str(self.simulations)

    def slices(self, keep_going: KeepGoing = always) -> Iterator[int]:
        """Numbers of simulations to be made one after the other: each takes a moment, in which it cannot be stopped."""
        begun = perf_counter()
        done, left, most = 0, self.milliseconds / 1000, _FIRST
        while done < self.simulations or (self.milliseconds and left > 0):
            size = most if self.milliseconds else min(most, self.simulations - done)
            yield size
            done += size
            took = perf_counter() - begun
            part = 1000 * took / self.milliseconds if self.milliseconds else done / self.simulations
            if not keep_going(done, min(part, 1.0)):
                return
            left = self.milliseconds / 1000 - took
            moment = min(_MOMENT, left) if self.milliseconds else _MOMENT
            most = max(1, min(2 * most, int(done / took * moment)))

    def rounds(self, keep_going: KeepGoing = always) -> Iterator[int]:
        """The numbers of the simulations, from 0, as long as there are any left; at least one."""
        begun, number = perf_counter(), 0
        while True:
            yield number
            number += 1
            part = (
                1000 * (perf_counter() - begun) / self.milliseconds if self.milliseconds else number / self.simulations
            )
            if part >= 1 or not keep_going(number, part):
                return


_FINE = 1 << 53


@dataclass(frozen=True, slots=True)
class RatedAnswer:
    """An option, and what was found out about it."""

    option: int
    visits: int
    """The times that it was looked at."""
    value: float
    """The payoff that the seat to move can expect."""
    chances: Payoffs
    """For each seat the chance to win; empty if nothing is known of that."""
    certain: bool = False
    """True if the value is proven."""
    share: float = 0.0
    """The chance with which it is to be taken, where answers are to be drawn; else 0 of all."""


@dataclass(frozen=True, slots=True)
class PositionAnalysis:
    """All of that about a position."""

    answers: tuple[RatedAnswer, ...]
    """The best one first; none if the seat could imagine no world in which to look."""
    looked: int
    """Simulations, or positions of an exhaustive search."""
    depth: int = 0
    """The answers that an exhaustive search has looked ahead."""
    full: bool = False
    """True if a tree had no room for more, so that only its figures became better."""

    @property
    def chances(self) -> Payoffs:
        """The chance of each seat to win with the best answer."""
        return self.answers[0].chances if self.answers else ()

    def taken(self, dice: Dice, size: int) -> int:
        """The option to take of so many: the best one, or one that is drawn by the shares; any, if nothing is known."""
        if not self.answers:
            return dice.below(size)
        shares = [one.share for one in self.answers]
        return self.answers[drawn(shares, dice) if any(shares) else 0].option


class Search(Protocol):
    """The way in which an agent that searches chooses in the games of a program."""

    def __call__(self, state: State, dice: Dice) -> int:
        """The number of the best option."""

    def analyse(self, state: State, dice: Dice, keep_going: KeepGoing = always) -> PositionAnalysis:
        """All that was found out, until the effort is spent or `keep_going` gives False."""

    def so_far(self) -> PositionAnalysis | None:
        """Findings of the analysis that goes on, for `keep_going` to look at; None if there are none yet. To look
        changes nothing."""


def best(analysis: PositionAnalysis, state: State, dice: Dice) -> int:
    """The number of the option to take."""
    return analysis.taken(dice, len(state.answers()))


def drawn(shares: Sequence[float], dice: Dice) -> int:
    """A number, drawn by shares."""
    left = dice.below(_FINE) / _FINE * sum(shares)
    for number, share in enumerate(shares):
        left -= share
        if left < 0:
            return number
    return max(range(len(shares)), key=shares.__getitem__)


def chances_of(payoffs: Sequence[float]) -> Payoffs:
    """The chance of each seat to have won a game with these payoffs: 1 in all of those who are paid most; what is the
    same for all is won or lost by all, or a draw."""
    most, count = max(payoffs), len(payoffs)
    if min(payoffs) == most:
        return (1.0 if most > 0 else 0.0 if most < 0 else 1 / count,) * count
    part = 1 / sum(payoff == most for payoff in payoffs)
    return tuple(part if payoff == most else 0.0 for payoff in payoffs)


def follow_from_mean(engine: Engine) -> bool:
    """True if the mean payoff gives the chances to win: of two players whose payoffs follow from their places."""
    return engine.program.players == 2 and not engine.payoffs.pays


def chances_by_mean(seat: int, mean: float) -> Payoffs:
    """The chances to win of two players, given the mean payoff of one of them; a draw is half a win."""
    chance = (mean + 1) / 2
    return (chance, 1 - chance) if seat == 0 else (1 - chance, chance)


class WinRates:
    """The chances behind each option of the position that is searched, added up, by the weights of simulations."""

    __slots__ = ("_sums", "_weights")

    def __init__(self) -> None:
        self._sums: dict[int, list[float]] = {}
        self._weights: dict[int, float] = {}

    def note(self, option: int, payoffs: Sequence[float], weight: float = 1.0) -> None:
        """Note the payoffs of a simulation behind an option."""
        found = chances_of(payoffs)
        sums = self._sums.setdefault(option, [0.0] * len(found))
        for seat, chance in enumerate(found):
            sums[seat] += weight * chance
        self._weights[option] = self._weights.get(option, 0.0) + weight

    def add(self, others: WinRates) -> None:
        """Take in those of another tree."""
        for option, sums in others._sums.items():
            own = self._sums.setdefault(option, [0.0] * len(sums))
            own[:] = [one + other for one, other in zip(own, sums, strict=True)]
            self._weights[option] = self._weights.get(option, 0.0) + others._weights[option]

    def chances(self, option: int) -> Payoffs:
        """The mean of them; empty if there are none."""
        weight = self._weights.get(option, 0.0)
        return tuple(each / weight for each in self._sums[option]) if weight else ()


def ordered(answers: Iterable[RatedAnswer]) -> tuple[RatedAnswer, ...]:
    """Answers, that with the highest value first."""
    return tuple(sorted(answers, key=lambda one: (-one.value, one.option)))
