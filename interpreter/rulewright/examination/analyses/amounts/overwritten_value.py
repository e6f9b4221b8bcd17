"""EXM107: an answer that is kept, and overwritten by another answer before anybody has read it."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import EXIT, successors
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


def overwritten_values(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A field without keys keeps an answer, on some way the answer to another question, and is read only later."""
    for function in examined.functions.values():
        answers = {i.into: pc for pc, i in enumerate(function.code) if isinstance(i, m.Choose)}
        kept = [
            (pc, i.field, i.value.slot)
            for pc, i in enumerate(function.code)
            if isinstance(i, m.SetField) and not i.index and isinstance(i.value, m.Local) and i.value.slot in answers
        ]
        for pc, field, slot in kept:
            others = {to: other for to, name, other in kept if name == field and other != slot}
            again = next((to for to in _before_reading(examined, function, pc, field) if to in others), None)
            if again is not None:
                yield Suspect(
                    "EXM107",
                    function.name,
                    field,
                    f"`{field}` holds one answer only: the one before it is overwritten here, before anybody reads it",
                    f"if both are meant, make `{field}` a set and add to it",
                    kinds=(ast.Assign,),
                    words=frozenset((field, function.slots[others[again]].name)),
                )


def _before_reading(examined: ExaminedProgram, function: m.Function, start: int, field: str) -> Iterator[int]:
    """The places that set a field again, on ways on which it has not been read; calls may read it."""
    waiting, seen = list(successors(function.code[start], start)), set[int]()
    while waiting:
        pc = waiting.pop()
        if pc in seen or pc == EXIT or pc >= len(function.code):
            continue
        seen.add(pc)
        i = function.code[pc]
        if _reads(examined, i, field):
            continue
        if isinstance(i, m.SetField) and i.field == field:
            yield pc
            continue
        if isinstance(i, m.Reset) and field in i.fields:
            continue
        waiting += successors(i, pc)


def _reads(examined: ExaminedProgram, i: m.Instr, field: str) -> bool:
    if isinstance(i, m.Call):
        return any(_reads_itself(examined, one, field) for one in examined.carried_out((i,)))
    return _reads_itself(examined, i, field)


def _reads_itself(examined: ExaminedProgram, i: m.Instr, field: str) -> bool:
    token = f"field {field}"
    exprs = (node for node in nodes(i) if isinstance(node, m.FieldGet | m.CallQuery | m.Component | m.After))
    return any(token in examined.effects.reads(node) for node in exprs)


__all__ = ["overwritten_values"]
