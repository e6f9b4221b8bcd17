"""EXM126: a stored number is compared behind what changes it."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import reads_slot
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


def values_from_before(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """A number is stored under a name, what it was counted from changes, and only then it is compared, or handed on.

    Whoever uses it before the change as well, or beside the new value, wants the old one.
    """
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            name = function.slots[i.slot].name if isinstance(i, m.SetLocal) else ""
            if not isinstance(i, m.SetLocal) or not name.isidentifier() or function.slots[i.slot].ty.kind != "int":
                continue
            reads = examined.effects.reads(i.value)
            if not reads or reads_slot(i.value, frozenset((i.slot,))):
                continue
            changes = _changed_before_use(examined, function, pc, i, reads)
            if changes:
                yield Suspect(
                    "EXM126",
                    function.name,
                    name,
                    f"`{name}` is stored before `{changes}` changes what it is counted from, and used behind it: it is "
                    "the old value",
                    f"if the new one is meant, write `let {name} = …` behind the change",
                    kinds=(ast.Let,),
                    given=name,
                )


def _changed_before_use(
    examined: ExaminedProgram, function: m.Function, start: int, stored: m.SetLocal, reads: frozenset[str]
) -> str:
    """The field, zone or function that changes before a value is used for the first time; empty if none does."""
    slot, changed = frozenset((stored.slot,)), ""
    for i in function.code[start + 1 :]:
        if reads_slot(i, slot):
            return "" if any(node == stored.value for node in nodes(i)) else changed
        if isinstance(i, m.SetLocal) and i.slot == stored.slot:
            return ""
        for one in examined.carried_out((i,)):
            written = reads & examined.effects.writes(one)
            if written and not changed:
                by_name = isinstance(i, m.Call) and examined.functions[i.function].word != "system"
                changed = i.function if isinstance(i, m.Call) and by_name else sorted(written)[0].partition(" ")[2]
    return ""


__all__ = ["values_from_before"]
