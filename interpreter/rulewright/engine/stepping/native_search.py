"""The memory of one instance of the machine code in which a search goes on, and what is done when it stops."""

from __future__ import annotations

from struct import Struct

from rulewright.diagnostics import RulesetError
from rulewright.engine.chance_streams import MASK, stream_key
from rulewright.engine.native.backend import Backend
from rulewright.engine.native.instance import NoRoom, Trap
from rulewright.engine.native.lowering.driver.tree_search import tree_map as at
from rulewright.engine.native.watchdog import at_once, watchdog
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.search_arithmetic import FIRST_LEAD, LONGEST_REST, STREAM
from rulewright.engine.states.state import State
from rulewright.engine.stepping.python_stepper import PythonStepper
from rulewright.engine.stepping.search_trees import CannotGoOn
from rulewright.engine.stepping.stepper import apply_with_forced, rest_of
from rulewright.host.budgets import scope

FIRST_BYTES, MOST_MORE = 1 << 20, 1 << 26
"""So much room a tree has at first; then twice as much each time, but never so much more at once."""
_REGISTERS = Struct("<8I4Q4d6I")


class NativeSearch:
    """An instance, the states that are searched, and a tree behind them."""

    def __init__(
        self,
        engine: Engine,
        backend: Backend,
        reset: str,
        search: str,
        note: str,
        query: str = "",
        depth: int = 0,
        mast: bool = False,
    ) -> None:
        """The functions are given by their names. With a query simulations are cut at a depth and rated by it; with
        `mast` they go by the averages of moves."""
        backend = backend.searching
        self._query, self._cut = query, min(depth, MASK >> 33) if query else LONGEST_REST
        self._mast = mast
        self._query_number = len(engine.program.functions) + backend.rated.index(query) if query else 0
        assert backend.native.tree is not None
        self.engine, self.map = engine, backend.native.tree
        self._backend, self.instance = backend, backend.instance()
        self._reset = self.instance.function(reset, 1)
        self._search, self._note = self.instance.function(search, 2), self.instance.function(note, 1)
        self._first = backend.native.memory.end + 7 & ~7
        self._end = self._first

    def reset(self, state: State, seed: int, room: int = 0) -> int:
        """Begin a search from a state, with so much room at least; the address of the state."""
        raw = self._encoded(state)
        free = self._first + len(raw) + 7 & ~7
        moves, free = free, free + (at.BYTES_OF_MOVES if self._mast else 0)
        self._make_room(free + max(FIRST_BYTES, 2 * self.map.most) + room)
        self.instance.write(self._first, raw)
        low, high = (0.0, 0.0) if self.engine.payoffs.pays else (-1.0, 1.0)
        numbers = self._first, free, self._end, 0, 0, 0, 0, 0, stream_key(seed, STREAM), 0, 0, 0, low, high
        rating = FIRST_LEAD, 1.0, self._query_number, self._cut, *((moves, 0, 0, 0) if self._mast else (0, 0, 0, 0))
        if self._mast:
            self.instance.write(moves, bytes(at.BYTES_OF_MOVES))
        self.instance.write(self.map.registers, _REGISTERS.pack(*numbers, *rating))
        self._reset()
        return self._first

    def keep(self, state: State) -> int:
        """Put another state into the memory; its address."""
        raw, free = self._encoded(state), self.number(at.FREE)
        self._make_room(free + len(raw) + 2 * self.map.most)
        self.instance.write(free, raw)
        self._lay_down(at.FREE, free + len(raw) + 7 & ~7)
        return free

    def _encoded(self, state: State) -> bytes:
        raw = self._backend.codec.encoded(rest_of(state, self.engine))
        if len(raw) > self._backend.native.memory.stack_end:
            raise CannotGoOn
        return raw

    def _make_room(self, end: int) -> None:
        """Let the tree have the memory up to an address."""
        if end > self._end:
            try:
                self.instance.grow(end)
            except NoRoom:
                raise CannotGoOn from None
            self._end = end
            self._lay_down(at.LIMIT, end)

    def _lay_down(self, register: int, number: int) -> None:
        self.instance.write(self.map.registers + register, number.to_bytes(4, "little"))

    def simulate(self, state: State, address: int, simulations: int) -> bool:
        """Simulate so often from a state at an address; False if there was nothing left to find out."""
        here = scope()
        self._lay_down(at.SAVED, address)
        wanted = self.done + simulations
        while (left := wanted - self.done) > 0:
            here.look()
            try:
                with watchdog.watching(self.instance, here):
                    done = self._search(portion := at_once(left, here), here.steps)
            except Trap:
                here.look()
                self._mend(state)
                continue
            if done < portion:
                if self.is_certain:
                    return False
                self._make_room(self._end + min(self._end - self._first, MOST_MORE))
        return True

    def _mend(self, state: State) -> None:
        """Note what comes of the simulation in which the machine code has stopped: nothing, if the rules end in an
        error there. If they do not, it is only the machine code that has no room."""
        if self.number(at.DOING) == at.PROMISING:
            raise CannotGoOn
        try:
            self._play_again(state)
        except RulesetError:
            nothing = bytes(8 * self.engine.program.players)
            self.instance.write(self.map.registers + at.PAYOFFS, nothing)
            self._note()
        else:
            raise CannotGoOn

    def _play_again(self, state: State) -> None:
        """Go the way of the last simulation with the Python backend."""
        other = PythonStepper(self.engine)
        other.load(state)
        if self.engine.layout.counters:
            other.reseed(self._word(at.SEED))
        for number in range(self.number(at.DEPTH)):
            apply_with_forced(other, self._option(number))
        if self.number(at.DOING) in (at.PLAYING, at.ESTIMATING):
            if self._mast:
                for number in range(self.number(at.MADE)):
                    other.apply(self.instance.number(self.number(at.AVERAGES) + at.MADE_BYTES * number + 12))
                over = not other.options
            else:
                over = other.play_on(self._word(at.REST), self._cut)
            if self._query and not over:
                other.rates(self._query)

    def _option(self, number: int) -> int:
        """The number of the option on the path at a depth."""
        branch = self.number(at.PATH + at.STEP_BYTES * number + 4)
        return self.instance.number(branch + at.OPTION)

    # ------------------------------------------------------------------------------------------------------ looking

    @property
    def done(self) -> int:
        """The simulations that were made."""
        return self.instance.number(self.number(at.ROOT) + at.VISITS) - 1

    @property
    def is_certain(self) -> bool:
        """True if the payoffs are known that follow from the root."""
        return bool(self.instance.number(self.number(at.ROOT) + at.PROVEN))

    @property
    def size(self) -> int:
        """The bytes that are taken."""
        return self.number(at.FREE) - self._first

    def number(self, register: int) -> int:
        """The number in a register."""
        return self.instance.number(self.map.registers + register)

    def _word(self, register: int) -> int:
        return int.from_bytes(self.instance.read(self.map.registers + register, 8), "little")
