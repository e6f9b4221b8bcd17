"""A player who looks to the end of their turn, and takes what is best for them by an evaluation that was learnt.

A turn may be several questions, of which the first changes nothing yet (a piece, and where it goes): as long as the
same seat decides it is assumed to take what is best for it, as far as there are not too many ways.

In each of some worlds that agree with what the seat knows every option is tried, with equal chance to come; the option
with the highest mean is taken (what chance is to give is drawn anew: the true outcome is not known).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from rulewright.engine import (
    Dice,
    EngineName,
    Passes,
    Payoffs,
    State,
    Stepper,
    engine_of,
    has_hidden_information,
    stepper_of,
)
from rulewright.foundation import dataclass
from rulewright.ir import Program
from rulewright.search import (
    WORDS,
    Evaluator,
    KeepGoing,
    PositionAnalysis,
    RatedAnswer,
    SteppedGame,
    Worlds,
    always,
    best,
    chances_by_mean,
    ordered,
    seat_to_move,
)
from rulewright_lab.evaluation.evaluation import Evaluation

LEARNT = "learnt"
WORLDS = 4
"""So many worlds, or outcomes of chance, are looked at."""
MOST_WAYS = 512
"""So many positions of a world are looked at, shared equally between the options."""
MOST_TRIED = 64
"""Of more options so many are tried, at random, where features are read in Python."""


@dataclass(frozen=True, slots=True)
class LearntAgent:
    """A player with an evaluation; in `noise` of a hundred decisions any option is taken."""

    evaluation: Evaluation
    noise: int = 0

    def __str__(self) -> str:
        return f"{LEARNT}:{self.evaluation}"

    def begin(self, program: Program, wanted: EngineName, passes: Passes) -> LearntPlayer:
        """The way in which it chooses in games of a program."""
        engine, learnt = engine_of(program, passes), self.evaluation
        stepper = stepper_of(learnt.program(engine), wanted, passes, learnt.queries(engine))
        hidden = has_hidden_information(engine)
        most = MOST_WAYS if learnt.is_derived else MOST_TRIED
        return LearntPlayer(stepper, learnt.evaluator(engine), self.noise, most, hidden=hidden)


class LearntPlayer:
    """A comparison of all options by an evaluation, with one stepper."""

    def __init__(self, stepper: Stepper, evaluator: Evaluator, noise: int, most: int, *, hidden: bool) -> None:
        self._stepper, self._evaluator, self._noise, self._hidden = stepper, evaluator, noise, hidden
        self._most = most
        self._tried: Callable[[], PositionAnalysis] | None = None
        self._worlds = WORLDS if hidden or stepper.engine.layout.counters else 1

    def __call__(self, state: State, dice: Dice) -> int:
        """The number of the best option of a state."""
        if dice.below(100) < self._noise:
            return dice.below(len(state.answers()))
        return best(self.analyse(state, dice), state, dice)

    def analyse(self, state: State, dice: Dice, keep_going: KeepGoing = always) -> PositionAnalysis:
        """The options that were tried, that with the highest mean first."""
        stepper, seat = self._stepper, seat_to_move(state)
        game, worlds = SteppedGame(stepper, dice), Worlds(state, stepper, dice, self._hidden)
        tried = dice.shuffled(range(len(state.answers())))[: self._most]
        totals, looked = dict.fromkeys(tried, 0.0), 0
        for number in range(self._worlds):
            world = worlds.take(number)
            if world is None:
                break
            seed = dice.below(WORDS)
            for option in tried:
                stepper.restore(world)
                stepper.reseed(seed)
                size = game.apply(option)
                payoffs = self._after(game, size, seat, MOST_WAYS // len(tried))
                totals[option] += payoffs[seat]
                looked += 1
            self._tried = partial(self._analysis, totals, looked, seat)
            if not keep_going(looked, (number + 1) / self._worlds):
                break
        self._tried = None
        return self._analysis(totals, looked, seat)

    def so_far(self) -> PositionAnalysis | None:
        """Findings of the analysis that goes on; None if there are none yet."""
        return None if self._tried is None else self._tried()

    def _analysis(self, totals: Mapping[int, float], looked: int, seat: int) -> PositionAnalysis:
        """The options that were tried, with their means after so many tries of all together."""
        if not looked:
            return PositionAnalysis((), 0)
        each, engine = looked // len(totals), self._stepper.engine
        of_two = engine.program.players == 2 and not engine.payoffs.pays
        found = []
        for option, total in totals.items():
            chances = chances_by_mean(seat, total / each) if of_two else ()
            found.append(RatedAnswer(option, each, total / each, chances))
        return PositionAnalysis(ordered(found), looked)

    def _after(self, game: SteppedGame, size: int, seat: int, ways: int) -> Payoffs:
        """The payoffs to expect after an option that leads to so many others, if the seat goes on as well as it can; so
        many ways to do so are looked at."""
        stepper = self._stepper
        if size < 0:
            return game.nothing
        if not size:
            return game.payoffs()
        if stepper.seat != seat or size > ways:
            return self._evaluator.payoffs(stepper)
        here, found = stepper.snapshot(), list[Payoffs]()
        for option in range(size):
            stepper.restore(here)
            found.append(self._after(game, game.apply(option), seat, ways // size))
        return max(found, key=lambda payoffs: payoffs[seat])
