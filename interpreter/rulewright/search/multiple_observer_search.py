"""Monte Carlo tree search with a tree for each seat, which sees of each answer what that seat is shown of it.

Multiple-Observer Information Set Monte Carlo Tree Search (P. I. Cowling, E. J. Powley, D. Whitehouse, *Information Set
Monte Carlo Tree Search*, IEEE Transactions on Computational Intelligence and AI in Games 4(2), 2012). The single
observer of :mod:`rulewright.search.information_set_search` tells all answers apart, were they hidden from whoever is
asked later: in its simulations the others act on what they cannot know. Here each seat has statistics of its own, and
positions that it cannot distinguish, by its observations since the search began, share them. The searching
seat's own worlds are dealt from what it may know, as there.

What a seat sees and hears is found by looking at each position as it does, in Python steps: so this is for small games.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from itertools import count, islice

from rulewright.diagnostics import RulesetError
from rulewright.engine import (
    LONGEST_PATH,
    LONGEST_REST,
    SEARCH_STREAM,
    Dice,
    Mode,
    Observer,
    Payoffs,
    RootStatistics,
    State,
    Stepper,
)
from rulewright.engine import information_sets_kernel as kernel
from rulewright.engine.random_numbers import hash64
from rulewright.search.history_tree import Digest, digest_of
from rulewright.search.information_set_search import IN_A_ROW, WORLD_STREAM, figures
from rulewright.search.position_analysis import Effort, KeepGoing, WinRates, always
from rulewright.search.rollouts import WORDS, Rating, SteppedGame, seat_to_move
from rulewright.search.root_search import RootSearch
from rulewright.search.worlds import DealtWorlds


class _Standpoints:
    """A position of a simulation, and the observations of each seat on the way to it."""

    def __init__(self, state: State, observers: Sequence[Observer], digests: Sequence[Digest]) -> None:
        self.state, self._observers, self.digests = state, observers, list(digests)

    @staticmethod
    def of(world: State) -> _Standpoints:
        """The beginning of a search in one world: what the seats see of it there is where their histories begin."""
        observers = [Observer(world, seat) for seat in range(world.engine.program.players)]
        for observer in observers:
            digest_of(observer.look(world))
        return _Standpoints(world, observers, [b""] * len(observers))

    def begun_anew(self, seed: int) -> _Standpoints:
        """Standpoints of another simulation, with other chance to come."""
        return _Standpoints(_reseeded(self.state, seed), [one.copy() for one in self._observers], self.digests)

    def choose(self, option: int) -> None:
        """Answer, and give all answers that follow by themselves; RulesetError if the rules end in an error."""
        state, more = self.state.choose(option), LONGEST_REST
        while state.decision is not None and len(state.decision.options) == 1 and more:
            state, more = state.choose(0), more - 1
        self.state = state
        for seat, observer in enumerate(self._observers):
            self.digests[seat] = digest_of(observer.look(state), self.digests[seat])


def _reseeded(state: State, seed: int) -> State:
    """Position with other chance to come, which is drawn: it is no decision of the search."""
    layout, again = state.engine.layout, copy(state)
    again.mode = Mode(whole=state.mode.whole)
    again.cells = list(state.cells)
    again.cells[layout.seed] = seed
    for counter in layout.counters.values():
        again.cells[counter] = 0
    if state.simultaneous_turn is not None:
        again.simultaneous_turn = replace(state.simultaneous_turn, base=_reseeded(state.simultaneous_turn.base, seed))
    return again


class MultipleObserverSearch(RootSearch):
    """A search for the best option of a seat that does not see everything."""

    def __init__(self, stepper: Stepper, effort: Effort, rating: Rating | None = None) -> None:
        self._stepper, self._effort, self._rating = stepper, effort, rating
        self.engine = stepper.engine

    def search(
        self, state: State, dice: Dice, keep_going: KeepGoing = always, rates: WinRates | None = None
    ) -> RootStatistics:
        """The figures that follow from what the seat to move knows of a state: none, if no world is found."""
        seed = dice.below(WORDS)
        worlds = DealtWorlds(state, Dice(seed, WORLD_STREAM), hidden=True)
        dice = Dice(seed, SEARCH_STREAM)
        trees = _Trees(state, _OfferedGame(self._stepper, dice, self._rating), dice, rates)
        self.begin(trees.found, rates)
        known: dict[int, _Standpoints] = {}
        numbers = count()
        for simulations in self._effort.slices(keep_going):
            for done in islice(numbers, simulations):
                number = done // IN_A_ROW
                at = worlds.place(number)
                if at not in known:
                    world = worlds.take(number)
                    if world is None:
                        return trees.found()
                    known[at] = _Standpoints.of(world)
                trees.simulate(known[at])
        return trees.found()


class _OfferedGame(SteppedGame):
    """The game of a stepper whose options are described by who goes down the trees."""

    @property
    def options(self) -> int:
        """The options that are described."""
        return len(self.offered)


class _Trees:
    """The trees of all seats: for each seat a node for all that it cannot distinguish."""

    def __init__(self, state: State, game: _OfferedGame, dice: Dice, rates: WinRates | None) -> None:
        game.stepper.load(state)
        game.lay_down(game.stepper.snapshot())
        self._game, self._dice, self._rates = game, dice, rates
        self._tree = kernel.WorldTree(game, dice)
        self._tree.reset()
        self._numbers = range(len(state.answers()))
        self._nodes: dict[tuple[int, Digest], kernel.Node] = {}

    def simulate(self, begin: _Standpoints) -> None:
        """Go down the trees of all seats in one world, put a node at the end, play on from there at random, and note
        the payoffs.

        The first options go by their numbers: these are the same in all worlds.
        """
        at, tree = begin.begun_anew(self._dice.below(WORDS)), self._tree
        tree.path.clear()
        payoffs = self._payoffs(at)
        if self._rates is not None:
            self._rates.note(tree.path[0].entry.number, payoffs)
        tree.note(payoffs)

    def _payoffs(self, at: _Standpoints) -> Payoffs:
        """Go down, and play on at random; the payoffs in the end."""
        game, tree, node = self._game, self._tree, self._tree.root
        game.offered = self._numbers
        while True:
            if game.rating is not None:  # options are put in order by it
                game.stepper.load(at.state)
            entry = tree.select(node)
            tree.path.add(kernel.Step(node, entry, tree.number))
            try:
                at.choose(tree.number)
            except RulesetError:
                return game.nothing
            state = at.state
            if state.decision is None:
                return tuple(map(float, state.payoffs)) or game.nothing
            seat = seat_to_move(state)
            known = self._nodes.get((seat, at.digests[seat]))
            if known is None or len(tree.path) >= LONGEST_PATH:
                if known is None and not tree.is_full:
                    self._nodes[seat, at.digests[seat]] = kernel.new_node(0, None, seat)
                game.stepper.load(state)
                return game.rest()
            node = known
            game.offered = [hash64(option.key) for option in state.decision.options]

    def found(self) -> RootStatistics:
        """The figures by now."""
        return figures(self._tree.root, self._tree.is_full)
