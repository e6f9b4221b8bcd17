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

The tree is a kernel, :mod:`rulewright.engine.kernels.information_sets`: CPython runs it here, and machine code is
translated from it, but for simulations that are rated by an evaluation that was learnt.
"""

from __future__ import annotations

from contextlib import suppress

from rulewright.engine import (
    SEARCH_STREAM,
    CannotGoOn,
    Dice,
    InformationSetTree,
    OptionStatistics,
    RootStatistics,
    Snapshot,
    State,
    Stepper,
    information_sets_kernel,
)
from rulewright.search.position_analysis import (
    Effort,
    KeepGoing,
    WinRates,
    always,
)
from rulewright.search.rollouts import WORDS, Rating, SteppedGame
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


class PythonInformationSetTree(InformationSetTree):
    """A search with the steps of a stepper: CPython runs the kernel."""

    def __init__(
        self, stepper: Stepper, rating: Rating | None = None, rates: WinRates | None = None, mast: bool = False
    ) -> None:
        self._stepper, self._rating, self._rates, self._mast = stepper, rating, rates, mast

    def reset(self, state: State, seed: int) -> None:
        """Begin a search from a state, with the numbers that follow from a seed."""
        self._stepper.load(state)
        dice = Dice(seed, SEARCH_STREAM)
        self._game = SteppedGame(self._stepper, dice, self._rating, self._mast)
        self._game.lay_down(self._stepper.snapshot())
        self._tree = information_sets_kernel.WorldTree(self._game, dice)
        self._tree.reset()
        self._worlds: dict[int, Snapshot] = {}

    def grow(self, world: int, state: State, simulations: int) -> None:
        """Simulate so often in a world."""
        if world not in self._worlds:
            self._stepper.load(state)
            self._worlds[world] = self._stepper.snapshot()
        self._game.lay_down(self._worlds[world])
        if self._rates is None:
            self._tree.search(simulations)
            return
        for _ in range(simulations):
            self._tree.search(1)
            self._rates.note(self._tree.path[0].entry.number, tuple(self._tree.found))

    def found(self) -> RootStatistics:
        """The figures by now."""
        return figures(self._tree.root, self._tree.is_full)


def figures(root: information_sets_kernel.Node, is_full: bool) -> RootStatistics:
    """The figures of a root, in the order of the options."""
    entries = sorted((one for one in root.table if one.possible > 0), key=lambda one: one.number)
    tried = (OptionStatistics(one.number, one.visits, one.total, None) for one in entries)
    return RootStatistics(root.seat, root.visits - 1, tuple(tried), None, is_full)
