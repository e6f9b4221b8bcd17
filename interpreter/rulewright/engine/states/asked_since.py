"""Knowledge that the questions themselves have given: who was asked what, since a position was laid out.

A world in which a player could be now may be one in which they would have heard other questions on the way. So the way
is gone again from where it began, with what they did not know there dealt anew and the same answers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.diagnostics import RulesetError
from rulewright.engine.hidden_information.hidden_state import Hidden
from rulewright.engine.hidden_information.resampling import Impossible, deal
from rulewright.engine.random_source import Dice
from rulewright.engine.runtime.records import CHANCE, RULES, LogEntry, Mode
from rulewright.engine.states.state import State, advance

WORLDS = 80
"""Worlds from which the way is gone again."""

ENOUGH = 8
"""So many worlds in which another question was asked, and so many in which the same were, decide."""


def betrayed(state: State, player: int, value: Callable[[State], Any]) -> bool:
    """True if a player knows a value from which questions were asked: it is the same in all worlds in which these were
    asked, and others were in many."""
    origin, entries = state.mode.origin, [entry for entry in state.log if entry.who != RULES]
    if origin is None or not entries:
        return False
    begun, true = State.at_rest(state.engine, list(origin.cells), Mode(True), None), value(state)
    hidden, seen = Hidden(begun, player), state.view(player)
    if not hidden.places:
        return False
    mode = Mode(state.mode.ask_chance, state.mode.whole)
    stood = otherwise = 0
    for number in range(WORLDS):
        dealt = deal(hidden, hidden.places, Dice(number, f"what player {player} was asked since"))
        try:
            world = advance(state.engine, dealt.cells, list(origin.stack), 3, origin.block, mode, None)
            asked = _gone_again(world, state, entries, player)
        except (RulesetError, Impossible):
            continue
        if asked is None:
            otherwise += 1
        elif asked.view(player) == seen:  # that another question is asked now, counts only when it was answered
            stood += 1
            if value(asked) != true:
                return False
    return stood >= ENOUGH and otherwise >= ENOUGH


def _gone_again(world: State, state: State, entries: list[LogEntry], player: int) -> State | None:
    """The world after the same answers; None if the player would have heard another question on the way.

    RulesetError if that cannot be told: an answer is not possible, or chance decides something else.
    """
    seat = state.engine.layout.universes["Player"].keys[player]
    for entry in entries:
        decision = world.decision
        asked = None if decision is None else (decision.who, decision.name)
        if asked != (entry.who, entry.name):
            heard = entry.heard_by is None or seat in entry.heard_by
            if heard and CHANCE not in (entry.who, asked and asked[0]):
                return None
            raise Impossible
        world = world.choose(entry.key)
    return world


__all__ = ["betrayed"]
