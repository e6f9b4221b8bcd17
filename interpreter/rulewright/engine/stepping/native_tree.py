"""A tree of options that grows in the memory of one instance of the machine code."""

from __future__ import annotations

from struct import Struct

from rulewright.diagnostics import RulesetError
from rulewright.engine.chance_streams import stream_key
from rulewright.engine.native.backend import Backend
from rulewright.engine.native.instance import Trap
from rulewright.engine.native.lowering.driver.tree_search import tree_map as at
from rulewright.engine.native.watchdog import watchdog
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.search_arithmetic import LONGEST_REST, MOST_BRANCHES, STREAM
from rulewright.engine.states.state import State
from rulewright.engine.stepping.python_stepper import PythonStepper
from rulewright.engine.stepping.searched import CannotGoOn, Payoffs, Searched, SearchedTree, Tried
from rulewright.engine.stepping.stepper import apply_with_forced, rest_of
from rulewright.host.budgets import scope

FIRST_BYTES = 1 << 20
"""So much room a tree has at first; then twice as much each time."""
_REGISTERS = Struct("<7I4x4Q2d")
_NODE, _BRANCH = Struct("<7I"), Struct("<2i3d2I")
_STEP = Struct("<2I")


class NativeTree(SearchedTree):
    """A search by machine code, the same as that of :mod:`rulewright.agents.tree_search` step by step."""

    def __init__(self, engine: Engine, backend: Backend) -> None:
        self._engine, self._backend = engine, backend
        self._map = backend.native.tree
        self._instance = backend.instance()
        self._plant = self._instance.function("plant", 1)
        self._search = self._instance.function("search", 2)
        self._note = self._instance.function("note", 1)
        self._first = backend.native.memory.end + 7 & ~7
        self._end = self._first
        self._state: State | None = None
        self._done = 0

    def plant(self, state: State, seed: int) -> None:
        """Begin a search from a state, with the numbers that follow from a seed."""
        raw = self._backend.codec.encoded(rest_of(state, self._engine))
        free = self._first + len(raw) + 7 & ~7
        if len(raw) > self._backend.native.memory.stack_end:
            raise CannotGoOn
        self._make_room(free + max(FIRST_BYTES, 2 * self._map.most))
        self._instance.write(self._first, raw)
        low, high = (0.0, 0.0) if self._engine.payoffs.pays else (-1.0, 1.0)
        numbers = self._first, free, self._end, 0, 0, 0, 0, stream_key(seed, STREAM), 0, 0, 0, low, high
        self._instance.write(self._map.registers, _REGISTERS.pack(*numbers))
        self._plant()
        self._state, self._done = state, 0

    def _make_room(self, end: int) -> None:
        """Let the tree have the memory up to an address."""
        if end > self._end:
            self._instance.grow(end)
            self._end = end

    def grow(self, simulations: int) -> bool:
        """Simulate so often; False if there is nothing left to find out."""
        here, wanted = scope(), self._done + simulations
        while self._done < wanted:
            here.look()
            try:
                with watchdog.watching(self._instance, here):
                    done = self._search(wanted - self._done, here.steps)
            except Trap:
                here.look()
                self._mend()
                continue
            self._done += done
            if self._done < wanted:
                if self._certain(self._number(at.ROOT)) is not None:
                    return False
                self._make_room(self._end + (self._end - self._first))
                self._instance.write(self._map.registers + at.LIMIT, self._end.to_bytes(4, "little"))
        return True

    def _mend(self) -> None:
        """Note what comes of the simulation in which the machine code has stopped: nothing, if the rules end in an
        error there. If they do not, it is only the machine code that has no room."""
        try:
            self._play_again()
        except RulesetError:
            nothing = bytes(8 * self._engine.program.players)
            self._instance.write(self._map.registers + at.PAYOFFS, nothing)
            self._note()
            self._done += 1
        else:
            raise CannotGoOn

    def _play_again(self) -> None:
        """Go the way of the last simulation with the Python backend."""
        assert self._state is not None
        other = PythonStepper(self._engine)
        other.load(self._state)
        if self._engine.layout.counters:
            other.reseed(self._word(at.SEED))
        for number in range(self._number(at.DEPTH)):
            _, branch = _STEP.unpack(self._instance.read(self._map.registers + at.PATH + at.STEP_BYTES * number, 8))
            apply_with_forced(other, self._instance.number(branch))
        if self._number(at.DOING) == at.PLAYING:
            other.play_on(self._word(at.REST), LONGEST_REST)

    # ------------------------------------------------------------------------------------------------------ looking

    def _number(self, register: int) -> int:
        return self._instance.number(self._map.registers + register)

    def _word(self, register: int) -> int:
        return int.from_bytes(self._instance.read(self._map.registers + register, 8), "little")

    def _certain(self, node: int) -> Payoffs | None:
        return self._payoffs(_NODE.unpack(self._instance.read(node, _NODE.size))[-1])

    def _payoffs(self, address: int) -> Payoffs | None:
        """The payoffs that are kept at an address, if it is not 0."""
        if not address:
            return None
        players = self._engine.program.players
        return Struct(f"<{players}d").unpack(self._instance.read(address, 8 * players))

    @property
    def size(self) -> int:
        """The bytes that the tree takes, with the position that is searched."""
        return self._number(at.FREE) - self._first

    def found(self) -> Searched:
        """The figures by now."""
        root = self._number(at.ROOT)
        seat, _, visits, tried, _, first, certain = _NODE.unpack(self._instance.read(root, _NODE.size))
        options = []
        for number in range(tried):
            raw = self._instance.read(first + number * self._map.branch, _BRANCH.size)
            option, times, total, _, _, _, known = _BRANCH.unpack(raw)
            options.append(Tried(option, times, total, self._payoffs(known)))
        full = self._number(at.GROWN) >= MOST_BRANCHES
        return Searched(seat, visits - 1, tuple(options), self._payoffs(certain), full)
