"""Answers that others can tell from what they are asked, and how often.

Who answers in secret, and is asked more because of it, must not be given away by that. So a question is answered in two
ways, and each is played on until somebody else is asked. Where another player then sees the same and has heard the same
answers, they must have heard of the same questions.
"""

from __future__ import annotations

from typing import Any

from rulewright.diagnostics import RulesetError
from rulewright.engine.hidden_information.audience import has_secrets
from rulewright.engine.hidden_information.log_visibility import log_for
from rulewright.engine.hidden_information.views import view
from rulewright.engine.random_numbers import Dice
from rulewright.engine.runtime.records import Heard
from rulewright.host.budgets import MANY, shared_budget

FAR = 24
"""So many more answers of the same player are given at most."""


@shared_budget(MANY)
def told_answers(state: Any, dice: Dice) -> list[str]:
    """The questions of which others hear more after one answer than after another, in sentences."""
    decision = state.decision
    if not has_secrets(state.engine) or state.simultaneous_node is not None or len(decision.options) < 2:
        return []
    numbers = dice.some(len(decision.options), 2)
    try:
        one, other = (_played_on(state.choose(number), state.seat, dice) for number in numbers)
    except RulesetError:
        return []
    if one is None or other is None:
        return []
    begun = len(state.log)
    found = []
    for player, seat in enumerate(state.engine.layout.universes["Player"].keys):
        if player == state.seat or view(one, player) != view(other, player):
            continue
        mine, theirs = log_for(one, player, begun), log_for(other, player, begun)
        if mine != theirs and _answers(mine) == _answers(theirs):
            found.append(
                f"`{decision.name}`: {seat} hears of {_list(mine)}, but of {_list(theirs)} if {decision.who} gives "
                "another answer, though they see nothing else that is different"
            )
    return found


def _played_on(state: Any, seat: int, dice: Dice) -> Any:
    """The state in which somebody else is asked; None if that does not come soon."""
    for _ in range(FAR):
        if state.seat != seat:
            return state
        state = state.choose(dice.below(len(state.decision.options)))
    return None


def _list(heard: tuple[Heard, ...]) -> str:
    return ", ".join(f"`{one.name}`" for one in heard if one.key is None) or "nothing"


def _answers(heard: tuple[Heard, ...]) -> list[Heard]:
    """The answers that were told."""
    return [one for one in heard if one.key is not None]


__all__ = ["told_answers"]
