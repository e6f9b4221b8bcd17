"""Monte Carlo tree search over a stepper, where everybody sees everything."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from rulewright.agents.effort import Effort, KeepGoing, always
from rulewright.agents.position_analysis import (
    WinRates,
)
from rulewright.agents.rollouts import WORDS, Rollouts, asked
from rulewright.agents.root_search import RootSearch
from rulewright.agents.search_tree import Branch, Node
from rulewright.engine import (
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
)


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
        self._root = Node(asked(state), self._stepper.load(state))
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
            known = Node(asked(self._stepper), size)
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
