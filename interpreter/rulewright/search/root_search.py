"""Searches that end with figures about the root of a tree: what they have in common, and several trees as one.

Root parallelisation (G. Chaslot, M. Winands, J. van den Herik, *Parallel Monte-Carlo tree search*, CG 2008): trees that
know nothing of each other grow at once, each with numbers of its own, and their figures at the root are added up.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

from rulewright.engine import Dice, Engine, OptionStatistics, Payoffs, RootStatistics, State
from rulewright.host.budgets import scope
from rulewright.search.position_analysis import (
    KeepGoing,
    PositionAnalysis,
    RatedAnswer,
    WinRates,
    always,
    chances_by_mean,
    chances_of,
    follow_from_mean,
)
from rulewright.search.rollouts import WORDS

TREE_STREAM = "one of several trees"


class RootSearch(ABC):
    """A search for the best option, with the statistics of the root in the end."""

    engine: Engine
    _growing: Callable[[], RootStatistics] | None = None
    """The figures by now, while a search goes on."""
    _rates: WinRates | None = None

    def __call__(self, state: State, dice: Dice) -> int:
        """The number of the best option, as far as the player to move may know; any, if nothing is known."""
        try:
            ranked = self.search(state, dice).ranked()
        finally:
            self.end()
        return ranked[0].option if ranked else dice.below(len(state.answers()))

    def analyse(self, state: State, dice: Dice, keep_going: KeepGoing = always) -> PositionAnalysis:
        """The options of a state that were looked at, the best one first."""
        rates = None if follow_from_mean(self.engine) else WinRates()
        self.end()
        try:
            return self._analysis(self.search(state, dice, keep_going, rates), rates)
        finally:
            self.end()

    def so_far(self) -> PositionAnalysis | None:
        """Findings of the analysis that goes on; None if there are none yet."""
        return None if self._growing is None else self._analysis(self._growing(), self._rates)

    def begin(self, growing: Callable[[], RootStatistics], rates: WinRates | None) -> None:
        """Let others look at what is found while the search goes on."""
        self._growing, self._rates = growing, rates

    def end(self) -> None:
        """Let go of the tree."""
        self._growing = self._rates = None

    @staticmethod
    def _analysis(found: RootStatistics, rates: WinRates | None) -> PositionAnalysis:
        def rated(one: OptionStatistics) -> RatedAnswer:
            if one.certain is not None:
                return RatedAnswer(one.option, one.visits, one.certain[found.seat], chances_of(one.certain), True)
            chances = chances_by_mean(found.seat, one.mean) if rates is None else rates.chances(one.option)
            return RatedAnswer(one.option, one.visits, one.mean, chances)

        return PositionAnalysis(tuple(map(rated, found.ranked())), found.simulations, full=found.full)

    @abstractmethod
    def search(
        self, state: State, dice: Dice, keep_going: KeepGoing = always, rates: WinRates | None = None
    ) -> RootStatistics:
        """The figures about the options of a state, in the end; `rates` are given the winners, which only the tree with
        the steps of the stepper sees."""


class RootParallelSearch(RootSearch):
    """Several searches, each with a stepper of its own, as one.

    What is found follows from their number, and not from that of the threads. Machine code lets other threads run;
    Python steps do not, nor does dealing worlds.
    """

    def __init__(self, searches: Sequence[RootSearch], threads: int) -> None:
        self._searches, self._threads = searches, threads
        self.engine = searches[0].engine

    def so_far(self) -> PositionAnalysis | None:
        """Findings of the first tree: the others are changed meanwhile."""
        return self._searches[0].so_far()

    def end(self) -> None:
        """Let go of the trees."""
        for search in self._searches:
            search.end()

    def search(
        self, state: State, dice: Dice, keep_going: KeepGoing = always, rates: WinRates | None = None
    ) -> RootStatistics:
        """The figures of all trees together."""
        each = [Dice(dice.below(WORDS), TREE_STREAM) for _ in self._searches]
        rates_of = [WinRates() if rates is not None else None for _ in self._searches]
        stopped = False

        def goes_on(done: int, part: float) -> bool:
            """Ask for all, as only the first one is looked at."""
            nonlocal stopped
            stopped = stopped or not keep_going(done * len(each), part)
            return not stopped

        def grown(number: int) -> RootStatistics:
            here = goes_on if number == 0 else lambda done, part: not stopped
            return self._searches[number].search(state, each[number], here, rates_of[number])

        if self._threads == 1 or scope().pools:  # what several runs have together is not for several threads
            found = [grown(number) for number in range(len(each))]
        else:
            with ThreadPoolExecutor(self._threads - 1 or 1) as pool:
                others = [pool.submit(_inside(grown), number) for number in range(1, len(each))]
                try:
                    found = [grown(0), *(one.result() for one in others)]
                finally:  # at an interruption the others need not go on
                    stopped = True
        if rates is not None:
            for one in rates_of:
                rates.add(one or WinRates())
        return merged(found)


def _inside(work: Callable[[int], RootStatistics]) -> Callable[[int], RootStatistics]:
    """Work for another thread, with the limits that are in force in this one."""
    context = copy_context()
    return lambda number: context.copy().run(work, number)


def merged(found: Sequence[RootStatistics]) -> RootStatistics:
    """The figures of several trees for one position together; what is certain in one is certain."""
    options = dict[int, OptionStatistics]()
    for root in found:
        for one in root.tried:
            before = options.get(one.option, OptionStatistics(one.option, 0, 0.0, None))
            certain = before.certain if before.certain is not None else one.certain
            visits, total = before.visits + one.visits, before.total + one.total
            options[one.option] = OptionStatistics(one.option, visits, total, certain)
    known: list[Payoffs] = [root.certain for root in found if root.certain is not None]
    return RootStatistics(
        found[0].seat,
        sum(root.simulations for root in found),
        tuple(options[option] for option in sorted(options)),
        known[0] if known else None,
        any(root.full for root in found),
    )


def threads_for(trees: int, timed: bool) -> int:
    """The number of threads for so many trees: one for each core; for each tree, if all are to end at a time."""
    return trees if timed else min(trees, os.cpu_count() or 1)
