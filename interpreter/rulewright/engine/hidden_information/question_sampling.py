"""Going back to the question that a player knows of, where another one decides more in secret.

A secret answer may lead to a further question, which others do not observe: to them it looks as if the first question
were still being thought about (see `secret_questions`). Which question it is, and what has been done since, would
reveal the answer, so what they imagine begins where that had not been given.
"""

from __future__ import annotations

from typing import Any

from rulewright.engine.hidden_information.history import Go, played_again
from rulewright.engine.hidden_information.log_visibility import still_unobserved
from rulewright.engine.hidden_information.views import view
from rulewright.engine.runtime.position import Position
from rulewright.engine.runtime.records import RULES


def before_unobserved(state: Position, player: int, advance: Go) -> Any:
    """The state before the first answer that a player has not observed; None if there is none, or if the log does not
    give it."""
    unobserved_answer = still_unobserved(state, state.log, player)
    steps = sum(entry.who != RULES for entry in state.log[len(state.log) - unobserved_answer :])
    if not steps:
        return None
    last = state.engine.cache("states before unobserved answers")  # who asks for one world asks for others
    known = last.get("last")
    if known is None or known[0] is not state or known[1] != player:
        played = played_again(state, advance)
        begun = played[-1 - steps][0] if len(played) > steps else None
        if begun is not None and view(begun, player) != view(state, player):
            begun = None  # they have seen something else since
        known = last["last"] = (state, player, begun)
    return known[2]


__all__ = ["before_unobserved"]
