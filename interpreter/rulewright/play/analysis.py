"""Analyses of games that were played, by an agent that searches: chances at each decision, and better answers.

At each decision it knows what the player to act could know, so no answer is blamed for what was hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from rulewright.engine import Agent, Dice, State, moments
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.play.game import Game

DICE = "analysis"


@dataclass(frozen=True, slots=True)
class Decided:
    """A decision of a game."""

    number: int
    """Number of the decision among the entries of the log, from 1."""
    who: str
    question: str
    answer: str | None
    """The answer that was given; None if none was."""
    best: str
    """The answer that the agent finds best."""
    value: float
    """The payoff that the player to move can expect with it."""
    chances: tuple[float, ...]
    """For each seat the chance to win then; empty if unknown to the agent."""
    lost: float | None
    """The part of that payoff that the answer has cost; None if it was not looked at."""


def decision_in(game: Game, state: State, agent: Agent, seed: int = 0) -> Decided | None:
    """The analysis of the open decision of a state; None if there is none."""
    decision = state.decision
    if decision is None or decision.seat is None:
        return None
    number = len(state.log)
    found = game.search(agent).analyse(state, Dice(seed, f"{DICE}, {number} answers"))
    if not found.answers:
        return None
    best = found.answers[0]
    key = decision.options[best.option].key
    return Decided(number + 1, decision.who, decision.name, None, key, best.value, best.chances, None)


def analysed(
    game: Game, state: State, agent: Agent, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> Iterator[Decided]:
    """The decisions of the game that has led to a state at which there was a choice; `progress` is called with the
    number of entries of its log that are done, and of all."""
    search, played = game.search(agent), [one for one, _ in moments(state)]
    for before, after in pairwise(played):
        decision, number = before.decision, len(before.log)
        if progress is not None:
            progress(number, len(played))
        if decision is None or decision.seat is None or len(decision.options) < 2 or len(after.log) <= number:
            continue
        keys = [option.key for option in decision.options]
        given = after.log[number].key
        found = search.analyse(before, Dice(seed, f"{DICE}, {number} answers"))
        if not found.answers or given not in keys:
            continue
        best, taken = found.answers[0], keys.index(given)
        rated = next((one for one in found.answers if one.option == taken), None)
        lost = None if rated is None else max(best.value - rated.value, 0.0) if rated.option != best.option else 0.0
        yield Decided(number + 1, decision.who, decision.name, given, keys[best.option], best.value, best.chances, lost)
