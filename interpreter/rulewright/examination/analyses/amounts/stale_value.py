"""EXM110: a value that is stored before something that may change it, and used behind it."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import reads_slot
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


def stale_values(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A value is stored, then something is called that may change what it was made of, and only then it is used.

    Whoever uses it before as well, or hands it on together with the new one, wants the old one.
    """
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            if not isinstance(i, m.SetLocal) or function.slots[i.slot].ty.kind not in ("int", "bool"):
                continue
            reads = examined.effects.reads(i.value)
            if not reads or reads_slot(i.value, frozenset((i.slot,))):
                continue
            changed_by = _used_behind(examined, function, pc, i, reads)
            if changed_by is not None:
                name = function.slots[i.slot].name
                yield Suspect(
                    "EXM110",
                    function.name,
                    name,
                    f"`{name}` is stored before `{changed_by}`, which may change it, and used behind it: the old value",
                    f"if the new one is meant, write `let {name} = …` behind `{changed_by}`",
                    kinds=(ast.Let,),
                    given=name,
                )


def _used_behind(
    examined: ExaminedProgram, function: m.Function, start: int, stored: m.SetLocal, reads: frozenset[str]
) -> str | None:
    """The function called first, in the instructions that follow one after the other, that may change the value."""
    slot, last, changed_by = frozenset((stored.slot,)), "", None
    for i in function.code[start + 1 :]:
        if not isinstance(i, m.Fired | m.Tell | m.Observe | m.Show | m.Call):
            return None
        if reads_slot(i, slot):
            again = any(node == stored.value for node in nodes(i))
            return changed_by if isinstance(i, m.Call) and not again else None
        if isinstance(i, m.Call):
            if examined.functions[i.function].word != "system":
                last = i.function
            if changed_by is None and last and _writes(examined, i, reads):
                changed_by = last  # consequences that follow a call belong to it
    return None


def _writes(examined: ExaminedProgram, call: m.Call, reads: frozenset[str]) -> bool:
    return any(reads & examined.effects.writes(one) for one in examined.carried_out((call,)))


__all__ = ["stale_values"]
