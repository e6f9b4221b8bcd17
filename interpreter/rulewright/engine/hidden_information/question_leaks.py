"""Answers that the questions behind them give away, by being put at all or by their number.

A secret answer must not be given away by further questions to the same player. So a question is answered in two ways,
and each is played on until another player decides. Where a third one then sees the same and knows the same answers,
they must have observed the same questions.
"""

from __future__ import annotations

from typing import Any

from rulewright.diagnostics import RulesetError
from rulewright.engine.hidden_information.answer_visibility.audience import has_secrets
from rulewright.engine.hidden_information.log_visibility import log_for
from rulewright.engine.hidden_information.views import view
from rulewright.engine.random_numbers import Dice
from rulewright.engine.runtime.records import Heard
from rulewright.host.budgets import MANY, shared_budget

FAR = 24
"""So many more answers of the same player are given at most."""


@shared_budget(MANY)
def answers_leaked_by_questions(state: Any, dice: Dice) -> list[str]:
    """Sentences on the questions that others observe after one answer and not after another."""
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
    """The next state in which another player decides; None if that does not come soon."""
    for _ in range(FAR):
        if state.seat != seat:
            return state
        state = state.choose(dice.below(len(state.decision.options)))
    return None


def _list(entries: tuple[Heard, ...]) -> str:
    return ", ".join(f"`{one.name}`" for one in entries if one.key is None) or "nothing"


def _answers(entries: tuple[Heard, ...]) -> list[Heard]:
    """The answers that are known."""
    return [one for one in entries if one.key is not None]
