"""The worlds in which a search plays: the position itself where everybody sees everything, else dealt ones."""

from __future__ import annotations

from rulewright.diagnostics import RulesetError
from rulewright.engine import Dice, Snapshot, State, Stepper
from rulewright.search.rollouts import WORDS, seat_to_move

MOST_WORLDS = 64
"""So many worlds are dealt at most; then the first is taken again, with other chance to come."""


class DealtWorlds:
    """Worlds that agree with what the seat to move may know, dealt when they are first needed."""

    def __init__(self, state: State, dice: Dice, hidden: bool) -> None:
        self.state, self._dice, self._hidden = state, dice, hidden
        self._dealt: list[State] = []

    def place(self, number: int) -> int:
        """The place of the world with a number among those that are dealt."""
        return number % MOST_WORLDS if self._hidden else 0

    def take(self, number: int) -> State | None:
        """The world with a number; None if none is found."""
        at = self.place(number)
        if at == len(self._dealt):
            world = self._deal() if self._hidden else self.state
            if world is None:
                return None
            self._dealt.append(world)
        return self._dealt[at]

    def _deal(self) -> State | None:
        """Another world; if none is found, one of those that were."""
        try:
            return self.state.imagine(seat_to_move(self.state), self._dice.below(WORDS))
        except RulesetError:
            return self._dealt[self._dice.below(len(self._dealt))] if self._dealt else None


class Worlds:
    """Dealt worlds as positions of a stepper."""

    def __init__(self, state: State, stepper: Stepper, dice: Dice, hidden: bool) -> None:
        self._dealt, self._stepper = DealtWorlds(state, dice, hidden), stepper
        self._kept: dict[int, Snapshot] = {}

    def take(self, number: int) -> Snapshot | None:
        """The world with a number; None if none is found."""
        at = self._dealt.place(number)
        if at not in self._kept:
            world = self._dealt.take(number)
            if world is None:
                return None
            self._stepper.load(world)
            self._kept[at] = self._stepper.snapshot()
        return self._kept[at]
