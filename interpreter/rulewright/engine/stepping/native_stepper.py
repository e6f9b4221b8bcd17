"""A game in place, played by machine code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from hashlib import blake2b
from struct import unpack, unpack_from

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine.native.backend import Backend
from rulewright.engine.native.instance import NoRoom, Trap, watchdog
from rulewright.engine.native.lowering.instructions.question_lowering import LISTED
from rulewright.engine.native.memory_map import (
    ASK,
    EXTRAS,
    FRAME_AT,
    FUNCTION,
    LEGAL,
    OPTIONS,
    OVER,
    QUESTION,
    STATUS,
    TOP,
    WHO,
)
from rulewright.engine.native.suspended_state import SuspendedState
from rulewright.engine.random_numbers import MASK, PLAYERS, stream_key
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.states.state import State
from rulewright.engine.stepping.native_search import NativeAlphaBetaSolver, NativeInformationSetTree, NativeTree
from rulewright.engine.stepping.python_stepper import PythonStepper
from rulewright.engine.stepping.stepper import Snapshot, Stepper, rest_of
from rulewright.foundation.bit_sets import bits_of
from rulewright.host.api_arguments import whole
from rulewright.host.budgets import DECISIONS, TOTAL, scope

_Way = tuple[int | SuspendedState, tuple[int, ...]]
"""A seed or a position, and answers; among these ``-1 - seed``, where another seed was laid down."""


def _halves(word: int) -> tuple[int, int]:
    """A word as two signed numbers of 32 bits, the lower one first."""
    low, high = unpack("<2i", word.to_bytes(8, "little"))
    return low, high


class NativeStepper(Stepper):
    """One instance of the machine code, and how its state was come to.

    When an answer ends in a trap, the state is half changed. So it is found again from the last position that was kept,
    with the answers since then, and the Python backend gives the last answer: it finds out what is wrong. If nothing
    is, as native code may stop where it has no room, its state is taken over.
    """

    def __init__(self, engine: Engine, backend: Backend) -> None:
        super().__init__(engine)
        self._backend, self._instance = backend, backend.instance()
        self._scope = scope()
        self._forget = self._instance.function("forget", 1, release=False)
        self._start, self._on = self._instance.function("start", 2), self._instance.function("play_on", 4)
        self._looks = self._scope.until is not None or bool(self._scope.cancel)
        self._call, self._wide, self._narrow = self._instance.raw("step", 2, release=self._looks)
        self._wide[1] = self._scope.steps
        self._memory = self._instance.numbers(backend.native.memory.stack)
        self._origin: int | bytes = 0
        """The seed of the game, or the bytes of the position from which it goes on."""
        self._answers: list[int] = []
        """The answers since then, and seeds."""
        self._way: _Way = 0, ()
        """The way to the origin, in games in which players remember hidden pieces: see :meth:`state`."""
        self._remembers = engine.layout.known >= 0
        self.handed_over = 0
        self._asked: tuple[tuple[int, ...], Callable[[bytes], Sequence[int]]] = (), lambda _: ()
        """The cells that were last read by :meth:`numbers`, and what reads them."""
        self.apply = self._applying()  # type: ignore[assignment]

    def _applying(self) -> Callable[[int], int]:
        """Answer with an option: a function that finds everything it needs in its closure, as this is called most."""
        call, narrow, answers, failed, here = self._call, self._narrow, self._answers, self._failed, self._scope
        looks, instance = self._looks, self._instance

        def watched() -> int | None:
            here.look()
            with watchdog.watching(instance, here):
                return call()

        run = watched if looks else call

        def apply(option: int) -> int:
            try:
                narrow[0] = option
            except (TypeError, ValueError):
                raise self._wrong_option(option) from None
            error = run()
            size: int = ~narrow[0]
            if size < 0:
                return failed(option, error)
            answers.append(option)
            return size

        return apply

    def apply(self, option: int) -> int:
        """Answer with an option."""
        raise NotImplementedError  # replaced in each stepper

    def begin(self, seed: int = 0) -> int:
        """A new game."""
        whole("the seed", seed)
        self._origin = seed & MASK
        self._answers.clear()
        self._way = self._origin, ()
        try:
            with watchdog.watching(self._instance, self._scope):
                return self._again()
        except Trap:
            self._memory[OPTIONS // 4] = 0
            return self._take_over(lambda other: other.begin(seed))

    def _again(self) -> int:
        """Go to the origin; no stop is possible on the way, which has been played before."""
        if isinstance(self._origin, bytes):
            return self._put(self._origin)
        return ~self._start(self._origin, self._scope.steps)

    def _failed(self, option: int, error: int | None) -> int:
        """Report a failed answer: there is no such option, or the rules ended in an error."""
        with suppress(Trap):
            self._instance.failed(error)
            if self._narrow[0] == 0:
                raise self._wrong_option(option)
        rest = self._gone_again()
        first, answers = self._way

        def answered(other: PythonStepper) -> int:
            other.go_to(rest)
            return other.apply(option)

        size = self._take_over(answered)
        self._way = first, (*answers, option)
        return size

    def _gone_again(self) -> SuspendedState:
        """The position before an answer of which nothing came."""
        self._again()
        for answer in self._answers:
            if answer < 0:
                self._write_seed(~answer)
            else:
                self._narrow[0] = answer
                self._call()
        self._keep()
        return self.rest()

    def _offer(self) -> tuple[Sequence[int], int]:
        memory, words = self._memory, self._backend.native.questions[self._memory[QUESTION // 4]][2]
        extras = int.from_bytes(memory[EXTRAS // 4 : EXTRAS // 4 + 2].tobytes(), "little")
        at = LEGAL // 4
        if words == LISTED:
            size, begin = memory[OPTIONS // 4] - extras.bit_count(), memory[at] + 4
            return unpack(f"<{size}i", self._instance.read(begin, 4 * size)), extras
        return bits_of(int.from_bytes(memory[at : at + 2 * words].tobytes(), "little")), extras

    def _zone_of(self, piece: int) -> int:
        zone: int = self._memory[self._backend.native.memory.cell_at[self.engine.layout.loc + piece] // 4]
        return zone

    @property
    def drawn(self) -> int:
        """The counters, in memory: their lower halves, as no game draws more."""
        at = self._backend.native.memory.cell_at
        return sum(self._memory[at[counter] // 4] for counter in self.engine.layout.counters.values())

    def outcome(self) -> bytes:
        """Cells and frames without the seed and the counters."""
        memory, layout = self._backend.native.memory, self.engine.layout
        raw = bytearray(self.key())
        for cell in (layout.seed, *layout.counters.values()):
            at = memory.cell_at[cell] - memory.cells
            raw[at : at + 8] = bytes(8)
        return blake2b(raw, digest_size=16).digest()

    def reseed(self, seed: int) -> None:
        """Put another seed among the cells, as one of the answers."""
        self._write_seed(whole("the seed", seed) & MASK)
        self._answers.append(~(seed & MASK))

    def _write_seed(self, seed: int) -> None:
        layout = self.engine.layout
        self._write_word(layout.seed, seed)
        for counter in layout.counters.values():
            self._write_word(counter, 0)

    def _write_word(self, cell: int, word: int) -> None:
        at = self._backend.native.memory.cell_at[cell] // 4
        self._memory[at], self._memory[at + 1] = _halves(word)

    def play_on(self, seed: int, most: int = DECISIONS) -> bool:
        """One run of machine code; what is left is not a position, so no option of it can be taken."""
        whole("the seed", seed)
        most = min(whole("the number of decisions", most, 0), MASK >> 1)
        if most < 1 or self._memory[STATUS // 4] != ASK:
            return self._is_over()
        here = self._scope
        key = stream_key(seed & MASK, PLAYERS)
        try:
            if self._looks:
                here.look()
                with watchdog.watching(self._instance, here):
                    self._on(most, key, here.steps, TOTAL)
            else:
                self._on(most, key, here.steps, TOTAL)
        except Trap:
            rest = self._gone_again()

            def played(other: PythonStepper) -> int:
                other.go_to(rest)
                other.play_on(seed, most)
                return other.options

            self._take_over(played)
        self._memory[OPTIONS // 4] = 0
        return self._is_over()

    def alpha_beta_solver(self, memory: int) -> NativeAlphaBetaSolver | None:
        """For the engine: one with an instance of its own, if there is memory for that."""
        try:
            backend = self._backend.searching
            return NativeAlphaBetaSolver(backend, self._bytes, memory) if backend.native.alpha_beta else None
        except NoRoom:
            return None

    def tree(self, mast: bool = False) -> NativeTree | None:
        """For the engine: one with an instance of its own, if there is memory for that."""
        try:
            return NativeTree(self.engine, self._backend, mast)
        except NoRoom:
            return None

    def rates(self, query: str) -> tuple[int, ...]:
        """For the engine: calls of its function; of the Python backend where they end in a trap, which finds out what
        it is."""
        number = len(self.engine.program.functions) + self._backend.rated.index(query)
        ask, steps = self._instance.known("rating", 3, release=False), self._scope.steps
        try:
            return tuple(ask(number, player, steps) for player in range(self.engine.program.players))
        except Trap:
            other = PythonStepper(self.engine, self._scope)
            other.go_to(self.rest())
            return other.rates(query)

    def numbers(self, cells: tuple[int, ...]) -> Sequence[int]:
        """For the engine: those in memory; the plan of where they stand is kept."""
        if cells is not self._asked[0]:
            self._asked = cells, self._backend.codec.some(cells)
        memory = self._backend.native.memory
        return self._asked[1](self._instance.read(memory.cells, memory.stack - memory.cells))

    def information_set_tree(
        self, query: str = "", depth: int = 0, mast: bool = False
    ) -> NativeInformationSetTree | None:
        """For the engine: one with an instance of its own, if there is memory for that."""
        try:
            return NativeInformationSetTree(self.engine, self._backend, query, depth, mast)
        except NoRoom:
            return None

    def _is_over(self) -> bool:
        over: bool = self._memory[STATUS // 4] == OVER
        return over

    def _take_over(self, play: Callable[[PythonStepper], int]) -> int:
        """Let the Python backend play, and go where it has come to."""
        other = PythonStepper(self.engine, self._scope)
        play(other)
        self.handed_over += 1
        return self._go_to(other.rest())

    def _go_to(self, rest: SuspendedState) -> int:
        raw = self._backend.codec.encoded(rest)
        if len(raw) > self._backend.native.memory.stack_end:
            raise RulesetError(Diagnostic("RUN018", "calls are nested too deeply for the native engine"))
        self._origin = raw
        self._answers.clear()
        self._way = rest, ()
        return self._put(raw)

    def _put(self, raw: bytes) -> int:
        """Let the state be another one."""
        self._instance.write(0, raw)
        self._forget()
        return self.options

    # ------------------------------------------------------------------------------------------------------ looking

    @property
    def options(self) -> int:
        """The number that the machine has left."""
        found: int = self._memory[OPTIONS // 4]
        return found

    @property
    def seat(self) -> int | None:
        """The player to decide."""
        return self._memory[WHO // 4] if self._memory[STATUS // 4] == ASK else None

    @property
    def question(self) -> tuple[str, int] | None:
        """The question that the machine has left."""
        if self._memory[STATUS // 4] != ASK:
            return None
        function, pc, _ = self._backend.native.questions[self._memory[QUESTION // 4]]
        return self.engine.program.functions[function].name, pc

    def _numbers(self, cells: slice) -> tuple[int, ...]:
        """The values of some cells, read from memory."""
        return tuple(self._memory[at // 4] for at in self._backend.native.memory.cell_at[cells])

    @property
    def spent(self) -> int:
        """The part of the budget that the machine has not left; that of an answer of another engine is not known."""
        return self._scope.steps - self._instance.budget if self._answers or not self.handed_over else 0

    @property
    def in_move(self) -> bool:
        """The note among the cells."""
        at = self.engine.layout.in_move
        return at >= 0 and bool(self._memory[self._backend.native.memory.cell_at[at] // 4])

    def _bytes(self) -> bytes:
        return self._instance.read(0, self._memory[TOP // 4])

    def rest(self) -> SuspendedState:
        """The position, decoded."""
        return self._backend.codec.rest(self._bytes())

    def running(self, function: str) -> int:
        """For the engine: the frames of it, one after the other in memory, of which only the functions are read."""
        number = self.engine.compiled.ctx.functions.get(function)
        if number is None or self._memory[STATUS // 4] != ASK:
            return 0
        memory = self._backend.native.memory
        frames = self._instance.read(memory.stack, self._memory[TOP // 4] - memory.stack)
        at, last, found = 0, self._memory[FRAME_AT // 4] - memory.stack, 0
        while at <= last:
            (there,) = unpack_from("<i", frames, at + FUNCTION)
            found += there == number
            at += memory.frames[there].size
        return found

    def uses(self, rule: int) -> int:
        """The counter of the rule, in memory."""
        return int.from_bytes(self._instance.read(self._backend.native.fired + 8 * self._rule(rule), 8), "little")

    def key(self) -> bytes:
        """Cells and frames."""
        first = self._backend.native.memory.cells
        return self._instance.read(first, self._memory[TOP // 4] - first)

    # ------------------------------------------------------------------------------------------------------ keeping

    def snapshot(self) -> Snapshot:
        """The bytes of the state."""
        self._keep()
        return Snapshot(self._backend, self._origin, self._way)

    def _keep(self) -> None:
        """Make the position the origin."""
        self._origin = self._bytes()
        if self._remembers:
            first, answers = self._way
            self._way = first, (*answers, *self._answers)
        self._answers.clear()

    def restore(self, kept: Snapshot) -> int:
        """Put such bytes back."""
        if type(kept) is not Snapshot or kept._of is not self._backend:
            raise self._wrong_snapshot(kept)
        self._origin, self._way = kept._held, kept._way  # type: ignore[assignment]
        self._answers.clear()
        return self._again()

    def load(self, state: State) -> int:
        """Go to a state."""
        return self._go_to(rest_of(state, self.engine))

    def state(self) -> State:
        """The position as a state. What players remember of hidden pieces the machine code does not keep, as no rule
        asks for it: in such games the Python backend goes the same way."""
        if not self._remembers:
            return super().state()
        first, answers = self._way
        other = PythonStepper(self.engine, self._scope)
        other.go_to(first) if isinstance(first, SuspendedState) else other.begin(first)
        for answer in (*answers, *self._answers):
            other.reseed(~answer) if answer < 0 else other.apply(answer)
        return other.state()
