"""EXM117: an assignment that changes nothing, as the statement before it has made both sides equal."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


def idle_assignments(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """One cell takes the value of another one, and then that one the value of the first: half of an exchange."""
    for function in examined.functions.values():
        before: m.SetField | None = None
        for i in function.code:
            if isinstance(i, m.SetField):
                if before is not None and _is_back(before, i):
                    names = {function.slots[n.slot].name for n in nodes((before, i)) if isinstance(n, m.Local)}
                    yield Suspect(
                        "EXM117",
                        function.name,
                        f"{i.field} back",
                        f"`{i.field}` is set to what it is already: the statement before has made both equal, so only "
                        "one of the two is changed, and its old value is lost",
                        "keep the old value with `let` before the first of the two, and write it into the second",
                        kinds=(ast.Assign,),
                        words=frozenset(name for name in (before.field, *names) if name.isidentifier()),
                    )
                before = i
            elif not isinstance(i, m.Fired | m.Observe) and not _settles(examined, i):
                before = None


def _is_back(before: m.SetField, then: m.SetField) -> bool:
    read = m.FieldGet(then.field, then.index)
    return (before.field, before.index) != (then.field, then.index) and (before.value, then.value) == (
        read,
        m.FieldGet(before.field, before.index),
    )


def _settles(examined: ExaminedProgram, i: m.Instr) -> bool:
    """True of the look at consequences and ends that stands behind each change."""
    return isinstance(i, m.Call) and examined.functions[i.function].word == "system"


__all__ = ["idle_assignments"]
