"""Many games at once, in the memory of one instance of the machine code."""

from __future__ import annotations

from array import array
from collections.abc import Callable

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine.chance_streams import MASK
from rulewright.engine.native.backend import Backend
from rulewright.engine.native.instance import Trap
from rulewright.engine.native.lowering.driver.step_functions import PASSED, REFUSED
from rulewright.engine.native.statuses import OVER
from rulewright.engine.native.suspended_state import SuspendedState
from rulewright.engine.native.watchdog import watchdog
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.states.state import State
from rulewright.engine.stepping.batch import Batch
from rulewright.engine.stepping.python_stepper import PythonStepper
from rulewright.host.api_arguments import whole, wrong
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
            raise wrong("the number of games", count, f"there is room for {(MOST_BYTES - self._row) // self._room}")
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
