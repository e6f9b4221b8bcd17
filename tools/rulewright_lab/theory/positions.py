"""One game in place, for those who look at all that can follow: chance decides like a player, and is not drawn.

Games without chance are played by a stepper, the others by states, in which chance is a decision with weights.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable
from fractions import Fraction

from rulewright import engine
from rulewright.diagnostics import RulesetError
from rulewright.engine import EngineName, Passes, Snapshot, State, Stepper
from rulewright.ir import Program
from rulewright_lab.theory.symmetry import Symmetries


class Positions(ABC):
    """The position in which a game is, and the way to others."""

    @property
    @abstractmethod
    def options(self) -> int:
        """The number of options of who is to move; 0 if the game is over."""

    @property
    @abstractmethod
    def seat(self) -> int | None:
        """The player who is to move; None for chance, or without a decision."""

    @property
    @abstractmethod
    def weights(self) -> tuple[int, ...]:
        """The weights of the options, if chance decides."""

    @abstractmethod
    def apply(self, option: int) -> int:
        """Give an answer; the number of options of the next question."""

    @abstractmethod
    def keep(self) -> object:
        """The position, to come back to it."""

    @abstractmethod
    def go_to(self, kept: object) -> None:
        """Come back to a position."""

    @abstractmethod
    def key(self) -> Hashable:
        """The position for a table: equal keys, equal positions."""

    @property
    @abstractmethod
    def payoffs(self) -> tuple[Fraction, ...]:
        """The worth of the game that is over to each seat."""

    @abstractmethod
    def named(self) -> tuple[str, tuple[str, ...]]:
        """The question and the keys of its options, as people know them."""


class SteppedPositions(Positions):
    """Positions of a game without chance."""

    def __init__(self, stepper: Stepper) -> None:
        self.stepper = stepper

    @property
    def options(self) -> int:
        """Number of options of the stepper."""
        return self.stepper.options

    @property
    def seat(self) -> int | None:
        """The seat of the stepper."""
        return self.stepper.seat

    @property
    def weights(self) -> tuple[int, ...]:
        """None: chance has no say."""
        return ()

    def apply(self, option: int) -> int:
        """Answer."""
        return self.stepper.apply(option)

    def keep(self) -> Snapshot:
        """A snapshot."""
        return self.stepper.snapshot()

    def go_to(self, kept: object) -> None:
        """Restore a snapshot."""
        self.stepper.restore(kept)  # type: ignore[arg-type]

    def key(self) -> Hashable:
        """The key of the stepper."""
        return self.stepper.key()

    def merged_key(self, symmetries: Symmetries) -> tuple[Hashable, int]:
        """A key that symmetric positions share, and how many of them there are."""
        return symmetries.key(self.stepper.rest()) if symmetries.proved else (self.key(), 1)

    def labels(self) -> list[int]:
        """A number for each option."""
        return self.stepper.labels()

    @property
    def payoffs(self) -> tuple[Fraction, ...]:
        """Payoffs of the stepper."""
        return self.stepper.payoffs

    def named(self) -> tuple[str, tuple[str, ...]]:
        """Name of the question and keys of the options of its state."""
        return _named(self.stepper.state())


class PartPositions(SteppedPositions):
    """Positions of a part of a game, as a scenario starts one: if it is over before the game is, nothing is decided,
    and that is worth 0 to all."""

    def __init__(self, stepper: Stepper) -> None:
        super().__init__(stepper)
        self._returned = False

    @property
    def options(self) -> int:
        """The options of the stepper, none if the part is over."""
        return 0 if self._returned else self.stepper.options

    @property
    def payoffs(self) -> tuple[Fraction, ...]:
        """Payoffs of the stepper; 0 for each seat if the part is over."""
        if self._returned:
            return (Fraction(0),) * self.stepper.engine.program.players
        return self.stepper.payoffs

    def apply(self, option: int) -> int:
        """Answer; no options follow if the part is over."""
        try:
            return super().apply(option)
        except RulesetError as error:
            if error.diagnostics[0].code != RETURNED:
                raise
            self._returned = True
            return 0

    def go_to(self, kept: object) -> None:
        """Restore a snapshot, which is one of the part."""
        self._returned = False
        super().go_to(kept)

    def key(self) -> Hashable:
        """The key of the stepper; one for all ends of the part."""
        return b"" if self._returned else super().key()

    def merged_key(self, symmetries: Symmetries) -> tuple[Hashable, int]:
        """One for all ends of the part, too."""
        return (b"", 1) if self._returned else super().merged_key(symmetries)


class ChancePositions(Positions):
    """Positions of a game in which chance decides."""

    def __init__(self, state: State) -> None:
        self.state = state

    @property
    def options(self) -> int:
        """Number of options of the decision."""
        decision = self.state.decision
        return len(decision.options) if decision is not None else 0

    @property
    def seat(self) -> int | None:
        """The seat of who decides."""
        decision = self.state.decision
        return decision.seat if decision is not None else None

    @property
    def weights(self) -> tuple[int, ...]:
        """Weights of the decision."""
        decision = self.state.decision
        return decision.weights if decision is not None else ()

    def apply(self, option: int) -> int:
        """The state after an answer."""
        decision = self.state.decision
        assert decision is not None
        self.state = self.state.choose(decision.options[option])
        return self.options

    def keep(self) -> State:
        """The state itself, which never changes."""
        return self.state

    def go_to(self, kept: object) -> None:
        """Another state."""
        assert isinstance(kept, State)
        self.state = kept

    def key(self) -> bytes:
        """The canonical bytes of the state."""
        return self.state.to_bytes()

    @property
    def payoffs(self) -> tuple[Fraction, ...]:
        """Payoffs of the state."""
        return self.state.payoffs

    def named(self) -> tuple[str, tuple[str, ...]]:
        """Name of the question and keys of the options of the state."""
        return _named(self.state)


def _named(state: State) -> tuple[str, tuple[str, ...]]:
    decision = state.decision
    if decision is None:
        return "", ()
    return decision.name, tuple(option.key for option in decision.options)


RETURNED = "RUN009"
"""The code of rules that have ended without an end of the game."""


def has_chance(program: Program) -> bool:
    """True if chance has a say in a game."""
    return bool(program.streams)


def positions_of(program: Program, wanted: EngineName, passes: Passes, begin: State | None = None) -> Positions:
    """The positions of a game from its beginning, or from a state, on."""
    if has_chance(program):
        if begin is None:
            begin = engine.start(program, ask_chance=True, passes=passes)
        return ChancePositions(begin)
    stepper = engine.stepper_of(program, wanted, passes)
    if begin is None:
        stepper.begin(0)
        return SteppedPositions(stepper)
    stepper.load(begin)
    return PartPositions(stepper)
