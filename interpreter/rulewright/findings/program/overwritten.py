"""Analyses of assignments of a change that have no effect, or are missing."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.findings.program.facts.examined_program import ExaminedProgram
from rulewright.findings.suspects import Suspect
from rulewright.ir import model as m
from rulewright.syntax import ast

# -------------------------------------------------------------------------------------------------- overwritten by call
# EXM118: a value that what is called next overwrites before anybody has read it.


def overwritten_by_calls(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """A field is given a value, and the next thing that is called gives it another one for every player, or the only
    one, without a look at what was there.
    """
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            if not isinstance(i, m.SetField) or examined.asks_for(i.value, i.field):
                continue
            called = next((one for one in function.code[pc + 1 :] if not _passes(examined, one)), None)
            if isinstance(called, m.Call) and _overwrites(examined, called.function, i):
                is_number = examined.fields[i.field].ty.kind == "int"
                numbers = (str(n.value) for n in (i.value,) if isinstance(n, m.Const) and is_number)
                yield Suspect(
                    "EXM118",
                    function.name,
                    i.field,
                    f"this value of `{i.field}` is lost: `{called.function}` comes next and overwrites it before "
                    "anybody reads it",
                    f"write it behind `{called.function}`"
                    + (", or let the field last longer" if _begins_anew(examined, called.function, i.field) else ""),
                    kinds=(ast.Assign,),
                    words=frozenset((i.field, *numbers)),
                )


def _passes(examined: ExaminedProgram, i: m.Instr) -> bool:
    """True of what stands between statements: notices, and the look at consequences behind each change."""
    return isinstance(i, m.Fired | m.Observe) or (
        isinstance(i, m.Call) and examined.functions[i.function].word == "system"
    )


def _overwrites(examined: ExaminedProgram, called: str, stored: m.SetField) -> bool:
    """True if a function surely sets the field, for all players if it has keys, and nothing of it reads the field."""
    if _begins_anew(examined, called, stored.field):
        return True
    code = examined.functions[called].code
    closure = [i for function in examined.closure(called) for i in function.code]
    if any(examined.asks_for(part, stored.field) for i in closure for part in _parts(i)):
        return False
    for pc, i in enumerate(code):
        if not isinstance(i, m.SetField) or i.field != stored.field:
            continue
        if not stored.index:
            return not any(isinstance(one, m.JumpUnless | m.Jump | m.Return | m.Choose) for one in code[:pc])
        if _for_all_players(code, pc):
            return True
    return False


def _begins_anew(examined: ExaminedProgram, called: str, field: str) -> bool:
    """True if a function forgets a field before it does anything else: the field lasts as long as the function."""
    first = examined.functions[called].code[0]
    return isinstance(first, m.Reset) and field in first.fields


def _for_all_players(code: tuple[m.Instr, ...], pc: int) -> bool:
    """True if an instruction stands at the head of a loop over all players, before anything asks or branches."""
    i = code[pc]
    assert isinstance(i, m.SetField)
    match i.index:
        case (m.Local(slot),):
            pass
        case _:
            return False
    back = pc - 1
    while back >= 0 and isinstance(code[back], m.SetField | m.Move | m.Fired):
        back -= 1
    if back >= 0 and code[back] == m.JumpUnless(m.Contains(m.Alive("Player"), m.Local(slot), False), back - 3):
        back -= 1  # those who are out of the game are left out
    match code[back - 3 : back + 1]:
        case (
            m.SetLocal(rest, m.Alive("Player")),
            m.JumpUnless(),
            m.SetLocal(one, m.First(m.Local(source))),
            m.SetLocal(again),
        ):
            return one == slot and rest == source == again
        case _:
            return False


def _parts(i: m.Instr) -> Iterator[object]:
    """The expressions that an instruction reads."""
    yield from (i.index, i.value) if isinstance(i, m.SetField) else (i,)
