"""The worlds in which a search plays: the position itself where everybody sees everything, else dealt ones."""

from __future__ import annotations

from rulewright.agents.rollouts import WORDS, asked
from rulewright.diagnostics import RulesetError
from rulewright.engine import Dice, Snapshot, State, Stepper

MOST_WORLDS = 64
"""So many worlds are dealt at most; then the first is taken again, with other chance to come."""


class Worlds:
    """Worlds that agree with what the seat that is asked may know, dealt when they are first needed."""

    def __init__(self, state: State, stepper: Stepper, dice: Dice, hidden: bool) -> None:
        self._state, self._stepper, self._dice, self._hidden = state, stepper, dice, hidden
        self._dealt: list[Snapshot] = []

    def take(self, number: int) -> Snapshot | None:
        """The world with a number; None if none is found."""
        at = number % MOST_WORLDS if self._hidden else 0
        if at == len(self._dealt):
            world = self._deal()
            if world is None:
                return None
            self._dealt.append(world)
        return self._dealt[at]

    def _deal(self) -> Snapshot | None:
        """Another world; if none is found, one of those that were."""
        stepper, state = self._stepper, self._state
        if not self._hidden:
            stepper.load(state)
            return stepper.snapshot()
        try:
            stepper.load(state.imagine(asked(state), self._dice.below(WORDS)))
        except RulesetError:
            return self._dealt[self._dice.below(len(self._dealt))] if self._dealt else None
        return stepper.snapshot()
