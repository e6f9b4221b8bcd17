"""Turns of those who decide at once: where they stand in the program, and which questions may be asked in one."""

from __future__ import annotations

from collections.abc import Iterable

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.node_memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir.control_flow.call_graph import callees


@dataclass(frozen=True, slots=True)
class TurnCode:
    """The instructions of a turn: those between `begin` and `end`."""

    begin: int
    end: int
    turn: m.Turn


@memoized_by_node
def turns(function: m.Function) -> tuple[TurnCode, ...]:
    """The turns in a function."""
    found, begun = [], 0
    for pc, i in enumerate(function.code):
        if isinstance(i, m.Turn):
            if i.leaving:
                found.append(TurnCode(begun, pc, i))
            begun = pc
    return tuple(found)


def turn_at(function: m.Function, pc: int) -> TurnCode | None:
    """The turn to which an instruction belongs."""
    return next((code for code in turns(function) if code.begin < pc < code.end), None)


def called_in_turns(functions: Iterable[m.Function]) -> frozenset[str]:
    """The functions that may run in a turn: those called there, and all that these call."""
    known = {f.name: f for f in functions}
    todo = [
        i.function
        for f in known.values()
        for code in turns(f)
        for i in f.code[code.begin : code.end]
        if isinstance(i, m.Call)
    ]
    found: set[str] = set()
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += callees(known[name]) if name in known else ()
    return frozenset(found)


def move_in_turns(functions: Iterable[m.Function]) -> bool:
    """True if pieces may be moved where several decide at once."""
    known = tuple(functions)
    called = called_in_turns(known)
    inside = [f.code[code.begin : code.end] for f in known for code in turns(f)]
    return any(isinstance(i, m.Move) for code in (*inside, *(f.code for f in known if f.name in called)) for i in code)


def told_answers(function: m.Function, code: TurnCode) -> dict[int, int]:
    """The questions of which all may hear at once that they were answered, though not how: those with which each begins
    whatever they decide, each by its instruction, with the slot of the list that keeps the answers."""
    lists = {
        i.value.slot: i.slot
        for i in function.code[code.begin : code.end]
        if isinstance(i, m.Append) and i.slot in code.turn.kept and isinstance(i.value, m.Local)
    }
    found: dict[int, int] = {}
    for pc in range(code.begin + 1, code.end):
        match function.code[pc]:
            case m.Choose(into=into) if into in lists:
                found[pc] = lists[into]
            case m.Choose() | m.Call() | m.JumpUnless():
                break
            case _:
                pass
    return found


__all__ = ["TurnCode", "called_in_turns", "move_in_turns", "told_answers", "turn_at", "turns"]
