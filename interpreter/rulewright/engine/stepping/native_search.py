"""Searches in the memory of one instance of the machine code: trees of options, and alpha-beta to the end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from struct import Struct
from types import SimpleNamespace

from rulewright.diagnostics import RulesetError
from rulewright.engine.kernels import alpha_beta, information_sets, move_averages, tree
from rulewright.engine.native.backend import Backend
from rulewright.engine.native.instance import NoRoom, Trap, at_once, watchdog
from rulewright.engine.native.lowering.driver import alpha_beta_functions as ab
from rulewright.engine.native.lowering.driver.tree_search import tree_map as at
from rulewright.engine.native.translation.record_layout import RecordView
from rulewright.engine.random_numbers import MASK, stream_key
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.search_arithmetic import LONGEST_REST, MOST_BRANCHES, MOST_ENTRIES, PLACE_BITS, STREAM, WIDE
from rulewright.engine.states.state import State
from rulewright.engine.stepping.python_stepper import PythonStepper
from rulewright.engine.stepping.search_results import (
    AlphaBetaSolver,
    CannotGoOn,
    InformationSetTree,
    OptionStatistics,
    Payoffs,
    RootStatistics,
    SearchTree,
    Stop,
)
from rulewright.engine.stepping.stepper import apply_with_forced, rest_of
from rulewright.host.budgets import scope

FIRST_BYTES, MOST_MORE = 1 << 20, 1 << 26
"""So much room a tree has at first; then twice as much each time, but never so much more at once."""
_REGISTERS = Struct("<4I4Q3I")


class NativeSearch:
    """A search in one world: an instance, the state that is searched, and the records of the tree behind it."""

    kernel: tuple[type, ...] = tree.Tree, tree.Node, tree.Step

    def __init__(
        self, engine: Engine, backend: Backend, behind: str = "", query: str = "", depth: int = 0, mast: bool = False
    ) -> None:
        """The names of the functions end with `behind`. With a query simulations are cut at a depth and rated by it;
        with `mast` they go by the averages of moves."""
        backend = backend.searching
        self._query, self._cut = query, min(depth, MASK >> 33) if query else LONGEST_REST
        self._mast = mast
        self._query_number = len(engine.program.functions) + backend.rated.index(query) if query else 0
        assert backend.native.tree is not None
        self.engine, self.map = engine, backend.native.tree
        self._backend, self.instance = backend, backend.instance()
        self._reset = self.instance.function(f"reset{behind}", 1)
        self._search = self.instance.function(f"search{behind}", 2)
        self._note = self.instance.function(f"note{behind}", 1)
        self.records = RecordView(self.map.layouts, self.instance.read)
        self._first = backend.native.memory.end + 7 & ~7
        self._end = self._first

    def reset(self, state: State, seed: int, room: int = 0) -> int:
        """Begin a search from a state, with so much room at least; the address of the state."""
        raw = self._encoded(state)
        free = self._first + len(raw) + 7 & ~7
        self._make_room(free + max(FIRST_BYTES, 2 * self.map.most) + room + (4 << PLACE_BITS))
        self.instance.write(self._first, raw)
        numbers = self._first, free, self._end, 0, stream_key(seed, STREAM), 0, 0, 0
        averages = at.GREEDY if self._mast else at.NOTED if self._is_wide(state) else 0
        self.instance.write(self.map.registers, _REGISTERS.pack(*numbers, self._query_number, self._cut, averages))
        self._reset()
        return self._first

    def _is_wide(self, state: State) -> bool:
        """True if the averages of moves say which options are tried first."""
        return len(state.answers()) > WIDE

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
        error there; one that ends in a look at an option begins anew. If they do not, it is only the machine code that
        has no room."""
        is_look = self.number(at.DOING) == at.PROMISING
        if is_look and not self.looks:
            raise CannotGoOn
        try:
            self._play_again(state)
        except RulesetError:
            if is_look:
                return
            nothing = bytes(8 * self.engine.program.players)
            self.instance.write(self.map.registers + at.PAYOFFS, nothing)
            self._note(self.map.registers + at.PAYOFFS)
        else:
            raise CannotGoOn

    def _play_again(self, state: State) -> None:
        """Go the way of the last simulation with the Python backend."""
        other = PythonStepper(self.engine)
        other.load(state)
        if self.engine.layout.counters:
            other.reseed(self._word(at.SEED))
        for option in self.way:
            apply_with_forced(other, option)
        if self.number(at.DOING) == at.PROMISING:
            for option in self.looks:
                apply_with_forced(other, option)
        if self.number(at.DOING) == at.PLAYING:
            averages = self.records.record(move_averages.MoveAverages, self.map.averages)
            if averages.is_noting:
                for made in averages.made:
                    other.apply(self.records.record(move_averages.Made, made).number)
                over = not other.options
            else:
                over = other.play_on(self._word(at.REST), self._cut)
            if self._query and not over:
                other.rates(self._query)

    # ------------------------------------------------------------------------------------------------------ looking

    @property
    def tree(self) -> SimpleNamespace:
        """The tree."""
        return self.records.record(self.kernel[0], self.map.tree)

    @property
    def root(self) -> SimpleNamespace:
        """The root of the tree."""
        return self.records.record(self.kernel[1], self.tree.root)

    @property
    def done(self) -> int:
        """The simulations that were made: the visits of the root."""
        visits: int = self.root.visits
        return visits - 1

    @property
    def is_certain(self) -> bool:
        """True if the payoffs are known that follow from the root."""
        return bool(self.root.certain)

    @property
    def path(self) -> list[SimpleNamespace]:
        """The path of the last simulation."""
        return [self.records.record(self.kernel[2], step) for step in self.tree.path]

    @property
    def way(self) -> Iterator[int]:
        """The numbers of the options on the path of the last simulation."""
        return (self.records.record(tree.Branch, step.branch).option for step in self.path)

    @property
    def looks(self) -> Sequence[int]:
        """The options that were looked at last, one behind the other."""
        return [option for option in (self.tree.looked, self.tree.reply) if option >= 0]

    @property
    def size(self) -> int:
        """The bytes that are taken."""
        return self.number(at.FREE) - self._first

    def number(self, register: int) -> int:
        """The number in a register."""
        return self.instance.number(self.map.registers + register)

    def _word(self, register: int) -> int:
        return int.from_bytes(self.instance.read(self.map.registers + register, 8), "little")


