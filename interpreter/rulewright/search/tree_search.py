"""Monte Carlo tree search over a stepper, where everybody sees everything.

The tree of a search, for games in which everybody sees everything.

UCT (L. Kocsis, C. Szepesvári, *Bandit based Monte-Carlo planning*, ECML 2006): at each node the option is looked at
whose mean payoff, with a bonus for few visits, is best for the seat to move there. Each seat aims at its own
payoff, so this is max^n for several players (C. A. Luckhardt, K. B. Irani, *An algorithmic solution of n-person games*,
AAAI 1986), and minimax where two players' payoffs sum to zero. What is certain is carried upwards, as in the MCTS-
Solver (M. Winands, Y. Björnsson, J.-T. Saito, *Monte-Carlo Tree Search solver*, CG 2008): an option that ends the game,
and a node of which one option is known to be the best possible, or of which all options are known. Of many options
more are tried as a node is looked at more often (progressive unpruning: G. Chaslot et al., *Progressive strategies for
Monte-Carlo tree search*, New Mathematics and Natural Computation 4(3), 2008).

The machine code of :mod:`rulewright.engine.native.lowering.driver.tree_search` does the same, with the same numbers.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import suppress
from math import sqrt

from rulewright.engine import (
    EXPLORATION,
    LONGEST_PATH,
    MOST_BRANCHES,
    MOST_OUTCOMES,
    SEARCH_STREAM,
    CannotGoOn,
    Dice,
    OptionStatistics,
    Payoffs,
    RootStatistics,
    SearchTree,
    State,
    Stepper,
    logarithm,
    may_widen,
)
from rulewright.search.position_analysis import (
    Effort,
    KeepGoing,
    WinRates,
    always,
)
from rulewright.search.rollouts import WORDS, Rollouts, seat_to_move
from rulewright.search.root_search import RootSearch


class Branch:
    """An option that was taken at a node, and what has come of it."""

    __slots__ = ("certain", "child", "doubt", "mean", "option", "outcomes", "total", "visits")

    def __init__(self, option: int) -> None:
        self.option = option
        self.visits = 0
        self.total = 0.0
        """The payoffs of the seat to move, added up."""
        self.mean = self.doubt = 0.0
        """The mean payoff, or the one that is certain, and the factor of the bonus for few visits: none then."""
        self.certain: Payoffs | None = None
        """The payoffs that are certain to follow if all play as well as they can."""
        self.child: Node | None = None
        """The question that follows, if chance has no say in it; made when it is come to for the second time."""
        self.outcomes: dict[Hashable, Node | None] | None = None
        """The questions that follow, by what chance has made of it."""

    def note(self, payoff: float) -> None:
        """Note the payoff of a simulation for the seat to move."""
        self.visits += 1
        self.total += payoff

    def weigh(self, seat: int) -> None:
        """Find the mean payoff of the seat to move anew."""
        if self.certain is not None:
            self.mean, self.doubt = self.certain[seat], 0.0
        else:
            self.mean, self.doubt = self.total / self.visits, 1.0 / sqrt(self.visits)


class Node:
    """A question: who is to move, and the options that were tried of it, in the order in which that was first done."""

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


class TreeSearch(RootSearch):
    """A search for the best option: by the machine code of a stepper, if it has any that can, else with its steps.

    Both find the same.
    """

    def __init__(self, stepper: Stepper, effort: Effort, mast: bool = False) -> None:
        self._stepper, self._effort, self.engine = stepper, effort, stepper.engine
        self._mast = mast
        self._native = stepper.tree(mast)

    def search(
        self, state: State, dice: Dice, keep_going: KeepGoing = always, rates: WinRates | None = None
    ) -> RootStatistics:
        """The figures about the options of a state, in the end; `rates` are told who wins, which only the tree with
        the steps of the stepper sees."""
        seed = dice.below(WORDS)
        if self._native is not None and rates is None:
            with suppress(CannotGoOn):
                return self._grown(self._native, state, seed, keep_going)
        return self._grown(PythonTree(self._stepper, rates, self._mast), state, seed, keep_going, rates)

    def _grown(
        self, tree: SearchTree, state: State, seed: int, keep_going: KeepGoing, rates: WinRates | None = None
    ) -> RootStatistics:
        """The figures of a tree when all effort is spent."""
        tree.reset(state, seed)
        self.begin(tree.found, rates)
        for simulations in self._effort.slices(keep_going):
            if not tree.grow(simulations):
                break
        return tree.found()


class PythonTree(SearchTree):
    """A search with the steps of a stepper."""

    def __init__(self, stepper: Stepper, rates: WinRates | None = None, mast: bool = False) -> None:
        self._stepper, self._rates, self._mast = stepper, rates, mast
        self._chance = bool(stepper.engine.layout.counters)
        """True if chance has a say in the game."""

    def reset(self, state: State, seed: int) -> None:
        """Begin a search from a state, with the numbers that follow from a seed."""
        self._dice, self._rollouts = Dice(seed, SEARCH_STREAM), Rollouts(self._stepper, mast=self._mast)
        self._root = Node(seat_to_move(state), self._stepper.load(state))
        self._begin = self._stepper.snapshot()
        self._branches = 0

    def grow(self, simulations: int) -> bool:
        """Simulate so often; False if there is nothing left to find out."""
        stepper = self._stepper
        for _ in range(simulations):
            if self._root.certain is not None:
                return False
            stepper.restore(self._begin)
            if self._chance:
                stepper.reseed(self._dice.below(WORDS))
            self._simulate()
        return True

    @property
    def _full(self) -> bool:
        return self._branches >= MOST_BRANCHES

    def _simulate(self) -> None:
        """Go down the tree, put a node at its end, play on from there at random, and note the payoffs on the way."""
        stepper, rollouts, node = self._stepper, self._rollouts, self._root
        path: list[tuple[Node, Branch]] = []
        while True:
            branch, new = node.select(self._dice, rollouts.spread, self._full)
            self._branches += new
            path.append((node, branch))
            if branch.certain is not None:
                payoffs = branch.certain
                break
            drawn = stepper.drawn if self._chance else 0
            size = rollouts.apply(branch.option)
            if size is None:
                payoffs = rollouts.nothing
                break
            settled = not self._chance or stepper.drawn == drawn
            if not size:
                payoffs = rollouts.payoffs()
                if settled:
                    branch.certain = payoffs
                break
            child = self._child(branch, size, settled, len(path))
            if child is None:
                payoffs = rollouts.rest(self._dice)
                break
            if child.certain is not None:
                payoffs = child.certain
                break
            node = child
        if self._rates is not None:
            self._rates.note(path[0][1].option, payoffs)
        _note(path, payoffs, rollouts.best)

    def _child(self, branch: Branch, size: int, settled: bool, depth: int) -> Node | None:
        """The node behind an option; None where nobody was before, or where there is no room for one."""
        known = branch.child
        if settled:
            new = not branch.visits
        else:
            key = self._stepper.outcome()
            if branch.outcomes is None:
                branch.outcomes = {}
            known, new = branch.outcomes.get(key), key not in branch.outcomes
            if new:
                if len(branch.outcomes) < MOST_OUTCOMES:
                    branch.outcomes[key] = None
                return None
        if new or depth >= LONGEST_PATH or (known is None and self._full):
            return None
        if known is None:
            known = Node(seat_to_move(self._stepper), size)
            if settled:
                branch.child = known
            elif branch.outcomes is not None:
                branch.outcomes[key] = known
        return known

    def found(self) -> RootStatistics:
        """The figures by now."""
        root = self._root
        tried = (OptionStatistics(one.option, one.visits, one.total, one.certain) for one in root.branches)
        return RootStatistics(root.seat, root.visits - 1, tuple(tried), root.certain, self._full)


def _note(path: Sequence[tuple[Node, Branch]], payoffs: Payoffs, highest: float) -> None:
    """Note the payoffs of a simulation along its path, and what has become certain by it."""
    known = path[-1][1].certain
    for node, branch in reversed(path):
        node.visits += 1
        branch.note(payoffs[node.seat])
        if known is not None and node.certain is None:
            if branch.outcomes is None:
                branch.certain = known
                node.settle(branch, highest)
            known = node.certain
        branch.weigh(node.seat)
