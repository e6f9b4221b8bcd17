"""Questions that only some players know to be asked.

Where a player has answered in secret and is asked something more because of that answer, that they are asked would tell
it. So a question that depends on answers of the same player (it stands in an option that was taken, or behind a
condition on what was chosen) is known to those only who may know these answers. To all others it looks as if the first
of them were still being thought about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.engine.hidden_information.audience import answer_known_to, has_secrets
from rulewright.engine.hidden_information.hidden_state import asked_then
from rulewright.engine.runtime.canonical_form import Frame, frames
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.runtime.position import Position
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import control_flow_graph
from rulewright.ir.control_flow.successors import Slots, reads_slot
from rulewright.ir.dataflow.expression_reads import instructions_of
from rulewright.ir.model import NONE


@dataclass(frozen=True, slots=True)
class Before:
    """An answer upon which it depends whether a question is asked."""

    name: str
    known: int
    """The players who may know it, as a set."""


def answers_before(state: Position) -> list[Before]:
    """The secret answers of whoever is asked upon which it depends that they are asked this, the first one first."""
    if state.seat is None or state.simultaneous_node is not None or not has_secrets(state.engine):
        return []
    held = list(frames(state.engine, state.stack))
    places = _places(state.engine, tuple((frame.function, frame.pc) for frame in held))
    return [before for place in places if (before := _before(state, held, *place)) is not None]


def who_knows(state: Position) -> int:
    """The players who may know that the question of a state is asked, as a set."""
    found = -1
    for before in answers_before(state):
        found &= before.known
    return found


def _before(state: Position, held: Sequence[Frame], number: int, pc: int, by_word: bool) -> Before | None:
    engine, frame, player = state.engine, held[number], state.seat
    function = engine.program.functions[frame.function]
    i = function.code[pc]
    assert isinstance(i, m.Choose)
    assert player is not None
    if asked_then(state, frame, pc, stored=not by_word) not in (player, NONE):
        return None  # where it cannot be told who has answered, it may have been they
    known = answer_known_to(engine, state.cells, state.stack, held[: number + 1], pc, player, by_word)
    everyone = (1 << engine.layout.sizes["Player"]) - 1
    return Before(f"{function.name}.{i.label}", known) if known & everyone != everyone else None


def _places(engine: Engine, at: tuple[tuple[int, int], ...]) -> list[tuple[int, int, bool]]:
    """The questions before, each by the number of its frame, its instruction, and whether its words decide."""
    known = engine.cache("questions before")
    if at not in known:
        known[at] = list(_find(engine, at))
    found: list[tuple[int, int, bool]] = known[at]
    return found


def _find(engine: Engine, at: tuple[tuple[int, int], ...]) -> Iterator[tuple[int, int, bool]]:
    functions = engine.program.functions
    for number, (which, pc) in enumerate(at):
        function = functions[which]
        for fork, i in instructions_of(function, (m.Choose,)):
            if fork == pc or i.who_is != "player":
                continue
            if i.extras and pc in control_flow_graph(function).branch(fork):
                yield number, fork, True
            if any(_decides(functions, at[number:], i.into)):
                yield number, fork, False


def _decides(functions: Sequence[m.Function], at: Sequence[tuple[int, int]], into: int) -> Iterator[bool]:
    """True for each frame, from one with an answer in a slot, in which that decides upon where it stands now."""
    held: Slots = frozenset((into,))
    for which, pc in at:
        function = functions[which]
        held = _with_copies(function, held)
        for fork, jump in instructions_of(function, (m.JumpUnless,)):
            if reads_slot(jump.condition, held) and pc in control_flow_graph(function).branch(fork):
                yield True
        call = function.code[pc]
        held = frozenset(
            n for n, arg in enumerate(call.args if isinstance(call, m.Call) else ()) if reads_slot(arg, held)
        )
        if not held:
            return


def _with_copies(function: m.Function, held: Slots) -> Slots:
    while True:
        more = {i.slot for _, i in instructions_of(function, (m.SetLocal, m.Append)) if reads_slot(i.value, held)}
        if more <= held:
            return held
        held |= more


__all__ = ["Before", "answers_before", "who_knows"]
