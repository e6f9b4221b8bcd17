"""Alpha-beta search, for two players who both see everything.

Iterative deepening with a transposition table, the best answer of the last depth first, then those that have cut off
elsewhere (D. E. Knuth, R. W. Moore, *An analysis of alpha-beta pruning*, Artificial Intelligence 6, 1975; J. Schaeffer,
*The history heuristic*, ICCA Journal 6(3), 1983). A turn of several questions is a row of answers of one player: the
sides change where the player to move does. Behind an answer in which chance has its say some outcomes are looked
at, and their mean is its value (M. Kearns, Y. Mansour, A. Ng, *A sparse sampling algorithm for near-optimal planning*,
Machine Learning 49, 2002).

What a position is worth at the depth is the difference of a query of the rules, or of what an evaluation that was
learnt expects, about both players, 0 without one. What
the end is worth lies beyond all of that: the difference of the payoffs. Early wins and late losses are preferred.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from time import perf_counter

from rulewright.engine import Dice, Payoffs, State, Stepper
from rulewright.search.position_analysis import KeepGoing, PositionAnalysis, RatedAnswer, always, best
from rulewright.search.rollouts import WORDS, Evaluator, SteppedGame, seat_to_move

END = 1 << 40
"""The value of a payoff of one more than the other's."""
FINE = 1 << 20
"""The value of a payoff of one more that an evaluation expects."""
HIGHEST = 1 << 60
OUTCOMES = 4
"""So many outcomes of chance behind an answer are looked at."""
BETWEEN = 256
"""So many positions are looked at between two looks at the clock."""
MOST_KNOWN = 1 << 18
"""So many positions are kept in the table; then it begins anew."""
EXACT, AT_LEAST, AT_MOST = range(3)
_Bound = tuple[int, int, int, int]
"""A depth, a value, what kind of bound it is, and the best option."""


class _Enough(Exception):
    """Raised when the time is over."""


