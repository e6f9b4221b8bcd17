"""The worth of a small game of two with secrets and chance, and the mixed strategies that are sure of it."""

from __future__ import annotations

from math import floor, log10
from time import monotonic
from typing import Any, Literal

from rulewright.engine import Passes, State
from rulewright.foundation import dataclass
from rulewright.host import scope
from rulewright.ir import Program
from rulewright_lab.theory.alpha_beta import NotConstant
from rulewright_lab.theory.node_budget import BudgetSpent, NodeBudget
from rulewright_lab.theory.regret_minimisation import RegretMinimisation
from rulewright_lab.theory.sequence_form import sequence_form
from rulewright_lab.theory.solving import not_of_two, not_solvable, seats_of, sums_met

RegretMethod = Literal["cfr", "cfr+"]
PRECISION = 1e-5
"""The worth is known well enough if its bounds are no further apart than this part of what payoffs are."""
FIRST_LOOK, GROWTH = 64, 8
"""Iterations before the bounds are looked at; later one of so many parts of those that there were."""


@dataclass(frozen=True, slots=True)
class MixedStrategy:
    """The answers of a seat in an information set."""

    seat: int
    question: str
    options: tuple[str, ...]
    shares: tuple[float, ...]
    """The part of the times that it takes each."""
    reached: float
    """The part of the times that its own answers lead here; of 0 the shares matter little."""
    state: State
    """One of the positions."""


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """The worth of a game to its first seat, with strategies that give each seat as much, whatever the other does."""

    seats: tuple[str, ...]
    least: float
    most: float
    """Bounds: what the strategy of the first seat is sure to get, and the second one lets it have at most."""
    total: float
    """The sum of the payoffs of both, whatever happens."""
    method: RegretMethod
    iterations: int
    positions: int
    solved: bool
    """True if the bounds are as close as they were to be."""
    strategies: tuple[MixedStrategy, ...]

    @property
    def value(self) -> float:
        """The middle of the bounds."""
        return (self.least + self.most) / 2

    @property
    def exploitability(self) -> float:
        """The gain of a best response beyond the value, on average of both seats."""
        return (self.most - self.least) / 2

    @property
    def words(self) -> str:
        """The value in words, with as many digits as are known."""
        apart = max(self.exploitability, 1e-12)
        digits = max(0, -floor(log10(apart)))
        shown = [f"{one:.{digits}f}" for one in (self.value, self.total - self.value)]
        return f"worth {shown[0]} to {self.seats[0]}, {shown[1]} to {self.seats[1]}, ± {apart:.{digits}f}"

    def data(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "solved": self.solved,
            "value": self.words,
            "payoffs": [
                {"seat": self.seats[0], "least": self.least, "most": self.most},
                {"seat": self.seats[1], "least": self.total - self.most, "most": self.total - self.least},
            ],
            "exploitability": self.exploitability,
            "method": self.method,
            "iterations": self.iterations,
            "positions": self.positions,
            "strategies": [
                {
                    "who": self.seats[one.seat],
                    "question": one.question,
                    "reached": one.reached,
                    "options": [{"key": key, "share": s} for key, s in zip(one.options, one.shares, strict=True)],
                }
                for one in self.strategies
            ],
        }


def equilibrium(
    program: Program, passes: Passes, budget: NodeBudget, method: RegretMethod, iterations: int, seconds: float | None
) -> Equilibrium:
    """Strategies of a game of two after so many iterations at most, or as soon as its worth is known well.

    RulesetError if it is no game of two with a constant sum, or has more positions than the budget has.
    """
    until = None if seconds is None else monotonic() + seconds
    if program.players != 2:
        raise not_of_two(program)
    try:
        form = sequence_form(program, passes, budget)
    except NotConstant as error:
        raise sums_met(error) from None
    except BudgetSpent:
        raise not_solvable(
            f"the tree of this game has more than the {budget.positions:,} positions that were looked at",
            "give more with --positions and --time, take a smaller game, or let `oos:10000` play it",
        ) from None
    found = RegretMinimisation(form, method == "cfr+")
    wanted = PRECISION * max(1e-9, form.high - form.low)
    look = 0
    (least, most) = found.bounds()
    while most - least > wanted and found.iterations < iterations and (until is None or monotonic() < until):
        look = min(iterations, look + max(FIRST_LOOK, look // GROWTH))
        while found.iterations < look:
            found.iterate()
        scope().look()
        least, most = found.bounds()
    strategies = [
        MixedStrategy(
            seat,
            one.decision.name,
            tuple(option.key for option in one.decision.options),
            tuple(plan[at] / plan[one.parent] if plan[one.parent] else 1 / one.size for at in one.sequences),
            plan[one.parent],
            one.state,
        )
        for seat, (sets, plan) in enumerate(zip(form.sets, found.averages(), strict=True))
        for one in sets
    ]
    seats, solved = seats_of(program), most - least <= wanted
    return Equilibrium(
        seats, least, most, float(form.total), method, found.iterations, budget.positions, solved, tuple(strategies)
    )
