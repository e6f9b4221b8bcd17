"""Games that go on at random, and what a search takes a position to be worth (:mod:`rulewright.search.rollouts`)."""

from __future__ import annotations

from dataclasses import dataclass, field

from rulewright.engine.kernels.arithmetic import lead_of
from rulewright.engine.kernels.move_averages import MoveAverages
from rulewright.engine.kernels.vocabulary import Floats, Reals, RolloutGame, Word
from rulewright.engine.search_arithmetic import FIRST_LEAD, NOTED_AT_FIRST, NOTED_OF


@dataclass(slots=True, eq=False, repr=False)
class Rollouts:
    """Rollouts, and what they have met of payoffs and leads."""

    game: RolloutGame
    averages: MoveAverages
    low: float = field(init=False)
    """The lowest payoff that there can be, or, where the rules say what is paid, that was met."""
    high: float = field(init=False)
    """The highest payoff."""
    met: float = field(init=False)
    rated: float = field(init=False)
    """The leads that were met, added up, and their number: they say what is much and what is little."""
    estimated: Floats = field(init=False)
    played: int = field(init=False)
    """The rollouts by now."""

    def reset(self) -> None:
        """Begin without having met anything."""
        game = self.game
        self.low = game.lowest
        self.high = game.highest
        self.met = FIRST_LEAD
        self.rated = 1.0
        self.estimated = Floats(game.players)
        self.played = 0
        self.averages.is_noting = False
        if game.by_moves or game.is_wide:
            self.averages.reset()

    @property
    def spread(self) -> float:
        """The distance of payoffs from their middle at most: a bonus for few visits is measured by it."""
        return (self.high - self.low) / 2.0

    def payoffs(self) -> Reals:
        """The payoffs of the game that is over, or what was paid so far."""
        found = self.game.end()
        if self.game.pays:
            for seat in range(self.game.players):
                self.low = min(self.low, found[seat])
                self.high = max(self.high, found[seat])
        return found

    def rest(self, seed: Word) -> Reals:
        """The payoffs of a game that goes on at random, or by the averages of moves; if it is cut, what its position is
        taken to be worth."""
        game, most, over = self.game, self.game.cut, False
        game.open_stream(seed)
        self.averages.is_noting = game.by_moves or (
            game.is_wide and (self.played < NOTED_AT_FIRST or self.played % NOTED_OF == 0)
        )
        self.played += 1
        if self.averages.is_noting:
            over = self.averages.play_on(most, game.by_moves)
        elif most > 0:
            over = game.play_on(most)
        if game.rates and not over:
            payoffs = game.expected() if game.is_learnt else self.estimate()
        else:
            payoffs = self.payoffs()
        if self.averages.is_noting:
            self.averages.note(payoffs)
        return payoffs

    def lead(self, seat: int) -> float:
        """By how much a seat is better than the best of the others, as the query rates them here."""
        return lead_of(self.game.ratings(), self.game.players, seat)

    def estimate(self) -> Reals:
        """The leads as payoffs: 0 is the middle, and a lead as large as usual lies half the way to the end."""
        players, rates = self.game.players, self.game.ratings()
        usual, most = self.met / self.rated, 0.0
        for seat in range(players):
            self.estimated[seat] = lead_of(rates, players, seat)
            most = max(most, abs(self.estimated[seat]))
        self.met += most
        self.rated += 1.0
        middle, spread = (self.low + self.high) / 2.0, self.spread
        if spread == 0.0:
            spread = 1.0
        for seat in range(players):
            lead = self.estimated[seat]
            self.estimated[seat] = middle + spread * lead / (abs(lead) + usual)
        return self.estimated
