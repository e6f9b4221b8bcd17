"""Monte Carlo tree search over the worlds that a seat thinks possible, for games with secrets.

Information Set Monte Carlo Tree Search with a single observer (P. I. Cowling, E. J. Powley, D. Whitehouse, *Information
Set Monte Carlo Tree Search*, IEEE Transactions on Computational Intelligence and AI in Games 4(2), 2012). There is one
tree for all worlds: each simulation is played in one of them, with the options that there are in it, and the bonus for
few visits counts how often an option could have been taken. All worlds are dealt from what the seat may know, so that
two positions which it cannot tell apart lead to one tree.

What several decide at once is decided by each without the others' answers (decoupled selection, as in O. Teytaud, S.
Flory, *Upper confidence trees with short term partial information*, EvoApplications 2011): their questions hang side by
side under the position in which the first is asked, and what follows hangs under it by all the answers together.

Where nothing is hidden there is one world, and the tree is an open loop: what chance gives is no part of it.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import log, sqrt

from rulewright.agents.effort import Effort, Going, always
from rulewright.agents.rollouts import WORDS, Rating, Rollouts, asked
from rulewright.agents.thoughts import Ledger, RatedAnswer, Thought, best
from rulewright.agents.widening import rated_options, room
from rulewright.agents.worlds import Worlds
from rulewright.engine import EXPLORATION, Dice, Payoffs, State, Stepper, is_decided_at_once

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

    __slots__ = ("branches", "children", "promise", "seat", "visits")

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.visits = 0
        self.branches: dict[Hashable, Branch] = {}
        self.children: dict[Hashable, Node] = {}
        self.promise: dict[Hashable, float] = {}
        """The promise of each option, in the world in which it was first met."""

    def select(self, offered: Sequence[Hashable], dice: Dice, rollouts: Rollouts) -> int:
        """The number of the option to look at in a world that offers these: one that was not tried, if there is room
        for one more, else that with the best upper bound."""
        known = self.branches
        untried = [number for number, option in enumerate(offered) if option not in known]
        for option in offered:
            if option in known:
                known[option].possible += 1
        if untried and len(offered) - len(untried) < room(rollouts, self.visits):
            number = self._most_promising(untried, offered, dice, rollouts)
            branch = known[offered[number]] = Branch(number)
            branch.possible = 1
            return number
        best, most = 0, float("-inf")
        for number, option in enumerate(offered):
            if option not in known:
                continue
            branch = known[option]
            visits = branch.visits
            value = branch.total / visits + rollouts.spread * EXPLORATION * sqrt(log(branch.possible) / visits)
            if value > most:
                best, most = number, value
        return best

    def _most_promising(
        self, untried: Sequence[int], offered: Sequence[Hashable], dice: Dice, rollouts: Rollouts
    ) -> int:
        """One of the options that were not tried: any, or the one after which the seat stands best."""
        rating, promise = rollouts.rating, self.promise
        if rating is None:
            return untried[dice.below(len(untried))]
        unknown = [number for number in untried if offered[number] not in promise]
        for number, value in rated_options(rollouts, rating, self.seat, unknown).items():
            promise[offered[number]] = value
        most = max(promise[offered[number]] for number in untried)
        equals = [number for number in untried if promise[offered[number]] == most]
        return equals[dice.below(len(equals))]

    def ranked(self) -> list[Branch]:
        """The branches, the one that was looked at most often first."""
        return sorted(self.branches.values(), key=lambda one: (-one.visits, -one.total, one.option))


class InformationSetSearch:
    """A search for the best option of a seat that does not see everything, with one stepper."""

    def __init__(self, stepper: Stepper, effort: Effort, rating: Rating | None = None, *, hidden: bool = True) -> None:
        self._stepper, self._effort, self._hidden = stepper, effort, hidden
        self._rollouts = Rollouts(stepper, rating)

    def __call__(self, state: State, dice: Dice) -> int:
        """The number of the best option of a state, as far as whoever is asked may know."""
        return best(self.think(state, dice), state, dice)

    def think(self, state: State, dice: Dice, going: Going = always) -> Thought:
        """The options of a state that were looked at, the best one first."""
        ledger = Ledger()
        root = self.search(state, dice, going, ledger)
        answers = (
            RatedAnswer(one.option, one.visits, one.total / one.visits, ledger.chances(one.option))
            for one in root.ranked()
        )
        return Thought(tuple(answers), root.visits)

    def search(self, state: State, dice: Dice, going: Going = always, ledger: Ledger | None = None) -> Node:
        """The tree that is grown from what the seat that is asked knows of a state: nothing, if no world is found."""
        stepper, seat = self._stepper, asked(state)
        root, worlds = Node(seat), Worlds(state, stepper, dice, self._hidden)
        numbers = range(len(state.answers()))
        for number in self._effort.rounds(going):
            world = worlds.take(number // IN_A_ROW)
            if world is None:
                break
            stepper.restore(world)
            stepper.reseed(dice.below(WORDS))
            option, payoffs = self._simulate(root, numbers, dice)
            if ledger is not None:
                ledger.note(option, payoffs)
        return root

    def _simulate(self, root: Node, numbers: Sequence[int], dice: Dice) -> tuple[int, Payoffs]:
        """Go down the tree in one world, put a node at its end, play on from there at random, and note the payoffs; the
        option that was taken at the root, and they.

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
            number = node.select(offered, dice, rollouts)
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
        return path[0][1].option, payoffs


def _note(path: Sequence[tuple[Node, Branch]], payoffs: Payoffs) -> None:
    """Note the payoffs of a simulation along its path."""
    for node, branch in path:
        node.visits += 1
        branch.visits += 1
        branch.total += payoffs[node.seat]
