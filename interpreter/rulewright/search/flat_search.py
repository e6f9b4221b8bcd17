"""Flat Monte Carlo: every option is tried equally often, each game goes on from there at random, and nothing is learnt.

All options are tried in one world, and with one seed of what chance is to give, before the next: so they are compared
under equal conditions (common random numbers).
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.engine import Dice, State, Stepper
from rulewright.search.position_analysis import (
    Effort,
    KeepGoing,
    PositionAnalysis,
    RatedAnswer,
    WinRates,
    always,
    best,
    ordered,
)
from rulewright.search.rollouts import WORDS, Rating, SteppedGame, seat_to_move
from rulewright.search.worlds import Worlds


class FlatSearch:
    """A comparison of all options, with one stepper."""

    def __init__(self, stepper: Stepper, effort: Effort, rating: Rating | None = None, *, hidden: bool) -> None:
        self._stepper, self._effort, self._rating, self._hidden = stepper, effort, rating, hidden
        self._compared: Callable[[], PositionAnalysis] | None = None

    def __call__(self, state: State, dice: Dice) -> int:
        """The number of the best option of a state."""
        return best(self.analyse(state, dice), state, dice)

    def analyse(self, state: State, dice: Dice, keep_going: KeepGoing = always) -> PositionAnalysis:
        """The options that were tried, that with the highest mean first."""
        stepper, rates, seat = self._stepper, WinRates(), seat_to_move(state)
        game = SteppedGame(stepper, dice, self._rating)  # it measures by what it meets: nothing of other positions
        worlds, options = Worlds(state, stepper, dice, self._hidden), dice.shuffled(range(len(state.answers())))
        totals, tries, seed, looked = dict[int, float](), dict[int, int](), 0, 0

        def compared() -> PositionAnalysis:
            found = (RatedAnswer(one, tries[one], totals[one] / tries[one], rates.chances(one)) for one in totals)
            return PositionAnalysis(ordered(found), looked)

        self._compared = compared
        for number in self._effort.rounds(keep_going):
            turn, at = divmod(number, len(options))
            if at == 0:
                seed = dice.below(WORDS)
            world = worlds.take(turn)
            if world is None:
                break
            stepper.restore(world)
            stepper.reseed(seed)
            option = options[at]
            size = game.apply(option)
            payoffs = game.rest() if size > 0 else game.nothing if size < 0 else game.payoffs()
            totals[option] = totals.get(option, 0.0) + payoffs[seat]
            tries[option] = tries.get(option, 0) + 1
            rates.note(option, payoffs)
            looked += 1
        self._compared = None
        return compared()

    def so_far(self) -> PositionAnalysis | None:
        """Findings of the analysis that goes on; None if there are none yet."""
        return None if self._compared is None else self._compared()
