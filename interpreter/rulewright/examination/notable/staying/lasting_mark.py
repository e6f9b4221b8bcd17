"""EXM123: what is set once, or only grows, and is never forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rulewright.examination.examined_program import ExaminedProgram, is_field
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
        if values and not reset and all(value == m.Const(1) for value in values) and keeps_from(code, name):
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


def growing_fields(examined: ExaminedProgram, base: ExaminedProgram) -> Iterator[Suspect]:
    """A set to which something is only ever added refuses what is in it; a number that only grows is given away whole,
    again and again; something that is set as long as it is none is never none again.
    """
    code = [i for function in examined.functions.values() for i in function.code]
    for name, field in examined.fields.items():
        values = [i.value for i in code if isinstance(i, m.SetField) and i.field == name]
        if name in base.fields or field.is_internal or not values:
            continue
        if any(isinstance(i, m.Reset) and name in i.fields for i in code):
            continue
        told = _told(code, name, field, values)
        if told:
            yield Suspect(
                "EXM123",
                name,
                "grows",
                f"`{name}` is never reset: {told}",
                "`lasting turn` (or a phase, or a round) behind the declaration lets it be forgotten",
                kinds=(ast.FieldDecl,),
                given=name,
            )


def _told(code: list[m.Instr], name: str, field: m.Field, values: list[m.Expr]) -> str:
    """In words, what comes of a field that is only ever set in one way; empty if it is set otherwise as well."""
    own = [isinstance(node, m.FieldGet) and node.field == name for i in code for node in nodes(i)]
    if not any(own):
        return ""
    if field.ty.kind == "set" and not _any(field.initial):
        grows = all(_is_added(value, name) for value in values)
        return (
            "what is once in it stays in it, so what it refuses it refuses for good"
            if grows and _asks(code, name)
            else ""
        )
    if field.ty.kind == "int" and not field.ty.optional and not _any(field.initial) and not field.index:
        grows = all(isinstance(v, m.Arith) and v.op == "add" and is_field(v.left, name) for v in values)
        return "it only grows, and all of it is given each time" if grows and _gives(code, name) else ""
    if field.ty.kind == "entity" and field.ty.optional and not field.index and field.initial == m.NONE:
        kept = all(value != m.Const(m.NONE) for value in values) and _only_while_none(code, name)
        return "it is set only once in the whole game, while it is none, and stays so" if kept else ""
    return ""


def _is_added(e: m.Expr, name: str) -> bool:
    return isinstance(e, m.SetOp) and e.op == "union" and is_field(e.left, name)


def _asks(code: list[m.Instr], name: str) -> bool:
    """True if something is refused because it is in a set."""
    return any(
        isinstance(one.condition, m.Contains) and is_field(one.condition.collection, name)
        for i in code
        if isinstance(i, m.Choose)
        for one in (*i.restrictions, *(one for extra in i.extras for one in extra.restrictions))
    )


def _gives(code: list[m.Instr], name: str) -> bool:
    """True if all of a number is added to another one."""
    return any(
        isinstance(i, m.SetField)
        and i.field != name
        and isinstance(i.value, m.Arith)
        and i.value.op == "add"
        and is_field(i.value.right, name)
        for i in code
    )


def _only_while_none(code: list[m.Instr], name: str) -> bool:
    """True if each statement that sets a field stands just behind the question whether it is none."""
    for before, i in pairwise(code):
        if isinstance(i, m.SetField) and i.field == name:
            match before:
                case m.JumpUnless(m.Cmp("eq", asked, m.Const(m.NONE))) if is_field(asked, name):
                    pass
                case _:
                    return False
    return True


def _any(initial: int | tuple[int, ...]) -> bool:
    return any(initial) if isinstance(initial, tuple) else bool(initial)


def keeps_from(code: list[m.Instr], field: str) -> bool:
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


__all__ = ["growing_fields", "keeps_from", "lasting_marks"]
