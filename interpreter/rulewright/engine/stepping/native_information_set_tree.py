"""A tree of options for several worlds, which grows in the memory of one instance of the machine code."""

from __future__ import annotations

from struct import Struct

from rulewright.engine.native.backend import Backend
from rulewright.engine.native.lowering.driver.tree_search import tree_map as at
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.search_arithmetic import MOST_ENTRIES
from rulewright.engine.states.state import State
from rulewright.engine.stepping.native_search import NativeSearch
from rulewright.engine.stepping.search_trees import InformationSetTree, OptionStatistics, RootStatistics

_NODE, _ENTRY = Struct("<QI5I"), Struct("<q2idi4x")


class NativeInformationSetTree(InformationSetTree):
    """A search by machine code, the same as that of :mod:`rulewright.agents.information_set_search` step by step."""

    def __init__(self, engine: Engine, backend: Backend, query: str = "", depth: int = 0, mast: bool = False) -> None:
        self._search = _Search(engine, backend, "reset_worlds", "search_world", "note_world", query, depth, mast)
        self._worlds: dict[int, int] = {}
        """The addresses of the worlds."""

    def reset(self, state: State, seed: int) -> None:
        """Begin a search from a state, with the numbers that follow from a seed."""
        self._search.reset(state, seed, 4 * at.LISTS)
        self._worlds.clear()

    def grow(self, world: int, state: State, simulations: int) -> None:
        """Simulate so often in a world."""
        if world not in self._worlds:
            self._worlds[world] = self._search.keep(state)
        self._search.simulate(state, self._worlds[world], simulations)

    @property
    def size(self) -> int:
        """The bytes that the tree takes, with the worlds."""
        return self._search.size

    def found(self) -> RootStatistics:
        """The figures by now."""
        read = self._search.instance.read
        _, _, seat, visits, count, mask, table = _NODE.unpack(read(self._search.number(at.ROOT), _NODE.size))
        tried = []
        for place in range(mask + 1 if count else 0):
            _, times, possible, total, number = _ENTRY.unpack(read(table + place * at.ENTRY_BYTES, _ENTRY.size))
            if possible > 0:
                tried.append(OptionStatistics(number, times, total, None))
        tried.sort(key=lambda one: one.option)
        full = self._search.number(at.GROWN) >= MOST_ENTRIES
        return RootStatistics(seat, visits - 1, tuple(tried), None, full)


class _Search(NativeSearch):
    """A search of which the options go by other numbers in each world, and in which nothing becomes certain."""

    def _option(self, number: int) -> int:
        return self.number(at.NUMBERS + 4 * number)

    @property
    def done(self) -> int:
        """The simulations that were made."""
        return self.instance.number(self.number(at.ROOT) + at.LOOKS) - 1

    @property
    def is_certain(self) -> bool:
        """False: worlds differ."""
        return False
