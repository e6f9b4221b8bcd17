"""The slots of a frame that surely, and those that perhaps, hold a value: definite assignment, as in compilers.

Slots in which nothing was stored yet are 0, whatever their type. A saved frame may say so only where that can be.
"""

from __future__ import annotations

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import EXIT, slots_stored, successors


@dataclass(frozen=True, slots=True)
class Assigned:
    """For each instruction, before it: the slots that are assigned on every way there, and on some; as bit sets."""

    surely: tuple[int, ...]
    perhaps: tuple[int, ...]


def assigned(function: m.Function) -> Assigned:
    """A forward data-flow analysis. Where no way leads, all is sure and nothing is possible."""
    size = len(function.code) + 1
    everything = (1 << len(function.slots)) - 1
    parameters = (1 << function.params) - 1
    surely, perhaps = [everything] * size, [0] * size
    surely[0] = perhaps[0] = parameters
    todo, seen = [0], {0}
    while todo:
        at = todo.pop()
        if at == size - 1:
            continue
        for to, stored in _ways(function.code[at], at):
            before = surely[to], perhaps[to]
            surely[to] &= surely[at] | stored
            perhaps[to] |= perhaps[at] | stored
            if to not in seen or (surely[to], perhaps[to]) != before:
                seen.add(to)
                todo.append(to)
    return Assigned(tuple(surely), tuple(perhaps))


def _ways(i: m.Instr, at: int) -> list[tuple[int, int]]:
    """The successors of an instruction, and the slots that are stored on the way to each."""
    bits = sum(1 << slot for slot in slots_stored(i))
    # The first way is the one to the next instruction.
    return [(to, 0 if number else bits) for number, to in enumerate(successors(i, at)) if to != EXIT]
