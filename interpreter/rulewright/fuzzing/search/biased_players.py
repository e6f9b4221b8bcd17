"""Biased players: tastes that lead whole games to where chance alone seldom goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rulewright.engine import Decision, Option, State
from rulewright.fuzzing.search.coverage import Answer
from rulewright.fuzzing.search.picks import Pick

Player = Callable[[State], int]
"""Answers the question of a state with the number of an option."""


FEW = 8
"""Between so many options, and between words, a curious player takes what was seldom taken."""


PLACES = 1000
"""The number of places; each is one where a player gathers what they do."""


def named(decision: Decision) -> bool:
    """True if the answers to a decision are counted: those of a player that are few, or words."""
    return decision.seat is not None and (len(decision.options) <= FEW or all(o.extra for o in decision.options))


def known(decision: Decision, option: Option) -> Answer:
    """As what an answer is counted; where a piece lies does not matter."""
    return decision.name, option.key.split(" in ")[0]


def curious(taken: Mapping[Answer, int], pick: Pick, other: Pick) -> Player:
    """Of two options the one that was taken less often, where that is counted; else as `other` likes."""

    def player(state: State) -> int:
        decision = state.decision
        assert decision is not None
        size = len(decision.options)
        if size == 1 or not named(decision):
            return other(size)
        one, two = pick(size), pick(size)
        return min((one, two), key=lambda number: taken.get(known(decision, decision.options[number]), 0))

    return player


def gathered(below: Pick) -> Pick:
    """Options that lie close to each other in their order, which on a board means close together.

    Walls and lines that only close when many answers fit are so closed now and then. Where all this is, and how far
    from it an answer may be, is the same in a whole game.
    """
    place, far = below(PLACES), 4 << below(3)

    def pick(size: int) -> int:
        if size <= FEW:
            return below(size)
        number = place * (size - 1) // (PLACES - 1) + below(far + 1) + below(far + 1) - far
        return max(0, min(size - 1, number))

    return pick


def indifferent(pick: Pick) -> Player:
    """Any option, as `pick` likes."""

    def player(state: State) -> int:
        assert state.decision is not None
        return pick(len(state.decision.options))

    return player


def first_ones(below: Pick) -> Pick:
    """A taste for the first options."""
    return lambda size: min(below(size), below(size))


def last_ones(below: Pick) -> Pick:
    """A taste for the last options."""
    return lambda size: max(below(size), below(size))
