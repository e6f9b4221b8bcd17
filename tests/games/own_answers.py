"""Answers that a seat has given itself, as rules that still go on keep them."""

from __future__ import annotations

import rulewright as rw
from rulewright.engine.hidden_information.hidden_state import decider
from rulewright.engine.runtime.canonical_form import frames
from rulewright.engine.runtime.machine import Engine
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import slots_stored

Slot = tuple[int, int, int]
"""A function, where it rests, and the number of a slot."""


def own_answers(state: rw.State, world: rw.State, seat: int) -> dict[Slot, tuple[int, int]]:
    """The answers of a seat that are still kept, and what is there in a world: of slots that hold only answers to one
    question, which the seat was the last to answer. Who has answered is not kept: the rules must still say that it was
    they."""
    engine, found = state.engine, dict[Slot, tuple[int, int]]()
    held, there = (list(frames(engine, one.stack)) for one in (state, world))
    last = {entry.name: entry for entry in state.log}
    for frame in held if held == there else ():
        function = engine.program.functions[frame.function]
        live = engine.interchange.live(frame.function, frame.pc)
        for i in function.code:
            if not isinstance(i, m.Choose) or i.universe == "Piece" or i.into not in live or i.into < function.params:
                continue
            entry = last.get(f"{function.name}.{i.label}")
            if entry is None or entry.who != engine.layout.key("Player", seat):
                continue
            if decider(state, frame, i, state.cells, state.stack) != seat:
                continue
            at = frame.base + engine.compiled.offsets[frame.function][i.into]
            said = state.stack[at]
            stores = sum(i.into in slots_stored(one) for one in function.code)
            if stores == 1 and said >= 0 and entry.key == _key(engine, i.universe, said):
                found[frame.function, frame.pc, i.into] = said, world.stack[at]
    return found


def _key(engine: Engine, universe: str, value: int) -> str:
    return str(value) if universe not in engine.layout.universes else engine.layout.key(universe, value)


__all__ = ["own_answers"]
