"""Answers to a question that are not offered, each with the reasons that a player may know.

Whether one is listed follows from these reasons only: so the list is the same in all positions that look alike to them.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.engine.hidden_information.told_refusals import why_not_told
from rulewright.engine.runtime.position import Position
from rulewright.engine.runtime.refusals import NOT_AMONG, UNSEEN, Refusal
from rulewright.ir import model as m


def refused_answers(state: Position, player: int | None, most: int) -> tuple[Refusal, ...]:
    """The first refusals of words (those of an ``either``, ``done``), of numbers near those that are offered, and of
    members of a type that are neither pieces nor on a map. Of others than the options of an ``either`` these are only
    the ones that a rule refuses."""
    question, decision = state.question, state.decision
    if question is None or decision is None or not isinstance(question.instr, m.Choose):
        return ()
    asked, offered = question.instr, {option.key for option in decision.options}
    found: list[Refusal] = []
    for key, is_shown in _keys(state, asked):
        if len(found) >= most:
            break
        if key in offered:
            continue
        told = why_not_told(state, key, player)
        if is_shown or any(reason.label not in (NOT_AMONG, UNSEEN) for reason in told.reasons):
            found.append(told)
    return tuple(found)


def _keys(state: Position, asked: m.Choose) -> Iterator[tuple[str, bool]]:
    """Keys that could be answers, and whether they are shown whatever refuses them."""
    layout = state.engine.layout
    for extra in asked.extras:
        yield extra.key, asked.source is None and not extra.aside
    on_maps = {universe for graph in state.engine.program.graphs for universe in (graph.place, graph.edge)}
    if asked.source is None or asked.universe == "Piece" or asked.universe in on_maps:
        return
    if asked.universe in layout.universes:
        yield from ((key, False) for key in layout.universes[asked.universe].keys)
        return
    numbers = [option.value for option in state.decision.options if not option.extra] if state.decision else []
    if numbers:
        yield from ((str(number), False) for number in range(min(0, *numbers), max(numbers) + _BEYOND + 1))


_BEYOND = 12
"""Numbers that are looked at above the largest one that is offered."""
