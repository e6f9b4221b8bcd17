"""Monte Carlo tree search over a stepper, where everybody sees everything.

The tree of a search, for games in which everybody sees everything.

UCT (L. Kocsis, C. Szepesvári, *Bandit based Monte-Carlo planning*, ECML 2006): at each node the option is looked at
whose mean payoff, with a bonus for few visits, is best for the seat to move there. Each seat aims at its own
payoff, so this is max^n for several players (C. A. Luckhardt, K. B. Irani, *An algorithmic solution of n-person games*,
AAAI 1986), and minimax where two players' payoffs sum to zero. What is certain is carried upwards, as in the MCTS-
Solver (M. Winands, Y. Björnsson, J.-T. Saito, *Monte-Carlo Tree Search solver*, CG 2008): an option that ends the game,
and a node of which one option is known to be the best possible, or of which all options are known. A node is probed for
an option that wins at once, and an option is refuted by the win that the next seat had behind another one (decisive and
anti-decisive moves: F. Teytaud, O. Teytaud, *On the huge benefit of decisive moves in Monte-Carlo tree search
algorithms*, CIG 2010): at the root and behind its first options at once, elsewhere at so many visits that it costs
little, and at more where it was for nothing. Of many options
more are tried as a node is looked at more often (progressive unpruning: G. Chaslot et al., *Progressive strategies for
Monte-Carlo tree search*, New Mathematics and Natural Computation 4(3), 2008), those first that were best on average in
some rollouts that are noted for it (:mod:`rulewright.engine.kernels.move_averages`), all moves as first.

The tree is a kernel, :mod:`rulewright.engine.kernels.tree`: CPython runs it here, and machine code is translated from
it, so both find the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from rulewright.engine import (
    SEARCH_STREAM,
    WIDE,
    CannotGoOn,
    Dice,
    OptionStatistics,
    Payoffs,
    RootStatistics,
    SearchTree,
    State,
    Stepper,
    tree_kernel,
)
from rulewright.search.position_analysis import (
    Effort,
    KeepGoing,
    WinRates,
    always,
)
from rulewright.search.rollouts import WORDS, SteppedGame
from rulewright.search.root_search import RootSearch


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
        """The figures about the options of a state, in the end; `rates` are given the winners, which only the tree with
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
    """A search with the steps of a stepper: CPython runs the kernel."""

    def __init__(self, stepper: Stepper, rates: WinRates | None = None, mast: bool = False) -> None:
        self._stepper, self._rates, self._mast = stepper, rates, mast

    def reset(self, state: State, seed: int) -> None:
        """Begin a search from a state, with the numbers that follow from a seed."""
        self._stepper.load(state)
        dice = Dice(seed, SEARCH_STREAM)
        game = SteppedGame(self._stepper, dice, mast=self._mast)
        game.lay_down(self._stepper.snapshot())
        game.is_wide = not self._mast and self._stepper.options > WIDE
        game.rollouts.reset()
        self._tree = tree_kernel.Tree(game, dice, game.rollouts.averages)
        self._tree.reset()

    def grow(self, simulations: int) -> bool:
        """Simulate so often; False if there is nothing left to find out."""
        tree, rates = self._tree, self._rates
        if rates is None:
            return tree.search(simulations) == simulations
        for _ in range(simulations):
            if not tree.search(1):
                return False
            rates.note(tree.path[0].branch.option, tuple(tree.found))
        return True

    def found(self) -> RootStatistics:
        """The figures by now."""
        root = self._tree.root
        tried = (OptionStatistics(one.option, one.visits, one.total, _kept(one.certain)) for one in root.branches)
        return RootStatistics(root.seat, root.visits - 1, tuple(tried), _kept(root.certain), self._tree.is_full)


def _kept(payoffs: Sequence[float] | None) -> Payoffs | None:
    return None if payoffs is None else tuple(payoffs)
