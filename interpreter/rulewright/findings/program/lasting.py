"""Analyses of how long the fields of a change last: longer than is meant, or too short to be asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise

from rulewright.diagnostics import NOWHERE, Span
from rulewright.findings.program.facts.examined_program import ExaminedProgram, is_field
from rulewright.findings.suspects import Suspect
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import EXIT, successors
from rulewright.ir.rule_places import statement_at
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

# --------------------------------------------------------------------------------------------------------- lasting mark
# EXM123: what is set once, or only grows, and is never forgotten.


def lasting_fields(examined: ExaminedProgram, base: ExaminedProgram) -> Iterator[Suspect]:
    """A field is only ever set in one way, nothing resets it, and what is done depends on whether it was set."""
    code = [i for function in examined.functions.values() for i in function.code]
    for name, field in examined.fields.items():
        values = [i.value for i in code if isinstance(i, m.SetField) and i.field == name]
        if name in base.fields or field.is_internal or not values:
            continue
        if any(isinstance(i, m.Reset) and name in i.fields for i in code):
            continue
        effect = _lasting_effect(examined, name, field, values)
        if effect:
            yield Suspect(
                "EXM123",
                name,
                "grows" if field.ty.kind != "bool" else "mark",
                f"`{name}` is never reset: {effect}",
                "`lasting turn` (or a round) behind the declaration lets it be forgotten",
                kinds=(ast.FieldDecl,),
                given=name,
                span=_giving(examined, name) if effect == GIVEN else None,
            )


GIVEN = "it only grows, and all of it is given here each time"


def _lasting_effect(examined: ExaminedProgram, name: str, field: m.Field, values: list[m.Expr]) -> str:
    """In words, what comes of a field that is only ever set in one way; empty if it is set otherwise as well.

    A truth that is false at first is only ever made true; a number that only grows is given away whole, again and
    again, or refuses something from a limit on; what is set while it is none stays so. Of a truth for each player
    nothing is said: once in a game for each of them is mostly meant.
    """
    code = [i for function in examined.functions.values() for i in function.code]
    if field.ty.optional:
        at_first = field.ty.kind == "entity" and not field.index and field.initial == m.NONE
        kept = at_first and all(value != m.Const(m.NONE) for value in values) and _only_while_none(code, name)
        return "it is set only once in the whole game, while it is none, and stays so" if kept else ""
    if _any(field.initial):
        return ""
    match field.ty.kind:
        case "bool" if not field.index and all(v == m.Const(1) for v in values) and _decides(examined, name):
            return "once it is true it stays so, so what waits for it happens only once in the whole game"
        case "int" if all(_is_raised(value, name) for value in values):
            if not field.index and _giving(examined, name) is not None:
                return GIVEN
            return "it only grows, so what it refuses once it refuses for good" if _limits(code, name) else ""
        case _:
            return ""


def _is_raised(e: m.Expr, name: str) -> bool:
    return isinstance(e, m.Arith) and e.op == "add" and is_field(e.left, name)


def _refused(code: Iterable[m.Instr]) -> Iterator[m.Expr]:
    for i in code:
        if isinstance(i, m.Choose):
            yield from (one.condition for one in (*i.restrictions, *(r for e in i.extras for r in e.restrictions)))


def _limits(code: list[m.Instr], name: str) -> bool:
    """True if something is refused because a number has come to a limit that stays as it is."""
    return any(
        isinstance(e, m.Cmp) and e.op in ("ge", "gt") and is_field(e.left, name) and isinstance(e.right, m.Const)
        for e in _refused(code)
    )


def _giving(examined: ExaminedProgram, name: str) -> Span | None:
    """The statement that adds all of a number to another one, if there is any."""
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            match i:
                case m.SetField(to, _, m.Arith("add", _, m.FieldGet(given))) if given == name != to:
                    place = statement_at(examined.program, function, pc)
                    return place.span if place is not None else NOWHERE
                case _:
                    pass
    return None


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


def _decides(examined: ExaminedProgram, field: str) -> bool:
    """True if something is done only where a truth does not hold: an answer, an instruction, or what sets it."""
    for function in examined.functions.values():
        asked = False
        for i in function.code:
            if isinstance(i, m.JumpUnless | m.SetLocal | m.Choose) and any(_is_not(node, field) for node in nodes(i)):
                return True
            if asked and _sets(i, field):
                return True
            asked = asked or (isinstance(i, m.JumpUnless) and any(is_field(node, field) for node in nodes(i.condition)))
        if any(is_field(e, field) for e in _refused(function.code)):
            return True
    return False


def _is_not(node: object, field: str) -> bool:
    return isinstance(node, m.Not) and isinstance(node.operand, m.FieldGet) and node.operand.field == field


# ----------------------------------------------------------------------------------------------------------- short life
# EXM305: a field that is reset before anything asks for what was set: reaching definitions over all functions.


def short_lives(examined: ExaminedProgram, base: ExaminedProgram) -> Iterator[Suspect]:
    """A field with a `lasting` span is set, and on no way from there does anything read it before the span is over."""
    for name, field in examined.fields.items():
        if name in base.fields or field.is_internal:
            continue
        places = [(f.name, pc, i) for f in examined.functions.values() for pc, i in enumerate(f.code)]
        spans = {f for f, _, i in places if isinstance(i, m.Reset) and name in i.fields}
        sets = [(f, pc) for f, pc, i in places if isinstance(i, m.SetField) and i.field == name]
        asks = {(f, pc) for f, pc, i in places if not _sets(i, name) and examined.asks_for(i, name)}
        if spans and sets and asks and not _reached(examined, sets, name) & asks:
            span = " and ".join(f"`{one}`" for one in sorted(spans))
            yield Suspect(
                "EXM305",
                name,
                "forgotten",
                f"`{name}` is forgotten with the end of {span}, before anything asks for what was set: it is as if it "
                "were never set",
                "let it last longer: `lasting` a round, or without a span",
                kinds=(ast.FieldDecl,),
                given=name,
            )


def _sets(i: m.Instr, name: str) -> bool:
    return isinstance(i, m.SetField) and i.field == name


def _reached(examined: ExaminedProgram, starts: list[tuple[str, int]], field: str) -> set[tuple[str, int]]:
    """The instructions that some way leads to from others, through calls and returns, without a reset of a field."""
    calls = [(f.name, pc, i.function) for f in examined.functions.values() for pc, i in enumerate(f.code)
             if isinstance(i, m.Call)]  # fmt: skip
    waiting, seen = [(f, to) for f, pc in starts for to in _next(examined, f, pc)], set[tuple[str, int]]()
    while waiting:
        function, pc = at = waiting.pop()
        if at in seen:
            continue
        seen.add(at)
        code = examined.functions[function].code
        if pc == EXIT or pc >= len(code):
            waiting += [(f, to) for f, call, called in calls if called == function for to in _next(examined, f, call)]
        elif isinstance(i := code[pc], m.Call):
            waiting.append((i.function, 0))
        elif not (isinstance(i, m.Reset) and field in i.fields):
            waiting += [(function, to) for to in _next(examined, function, pc)]
    return seen


def _next(examined: ExaminedProgram, function: str, pc: int) -> tuple[int, ...]:
    return successors(examined.functions[function].code[pc], pc)
