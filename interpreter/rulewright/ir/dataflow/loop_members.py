"""The places where a loop takes the next member of a set or list, after it has asked whether there is one."""

from __future__ import annotations

from rulewright.foundation.node_memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir.control_flow.successors import slots_stored, successors


@memoized_by_node
def loop_members(function: m.Function) -> dict[int, m.Local]:
    """The instructions that store such a member, each with the slot of the set or list, which is not empty there."""
    code = function.code
    entered = {to for pc, i in enumerate(code) for to in successors(i, pc) if to != pc + 1}
    found: dict[int, m.Local] = {}
    for pc in range(1, len(code)):
        before = code[pc - 1]
        if pc in entered or not isinstance(before, m.JumpUnless) or before.to == pc:
            continue
        match code[pc], before.condition:
            case (
                m.SetLocal(_, m.First(m.Local(source), is_list)),
                m.Cmp("ne", m.Size(m.Local(tested), is_size), m.Const(0)),
            ) if (source, is_list) == (tested, is_size):
                found[pc] = m.Local(source)
            case (
                m.SetLocal(_, m.Item(m.Local(source), m.Local(at))),
                m.Cmp("lt", m.Local(place), m.Size(m.Local(tested), True)),
            ) if (source, at) == (tested, place) and _is_a_count(function, at):
                found[pc] = m.Local(source)
    return found


def _is_a_count(function: m.Function, slot: int) -> bool:
    """True if a slot holds only numbers from 0 on, which grow."""
    return slot >= function.params and all(_is_a_step(i, slot) for i in function.code if slot in slots_stored(i))


def _is_a_step(i: m.Instr, slot: int) -> bool:
    match i:
        case m.SetLocal(_, m.Const(value)):
            return value >= 0
        case m.SetLocal(_, m.Arith("add", m.Local(place), m.Const(step))):
            return place == slot and step >= 0
        case _:
            return False
