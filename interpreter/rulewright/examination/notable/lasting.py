"""Analyses of what a change sets once and never takes back."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rulewright.examination.examined_program import ExaminedProgram, conjuncts, disjuncts, is_field
from rulewright.examination.findings import Suspect
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
        effect = _lasting_effect(code, name, field, values)
        if effect:
            yield Suspect(
                "EXM123",
                name,
                "grows",
                f"`{name}` is never reset: {effect}",
                "`lasting turn` (or a phase, or a round) behind the declaration lets it be forgotten",
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


# ------------------------------------------------------------------------------------------------------ stuck condition
# EXM144: a count that only goes up, or a value that is set for good, and a rule that asks about it.

_SIGNS = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "is", "ne": "is not"}
_TURNED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}


def stuck_conditions(examined: ExaminedProgram, base: ExaminedProgram) -> Iterator[Suspect]:
    """A number is only ever raised, and nothing sets it back, and some rule asks whether it has come to another one.

    That is a score where an end, the ranking or a query looks at it as well: these are not spoken of.
    """
    code = [i for function in examined.functions.values() for i in function.code]
    for name, field in examined.fields.items():
        if name in base.fields or field.is_internal or field.ty.kind != "int" or field.ty.optional:
            continue
        writes = [i for i in code if isinstance(i, m.SetField) and i.field == name]
        reset = any(isinstance(i, m.Reset) and name in i.fields for i in code)
        if reset or not writes or not all(_raises(i) for i in writes) or _is_score(examined, name):
            continue
        claim = next((words for i in code for e in _read(i) if (words := _fixed_comparison(e, name))), "")
        if claim:
            each = ", for each of its keys" if field.index else ""
            yield Suspect(
                "EXM144",
                name,
                "raised",
                f"`{name}` only grows and is never set back{each}: {claim}",
                "`lasting turn` (or a phase, or a round) behind the declaration sets it back, or a statement where the "
                "next turn begins",
                kinds=(ast.FieldDecl,),
                given=name,
            )


def values_set_for_good(examined: ExaminedProgram, base: ExaminedProgram) -> Iterator[Suspect]:
    """A value of the game, or of each player, is only ever set to one other than at first, and some rule asks whether
    it is that one. A truth that prevents an action is another finding (EXM123), and marks of things last.
    """
    code = [i for function in examined.functions.values() for i in function.code]
    for name, field in examined.fields.items():
        if name in base.fields or field.is_internal or field.index not in ((), ("Player",)):
            continue
        values = {i.value for i in code if isinstance(i, m.SetField) and i.field == name}
        first = field.initial if isinstance(field.initial, tuple) else (field.initial,)
        reset = any(isinstance(i, m.Reset) and name in i.fields for i in code)
        if reset or len(values) != 1 or _is_score(examined, name):
            continue
        value = next(iter(values))
        if not isinstance(value, m.Const) or value.value in first or (field.ty.kind == "bool" and value.value == 0):
            continue
        if field.ty.kind == "bool" and keeps_from(code, name):
            continue
        if field.ty.kind in ("bool", "int", "entity") and any(
            _tests_value(e, name, value) for i in code for e in _read(i)
        ):
            each = ", for each player" if field.index else ""
            yield Suspect(
                "EXM144",
                name,
                "set",
                f"`{name}` is never set back: once it is set, it stays so for the rest of the game{each}, and so does "
                "what depends on it",
                "`lasting turn` (or a phase, or a round) behind the declaration sets it back, or a statement where the "
                "next turn begins",
                kinds=(ast.FieldDecl,),
                given=name,
            )


def _tests_value(e: m.Expr, name: str, value: m.Const) -> bool:
    """True if a condition tests whether a field has a value; of a truth only whether it holds."""
    match e:
        case m.FieldGet(field):
            return field == name
        case m.Cmp("eq" | "ne", m.FieldGet(field), other) | m.Cmp("eq" | "ne", other, m.FieldGet(field)):
            return field == name and other == value
        case _:
            return False


def _raises(i: m.SetField) -> bool:
    match i.value:
        case m.Arith("add", m.FieldGet(name, index), m.Const(step)):
            return name == i.field and index == i.index and step > 0
        case _:
            return False


def _is_score(examined: ExaminedProgram, name: str) -> bool:
    """True if a number is looked at by an end, a consequence, the ranking, or where something is counted together."""
    if any(_reads(query.body, name) for query in examined.queries.values()):
        return True
    for function in examined.functions.values():
        for i in function.code:
            looks = function.word in ("system", "end", "consequence") or isinstance(i, m.FinishRank | m.FinishWin)
            if looks and not isinstance(i, m.SetField) and _reads(i, name):
                return True
            if any(isinstance(node, m.Fold | m.Best | m.Sort | m.Filter) and _reads(node, name) for node in nodes(i)):
                return True
            if isinstance(i, m.SetField) and i.field != name and _reads(i.value, name):
                return True
    return False


def _reads(e: object, name: str) -> bool:
    return any(isinstance(node, m.FieldGet) and node.field == name for node in nodes(e))


def _read(i: m.Instr) -> Iterator[m.Expr]:
    """The conditions on which an instruction depends, each by itself."""
    match i:
        case m.JumpUnless(condition):
            yield from _parts(condition)
        case m.Choose(restrictions=restrictions, extras=extras):
            for one in (*restrictions, *(one for extra in extras for one in extra.restrictions)):
                yield from _parts(one.condition)
            for extra in extras:
                yield from _parts(extra.guard) if extra.guard is not None else ()
        case _:
            pass


def _parts(e: m.Expr) -> Iterator[m.Expr]:
    for part in (one for either in disjuncts(e) for one in conjuncts(either)):
        if part != e and isinstance(part, m.And | m.Or):
            yield from _parts(part)
        else:
            yield part


def _fixed_comparison(e: m.Expr, name: str) -> str:
    """The end of a condition, in words; empty if it compares the number with none that is fixed."""
    match e:
        case m.Cmp(op, m.FieldGet(field), m.Const(value)) if field == name:
            sign = _SIGNS[op]
        case m.Cmp(turned, m.Const(value), m.FieldGet(field)) if field == name:
            sign = _SIGNS[_TURNED.get(turned, turned)]
        case _:
            return ""
    comparison = f"`{name} {sign} {value}`"
    if sign in (">", ">=", "is not"):
        return f"once {comparison} holds, it holds for the rest of the game"
    return f"once {comparison} does not hold any more, it never holds again"