class _WorldSearch(NativeSearch):
    """A search in several worlds: options go by other numbers in each, and nothing becomes certain."""

    kernel = information_sets.WorldTree, information_sets.Node, information_sets.Step
    is_certain = False
    looks = ()

    def _is_wide(self, state: State) -> bool:
        return False

    @property
    def tree(self) -> SimpleNamespace:
        """The tree for all worlds."""
        return self.records.record(information_sets.WorldTree, self.map.worlds)

    @property
    def way(self) -> Iterator[int]:
        """The numbers in the world."""
        return (step.number for step in self.path)


class NativeTree(SearchTree):
    """A search by machine code, the same as that of :mod:`rulewright.search.tree_search` step by step."""

    def __init__(self, engine: Engine, backend: Backend, mast: bool = False) -> None:
        self._search = NativeSearch(engine, backend, mast=mast)
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
        search, root = self._search, self._search.root
        options = []
        for address in root.branches:
            one = search.records.record(tree.Branch, address)
            options.append(OptionStatistics(one.option, one.visits, one.total, self._payoffs(one.certain)))
        full = search.tree.branches >= MOST_BRANCHES
        return RootStatistics(root.seat, root.visits - 1, tuple(options), self._payoffs(root.certain), full)

    def _payoffs(self, address: int) -> Payoffs | None:
        """The payoffs that are kept at an address, if it is not 0."""
        if not address:
            return None
        players = self._search.engine.program.players
        return Struct(f"<{players}d").unpack(self._search.instance.read(address, 8 * players))


class NativeInformationSetTree(InformationSetTree):
    """A search by machine code, the same as that of :mod:`rulewright.search.information_set_search` step by step."""

    def __init__(self, engine: Engine, backend: Backend, query: str = "", depth: int = 0, mast: bool = False) -> None:
        self._search = _WorldSearch(engine, backend, "_worlds", query, depth, mast)
        self._worlds: dict[int, int] = {}
        """The addresses of the worlds."""

    def reset(self, state: State, seed: int) -> None:
        """Begin a search from a state, with the numbers that follow from a seed."""
        self._search.reset(state, seed, 4 << information_sets.LIST_BITS)
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
        search, root, tried = self._search, self._search.root, []
        size = search.map.layouts.of(information_sets.Entry).size
        for place in range(root.mask + 1 if root.count else 0):
            one = search.records.record(information_sets.Entry, root.table + place * size)
            if one.possible > 0:
                tried.append(OptionStatistics(one.number, one.visits, one.total, None))
        tried.sort(key=lambda one: one.option)
        full = search.tree.entries >= MOST_ENTRIES
        return RootStatistics(root.seat, root.visits - 1, tuple(tried), None, full)


