"""Many games at once: each call answers all of them, by options, or by actions with observations in shared arrays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine.faults import NO_OPTION
from rulewright.engine.native.observation_plan import (
    ACTION,
    BEGIN,
    COUNTER,
    KEY,
    LEARNER,
    LOOK,
    PASS,
    SEED,
    STANDING,
    STATUS,
    VIEWER,
    Observed,
    entry_bytes,
)
from rulewright.engine.native.suspended_state import SuspendedState
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.states.state import State
from rulewright.engine.stepping.python_stepper import PythonStepper
from rulewright.engine.stepping.stepper import state_of
from rulewright.host.api_arguments import invalid_argument, whole
from rulewright.host.budgets import scope

FAILED = -1
"""In place of a number of options: the rules have ended in an error."""


class Batch(ABC):
    """Games that are played together::

        batch = game.batch(1000, seed=7)
        while any(size > 0 for size in batch.options):
            batch.apply([random.randrange(size) if size > 0 else -1 for size in batch.options])

    Game number *i* has seed ``seed + i``. An error of the rules ends only its own game: its number of options is -1
    then, and :attr:`errors` has what is wrong.
    """

    def __init__(self, engine: Engine, count: int) -> None:
        self.engine = engine
        try:
            self.options = array("i", bytes(4 * count))
        except (MemoryError, OverflowError):
            raise invalid_argument("the number of games", count, "so many do not fit into memory") from None
        """For each game the number of options; 0 if it is over, -1 if it has ended in an error."""
        self.errors: dict[int, RulesetError] = {}
        """The errors of the rules by the numbers of their games."""

    def __len__(self) -> int:
        return len(self.options)

    @abstractmethod
    def begin(self, seed: int = 0) -> array[int]:
        """Begin all games anew; their numbers of options."""

    def apply(self, answers: Sequence[int]) -> array[int]:
        """Give each game an answer, an option by its number, or a number below 0 for none; their numbers of options.

        Where there is no such option nothing is done, and an error is raised when the others are answered.
        """
        here = scope()
        here.look()
        if here.pools:
            raise invalid_argument("a total", here.pools[0].left, "steps of a batch cannot be counted together")
        try:
            given = answers if isinstance(answers, array) and answers.typecode == "i" else array("i", [*answers])
        except (TypeError, OverflowError):
            raise invalid_argument("the answers", answers, "they are a whole number for each game") from None
        if len(given) != len(self.options):
            raise invalid_argument("the answers", len(given), f"there are {len(self.options)} games")
        refused = self._apply(given, here.steps)
        if refused >= 0:
            message = f"game {refused} has no option {given[refused]}: there are {max(0, self.options[refused])}"
            raise RulesetError(Diagnostic(NO_OPTION, message))
        return self.options

    @abstractmethod
    def _apply(self, given: array[int], steps: int) -> int:
        """Answer all; the first game that has no such option, or -1."""

    @abstractmethod
    def rest(self, number: int) -> SuspendedState:
        """For the engine: the position of a game as cells and stack."""

    def state(self, number: int) -> State:
        """The position of a game as a state, without a log."""
        return state_of(self.engine, self.rest(self._number(number)))

    def payoffs(self, number: int) -> tuple[Fraction, ...]:
        """The worth of a game to each player, as :attr:`State.payoffs`."""
        cells, layout = self.rest(self._number(number)).cells, self.engine.layout
        return self.engine.payoffs.payoffs(cells[layout.ranks], cells[layout.paid])

    def _number(self, number: object) -> int:
        """The number of a game, if there is one with it."""
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number < len(self):
            raise invalid_argument("the number of a game", number, f"it is from 0 to {len(self) - 1}")
        return number

    def note_error(self, number: int, error: RulesetError) -> None:
        """For the engine: note that a game has ended in an error."""
        self.errors[number] = error
        self.options[number] = FAILED


class PythonBatch(Batch):
    """One stepper for each game."""

    def __init__(self, engine: Engine, count: int) -> None:
        super().__init__(engine, count)
        self._each = [PythonStepper(engine) for _ in range(count)]

    def begin(self, seed: int = 0) -> array[int]:
        """New games."""
        whole("the seed", seed)
        self.errors.clear()
        for number, one in enumerate(self._each):
            try:
                self.options[number] = one.begin(seed + number)
            except RulesetError as error:
                self.note_error(number, error)
        return self.options

    def _apply(self, given: array[int], steps: int) -> int:
        refused = -1
        for number, answer in enumerate(given):
            if answer >= max(0, self.options[number]):
                refused = number if refused < 0 else refused
            elif answer >= 0:
                try:
                    self.options[number] = self._each[number].apply(answer)
                except RulesetError as error:
                    self.note_error(number, error)
        return refused

    def rest(self, number: int) -> SuspendedState:
        """For the engine: the position of a game."""
        return self._each[number].rest()


REFUSED = -2
"""In place of a number of options: the action is not legal."""


class Episodes(ABC):
    """Games beside each other, played by actions.

    Each has an entry, with numbers at the offsets of `rulewright.engine.native.observation_plan`; the caller writes an
    action into it, or BEGIN, LOOK or PASS, and calls :meth:`act`.

    The buffers stay where they are; numpy arrays can be laid over them.
    """

    native = False
    """True if machine code plays and observes."""

    def __init__(self, engine: Engine, count: int, size: int, actions: int) -> None:
        self.engine, self.count = engine, count
        self.size, self.actions = size, actions
        layout = engine.layout
        self.ranks = layout.ranks.stop - layout.ranks.start
        """The number of cells with the result of a game; behind them stand those of what was paid."""
        self.paid = (layout.paid.stop or 0) - (layout.paid.start or 0)
        self.stride = entry_bytes(self.ranks + self.paid)
        """The bytes of an entry."""

    @property
    @abstractmethod
    def entries(self) -> Any:
        """The buffer of the entries."""

    @property
    @abstractmethod
    def observations(self) -> Any:
        """The buffer of the observations, floats of 32 bits."""

    @property
    @abstractmethod
    def masks(self) -> Any:
        """The buffer of the masks, a byte for each action."""

    @abstractmethod
    def act(self) -> None:
        """Do in each game the command of its entry, let other seats decide at random until the learner of the entry
        decides, and observe it. RulesetError if the rules of one end in an error."""

    @abstractmethod
    def state(self, number: int) -> State:
        """The position of a game."""

    @abstractmethod
    def kept(self) -> Any:
        """The games as they are, to be pickled."""

    @abstractmethod
    def put_back(self, kept: Any) -> None:
        """Take over games that were kept, from as many of the same rules."""

    def payoffs(self, number: int) -> tuple[Fraction, ...]:
        """The worth of a game to each seat, see :attr:`State.payoffs`."""
        return self.state(number).payoffs


__all__ = [
    "ACTION",
    "BEGIN",
    "COUNTER",
    "Episodes",
    "KEY",
    "LEARNER",
    "LOOK",
    "Observed",
    "PASS",
    "REFUSED",
    "SEED",
    "STATUS",
    "STANDING",
    "VIEWER",
]
