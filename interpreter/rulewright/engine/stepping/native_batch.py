"""Many games at once in the memory of one instance of the machine code, answered by options or by numbered actions."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine.native.backend import Backend
from rulewright.engine.native.instance import Trap, watchdog
from rulewright.engine.native.lowering.driver.step_functions import PASSED, REFUSED
from rulewright.engine.native.memory_map import OVER
from rulewright.engine.native.observation_plan import ACTION, BEGIN, COUNTER, KEY, LEARNER, LOOK, SEED, Observed
from rulewright.engine.native.suspended_state import SuspendedState
from rulewright.engine.random_numbers import MASK, draw
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.states.state import State
from rulewright.engine.stepping.batch import Batch, Episodes
from rulewright.engine.stepping.python_stepper import PythonStepper
from rulewright.engine.stepping.stepper import state_of
from rulewright.host.api_arguments import invalid_argument, whole
from rulewright.host.budgets import scope

MOST_BYTES = 1 << 29
"""The states of a batch take so much memory at most."""


class NativeBatch(Batch):
    """States beside each other in the memory of one instance, behind everything else."""

    def __init__(self, engine: Engine, count: int, backend: Backend) -> None:
        super().__init__(engine, count)
        self._codec, self._room = backend.codec, backend.codec.room
        self._row = backend.native.memory.end + 7 & ~7
        self._states = self._row + 4 * count + 7 & ~7
        size = self._states + count * self._room
        if size > MOST_BYTES:
            raise invalid_argument(
                "the number of games", count, f"there is room for {(MOST_BYTES - self._row) // self._room}"
            )
        self._instance = backend.instance()
        self._at = backend.native.at
        self._instance.grow(size)
        self._start_many = self._instance.function("start_many", 7)
        self._step_many = self._instance.function("step_many", 6)

    def begin(self, seed: int = 0) -> array[int]:
        """New games."""
        whole("the seed", seed)
        self.errors.clear()

        def begun(other: PythonStepper, number: int) -> None:
            other.begin(seed + number)

        self._run(self._start_many, array("i", bytes(4 * len(self))), scope().steps, begun, seed & MASK)
        return self.options

    def _apply(self, given: array[int], steps: int) -> int:
        def answered(other: PythonStepper, number: int) -> None:
            other.go_to(self.rest(number))
            other.apply(given[number])

        found = self._run(self._step_many, given, steps, answered)
        return found.index(REFUSED) if REFUSED in found else -1

    def _run(
        self,
        call: Callable[..., int],
        given: array[int],
        steps: int,
        play: Callable[[PythonStepper, int], None],
        *more: int,
    ) -> array[int]:
        """Call a function for all games, again behind each in which it has trapped; what it has left for each.

        What such a game comes to the Python backend finds out: it is the error, or a position.
        """
        row, first, count = self._row, 0, len(self)
        self._instance.write(row, given.tobytes())
        while first < count:
            try:
                with watchdog.watching(self._instance, scope()):
                    first = call(self._states, self._room, first, count, steps, row, *more)
            except Trap:
                first = self._instance.number(self._at)
                self._instance.write(row + 4 * first, PASSED.to_bytes(4, "little", signed=True))
                self._mend(first, play)
                first += 1
        found = array("i", self._instance.read(row, 4 * count))
        if min(found) >= 0:
            self.options[:] = found
        else:
            for number, size in enumerate(found):
                if size >= 0:
                    self.options[number] = size
        return found

    def _mend(self, number: int, play: Callable[[PythonStepper, int], None]) -> None:
        """Let the Python backend find out what comes next in a game."""
        other = PythonStepper(self.engine)
        try:
            play(other, number)
            raw = self._codec.encoded(other.rest())
            if len(raw) > self._room:
                raise RulesetError(Diagnostic("RUN018", "calls are nested too deeply for a batch of games"))
        except RulesetError as error:
            self.note_error(number, error)
            raw = self._codec.encoded(SuspendedState(OVER, [0] * len(self.engine.layout.widths), [], 0, (), 0))
        else:
            self.options[number] = other.options
        self._instance.write(self._states + number * self._room, raw)

    def state(self, number: int) -> State:
        """The position of a game as a state; RulesetError in games in which players remember hidden pieces."""
        if self.engine.layout.known >= 0:
            raise RulesetError(Diagnostic("RUN018", "a batch does not keep what players remember of hidden pieces"))
        return super().state(number)

    def rest(self, number: int) -> SuspendedState:
        """For the engine: the position of a game, decoded; all is 0 in one that has ended in an error."""
        return self._codec.rest(self._instance.read(self._states + number * self._room, self._room))


MOST_EPISODE_BYTES = 1 << 30
"""The states of all games, with what is seen of them, take so much memory at most."""


class NativeEpisodes(Episodes):
    """States, entries, observations and masks beside each other, behind everything else in memory."""

    native = True

    def __init__(self, engine: Engine, count: int, backend: Backend, plan: Observed) -> None:
        super().__init__(engine, count, plan.size, plan.actions)
        self._codec, self._room = backend.codec, backend.codec.room + 7 & ~7
        at = backend.native.memory.end + 7 & ~7
        self._states = at
        self._entries = at + count * self._room + 7 & ~7
        self._rows = self._entries + count * self.stride + 63 & ~63
        self._masks = self._rows + count * 4 * self.size + 63 & ~63
        end = self._end = self._masks + count * self.actions
        if end > MOST_EPISODE_BYTES:
            each = (end - at) // count
            raise invalid_argument(
                "the number of games", count, f"there is room for {(MOST_EPISODE_BYTES - at) // each}"
            )
        self._instance = backend.instance()
        self._at = backend.native.at
        self._instance.grow(end)
        self._memory = memoryview(self._instance.numbers(end + 3 & ~3)).cast("B")
        self._act_many = self._instance.function("act_many", 8)
        self._option_in = self._instance.function("option_in", 2)

    def _part(self, begin: int, size: int) -> Any:
        return self._memory[begin : begin + size]

    @property
    def entries(self) -> Any:
        """The buffer of the entries."""
        return self._part(self._entries, self.count * self.stride)

    @property
    def observations(self) -> Any:
        """The buffer of the observations."""
        return self._part(self._rows, self.count * 4 * self.size)

    @property
    def masks(self) -> Any:
        """The buffer of the masks."""
        return self._part(self._masks, self.count * self.actions)

    def kept(self) -> bytes:
        """The bytes of all."""
        return bytes(self._part(self._states, self._end - self._states))

    def put_back(self, kept: bytes) -> None:
        """Put them back."""
        self._memory[self._states : self._end] = kept

    def act(self) -> None:
        """Call the machine code, again behind each game in which it has trapped."""
        here, first = scope(), 0
        here.look()
        while first < self.count:
            try:
                with watchdog.watching(self._instance, here):
                    first = self._go_on(first, self.count)
            except Trap:
                first = self._instance.number(self._at)
                self._mend(first)
                first += 1

    def _go_on(self, first: int, end: int) -> int:
        return self._act_many(
            self._states, self._room, first, end, scope().steps, self._entries, self._rows, self._masks
        )

    def _mend(self, number: int) -> None:
        """Let the Python backend carry out an entry, and the machine code observe it."""
        other, at = PythonStepper(self.engine), number * self.stride
        action, learner, counter = (self._number(at + place) for place in (ACTION, LEARNER, COUNTER))
        if action == BEGIN:
            counter = 0
            other.begin(self._number(at + SEED, 8))
        else:
            state = self._states + number * self._room
            other.go_to(self._codec.rest(self._instance.read(state, self._room)))
            other.apply(self._option_in(state, action))
        key = self._number(at + KEY, 8) & MASK
        while other.options and learner not in (-1, other.seat):
            chosen = 0
            if other.options > 1:
                chosen, counter = draw(key, counter, other.options)
            other.apply(chosen)
        self._put(number, other.rest())
        entries = self.entries
        entries[at + COUNTER : at + COUNTER + 8] = counter.to_bytes(8, "little")
        entries[at + ACTION : at + ACTION + 4] = LOOK.to_bytes(4, "little", signed=True)
        self._go_on(number, number + 1)

    def _number(self, at: int, size: int = 4) -> int:
        return int.from_bytes(self.entries[at : at + size], "little", signed=True)

    def _put(self, number: int, rest: SuspendedState) -> None:
        raw = self._codec.encoded(rest)
        if len(raw) > self._room:
            raise RulesetError(Diagnostic("RUN018", "calls are nested too deeply for many games at once"))
        self._instance.write(self._states + number * self._room, raw)

    def state(self, number: int) -> State:
        """The position of a game, without a log."""
        raw = self._instance.read(self._states + number * self._room, self._room)
        return state_of(self.engine, self._codec.rest(raw))
