"""Rollouts that prefer what was good elsewhere in the search: the move-average sampling technique (MAST), a kernel.

H. Finnsson, Y. Björnsson, *Simulation-based approach to general game playing*, AAAI 2008; with a part of the answers
at random in place of a Gibbs distribution, as in M. Tak, M. Winands, Y. Björnsson, *N-grams and the last-good-reply
policy applied in general game playing*, IEEE Transactions on Computational Intelligence and AI in Games 4(2), 2012.

A move is the same in two positions if the same seat has the same question of the rules and takes what is the same
there: the member that is chosen, of pieces their kind and the zone where they lie, or the word. Averages are those of
one search, over the answers that were given outside of its tree. They lie in a hash table with open addressing and
linear probing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

from rulewright.engine.kernels.arithmetic import FACTOR
from rulewright.engine.kernels.vocabulary import Links, Reals, RolloutGame, Vector, Word
from rulewright.engine.random_numbers import MASK, mix
from rulewright.engine.search_arithmetic import LONGEST_REST, MAST_BEST, MAST_OF, MOST_MOVES, PLACE_BITS

PLACES = 1 << PLACE_BITS


@dataclass(slots=True, eq=False, repr=False)
class Average:
    """A move, and what has come of it."""

    move: Word
    total: float = 0.0
    """The payoffs of who made it, added up."""
    times: int = 0


@dataclass(slots=True, eq=False, repr=False)
class Made:
    """An answer of the rollout that was played last."""

    move: Word
    """The move, or 0 where there was one option."""
    seat: int
    number: int
    """The number of the option."""


@dataclass(slots=True, eq=False, repr=False)
class MoveAverages:
    """The mean payoff of each move, and rollouts that go by them."""

    game: RolloutGame
    table: Links[Average] = field(init=False)
    count: int = field(init=False)
    """The moves in the table."""
    made: Vector[Made] = field(init=False)
    """The answers of the last rollout."""
    is_noting: bool = field(init=False)
    """True if the last rollout is one that is noted."""

    def reset(self) -> None:
        """Begin with nothing."""
        self.table = Links(PLACES)
        self.count = 0
        self.made = Vector(LONGEST_REST)

    def play_on(self, most: int, greedy: bool) -> bool:
        """Go on for so many answers, by the averages or at random; true if the game is over then."""
        game, left, size = self.game, most, self.game.options
        self.made.clear()
        while size > 0 and left > 0:
            number = 0
            move: Word = 0
            if size > 1:
                game.offer()
                here = mix(game.question + 1)
                number = -1
                if greedy and game.draw(MAST_OF) < MAST_BEST:
                    number = self.best(here, size)
                if number < 0:
                    number = game.draw(size)
                move = move_of(here, game.offered[number])
            self.made.add(Made(move, game.seat, number))
            size = game.answer(number)
            left -= 1
        return size == 0

    def best(self, here: Word, size: int) -> int:
        """The number of the option with the highest mean at a question, less than 0 if nothing is known of any."""
        best, most, offered = -1, -inf, self.game.offered
        for number in range(size):
            mean = self.mean(move_of(here, offered[number]))
            if mean > most:
                best, most = number, mean
        return best

    def mean(self, move: Word) -> float:
        """The mean payoff of a move, less than any if it is not known."""
        average = self.table[self.place(move)]
        return -inf if average is None else average.total / average.times

    def place(self, move: Word) -> int:
        """The place of a move in the table, or the free place for it."""
        at = int(((move * FACTOR) & MASK) >> (64 - PLACE_BITS))
        while True:
            average = self.table[at]
            if average is None or average.move == move:
                return at
            at = (at + 1) & (PLACES - 1)

    def note(self, payoffs: Reals) -> None:
        """Note what the moves of the last rollout have led to. A move that is met when the table is full has none."""
        for made in self.made:
            if made.move != 0:
                at = self.place(made.move)
                if self.table[at] is None and self.count < MOST_MOVES:
                    self.table[at] = Average(made.move)
                    self.count += 1
                average = self.table[at]
                if average is not None:
                    average.times += 1
                    average.total += payoffs[made.seat]


def move_of(here: Word, option: Word) -> Word:
    """The move of an option: a hash, as different ones are nearly never the same."""
    return (here * FACTOR + option) & MASK
