"""Value iteration: games with chance in which positions come again (L. S. Shapley, *Stochastic games*, 1953).

All positions in which a seat is to move are numbered; behind each option stands what chance makes of it. Values are
bounded from below and from above, from the least and the highest payoff on, until both meet (interval iteration,
S. Haddad, B. Monmege, *Reachability in MDPs: refining convergence of value iteration*, 2014), so that what is found is
proved. Positions that lead to each other are iterated together, those behind them first (topological value iteration,
P. Dai, J. Goldsmith, IJCAI 2007). A game that can go on for ever is worth 0 then, which lies between the bounds.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence

from rulewright.host import scope
from rulewright.ir import components
from rulewright_lab.theory.alpha_beta import Payoff, short
from rulewright_lab.theory.node_budget import NodeBudget
from rulewright_lab.theory.positions import ChancePositions
from rulewright_lab.theory.retrograde import TooMany

CLOSE = 1e-10
"""Bounds that are no further apart than this part of what payoffs are have met."""
SWEEPS = 10_000
"""So often positions that lead to each other are gone through at most."""
POSITION_BYTES = 300
"""The memory that a position takes, about."""

OVER = 2
"""In place of a seat, where the game is over."""

Outcomes = list[tuple[int, float]]
"""Positions that chance leads to, with their chances."""


class StochasticGame(Mapping[int, Sequence[int]]):
    """The graph of all positions that follow from one, by number; the first is that one, or what chance makes of it."""

    def __init__(self, at: ChancePositions, payoff: Payoff, budget: NodeBudget, most: int) -> None:
        """:class:`TooMany` if there are more than `most`."""
        self._at, self._payoff, self._budget, self._most = at, payoff, budget, most
        self._numbers: dict[bytes, int] = {}
        self._waiting: list[tuple[int, object]] = []
        self._ends: dict[float, int] = {}
        self.seats = bytearray()
        """Of each position the seat that is to move, or `OVER`."""
        self.low, self.high = array("d"), array("d")
        """The bounds of their worth to the first seat."""
        self._begins, self._options = array("L"), array("L")
        self._targets, self._chances, self._outcomes = array("L"), array("d"), array("L", [0])
        self.start = self.reached()
        while self._waiting:
            number, kept = self._waiting.pop()
            at.go_to(kept)
            self._begins[number], self._options[number] = len(self._outcomes) - 1, at.options
            for option in range(at.options):
                at.go_to(kept)
                at.apply(option)
                self._add(self.reached())
        ends = [0.0, *self._ends]
        self.close = CLOSE * max(1.0, max(ends) - min(ends))
        """So near are bounds that have met."""
        for number, seat in enumerate(self.seats):
            if seat != OVER:
                self.low[number], self.high[number] = min(ends), max(ends)

    def _add(self, outcomes: Outcomes) -> None:
        for target, chance in outcomes:
            self._targets.append(target)
            self._chances.append(chance)
        self._outcomes.append(len(self._targets))

    @property
    def ends(self) -> set[float]:
        """The payoffs of the first seat."""
        return {*self._ends}

    def reached(self) -> Outcomes:
        """The position by its number, or those that chance makes of it."""
        at, found = self._at, dict[int, float]()
        waiting = [(at.keep(), 1.0)]
        while waiting:
            kept, chance = waiting.pop()
            at.go_to(kept)
            self._budget.count(1)
            if at.options and at.seat is None:
                total = sum(at.weights)
                for option, weight in enumerate(at.weights):
                    at.go_to(kept)
                    at.apply(option)
                    waiting.append((at.keep(), chance * weight / total))
                continue
            number = self._number()
            found[number] = found.get(number, 0.0) + chance
        return list(found.items())

    def _number(self) -> int:
        at = self._at
        if not at.options:
            worth = float(self._payoff.of(at))
            if worth not in self._ends:
                self._ends[worth] = self._new(OVER, worth)
            return self._ends[worth]
        key = short(at.key())
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = self._new(at.seat or 0, 0.0)
            self._waiting.append((number, at.keep()))
        return number

    def _new(self, seat: int, worth: float) -> int:
        if len(self.seats) >= self._most:
            raise TooMany
        self.seats.append(seat)
        self.low.append(worth)
        self.high.append(worth)
        self._begins.append(0)
        self._options.append(0)
        return len(self.seats) - 1

    # --------------------------------------------------------------------------------------------------- iterating

    def iterate(self) -> None:
        """Let the bounds of all positions meet, or come as near as they do."""
        for component in components(self):
            if self.seats[component[0]] == OVER:
                continue
            for _ in range(SWEEPS):
                moved = 0.0
                for number in component:
                    moved = max(moved, self._improve(number))
                scope().look()
                apart = max(self.high[number] - self.low[number] for number in component)
                if apart <= self.close or moved <= self.close / SWEEPS:
                    break

    def _improve(self, number: int) -> float:
        """New bounds of a position; how much nearer they are."""
        targets, chances, low, high = self._targets, self._chances, self.low, self.high
        begin, lows, highs = self._begins[number], [], []
        for option in range(begin, begin + self._options[number]):
            span = range(self._outcomes[option], self._outcomes[option + 1])
            lows.append(sum([chances[at] * low[targets[at]] for at in span]))
            highs.append(sum([chances[at] * high[targets[at]] for at in span]))
        best = min if self.seats[number] else max
        before = high[number] - low[number]
        low[number], high[number] = max(low[number], best(lows)), min(high[number], best(highs))
        return before - (high[number] - low[number])

    def worth(self, outcomes: Outcomes) -> tuple[float, float]:
        """The bounds of the worth of some outcomes."""
        return (
            sum(chance * self.low[number] for number, chance in outcomes),
            sum(chance * self.high[number] for number, chance in outcomes),
        )

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.seats)))

    def __len__(self) -> int:
        return len(self.seats)

    def __getitem__(self, number: int) -> array[int]:
        """The positions behind one."""
        begin = self._begins[number]
        return self._targets[self._outcomes[begin] : self._outcomes[begin + self._options[number]]]
