"""Monte Carlo tree search over a stepper, where everybody sees everything."""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.agents.effort import Effort
from rulewright.agents.rollouts import WORDS, Payoffs, Rollouts, asked
from rulewright.agents.search_tree import Branch, Node
from rulewright.engine import Dice, State, Stepper

MOST_OUTCOMES = 32
"""So many outcomes of chance behind an option have a node of their own; from others the game goes on at random."""


class TreeSearch:
    """A search for the best option, with one stepper."""

    def __init__(self, stepper: Stepper, effort: Effort) -> None:
        self._stepper, self._effort = stepper, effort
        self._rollouts = Rollouts(stepper)
        self._chance = bool(stepper.engine.layout.counters)
        """True if chance has a say in the game."""

    def __call__(self, state: State, dice: Dice) -> int:
        """The number of the best option of a state."""
        return self.search(state, dice).ranked()[0].option

    def search(self, state: State, dice: Dice) -> Node:
        """The tree that is grown from a state, for all options of which something is known."""
        stepper = self._stepper
        root = Node(asked(state), stepper.load(state))
        begin = stepper.snapshot()
        for _ in self._effort.rounds():
            stepper.restore(begin)
            if self._chance:
                stepper.reseed(dice.below(WORDS))
            self._simulate(root, dice)
            if root.proven is not None:
                break
        return root

    def _simulate(self, root: Node, dice: Dice) -> None:
        """Go down the tree, put a node at its end, play on from there at random, and note the payoffs on the way."""
        stepper, rollouts, node = self._stepper, self._rollouts, root
        path: list[tuple[Node, Branch]] = []
        while True:
            branch = node.select(dice.shuffled, rollouts.spread)
            path.append((node, branch))
            if branch.proven is not None:
                payoffs = branch.proven
                break
            drawn = stepper.drawn if self._chance else 0
            size = rollouts.apply(branch.option)
            if size is None:
                payoffs = rollouts.nothing
                break
            certain = not self._chance or stepper.drawn == drawn
            if not size:
                payoffs = rollouts.payoffs()
                if certain:
                    branch.proven = payoffs
                break
            child = self._child(branch, size) if certain else self._outcome(branch, size)
            if child is None or not child.visits:
                payoffs = rollouts.rest(dice)
                if child is not None:
                    child.visits = 1
                break
            node = child
        _note(path, payoffs, rollouts.best)

    def _child(self, branch: Branch, size: int) -> Node:
        """The node behind an option in which chance has no say."""
        if branch.child is None:
            branch.child = Node(asked(self._stepper), size)
        return branch.child

    def _outcome(self, branch: Branch, size: int) -> Node | None:
        """The node behind what chance has drawn; None if it has drawn too many different things."""
        if branch.outcomes is None:
            branch.outcomes = {}
        key, known = self._stepper.outcome(), branch.outcomes
        if key not in known:
            if len(known) >= MOST_OUTCOMES:
                return None
            known[key] = Node(asked(self._stepper), size)
        return known[key]


def _note(path: Sequence[tuple[Node, Branch]], payoffs: Payoffs, highest: float) -> None:
    """Note the payoffs of a simulation along its path, and what has become certain by it."""
    known = path[-1][1].proven
    for node, branch in reversed(path):
        node.visits += 1
        branch.visits += 1
        branch.total += payoffs[node.seat]
        if known is not None and node.proven is None:
            if branch.outcomes is None:
                branch.proven = known
                node.settle(branch, highest)
            known = node.proven
