"""Games that go on at random: what a search takes a position to be worth."""

from __future__ import annotations

from math import inf

from rulewright.agents.move_averages import MoveAverages
from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.engine import (
    FIRST_LEAD,
    LONGEST_REST,
    NO_OPTION,
    Dice,
    Engine,
    Payoffs,
    RandomAnswers,
    State,
    Stepper,
    apply_with_forced,
)
from rulewright.evaluation.evaluation import Evaluation, Evaluator, queries_of
from rulewright.foundation.lazy_dataclass import dataclass

WORDS = 1 << 64
_ASKED = "agents answer for a seat; what chance gives is drawn by the weights of the decision"


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
        return (self.query,) if self.evaluation is None else queries_of(engine)

    def __str__(self) -> str:
        return f"{self.query}/{self.depth}"


class Rollouts:
    """Answers given in place, and the payoffs that they lead to."""

    def __init__(self, stepper: Stepper, rating: Rating | None = None, mast: bool = False) -> None:
        self.stepper, self.rating = stepper, rating
        self._averages = MoveAverages(stepper) if mast else None
        self.nothing: Payoffs = (0.0,) * stepper.engine.program.players
        """The payoffs of a game of which nothing can be said."""
        self._by_place = not stepper.engine.payoffs.pays
        self._low, self._high = (-1.0, 1.0) if self._by_place else (0.0, 0.0)
        """The lowest and the highest payoff that there can be, or, where the rules say what is paid, that was met."""
        learnt = rating.evaluation if rating is not None else None
        self._evaluator = Evaluator(stepper.engine, learnt) if learnt is not None else None
        if learnt is not None:
            self._low, self._high = learnt.low, learnt.high
        self._leads, self._rated = FIRST_LEAD, 1
        """The leads that were met, added up, and their number: they say what is much and what is little."""

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
        """The payoffs of a game that goes on at random, or by the averages of moves; if it is cut, what its position is
        taken to be worth."""
        try:
            payoffs = self._rest(dice.below(WORDS))
        except RulesetError:
            return self.nothing
        if self._averages is not None:
            self._averages.note(payoffs)
        return payoffs

    def _rest(self, seed: int) -> Payoffs:
        rating = self.rating
        most = rating.depth if rating is not None else LONGEST_REST
        if self._averages is not None:
            over = self._averages.play_on(seed, most)
        elif self._evaluator is not None:
            over = self._played(seed, most)
        else:
            over = self.stepper.play_on(seed, most)
        if over or rating is None:
            return self.payoffs()
        return self._estimate(rating) if self._evaluator is None else self._evaluator.payoffs(self.stepper)

    def _played(self, seed: int, most: int) -> bool:
        """Go on for so many answers; True if the game is over then. The position can be read afterwards."""
        pick, size = RandomAnswers(seed), self.stepper.options
        while size and most:
            size, most = self.stepper.apply(pick(size)), most - 1
        return not size

    def standing(self, rating: Rating) -> Payoffs:
        """For each seat how well it stands here."""
        return self.leads(rating.query) if self._evaluator is None else self._evaluator.payoffs(self.stepper)

    def leads(self, query: str) -> Payoffs:
        """By how much each seat is better than the best of the others, as a query rates them here."""
        rates = self.stepper.rates(query)
        best, *others = sorted(rates, reverse=True)
        second = others[0] if others else 0
        return tuple(float(rate - (second if rate == best else best)) for rate in rates)

    def _estimate(self, rating: Rating) -> Payoffs:
        """The leads as payoffs: 0 is the middle, and a lead as large as usual lies half the way to the end."""
        leads = self.leads(rating.query)
        usual = self._leads / self._rated
        self._leads, self._rated = self._leads + max(map(abs, leads)), self._rated + 1
        middle, spread = (self._low + self._high) / 2, self.spread or 1.0
        return tuple(middle + spread * lead / (abs(lead) + usual) for lead in leads)


def asked(at: State | Stepper) -> int:
    """The seat that is asked; RulesetError if none is, as at a draw of chance or when the game is over."""
    if at.seat is None:
        raise RulesetError(Diagnostic(NO_OPTION, "no player is asked here", hint=_ASKED))
    return at.seat
