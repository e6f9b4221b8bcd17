"""Answers of which somebody sees the same, for comparing what they hear of them.

Twins are no test of that: who hears too much holds positions apart that would else be twins. So whoever is asked plays
each of their cards or takes each option, and those who see the same of two must hear the same.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from random import Random

from hiding_games import OPTIONS

import rulewright as rw


def answers_of(state: rw.State) -> list[str]:
    """The cards that may be chosen and lie in the hand of whoever is asked, or the options that may be taken."""
    decision = state.decision
    if decision is None or decision.seat is None:
        return []
    held = (*in_hand(state, decision.who), *OPTIONS)
    return [option.key for option in decision.options if option.key in held]


def in_hand(state: rw.State, seat: str) -> list[str]:
    """The cards in the hand of a seat."""
    hand = state.view(None)["zones"]["hand"]["values"].get(seat, {"pieces": []})
    return [piece["key"] for piece in hand["pieces"]]


def seen(state: rw.State, after: rw.State, seat: int) -> str:
    """All that a seat sees between two states: what comes to be seen, and what the rules show."""
    shown = [entry for entry in after.log_for(seat)[len(state.log_for(seat)) :] if entry.who == "rules"]
    view = {part: found for part, found in after.view(seat).items() if part != "decision"}
    return json.dumps([view, [[entry.name, entry.key] for entry in shown]])


def compared(state: rw.State, players: int) -> Iterator[set[str]]:
    """For each other seat what it hears of cards that are chosen of which it sees the same, if these are several.

    What stays in the hand, since it goes nowhere then, may be said aloud.
    """
    decision, cards = state.decision, answers_of(state)
    for seat in range(players):
        together = defaultdict(list)
        if decision is not None and seat != decision.seat:
            for card in cards:
                after = state.choose(card)
                if in_hand(after, decision.who) != in_hand(state, decision.who) or card in OPTIONS:
                    together[seen(state, after, seat)].append(after)
        for group in together.values():
            if len(group) > 1:
                yield {json.dumps([[e.who, e.name, e.key] for e in after.log_for(seat)]) for after in group}


def positions(game: rw.Game, seed: int) -> Iterator[rw.State]:
    """The positions of a game at random."""
    dice, state = Random(seed), game.start(seed)
    while state.decision is not None:
        yield state
        state = state.choose(dice.choice(state.decision.options))
