"""Rollouts that prefer what was good elsewhere in the search: the move-average sampling technique (MAST).

H. Finnsson, Y. Björnsson, *Simulation-based approach to general game playing*, AAAI 2008; with a part of the answers
at random in place of a Gibbs distribution, as in M. Tak, M. Winands, Y. Björnsson, *N-grams and the last-good-reply
policy applied in general game playing*, IEEE Transactions on Computational Intelligence and AI in Games 4(2), 2012.

A move is the same in two positions if the same seat is asked the same question of the rules and takes what is the same
there: the member that is chosen, of pieces their kind and the zone where they lie, or the word. Averages are those of
one search, over the answers that were given outside of its tree.

The machine code of :mod:`rulewright.engine.native.lowering.driver.tree_search.simulation_functions` does the same,
with the same numbers.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from rulewright.engine import MAST_BEST, MAST_OF, MOST_MOVES, Payoffs, RandomAnswers, Stepper


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
                asked = stepper.question, stepper.seat
                moves = [(*asked, option) for option in stepper.offered()]
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
