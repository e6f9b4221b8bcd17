"""The tree of a search, for games in which everybody sees everything.

UCT (L. Kocsis, C. Szepesvári, *Bandit based Monte-Carlo planning*, ECML 2006): at each node the option is looked at
whose mean payoff, with a bonus for few visits, is best for the one who is asked there. Each seat aims at its own
payoff, so this is max^n for several players (C. A. Luckhardt, K. B. Irani, *An algorithmic solution of n-person games*,
AAAI 1986), and minimax where two players' payoffs sum to zero. What is certain is carried upwards, as in the MCTS-
Solver (M. Winands, Y. Björnsson, J.-T. Saito, *Monte-Carlo Tree Search solver*, CG 2008): an option that ends the game,
and a node of which one option is known to be the best possible, or of which all options are known.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from math import log, sqrt

from rulewright.agents.rollouts import Payoffs

EXPLORATION = 1.0
"""The weight of the bonus for few visits, where payoffs are from -1 to 1."""


class Branch:
    """An option that was taken at a node, and what has come of it."""

    __slots__ = ("child", "option", "outcomes", "proven", "total", "visits")

    def __init__(self, option: int) -> None:
        self.option = option
        self.visits = 0
        self.total = 0.0
        """The payoffs of the seat that is asked, added up."""
        self.child: Node | None = None
        """The question that follows, if chance has no say in it."""
        self.outcomes: dict[Hashable, Node] | None = None
        """The questions that follow, by what chance has made of it."""
        self.proven: Payoffs | None = None
        """The payoffs that are certain to follow if all play as well as they can."""

    @property
    def mean(self) -> float:
        """The mean payoff of the seat that is asked."""
        return self.total / self.visits if self.visits else 0.0


class Node:
    """A question: who is asked, and the options that were tried of it, in the order in which that was first done."""

    __slots__ = ("branches", "proven", "seat", "size", "untried", "visits")

    def __init__(self, seat: int, size: int) -> None:
        self.seat, self.size = seat, size
        self.visits = 0
        self.branches: list[Branch] = []
        self.untried: list[int] | None = None
        """The options that were not tried, the next one last; None before the first is."""
        self.proven: Payoffs | None = None

    def select(self, shuffled: Callable[[Sequence[int]], list[int]], spread: float) -> Branch:
        """The branch to look at: one that was not tried, in random order, else that with the best upper bound."""
        if self.untried is None:
            self.untried = shuffled(range(self.size))
        if self.untried:
            self.branches.append(branch := Branch(self.untried.pop()))
            return branch
        explored, seat = spread * EXPLORATION * sqrt(log(self.visits)), self.seat
        best, most = self.branches[0], float("-inf")
        for branch in self.branches:
            if branch.proven is not None:
                value = branch.proven[seat]
            else:
                visits = branch.visits
                value = branch.total / visits + explored / sqrt(visits)
            if value > most:
                best, most = branch, value
        return best

    def settle(self, branch: Branch, highest: float) -> None:
        """Note what is certain here, now that it is of a branch; `highest` is the highest payoff that there can be."""
        assert branch.proven is not None
        if branch.proven[self.seat] >= highest:
            self.proven = branch.proven
        elif not self.untried and all(one.proven is not None for one in self.branches):
            self.proven = max((one.proven for one in self.branches if one.proven), key=lambda one: one[self.seat])

    def ranked(self) -> list[Branch]:
        """The branches, the one to take first: by what is certain of them, then by how often they were looked at.

        Nothing is certain of the others: they stand between those that are worth more and less than their mean.
        """
        open_ones = [branch for branch in self.branches if branch.proven is None]
        visits = sum(branch.visits for branch in open_ones)
        middle = sum(branch.total for branch in open_ones) / visits if visits else 0.0

        def worth(branch: Branch) -> tuple[float, int, float, int]:
            certain = branch.proven[self.seat] if branch.proven is not None else middle
            return certain, branch.visits, branch.total, -branch.option

        return sorted(self.branches, key=worth, reverse=True)
