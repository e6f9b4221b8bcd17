"""EXM144: a count that only goes up, or a value that is set for good, and a rule that asks about it."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram, conjuncts, disjuncts
from rulewright.examination.findings import Suspect
from rulewright.examination.notable.staying.lasting_mark import keeps_from
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

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
        told = next((words for i in code for e in _asked(i) if (words := _told(e, name))), "")
        if told:
            each = ", for each of its keys" if field.index else ""
            yield Suspect(
                "EXM144",
                name,
                "raised",
                f"`{name}` only grows and is never set back{each}: {told}",
                "`lasting turn` (or a phase, or a round) behind the declaration sets it back, or a statement where the "
                "next turn begins",
                kinds=(ast.FieldDecl,),
                given=name,
            )


def values_set_for_good(examined: ExaminedProgram, base: ExaminedProgram) -> Iterator[Suspect]:
    """A value of the game, or of each player, is only ever set to one other than at first, and some rule asks whether
    it is that one. A truth that keeps something from being done is told otherwise (EXM123), and marks of things last.
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
        if field.ty.kind in ("bool", "int", "entity") and any(_asks(e, name, value) for i in code for e in _asked(i)):
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


def _asks(e: m.Expr, name: str, value: m.Const) -> bool:
    """True if it is asked whether a field has a value; of a truth only whether it holds."""
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


def _asked(i: m.Instr) -> Iterator[m.Expr]:
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


def _told(e: m.Expr, name: str) -> str:
    """The end of a condition, in words; empty if it compares the number with none that is fixed."""
    match e:
        case m.Cmp(op, m.FieldGet(field), m.Const(value)) if field == name:
            sign = _SIGNS[op]
        case m.Cmp(turned, m.Const(value), m.FieldGet(field)) if field == name:
            sign = _SIGNS[_TURNED.get(turned, turned)]
        case _:
            return ""
    said = f"`{name} {sign} {value}`"
    if sign in (">", ">=", "is not"):
        return f"once {said} holds, it holds for the rest of the game"
    return f"once {said} does not hold any more, it never holds again"


__all__ = ["stuck_conditions", "values_set_for_good"]
