"""Monte Carlo tree search over the worlds that a seat thinks possible, for games with secrets.

Information Set Monte Carlo Tree Search with a single observer (P. I. Cowling, E. J. Powley, D. Whitehouse, *Information
Set Monte Carlo Tree Search*, IEEE Transactions on Computational Intelligence and AI in Games 4(2), 2012). There is one
tree for all worlds: each simulation is played in one of them, with the options that there are in it, and the bonus for
few visits counts how often an option could have been taken. All worlds are dealt from what the seat may know, so that
two positions which it cannot tell apart lead to one tree.

What several decide at once is decided by each without the others' answers (decoupled selection, as in O. Teytaud, S.
Flory, *Upper confidence trees with short term partial information*, EvoApplications 2011): their questions hang side by
side under the position in which the first is asked, and what follows hangs under it by all the answers together.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import log, sqrt

from rulewright.agents.effort import Effort
from rulewright.agents.rollouts import WORDS, Rollouts, asked
from rulewright.diagnostics import RulesetError
from rulewright.engine import EXPLORATION, Dice, Payoffs, Snapshot, State, Stepper, is_decided_at_once

MOST_WORLDS = 64
"""So many worlds are dealt at most; then the first is taken again, with other chance to come."""
IN_A_ROW = 4
"""So many simulations are played in a world before the next one is taken."""


class Branch:
    """An option, and what has come of it in all worlds."""

    __slots__ = ("option", "possible", "total", "visits")

    def __init__(self, option: int) -> None:
        self.option = option
        """Its number in the world in which it was first taken."""
        self.visits = self.possible = 0
        """The times that it was taken, and that it could have been."""
        self.total = 0.0


class Node:
    """A question to a seat, in all worlds in which the same answers have led there."""

    __slots__ = ("branches", "children", "seat", "visits")

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.visits = 0
        self.branches: dict[Hashable, Branch] = {}
        self.children: dict[Hashable, Node] = {}

    def select(self, offered: Sequence[Hashable], dice: Dice, spread: float) -> int:
        """The number of the option to look at in a world that offers these: one that was not tried, else that with the
        best upper bound."""
        known = self.branches
        untried = [number for number, option in enumerate(offered) if option not in known]
        for option in offered:
            if option in known:
                known[option].possible += 1
        if untried:
            number = untried[dice.below(len(untried))]
            branch = known[offered[number]] = Branch(number)
            branch.possible = 1
            return number
        best, most = 0, float("-inf")
        for number, option in enumerate(offered):
            branch = known[option]
            visits = branch.visits
            value = branch.total / visits + spread * EXPLORATION * sqrt(log(branch.possible) / visits)
            if value > most:
                best, most = number, value
        return best

    def ranked(self) -> list[Branch]:
        """The branches, the one that was looked at most often first."""
        return sorted(self.branches.values(), key=lambda one: (-one.visits, -one.total, one.option))


class InformationSetSearch:
    """A search for the best option of a seat that does not see everything, with one stepper."""

    def __init__(self, stepper: Stepper, effort: Effort) -> None:
        self._stepper, self._effort = stepper, effort
        self._rollouts = Rollouts(stepper)

    def __call__(self, state: State, dice: Dice) -> int:
        """The number of the best option of a state, as far as whoever is asked may know."""
        ranked = self.search(state, dice).ranked()
        return ranked[0].option if ranked else dice.below(len(state.answers()))

    def search(self, state: State, dice: Dice) -> Node:
        """The tree that is grown from what the seat that is asked knows of a state: nothing, if no world is found."""
        stepper, seat = self._stepper, asked(state)
        root, worlds = Node(seat), _Worlds(state, stepper, dice)
        numbers = range(len(state.answers()))
        for number in self._effort.rounds():
            world = worlds.take(number)
            if world is None:
                break
            stepper.restore(world)
            stepper.reseed(dice.below(WORDS))
            self._simulate(root, numbers, dice)
        return root

    def _simulate(self, root: Node, numbers: Sequence[int], dice: Dice) -> None:
        """Go down the tree in one world, put a node at its end, play on from there at random, and note the payoffs.

        The first options go by their numbers: these are the same in all worlds, even of pieces that the seat sees from
        behind.
        """
        stepper, rollouts, node = self._stepper, self._rollouts, root
        path: list[tuple[Node, Branch]] = []
        offered: Sequence[Hashable] = numbers
        above: Node = root
        given: tuple[tuple[int, Hashable], ...] = ()
        while True:
            at_once = stepper.question is not None and is_decided_at_once(stepper.engine, stepper.question)
            if not given:
                above = node
            number = node.select(offered, dice, rollouts.spread)
            path.append((node, node.branches[offered[number]]))
            given = (*given, (node.seat, offered[number]))
            size = rollouts.apply(number)
            if not size:
                payoffs = rollouts.nothing if size is None else rollouts.payoffs()
                break
            place, seat = stepper.question, asked(stepper)
            if at_once and place is not None and is_decided_at_once(stepper.engine, place):
                known = tuple(option for who, option in given if who == seat)
                node = above.children.setdefault((place, seat, known), Node(seat))
            else:
                node = above.children.setdefault((place, seat, given), Node(seat))
                given = ()
            if not node.visits:
                node.visits = 1
                payoffs = rollouts.rest(dice)
                break
            offered = stepper.offered()
        _note(path, payoffs)


class _Worlds:
    """The worlds in which a search plays, dealt when they are first needed."""

    def __init__(self, state: State, stepper: Stepper, dice: Dice) -> None:
        self._state, self._stepper, self._dice = state, stepper, dice
        self._dealt: list[Snapshot] = []

    def take(self, number: int) -> Snapshot | None:
        """The world of the simulation with a number; None if none is found."""
        at = number // IN_A_ROW % MOST_WORLDS
        if at == len(self._dealt):
            world = self._deal()
            if world is None:
                return None
            self._dealt.append(world)
        return self._dealt[at]

    def _deal(self) -> Snapshot | None:
        """Another world; if none is found, one of those that were."""
        stepper, seed = self._stepper, self._dice.below(WORDS)
        try:
            stepper.load(self._state.imagine(asked(self._state), seed))
        except RulesetError:
            return self._dealt[self._dice.below(len(self._dealt))] if self._dealt else None
        return stepper.snapshot()


def _note(path: Sequence[tuple[Node, Branch]], payoffs: Payoffs) -> None:
    """Note the payoffs of a simulation along its path."""
    for node, branch in path:
        node.visits += 1
        branch.visits += 1
        branch.total += payoffs[node.seat]
