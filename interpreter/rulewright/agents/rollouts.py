"""Games that go on at random: what a search takes a position to be worth."""

from __future__ import annotations

from math import inf

from rulewright.diagnostics import RulesetError
from rulewright.engine import LONGEST_REST, Dice, Payoffs, State, Stepper, apply_with_forced

WORDS = 1 << 64


class Rollouts:
    """Answers given in place, and the payoffs that they lead to."""

    def __init__(self, stepper: Stepper) -> None:
        self.stepper = stepper
        self.nothing: Payoffs = (0.0,) * stepper.engine.program.players
        """The payoffs of a game of which nothing can be said."""
        self._by_place = not stepper.engine.payoffs.pays
        self._low, self._high = (-1.0, 1.0) if self._by_place else (0.0, 0.0)
        """The lowest and the highest payoff that there can be, or, where the rules say what is paid, that was met."""

    def apply(self, option: int) -> int | None:
        """Answer, and give all answers that follow by themselves; the options of the next question, None if the rules
        end in an error: whoever takes it in the game itself is told."""
        try:
            return apply_with_forced(self.stepper, option)
        except RulesetError:
            return None

    @property
    def spread(self) -> float:
        """The distance of payoffs from their middle at most: a bonus for few visits is measured by it."""
        return (self._high - self._low) / 2

    @property
    def best(self) -> float:
        """The highest payoff that there can be: who is certain of it need not look further."""
        return self._high if self._by_place else inf

    def payoffs(self) -> Payoffs:
        """The payoffs of the game that is over, or what was paid so far."""
        found = tuple(map(float, self.stepper.payoffs)) or self.nothing
        if not self._by_place:
            self._low, self._high = min(self._low, *found), max(self._high, *found)
        return found

    def rest(self, dice: Dice) -> Payoffs:
        """The payoffs of a game that goes on at random."""
        try:
            self.stepper.play_on(dice.below(WORDS), LONGEST_REST)
        except RulesetError:
            return self.nothing
        return self.payoffs()


def asked(at: State | Stepper) -> int:
    """The seat that is asked."""
    assert at.seat is not None
    return at.seat
