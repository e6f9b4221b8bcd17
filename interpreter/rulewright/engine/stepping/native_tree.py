"""A tree of options that grows in the memory of one instance of the machine code."""

from __future__ import annotations

from struct import Struct

from rulewright.engine.native.backend import Backend
from rulewright.engine.native.lowering.driver.tree_search import tree_map as at
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.search_arithmetic import MOST_BRANCHES
from rulewright.engine.states.state import State
from rulewright.engine.stepping.native_search import NativeSearch
from rulewright.engine.stepping.search_trees import OptionStatistics, Payoffs, RootStatistics, SearchTree

_NODE, _BRANCH = Struct("<7I"), Struct("<2i3d2I")


class NativeTree(SearchTree):
    """A search by machine code, the same as that of :mod:`rulewright.agents.tree_search` step by step."""

    def __init__(self, engine: Engine, backend: Backend, mast: bool = False) -> None:
        self._search = NativeSearch(engine, backend, "reset", "search", "note", mast=mast)
        self._state: State | None = None
        self._address = 0

    def reset(self, state: State, seed: int) -> None:
        """Begin a search from a state, with the numbers that follow from a seed."""
        self._state, self._address = state, self._search.reset(state, seed)

    def grow(self, simulations: int) -> bool:
        """Simulate so often; False if there is nothing left to find out."""
        assert self._state is not None
        return self._search.simulate(self._state, self._address, simulations)

    @property
    def size(self) -> int:
        """The bytes that the tree takes, with the position that is searched."""
        return self._search.size

    def found(self) -> RootStatistics:
        """The figures by now."""
        read, size = self._search.instance.read, self._search.map.branch
        root = self._search.number(at.ROOT)
        seat, _, visits, tried, _, first, certain = _NODE.unpack(read(root, _NODE.size))
        options = []
        for number in range(tried):
            option, times, total, _, _, _, known = _BRANCH.unpack(read(first + number * size, _BRANCH.size))
            options.append(OptionStatistics(option, times, total, self._payoffs(known)))
        full = self._search.number(at.GROWN) >= MOST_BRANCHES
        return RootStatistics(seat, visits - 1, tuple(options), self._payoffs(certain), full)

    def _payoffs(self, address: int) -> Payoffs | None:
        """The payoffs that are kept at an address, if it is not 0."""
        if not address:
            return None
        players = self._search.engine.program.players
        return Struct(f"<{players}d").unpack(self._search.instance.read(address, 8 * players))
