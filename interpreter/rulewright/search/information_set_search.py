"""Monte Carlo tree search over the worlds that a seat thinks possible, for games with secrets.

Information Set Monte Carlo Tree Search with a single observer (P. I. Cowling, E. J. Powley, D. Whitehouse, *Information
Set Monte Carlo Tree Search*, IEEE Transactions on Computational Intelligence and AI in Games 4(2), 2012). There is one
tree for all worlds: each simulation is played in one of them, with the options that there are in it, and the bonus for
few visits counts how often an option could have been taken. All worlds are dealt from what the seat may know, so that
two positions which it cannot distinguish lead to one tree.

What several decide at once is decided by each without the others' answers (decoupled selection, as in O. Teytaud, S.
Flory, *Upper confidence trees with short term partial information*, EvoApplications 2011): their questions hang side by
side under the position in which the first decides, and what follows hangs under it by all the answers together.

Where nothing is hidden there is one world, and the tree is an open loop: what chance gives is no part of it.

The machine code of :mod:`rulewright.engine.native.lowering.driver.tree_search` does the same, with the same numbers,
but for simulations that are rated by an evaluation that was learnt.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from contextlib import suppress
from math import sqrt

from rulewright.engine import (
    EXPLORATION_OF_WORLDS,
    LONGEST_PATH,
    MOST_ENTRIES,
    SEARCH_STREAM,
    CannotGoOn,
    Dice,
    InformationSetTree,
    OptionStatistics,
    Payoffs,
    RootStatistics,
    Snapshot,
    State,
    Stepper,
    is_decided_at_once,
    logarithm,
)
from rulewright.search.position_analysis import (
    Effort,
    KeepGoing,
    WinRates,
    always,
)
from rulewright.search.rollouts import WORDS, Rating, Rollouts, rated_options, room, seat_to_move
from rulewright.search.root_search import RootSearch
from rulewright.search.worlds import DealtWorlds

IN_A_ROW = 4
"""So many simulations are played in a world before the next one is taken."""
WORLD_STREAM = "worlds that are dealt for a search"


class InformationSetSearch(RootSearch):
    """A search for the best option of a seat that does not see everything: by the machine code of a stepper, if it has
    any that can, else with its steps. Both find the same."""

    def __init__(
        self,
        stepper: Stepper,
        effort: Effort,
        rating: Rating | None = None,
        *,
        hidden: bool = True,
        mast: bool = False,
    ) -> None:
        self._stepper, self._effort, self._rating, self._hidden = stepper, effort, rating, hidden
        self._mast = mast
        self.engine = stepper.engine
        if rating is None:
            self._native = stepper.information_set_tree(mast=mast)
        elif rating.evaluation is None:
            self._native = stepper.information_set_tree(rating.query, rating.depth, mast)
        else:
            self._native = None

    def search(
        self, state: State, dice: Dice, keep_going: KeepGoing = always, rates: WinRates | None = None
    ) -> RootStatistics:
        """The figures that follow from what the seat to move knows of a state: none, if no world is found.
        `rates` are given the winners, which only the tree with the steps of the stepper sees."""
        seed = dice.below(WORDS)
        worlds = DealtWorlds(state, Dice(seed, WORLD_STREAM), self._hidden)
        if self._native is not None and rates is None:
            with suppress(CannotGoOn):
                return self._grown(self._native, worlds, seed, keep_going)
        tree = PythonInformationSetTree(self._stepper, self._rating, rates, self._mast)
        return self._grown(tree, worlds, seed, keep_going, rates)

    def _grown(
        self,
        tree: InformationSetTree,
        worlds: DealtWorlds,
        seed: int,
        keep_going: KeepGoing,
        rates: WinRates | None = None,
    ) -> RootStatistics:
        """The figures of a tree when all effort is spent."""
        tree.reset(worlds.state, seed)
        self.begin(tree.found, rates)
        done = 0
        for simulations in self._effort.slices(keep_going):
            end = done + simulations
            while done < end:
                number = done // IN_A_ROW
                world = worlds.take(number)
                if world is None:
                    return tree.found()
                count = min(end, (number + 1) * IN_A_ROW) - done
                tree.grow(worlds.place(number), world, count)
                done += count
        return tree.found()


class Branch:
    """An option, and what has come of it in all worlds."""

    __slots__ = ("option", "possible", "total", "visits")

    def __init__(self, option: int) -> None:
        self.option = option
        """Number of the option in the world in which it was first taken."""
        self.visits, self.possible = 0, 1
        """The times that it was taken, and that it could have been."""
        self.total = 0.0


class Node:
    """A question to a seat, in all worlds in which the same answers have led there."""

    __slots__ = ("branches", "children", "promise", "seat", "visits")

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.visits = 1
        self.branches: dict[Hashable, Branch] = {}
        self.children: dict[Hashable, Node] = {}
        self.promise: dict[Hashable, float] = {}
        """The promise of each option, in the world in which it was first met."""

    def select(self, offered: Sequence[Hashable], dice: Dice, rollouts: Rollouts, full: bool) -> tuple[int, int]:
        """The number of the option to look at in a world that offers these: one that was not tried, if there is room
        for one more, else that with the best upper bound. Also how many options were met for the first time.

        In a tree that is `full` there is another one only where there is none.
        """
        known = self.branches
        untried = [number for number, option in enumerate(offered) if option not in known]
        for option in offered:
            if option in known:
                known[option].possible += 1
        tried = len(offered) - len(untried)
        if untried and (not full or not tried) and tried < room(rollouts, self.visits):
            number, new = self._most_promising(untried, offered, dice, rollouts)
            known[offered[number]] = Branch(number)
            return number, new
        best, most = 0, float("-inf")
        for number, option in enumerate(offered):
            if option in known:
                branch = known[option]
                visits = branch.visits
                bonus = rollouts.spread * EXPLORATION_OF_WORLDS * sqrt(logarithm(branch.possible) / visits)
                value = branch.total / visits + bonus
                if value > most:
                    best, most = number, value
        return best, 0

    def _most_promising(
        self, untried: Sequence[int], offered: Sequence[Hashable], dice: Dice, rollouts: Rollouts
    ) -> tuple[int, int]:
        """One of the options that were not tried: any, or the one after which the seat stands best; and how many are
        known now that were not."""
        rating, promise = rollouts.rating, self.promise
        if rating is None:
            return untried[dice.below(len(untried))], 1
        unknown = [number for number in untried if offered[number] not in promise]
        for number, value in rated_options(rollouts, rating, self.seat, unknown).items():
            promise[offered[number]] = value
        most = max(promise[offered[number]] for number in untried)
        equals = [number for number in untried if promise[offered[number]] == most]
        return equals[dice.below(len(equals))], len(unknown)


class PythonInformationSetTree(InformationSetTree):
    """A search with the steps of a stepper."""

    def __init__(
        self, stepper: Stepper, rating: Rating | None = None, rates: WinRates | None = None, mast: bool = False
    ) -> None:
        self._stepper, self._rating, self._rates, self._mast = stepper, rating, rates, mast
        self._chance = bool(stepper.engine.layout.counters)
        """True if chance has a say in the game."""

    def reset(self, state: State, seed: int) -> None:
        """Begin a search from a state, with the numbers that follow from a seed."""
        self._dice, self._rollouts = Dice(seed, SEARCH_STREAM), Rollouts(self._stepper, self._rating, self._mast)
        self._root, self._numbers = Node(seat_to_move(state)), range(len(state.answers()))
        self._worlds: dict[int, Snapshot] = {}
        self._entries = 0

    def grow(self, world: int, state: State, simulations: int) -> None:
        """Simulate so often in a world."""
        stepper = self._stepper
        if world not in self._worlds:
            stepper.load(state)
            self._worlds[world] = stepper.snapshot()
        for _ in range(simulations):
            stepper.restore(self._worlds[world])
            if self._chance:
                stepper.reseed(self._dice.below(WORDS))
            self._simulate()

    @property
    def _full(self) -> bool:
        return self._entries >= MOST_ENTRIES

    def _simulate(self) -> None:
        """Go down the tree in one world, put a node at its end, play on from there at random, and note the payoffs.

        The first options go by their numbers: these are the same in all worlds, even of pieces that the seat sees from
        behind.
        """
        stepper, rollouts, node = self._stepper, self._rollouts, self._root
        path: list[tuple[Node, Branch]] = []
        offered: Sequence[Hashable] = self._numbers
        above: Node = node
        given: tuple[tuple[int, Hashable], ...] = ()
        while True:
            at_once = self._is_at_once()
            if not given:
                above = node
            number, new = node.select(offered, self._dice, rollouts, self._full)
            self._entries += new
            path.append((node, node.branches[offered[number]]))
            given = (*given, (node.seat, offered[number]))
            size = rollouts.apply(number)
            if not size:
                payoffs = rollouts.nothing if size is None else rollouts.payoffs()
                break
            place, seat = stepper.question, seat_to_move(stepper)
            if at_once and self._is_at_once():
                key: Hashable = (place, seat, tuple(option for who, option in given if who == seat))
            else:
                key, given = (place, seat, given), ()
            known = above.children.get(key)
            if known is None or len(path) >= LONGEST_PATH:
                if known is None and not self._full:
                    above.children[key] = Node(seat)
                payoffs = rollouts.rest(self._dice)
                break
            node, offered = known, stepper.offered()
        if self._rates is not None:
            self._rates.note(path[0][1].option, payoffs)
        _note(path, payoffs)

    def _is_at_once(self) -> bool:
        """True if the question is one that several answer at once."""
        place = self._stepper.question
        return place is not None and is_decided_at_once(self._stepper.engine, place)

    def found(self) -> RootStatistics:
        """The figures by now."""
        root = self._root
        branches = sorted(root.branches.values(), key=lambda one: one.option)
        tried = (OptionStatistics(one.option, one.visits, one.total, None) for one in branches)
        return RootStatistics(root.seat, root.visits - 1, tuple(tried), None, self._full)


def _note(path: Sequence[tuple[Node, Branch]], payoffs: Payoffs) -> None:
    """Note the payoffs of a simulation along its path."""
    for node, branch in path:
        node.visits += 1
        branch.visits += 1
        branch.total += payoffs[node.seat]
