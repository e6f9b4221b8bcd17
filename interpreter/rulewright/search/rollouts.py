"""Games that go on at random: what a search takes a position to be worth.

Rollouts that prefer what was good elsewhere in the search: the move-average sampling technique (MAST).

H. Finnsson, Y. Björnsson, *Simulation-based approach to general game playing*, AAAI 2008; with a part of the answers
at random in place of a Gibbs distribution, as in M. Tak, M. Winands, Y. Björnsson, *N-grams and the last-good-reply
policy applied in general game playing*, IEEE Transactions on Computational Intelligence and AI in Games 4(2), 2012.

A move is the same in two positions if the same seat has the same question of the rules and takes what is the same
there: the member that is chosen, of pieces their kind and the zone where they lie, or the word. Averages are those of
one search, over the answers that were given outside of its tree.

The machine code of :mod:`rulewright.engine.native.lowering.driver.tree_search.simulation_functions` does the same,
with the same numbers.

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
    FIRST_LEAD,
    LONGEST_REST,
    MAST_BEST,
    MAST_OF,
    MOST_MOVES,
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
)
from rulewright.foundation.lazy_dataclass import dataclass


class MoveAverages:
    """The mean payoff of each move, and games that go on by them."""

    def __init__(self, stepper: Stepper) -> None:
        self._stepper = stepper
        self._known: dict[Hashable, tuple[int, float]] = {}
        """For each move: how often it was made, and the payoffs of who made it, added up."""
        self._made: list[tuple[int, Hashable]] = []
        """The moves of the game that was played last, each with its seat."""

    def play_on(self, seed: int, most: int) -> bool:
        """Go on for so many answers; True if the game is over then."""
        stepper, pick = self._stepper, RandomAnswers(seed)
        self._made.clear()
        size = stepper.options
        while size and most:
            number = 0
            if size > 1:
                here = stepper.question, stepper.seat
                moves = [(*here, option) for option in stepper.offered()]
                best = self._best(moves) if pick(MAST_OF) < MAST_BEST else None
                number = pick(size) if best is None else best
                assert stepper.seat is not None
                self._made.append((stepper.seat, moves[number]))
            size, most = stepper.apply(number), most - 1
        return not size

    def _best(self, moves: Sequence[tuple[Hashable, ...]]) -> int | None:
        """The number of the move with the highest mean; None if nothing is known of any."""
        best, most = None, float("-inf")
        for number, move in enumerate(moves):
            if move in self._known:
                count, total = self._known[move]
                if total / count > most:
                    best, most = number, total / count
        return best

    def note(self, payoffs: Payoffs) -> None:
        """Note what the moves of the game that was played last have led to."""
        for seat, move in self._made:
            count, total = self._known.get(move, (0, 0.0))
            if count or len(self._known) < MOST_MOVES:
                self._known[move] = count + 1, total + payoffs[seat]


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


class Rollouts:
    """Answers given in place, and the payoffs that they lead to."""

    def __init__(self, stepper: Stepper, rating: Rating | None = None, mast: bool = False) -> None:
        self.stepper, self.rating = stepper, rating
        self._averages = MoveAverages(stepper) if mast else None
        self.nothing: Payoffs = (0.0,) * stepper.engine.program.players
        """The payoffs of an unknown game."""
        self._by_place = not stepper.engine.payoffs.pays
        self._low, self._high = (-1.0, 1.0) if self._by_place else (0.0, 0.0)
        """The lowest and the highest payoff that there can be, or, where the rules say what is paid, that was met."""
        learnt = rating.evaluation if rating is not None else None
        self._evaluator = learnt.evaluator(stepper.engine) if learnt is not None else None
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


class SteppedGame:
    """The game of a stepper as kernels play it (:class:`rulewright.engine.kernels.vocabulary.WorldGame`)."""

    has_room = True

    def __init__(self, rollouts: Rollouts, dice: Dice) -> None:
        """The search begins where the stepper is."""
        self._stepper, self._rollouts, self._dice = rollouts.stepper, rollouts, dice
        self._begin = self._stepper.snapshot()
        self.has_chance = bool(self._stepper.engine.layout.counters)
        self.nothing, self.best = rollouts.nothing, rollouts.best
        self.payoffs = rollouts.payoffs
        engine = self._stepper.engine
        self.players, self.most_options = engine.program.players, most_options(engine.program, engine.layout)
        self.rates = rollouts.rating is not None
        self.offered: Sequence[int] = ()
        self._kept = self._begin
        self._questions: dict[Hashable, int] = {}

    @property
    def options(self) -> int:
        """The options of the stepper."""
        return self._stepper.options

    @property
    def seat(self) -> int:
        """The seat of the stepper."""
        return seat_to_move(self._stepper)

    @property
    def drawn(self) -> int:
        """The numbers that the stepper has drawn."""
        return self._stepper.drawn if self.has_chance else 0

    @property
    def spread(self) -> float:
        """The spread of payoffs by now."""
        return self._rollouts.spread

    def go_back(self) -> None:
        """Restore the position."""
        self._stepper.restore(self._begin)

    def lay_down(self, position: Snapshot) -> None:
        """Let another position be the one that is searched."""
        self._begin = position

    def has_room_for(self, entries: int) -> bool:
        """True."""
        return True

    @property
    def is_at_once(self) -> bool:
        """True if several answer the question at once."""
        place = self._stepper.question
        return place is not None and is_decided_at_once(self._stepper.engine, place)

    @property
    def question(self) -> int:
        """Questions are numbered as they are met, by their place in the rules and their seat."""
        return self._questions.setdefault((self._stepper.question, self.seat), len(self._questions))

    def number_options(self) -> None:
        """Take each option for its number."""
        self.offered = range(self._stepper.options)

    def offer(self) -> None:
        """Describe the options."""
        self.offered = self._stepper.offered()

    def keep_position(self) -> None:
        """Keep a snapshot."""
        self._kept = self._stepper.snapshot()

    def put_back(self) -> None:
        """Restore the snapshot."""
        self._stepper.restore(self._kept)

    def look(self, option: int) -> int:
        """Answer."""
        return self.apply(option)

    def lead(self, seat: int) -> float:
        """The standing of a seat."""
        rating = self._rollouts.rating
        assert rating is not None
        return self._rollouts.standing(rating)[seat]

    def begin(self) -> None:
        """Restore the position, and draw a seed."""
        self._stepper.restore(self._begin)
        if self.has_chance:
            self._stepper.reseed(self._dice.below(WORDS))

    def apply(self, option: int) -> int:
        """Answer; less than 0 at an error of the rules."""
        try:
            return apply_with_forced(self._stepper, option)
        except RulesetError:
            return -1

    def outcome(self) -> int:
        """The first 64 bits of the digest."""
        return int.from_bytes(self._stepper.outcome()[:8], "little")

    def keep(self, payoffs: Sequence[float]) -> Sequence[float]:
        """Give them back: nothing overwrites them."""
        return payoffs

    def rest(self) -> Payoffs:
        """Play a rollout."""
        return self._rollouts.rest(self._dice)


def seat_to_move(at: State | Stepper) -> int:
    """The seat to move; RulesetError if none is, as at a draw of chance or when the game is over."""
    if at.seat is None:
        raise RulesetError(Diagnostic(NO_OPTION, "no player is asked here", hint=_ASKED))
    return at.seat
