"""Simultaneous choices: which answers are in already while others are still to be given."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.engine.hidden_information.hidden_state import decider
from rulewright.engine.runtime.canonical_form import Frame
from rulewright.engine.runtime.position import Position
from rulewright.engine.runtime.simultaneous_node import SimultaneousNode, simultaneous_node
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.model import NONE


@dataclass(frozen=True, slots=True)
class Given:
    """An answer that was given in secret, while others have still to decide."""

    player: int
    name: str
    key: str


def given(state: Position) -> list[Given]:
    """The answers that are still secret and of which all know that they were given, in their order."""
    if state.question is None:
        return []
    found = simultaneous_node(state.engine, state.stack)
    return list(_given(state, found)) if found is not None else []


def _given(state: Position, found: SimultaneousNode) -> Iterator[Given]:
    code = state.engine.program.functions[found.frame.function].code
    function = state.engine.program.functions[found.frame.function].name
    now, done = found.position(state.stack), found.decided(state.stack)
    for number, member in enumerate((*done, found.members(state.stack)[now])):
        stack = list(state.stack[: found.end])
        stack[found.slot(found.code.turn.one)] = member
        for pc, answers in found.revealed_at.items():
            choice = code[pc]
            assert isinstance(choice, m.Choose)
            if number < len(done):
                value = found.listed(state.stack, answers)[number]
            elif pc < found.frame.pc:
                value = state.stack[found.slot(choice.into)]
            else:
                break
            stack[found.slot(choice.into)] = value
            player = decider(state, Frame(found.frame.function, pc, found.frame.base), choice, state.cells, stack)
            yield Given(player, f"{function}.{choice.label}", _key(state, choice, value))


def _key(state: Position, choice: m.Choose, value: int) -> str:
    if value == NONE and choice.extras:
        return choice.extras[0].key  # only ``pass`` can be offered beside what is chosen at once
    return state.engine.layout.key(choice.universe, value)
