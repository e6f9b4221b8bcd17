"""The tree of a search, for games in which everybody sees everything.

UCT (L. Kocsis, C. Szepesvári, *Bandit based Monte-Carlo planning*, ECML 2006): at each node the option is looked at
whose mean payoff, with a bonus for few visits, is best for the one who is asked there. Each seat aims at its own
payoff, so this is max^n for several players (C. A. Luckhardt, K. B. Irani, *An algorithmic solution of n-person games*,
AAAI 1986), and minimax where two players' payoffs sum to zero. What is certain is carried upwards, as in the MCTS-
Solver (M. Winands, Y. Björnsson, J.-T. Saito, *Monte-Carlo Tree Search solver*, CG 2008): an option that ends the game,
and a node of which one option is known to be the best possible, or of which all options are known. Of many options
more are tried as a node is looked at more often (progressive unpruning: G. Chaslot et al., *Progressive strategies for
Monte-Carlo tree search*, New Mathematics and Natural Computation 4(3), 2008).

The machine code of :mod:`rulewright.engine.native.lowering.driver.tree_search` does the same, with the same numbers.
"""

from __future__ import annotations

from collections.abc import Hashable
from math import sqrt

from rulewright.engine import EXPLORATION, Dice, Payoffs, logarithm, may_widen


class Branch:
    """An option that was taken at a node, and what has come of it."""

    __slots__ = ("certain", "child", "doubt", "mean", "option", "outcomes", "total", "visits")

    def __init__(self, option: int) -> None:
        self.option = option
        self.visits = 0
        self.total = 0.0
        """The payoffs of the seat that is asked, added up."""
        self.mean = self.doubt = 0.0
        """The mean payoff, or the one that is certain, and the factor of the bonus for few visits: none then."""
        self.certain: Payoffs | None = None
        """The payoffs that are certain to follow if all play as well as they can."""
        self.child: Node | None = None
        """The question that follows, if chance has no say in it; made when it is come to for the second time."""
        self.outcomes: dict[Hashable, Node | None] | None = None
        """The questions that follow, by what chance has made of it."""

    def note(self, payoff: float) -> None:
        """Note the payoff of a simulation for the seat that is asked."""
        self.visits += 1
        self.total += payoff

    def weigh(self, seat: int) -> None:
        """Find the mean payoff of the seat that is asked anew."""
        if self.certain is not None:
            self.mean, self.doubt = self.certain[seat], 0.0
        else:
            self.mean, self.doubt = self.total / self.visits, 1.0 / sqrt(self.visits)


class Node:
    """A question: who is asked, and the options that were tried of it, in the order in which that was first done."""

    __slots__ = ("branches", "certain", "seat", "untried", "visits")

    def __init__(self, seat: int, size: int) -> None:
        self.seat = seat
        self.visits = 1
        self.branches: list[Branch] = []
        self.untried = list(range(size))
        """The options that were not tried."""
        self.certain: Payoffs | None = None

    def select(self, dice: Dice, spread: float, full: bool) -> tuple[Branch, bool]:
        """The branch to look at, and whether it is a new one: one of those that were not tried, at random, else that
        with the best upper bound.

        In a tree that is `full` there is another one only where there is none.
        """
        branches, untried = self.branches, self.untried
        if untried and (not full or not branches) and may_widen(len(branches), self.visits):
            branches.append(branch := Branch(untried.pop(dice.below(len(untried)))))
            return branch, True
        explored = spread * EXPLORATION * sqrt(logarithm(self.visits))
        best, most = branches[0], float("-inf")
        for branch in branches:
            value = branch.mean + explored * branch.doubt
            if value > most:
                best, most = branch, value
        return best, False

    def settle(self, branch: Branch, highest: float) -> None:
        """Note what is certain here, now that it is of a branch; `highest` is the highest payoff that there can be."""
        assert branch.certain is not None
        if branch.certain[self.seat] >= highest:
            self.certain = branch.certain
        elif not self.untried and all(one.certain is not None for one in self.branches):
            self.certain = max((one.certain for one in self.branches if one.certain), key=lambda one: one[self.seat])
