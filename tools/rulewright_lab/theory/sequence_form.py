"""Small games of two with secrets as tables: the sequence form (D. Koller, N. Megiddo, B. von Stengel, *Efficient
computation of equilibria for extensive two-person games*, Games and Economic Behavior 14, 1996).

A sequence is what a seat has answered so far, as far as it knows; a strategy is a weight for each sequence, and what
both are worth is a sum over pairs of sequences that lead to an end, weighed by chance. The tree is walked once, and
ends of one pair are one entry, so that an algorithm goes through far fewer entries than the tree has positions.
"""

from __future__ import annotations

from fractions import Fraction

from rulewright import engine
from rulewright.engine import Decision, Passes, State
from rulewright.foundation import dataclass
from rulewright.ir import Program
from rulewright_lab.environment import outcomes
from rulewright_lab.environment.information_state import Walk
from rulewright_lab.theory.alpha_beta import NotConstant
from rulewright_lab.theory.node_budget import NodeBudget


@dataclass(frozen=True, slots=True)
class InformationSet:
    """Positions that are one to the seat that is to move."""

    parent: int
    """The sequence of the seat that leads here."""
    first: int
    """The sequence behind its first option; those behind the others follow."""
    size: int
    state: State
    """One of the positions."""

    @property
    def sequences(self) -> range:
        """The sequences behind its options."""
        return range(self.first, self.first + self.size)

    @property
    def decision(self) -> Decision:
        """The question."""
        assert self.state.decision is not None
        return self.state.decision


@dataclass(frozen=True, slots=True)
class SequenceForm:
    """A game of two. Sequence 0 of each seat is that without an answer."""

    sets: tuple[list[InformationSet], list[InformationSet]]
    """The information sets of each seat; what leads to one stands before it."""
    sequences: tuple[int, int]
    entries: list[tuple[int, int, float]]
    """Pairs of sequences with the payoff of the first seat, weighed by chance."""
    total: Fraction
    """The sum of the payoffs of both, in all games."""
    low: float
    high: float
    """The least and the highest payoff of the first seat."""


def sequence_form(program: Program, passes: Passes, budget: NodeBudget) -> SequenceForm:
    """The sequence form of a game, whose positions the budget counts; :class:`NotConstant` unless the sum of payoffs is
    constant."""
    start = engine.start(program, ask_chance=True, passes=passes)
    numbers: tuple[dict[str, int], dict[str, int]] = {}, {}
    sets: tuple[list[InformationSet], list[InformationSet]] = [], []
    sequences = [1, 1]
    worth: dict[tuple[int, int], Fraction] = {}
    total, low, high = None, Fraction(0), Fraction(0)
    waiting = [(Walk(start), (0, 0), Fraction(1))]
    while waiting:
        walk, (mine, theirs), weight = waiting.pop()
        state, seat = walk.state, walk.state.seat
        budget.count(1)
        if state.decision is None:
            first, second = state.payoffs
            if total is None:
                total, low, high = first + second, first, first
            if total != first + second:
                raise NotConstant(total, first + second)
            low, high = min(low, first), max(high, first)
            worth[mine, theirs] = worth.get((mine, theirs), Fraction(0)) + weight * first
            continue
        if seat is None:
            for one in outcomes(state):
                waiting.append((walk.step(state.choose(one.option)), (mine, theirs), weight * one.probability))
            continue
        key = walk.information_state(seat)
        number = numbers[seat].get(key)
        if number is None:
            number = numbers[seat][key] = len(sets[seat])
            size = len(state.decision.options)
            sets[seat].append(InformationSet((mine, theirs)[seat], sequences[seat], size, state))
            sequences[seat] += size
        found = sets[seat][number]
        for option in range(found.size):
            pair = (found.first + option, theirs) if seat == 0 else (mine, found.first + option)
            waiting.append((walk.step(state.choose(option)), pair, weight))
    assert total is not None
    entries = [(one, other, float(value)) for (one, other), value in sorted(worth.items()) if value]
    return SequenceForm(sets, (sequences[0], sequences[1]), entries, total, float(low), float(high))
