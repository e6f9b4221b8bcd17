"""Games that go on at random: what a search takes a position to be worth.

What is played and noted is a kernel, :mod:`rulewright.engine.kernels.rollouts`: CPython runs it here.

Long lists of options: which are looked at first, and how many of them.

Progressive widening (G. Chaslot and others, *Progressive strategies for Monte-Carlo tree search*, New Mathematics and
Natural Computation 4(3), 2008; R. Coulom, *Computing Elo ratings of move patterns in the game of Go*, ICGA Journal
30(4), 2007): a node begins with a few options, the most promising first, and takes in more as it is visited more often.
Options are promising by the value of a query one answer ahead; without a query they come in random order.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from math import inf
from typing import Protocol

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine import (
    LONGEST_REST,
    NO_OPTION,
    Dice,
    Engine,
    Payoffs,
    RandomAnswers,
    Snapshot,
    State,
    Stepper,
    apply_with_forced,
    is_decided_at_once,
    most_options,
    move_averages_kernel,
    rollouts_kernel,
)
from rulewright.foundation.lazy_dataclass import dataclass

WORDS = 1 << 64
_ASKED = "agents answer for a seat; what chance gives is drawn by the weights of the decision"


class Evaluator(Protocol):
    """The estimates of one evaluation for the positions of steppers of one engine, which know its queries."""

    def payoffs(self, stepper: Stepper) -> Payoffs:
        """The payoff that each seat can expect in the position of a stepper."""


class Evaluation(Protocol):
    """An estimate of positions from outside of the rules, such as one that was learnt."""

    @property
    def low(self) -> float:
        """The lowest payoff that it expects."""

    @property
    def high(self) -> float:
        """The highest payoff that it expects."""

    def queries(self, engine: Engine) -> tuple[str, ...]:
        """The queries that a stepper must know for it."""

    def evaluator(self, engine: Engine) -> Evaluator:
        """The evaluator of positions of a game."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A query of the rules, or an evaluation that was learnt: it tells how well a player stands, and is asked after so
    many answers."""

    query: str
    """The query, or the words that name the evaluation."""
    depth: int
    evaluation: Evaluation | None = None

    def asks(self, engine: Engine) -> tuple[str, ...]:
        """The queries that a stepper must know."""
        return (self.query,) if self.evaluation is None else self.evaluation.queries(engine)

    def __str__(self) -> str:
        return f"{self.query}/{self.depth}"


class SteppedGame:
    """The game of a stepper as kernels play it (:class:`rulewright.engine.kernels.vocabulary.RolloutGame`)."""

    has_room = True

    def __init__(self, stepper: Stepper, dice: Dice, rating: Rating | None = None, mast: bool = False) -> None:
        """Rollouts are cut and rated, or go by the averages of moves."""
        self.stepper, self.rating, self._dice, self.by_moves = stepper, rating, dice, mast
        engine = stepper.engine
        self.has_chance, self.players = bool(engine.layout.counters), engine.program.players
        self.nothing: Payoffs = (0.0,) * self.players
        """The payoffs of an unknown game."""
        self.pays, self.rates = engine.payoffs.pays, rating is not None
        self.cut = LONGEST_REST if rating is None else rating.depth
        self.lowest, self.highest = (0.0, 0.0) if self.pays else (-1.0, 1.0)
        learnt = rating.evaluation if rating is not None else None
        self._evaluator = learnt.evaluator(engine) if learnt is not None else None
        self.is_learnt = learnt is not None
        if learnt is not None:
            self.lowest, self.highest = learnt.low, learnt.high
        self.best = inf if self.pays else self.highest
        self.offered: Sequence[int] = ()
        self.is_wide = False
        self._begin: Snapshot | None = None
        self._kept: Snapshot | None = None
        self._questions: dict[Hashable, int] = {}
        self._seed, self._pick = 0, RandomAnswers(0)
        self.rollouts = rollouts_kernel.Rollouts(self, move_averages_kernel.MoveAverages(self))
        self.rollouts.reset()

    @property
    def most_options(self) -> int:
        """The most options of the game."""
        return most_options(self.stepper.engine.program, self.stepper.engine.layout)

    @property
    def options(self) -> int:
        """The options of the stepper."""
        return self.stepper.options

    @property
    def seat(self) -> int:
        """The seat of the stepper."""
        return seat_to_move(self.stepper)

    @property
    def drawn(self) -> int:
        """The numbers that the stepper has drawn."""
        return self.stepper.drawn if self.has_chance else 0

    @property
    def spread(self) -> float:
        """The spread of payoffs by now."""
        return self.rollouts.spread

    def lay_down(self, position: Snapshot) -> None:
        """Let a position be the one that is searched."""
        self._begin = position

    def go_back(self) -> None:
        """Restore the position."""
        assert self._begin is not None
        self.stepper.restore(self._begin)

    def has_room_for(self, entries: int) -> bool:
        """True."""
        return True

    @property
    def is_at_once(self) -> bool:
        """True if several answer the question at once."""
        place = self.stepper.question
        return place is not None and is_decided_at_once(self.stepper.engine, place)

    @property
    def question(self) -> int:
        """Questions are numbered as they are met, by their place in the rules and their seat."""
        return self._questions.setdefault((self.stepper.question, self.seat), len(self._questions))

    def number_options(self) -> None:
        """Take each option for its number."""
        self.offered = range(self.stepper.options)

    def offer(self) -> None:
        """Describe the options."""
        self.offered = self.stepper.offered()

    def keep_position(self) -> None:
        """Keep a snapshot."""
        self._kept = self.stepper.snapshot()

    def put_back(self) -> None:
        """Restore the snapshot."""
        assert self._kept is not None
        self.stepper.restore(self._kept)

    def look(self, option: int) -> int:
        """Answer."""
        return self.apply(option)

    def lead(self, seat: int) -> float:
        """The lead of a seat, or what the evaluation expects."""
        return self.rollouts.lead(seat) if self._evaluator is None else self.expected()[seat]

    def begin(self) -> None:
        """Restore the position, and draw a seed."""
        self.go_back()
        if self.has_chance:
            self.stepper.reseed(self._dice.below(WORDS))

    def apply(self, option: int) -> int:
        """Answer; less than 0 at an error of the rules: it is raised where the option is taken in the game itself."""
        try:
            return apply_with_forced(self.stepper, option)
        except RulesetError:
            return -1

    def outcome(self) -> int:
        """The first 64 bits of the digest."""
        return int.from_bytes(self.stepper.outcome()[:8], "little")

    def payoffs(self) -> Payoffs:
        """The payoffs of the game that is over, or what was paid so far."""
        return tuple(self.rollouts.payoffs())

    def keep(self, payoffs: Sequence[float]) -> Sequence[float]:
        """Give them back: nothing overwrites them."""
        return payoffs

    def rest(self) -> Payoffs:
        """The payoffs of a rollout; of one that ends in an error of the rules nothing is noted."""
        try:
            return tuple(self.rollouts.rest(self._dice.below(WORDS)))
        except RulesetError:
            return self.nothing

    # --------------------------------------------------------------------------------------------- for the rollouts

    def open_stream(self, seed: int) -> None:
        """Begin the stream of a seed."""
        self._seed = seed
        if self.by_moves or self.is_wide or self.is_learnt:
            self._pick = RandomAnswers(seed)

    def draw(self, size: int) -> int:
        """A number of the stream."""
        return self._pick(size)

    def answer(self, option: int) -> int:
        """Answer; an error of the rules is raised."""
        return self.stepper.apply(option)

    def play_on(self, most: int) -> bool:
        """Go on at random; step by step where the position is to be read afterwards."""
        if not self.is_learnt:
            return self.stepper.play_on(self._seed, most)
        size = self.stepper.options
        while size and most:
            size, most = self.stepper.apply(self._pick(size)), most - 1
        return not size

    def end(self) -> Payoffs:
        """The payoffs of the stepper as floats."""
        return tuple(map(float, self.stepper.payoffs)) or self.nothing

    def ratings(self) -> Sequence[float]:
        """The answers of the query."""
        assert self.rating is not None
        return tuple(map(float, self.stepper.rates(self.rating.query)))

    def expected(self) -> Payoffs:
        """The payoffs that the evaluation expects."""
        assert self._evaluator is not None
        return self._evaluator.payoffs(self.stepper)


def seat_to_move(at: State | Stepper) -> int:
    """The seat to move; RulesetError if none is, as at a draw of chance or when the game is over."""
    if at.seat is None:
        raise RulesetError(Diagnostic(NO_OPTION, "no player is asked here", hint=_ASKED))
    return at.seat
