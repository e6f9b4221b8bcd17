"""Analyses of what a change sets, or lays down, and never takes back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rulewright.findings.program.facts.examined_program import ExaminedProgram, is_field
from rulewright.findings.program.facts.program_words import new_instructions, words_of
from rulewright.findings.suspects import Suspect
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

# --------------------------------------------------------------------------------------------------------- lasting mark
# EXM123: what is set once, or only grows, and is never forgotten.


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
                "`lasting turn` (or a round) behind the declaration lets it be forgotten",
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
        effect = _lasting_effect(code, name, field, values)
        if effect:
            yield Suspect(
                "EXM123",
                name,
                "grows",
                f"`{name}` is never reset: {effect}",
                "`lasting turn` (or a round) behind the declaration lets it be forgotten",
                kinds=(ast.FieldDecl,),
                given=name,
            )


def _lasting_effect(code: list[m.Instr], name: str, field: m.Field, values: list[m.Expr]) -> str:
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
                case m.JumpUnless(m.Cmp("eq", value, m.Const(m.NONE))) if is_field(value, name):
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


# --------------------------------------------------------------------------------------------------------- filling zone
# EXM128: a change lays pieces where nothing takes them from any more.


def filling_zones(examined: ExaminedProgram, base: ExaminedProgram) -> Iterator[Suspect]:
    """Pieces go to a zone out of which nothing comes once the game is going on: it only fills."""
    parts = _Parts(examined)
    new = new_instructions(examined.program, base.program)
    for function in examined.functions.values():
        for pc in new[function.name]:
            i, part = function.code[pc], parts.last(function.name, pc)
            if not isinstance(i, m.Move) or i.zone == "box" or part is None:
                continue
            takers = (
                parts.last(other.name, at)
                for other in examined.functions.values()
                for at, one in enumerate(other.code)
                if _takes_from(one, i.zone)
            )
            if all(one is None or one < part for one in takers):
                yield Suspect(
                    "EXM128",
                    function.name,
                    i.zone,
                    f"`{i.zone}` only fills: nothing comes out of it any more once the game is going on",
                    "if these pieces are to come back, lay them where they are taken from",
                    kinds=(ast.Move, ast.Draw, ast.MoveHeld),
                    words=frozenset((i.zone, *words_of(function, i.what))),
                )


def _takes_from(i: m.Instr, zone: str) -> bool:
    """True if pieces of a zone are moved, or read, by an instruction."""
    looked: object = i.what if isinstance(i, m.Move) else i if isinstance(i, m.Choose | m.Chance | m.SetLocal) else None
    return any(isinstance(node, m.ZoneGet | m.ZoneList | m.Top) and node.zone == zone for node in nodes(looked))


class _Parts:
    """The parts of a game: what the game itself does, one after the other, a loop with all that it calls as one."""

    def __init__(self, examined: ExaminedProgram) -> None:
        self._main = examined.functions[examined.program.main]
        self._called: dict[str, int] = {}
        for pc, i in enumerate(self._main.code):
            if isinstance(i, m.Call):
                for function in examined.closure(i.function):
                    self._called[function.name] = max(self._called.get(function.name, -1), self._part(pc))

    def last(self, function: str, pc: int) -> int | None:
        """The last part in which an instruction may be carried out; None if it never is."""
        return self._part(pc) if function == self._main.name else self._called.get(function)

    def _part(self, pc: int) -> int:
        loops = (at for at, i in enumerate(self._main.code) if at > pc and isinstance(i, m.Jump) and i.to <= pc)
        return max(loops, default=pc)