WAY = 1 << 24
"""The bytes for the positions on the way, of a search that needs no more."""
MOST_TABLE_BYTES = 3 << 30
"""The bytes that a table takes at most: addresses have 32 bits."""
_UNLIMITED = (1 << 63) - 1
_NUMBER, _WORD = Struct("<i"), Struct("<Q")
_STOPS: dict[int, Stop] = {
    alpha_beta.GOES_ON: "looks", alpha_beta.DONE: "done", alpha_beta.SPENT: "spent",
    alpha_beta.COMES_AGAIN: "comes again", alpha_beta.DIFFERS: "differs",
}  # fmt: skip


def _place(name: str) -> int:
    """The register of a field of the search."""
    return ab.SEARCH + ab.LAYOUTS.of(alpha_beta.AlphaBeta).fields[name][0]


class NativeAlphaBetaSolver(AlphaBetaSolver):
    """The alpha-beta search of the solver in machine code, position by position."""

    def __init__(self, backend: Backend, position: Callable[[], bytes], memory: int) -> None:
        """`position` gives the bytes of the state to begin with; the table takes so much memory at most."""
        self._instance, self._position, self._at = backend.instance(), position, backend.native.alpha_beta
        self._ask, self._prove = self._instance.function("ask", 1), self._instance.function("prove", 1)
        self._forget = self._instance.function("forget", 1, release=False)
        pairs = 1 << max(4, (min(memory, MOST_TABLE_BYTES) // (2 * ab.ENTRY_BYTES)).bit_length() - 1)
        table = backend.native.memory.end + 7 & ~7
        self._first = table + pairs * 2 * ab.ENTRY_BYTES
        self._end = self._first
        self._set(ab.TABLE, table)
        self._set(ab.MASK, pairs - 1)
        self._make_room(self._first + WAY)
        self._most: int | None = None

    @property
    def positions(self) -> int:
        """The register, in memory."""
        return int.from_bytes(self._instance.read(self._at + ab.POSITIONS, 8), "little")

    @positions.setter
    def positions(self, number: int) -> None:
        self._instance.write(self._at + ab.POSITIONS, _WORD.pack(number))

    @property
    def result(self) -> int:
        """The register, in memory."""
        return self._instance.number(self._at + _place("result"))

    @property
    def sums(self) -> tuple[int, ...]:
        """The registers, in memory."""
        if not self._instance.number(self._at + ab.SUM_KNOWN):
            return ()
        one, other = (self._instance.number(self._at + register) for register in (ab.SUM, ab.OTHER))
        return (one, other) if self._instance.number(self._at + ab.TWO_SUMS) else (one,)

    @sums.setter
    def sums(self, known: tuple[int, ...]) -> None:
        self._set(ab.SUM_KNOWN, len(known))
        self._set(ab.SUM, sum(known))

    def _set(self, register: int, number: int) -> None:
        self._instance.write(self._at + register, _NUMBER.pack(number))

    def _make_room(self, end: int) -> None:
        """Let the way have the memory up to an address."""
        self._instance.grow(end)
        self._end = end
        self._instance.write(self._at + ab.LIMIT, end.to_bytes(4, "little"))

    def look_ahead(self, answers: int, beyond: int) -> None:
        """The registers, in memory."""
        self._set(_place("horizon"), answers)
        self._set(_place("beyond"), beyond)

    def ask(self, wanted: int, most: int | None) -> None:
        """Put the position into the memory, and begin."""
        self._most = most
        self._instance.write(0, self._position())
        self._forget()
        self._set(_place("wanted"), wanted)
        self._instance.write(self._at + ab.FREE, self._first.to_bytes(4, "little"))
        self._instance.write(self._at + ab.MOST, _WORD.pack(_UNLIMITED if most is None else min(most, _UNLIMITED)))
        try:
            self._ask(scope().steps)
        except Trap:
            scope().look()
            raise CannotGoOn from None

    def go_on(self, positions: int) -> Stop:
        """Go on from what stands in memory; where the way needs more room the search begins anew, with all it knows."""
        here = scope()
        self._instance.write(self._at + ab.STOP, _WORD.pack(self.positions + positions))
        while True:
            try:
                with watchdog.watching(self._instance, here):
                    stop = self._prove(here.steps)
            except Trap:
                here.look()
                raise CannotGoOn from None
            if stop != alpha_beta.NO_ROOM:
                return _STOPS[stop]
            try:
                self._make_room(2 * self._end - self._first)
            except (NoRoom, OverflowError):
                raise CannotGoOn from None
            self.ask(self._instance.number(self._at + _place("wanted")), self._most)
