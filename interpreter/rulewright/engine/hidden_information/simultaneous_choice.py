"""Simultaneous choices: which answers are in already while others are still to be given."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.engine.hidden_information.hidden_state import asked
from rulewright.engine.runtime.canonical_form import frames
from rulewright.engine.runtime.snapshot import Snapshot
from rulewright.ir import model as m
from rulewright.ir.model import NONE
from rulewright.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Together:
    """A choice ``at once``: the slots of its loop, the position of each choice, and the slot of its answers."""

    members: int
    at: int
    one: int
    asked: tuple[tuple[int, m.Choose, int], ...]


@dataclass(frozen=True, slots=True)
class Given:
    """An answer that was given in secret, while the same is still asked of others."""

    player: int
    name: str
    key: str


def together(code: Sequence[m.Instr], pc: int) -> Together | None:
    """The simultaneous choice that an instruction belongs to."""
    for head in range(pc, -1, -1):
        match code[head : head + 2]:
            case (m.JumpUnless(), m.SetLocal(one, m.Item(m.Local(members), m.Local(at)))):
                return Together(members, at, one, _choices(code, head + 2))
    return None


def _choices(code: Sequence[m.Instr], start: int) -> tuple[tuple[int, m.Choose, int], ...]:
    found: list[tuple[int, m.Choose, int]] = []
    waiting: tuple[int, m.Choose] | None = None
    for number, i in enumerate(code[start:], start):
        if isinstance(i, m.Choose):
            if not i.secret:
                break
            waiting = (number, i)
        elif isinstance(i, m.Append) and waiting is not None and i.value == m.Local(waiting[1].into):
            found.append((*waiting, i.slot))
            waiting = None
        elif isinstance(i, m.JumpUnless) and found:
            break
    return tuple(found)


def given(state: Snapshot) -> list[Given]:
    """The answers that are still secret, in the order in which they were given."""
    question = state.question
    if question is None or not isinstance(question.instr, m.Choose) or not question.instr.secret:
        return []
    frame = list(frames(state.engine, state.stack))[-1]
    offsets = state.engine.compiled.offsets[frame.function]
    found = together(state.engine.program.functions[frame.function].code, question.pc)
    return list(_given(state, found, frame.base, offsets)) if found is not None else []


def _given(state: Snapshot, found: Together, base: int, offsets: Sequence[int]) -> Iterator[Given]:
    stack = list(state.stack)
    frame = list(frames(state.engine, stack))[-1]
    function = state.engine.program.functions[frame.function].name
    for turn in range(state.stack[base + offsets[found.at]] + 1):
        stack[base + offsets[found.at]] = turn
        stack[base + offsets[found.one]] = state.stack[base + offsets[found.members] + 1 + turn]
        for _, choice, answers in found.asked:
            if turn >= state.stack[base + offsets[answers]]:
                continue
            value = state.stack[base + offsets[answers] + 1 + turn]
            stack[base + offsets[choice.into]] = value
            player = asked(state, frame, choice, state.cells, stack)
            yield Given(player, f"{function}.{choice.label}", _key(state, choice, value))


def _key(state: Snapshot, choice: m.Choose, value: int) -> str:
    if value == NONE and choice.extras:
        return choice.extras[0].key  # only ``pass`` can be offered beside what is chosen at once
    return state.engine.layout.key(choice.universe, value)
