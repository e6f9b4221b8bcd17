"""EXM123: a mark that is set once and never forgotten."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


def lasting_marks(examined: ExaminedProgram, base: ExaminedProgram) -> Iterator[Suspect]:
    """A truth that is false at first is only ever made true, and something is done only as long as it is false."""
    for name, field in examined.fields.items():
        if name in base.fields or field.ty.kind != "bool" or field.is_internal or _any(field.initial):
            continue
        code = [i for function in examined.functions.values() for i in function.code]
        values = [i.value for i in code if isinstance(i, m.SetField) and i.field == name]
        reset = any(isinstance(i, m.Reset) and name in i.fields for i in code)
        if values and not reset and all(value == m.Const(1) for value in values) and _keeps_from(code, name):
            each = "for each of its keys" if field.index else "in the whole game"
            yield Suspect(
                "EXM123",
                name,
                "mark",
                f"`{name}` is never reset: once it is true it stays so, so what waits for it happens only once {each}",
                "`lasting turn` (or a phase, or a round) behind the declaration lets it be forgotten",
                kinds=(ast.FieldDecl,),
                given=name,
            )


def _any(initial: int | tuple[int, ...]) -> bool:
    return any(initial) if isinstance(initial, tuple) else bool(initial)


def _keeps_from(code: list[m.Instr], field: str) -> bool:
    """True if something is done only where a truth does not hold: an instruction, or an answer."""
    for i in code:
        if isinstance(i, m.JumpUnless) and any(_is_not(node, field) for node in nodes(i.condition)):
            return True
        if isinstance(i, m.SetLocal | m.Choose) and any(_is_not(node, field) for node in nodes(i)):
            return True
        if isinstance(i, m.Choose):
            restrictions = (*i.restrictions, *(one for extra in i.extras for one in extra.restrictions))
            if any(isinstance(one.condition, m.FieldGet) and one.condition.field == field for one in restrictions):
                return True
    return False


def _is_not(node: object, field: str) -> bool:
    return isinstance(node, m.Not) and isinstance(node.operand, m.FieldGet) and node.operand.field == field


__all__ = ["lasting_marks"]