class AlphaBeta:
    """A search with one stepper, so many answers deep at most, or for so long."""

    def __init__(
        self, stepper: Stepper, depth: int, milliseconds: int = 0, query: str = "", evaluator: Evaluator | None = None
    ) -> None:
        self._stepper, self._depth, self._query = stepper, depth, query
        self._evaluator = evaluator
        self._seconds = milliseconds / 1000
        self._chance = bool(stepper.engine.layout.counters)
        self._canonical = any(len(alike) > 1 for alike in stepper.engine.interchange.classes)
        self._known: dict[Hashable, _Bound] = {}
        self._cuts: dict[tuple[object, int], int] = {}
        """The weight of an option of a question: it grows whenever it cuts off the others."""
        self._ranked: list[tuple[int, int]] = []
        """Options with their values, as the last depth has found them."""
        self._seat = self._reached = 0

    def __call__(self, state: State, dice: Dice) -> int:
        """The number of the best option of a state."""
        return best(self.analyse(state, dice), state, dice)

    def analyse(self, state: State, dice: Dice, keep_going: KeepGoing = always) -> PositionAnalysis:
        """The options of a state by their values: that of the best one is exact, others are at most worth theirs."""
        stepper, seat = self._stepper, seat_to_move(state)
        self._keep_going, self._looked, self._until = keep_going, 0, perf_counter() + self._seconds
        self._dice, self._cuts = dice, {}
        self._game = SteppedGame(self._stepper, dice)
        self._known = {}
        self._seat, self._reached = seat, 0
        size = stepper.load(state)
        here, options = stepper.snapshot(), dice.shuffled(range(size))
        found = self._ranked = [(option, 0) for option in options]
        for depth in range(1, self._depth + 1):
            self._part = (depth - 1) / self._depth
            try:
                values = self._root([option for option, _ in found], depth, seat)
            except _Enough:
                break
            finally:
                stepper.restore(here)
            found = self._ranked = values
            self._reached = depth
            if abs(found[0][1]) > END // 2:
                break
        return self._analysis()

    def so_far(self) -> PositionAnalysis | None:
        """Findings of the last depth that is done; None if there are none yet."""
        return self._analysis() if self._reached else None

    def _analysis(self) -> PositionAnalysis:
        rated = (self._rated(option, value, self._seat) for option, value in self._ranked)
        return PositionAnalysis(tuple(rated), self._looked, self._reached)

    def _root(self, options: Sequence[int], depth: int, seat: int) -> list[tuple[int, int]]:
        """The options with their values, the best one first."""
        here, alpha, values = self._stepper.snapshot(), -HIGHEST, dict[int, int]()
        for option in options:
            values[option] = self._after(option, depth, alpha, HIGHEST, seat, 1)
            alpha = max(alpha, values[option])
            self._stepper.restore(here)
        return sorted(values.items(), key=lambda one: -one[1])  # stable: who was first among equals stays so

    def _value(self, depth: int, alpha: int, beta: int, ply: int) -> int:
        """The value of the position of the stepper for the seat to move there."""
        stepper, seat = self._stepper, seat_to_move(self._stepper)
        self._look()
        if depth <= 0:
            return self._worth(seat)
        key = self._key()
        known = self._known.get(key)
        first = -1
        if known is not None:
            first = known[3]
            if known[0] >= depth:
                value, kind = known[1], known[2]
                if kind == EXACT or (kind == AT_LEAST and value >= beta) or (kind == AT_MOST and value <= alpha):
                    return value
        here, place, size = stepper.snapshot(), stepper.question, stepper.options
        cuts = self._cuts
        order = sorted(range(size), key=lambda option: (option != first, -cuts.get((place, option), 0)))
        most, taken, low = -HIGHEST, order[0], alpha
        for number, option in enumerate(order):
            if number:
                stepper.restore(here)
            value = self._after(option, depth, low, beta, seat, ply + 1)
            if value > most:
                most, taken = value, option
            low = max(low, most)
            if low >= beta:
                cuts[place, option] = cuts.get((place, option), 0) + depth * depth
                break
        kind = AT_MOST if most <= alpha else AT_LEAST if most >= beta else EXACT
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[key] = depth, most, kind, taken
        return most

    def _after(self, option: int, depth: int, alpha: int, beta: int, seat: int, ply: int) -> int:
        """The value for a seat of an answer to the position of the stepper, which is left where it leads to."""
        stepper = self._stepper
        if not self._chance:
            return self._next(self._game.apply(option), depth, alpha, beta, seat, ply)
        here, drawn = stepper.snapshot(), stepper.drawn
        size = self._game.apply(option)
        if stepper.drawn == drawn:
            return self._next(size, depth, alpha, beta, seat, ply)
        total = 0
        for _ in range(OUTCOMES):
            stepper.restore(here)
            stepper.reseed(self._dice.below(WORDS))
            size = self._game.apply(option)
            total += self._next(size, depth, -HIGHEST, HIGHEST, seat, ply)
        return total // OUTCOMES

    def _next(self, size: int, depth: int, alpha: int, beta: int, seat: int, ply: int) -> int:
        """The value for a seat of the position that an answer has led to."""
        if size < 0:
            return 0
        if size == 0:
            payoffs = self._game.payoffs()
            end = round(END * (payoffs[seat] - payoffs[1 - seat]))
            return end - (ply if end > 0 else -ply if end < 0 else 0)
        if seat_to_move(self._stepper) == seat:
            return self._value(depth - 1, alpha, beta, ply)
        return -self._value(depth - 1, -beta, -alpha, ply)

    def _worth(self, seat: int) -> int:
        """The value of a position at the end of the search."""
        if self._evaluator is not None:
            mine, theirs = (self._evaluator.payoffs(self._stepper)[one] for one in (seat, 1 - seat))
            return round((mine - theirs) * FINE)
        if not self._query:
            return 0
        rates = self._stepper.rates(self._query)
        return rates[seat] - rates[1 - seat]

    def _key(self) -> Hashable:
        """The position for the table: in canonical form where the rules have alike pieces."""
        if self._chance:
            return self._stepper.outcome()
        return self._stepper.state().to_bytes() if self._canonical else self._stepper.key()

    def _look(self) -> None:
        """Count a position; :class:`_Enough` if the time is over."""
        self._looked += 1
        if self._looked % BETWEEN:
            return
        over = self._seconds and perf_counter() >= self._until
        if over or not self._keep_going(self._looked, self._part):
            raise _Enough

    def _rated(self, option: int, value: int, seat: int) -> RatedAnswer:
        """An option with its value, as a payoff if the end is in sight."""
        certain = abs(value) > END // 2
        payoff = round(value / END, 6) if certain else 0.0
        chance = 1.0 if payoff > 0 else 0.0
        chances: Payoffs = ((chance, 1 - chance) if seat == 0 else (1 - chance, chance)) if certain else ()
        return RatedAnswer(option, 1, payoff if certain else float(value), chances, certain)
