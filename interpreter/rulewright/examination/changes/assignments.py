"""Analyses of assignments of a change that have no effect, or are missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.text import expression_text
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

# ------------------------------------------------------------------------------------------------------ idle assignment
# EXM117: an assignment that changes nothing, as the statement before it has made both sides equal.


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


# ----------------------------------------------------------------------------------------------------- one way relation
# EXM130: a relation that the base always changes both ways, and the change only one way.


def one_way_relations(examined: ExaminedProgram, base: ExaminedProgram) -> Iterator[Suspect]:
    """Things of one kind are related by a field: allies, partners. Each function of the base that relates one to
    another one, or parts them, does so for both; one that the change has brought, or changed, for the first only.
    """
    for field in base.program.fields:
        if not _is_relation(field) or not _always_both_ways(base, field.name):
            continue
        for function in examined.functions.values():
            if function == base.functions.get(function.name):
                continue
            written = _written(function, field.name)
            for one in written:
                if not _is_mirrored(one, written):
                    yield _suspect(function, field.name, one)


_Pair = tuple[m.Expr, m.Expr]
"""A member, and the other one that is put into its field, or taken out of it."""


def _is_relation(field: m.Field) -> bool:
    return len(field.index) == 1 and field.ty.kind in ("set", "entity") and field.ty.universe == field.index[0]


def _always_both_ways(base: ExaminedProgram, field: str) -> bool:
    """True if something is put into a field, and nothing without its counterpart, or in a way that is not known."""
    several = [(f, _written(f, field)) for f in base.functions.values()]
    statements = sum(isinstance(i, m.SetField) and i.field == field for f, _ in several for i in f.code)
    pairs = [written for _, written in several if written]
    whole = all(_is_mirrored(one, written) for written in pairs for one in written)
    return bool(pairs) and statements == sum(map(len, pairs)) and whole


def _written(function: m.Function, field: str) -> list[_Pair]:
    """The pairs that a function relates or parts in a field."""
    found = list[_Pair]()
    for i in function.code:
        match i:
            case m.SetField(
                name,
                (one,),
                m.SetOp(_, m.FieldGet(read, (same,)), m.MakeSet((other,))),
            ) if name == read == field and one == same:
                found.append((one, other))
            case m.SetField(name, (one,), m.Local() as other) if name == field:
                found.append((one, other))
            case _:
                pass
    return found


def _is_mirrored(one: _Pair, written: Sequence[_Pair]) -> bool:
    return (one[1], one[0]) in written


def _suspect(function: m.Function, field: str, pair: _Pair) -> Suspect:
    names = [_name(function, e) for e in pair]
    slots = {function.slots[n.slot].name for n in nodes(pair) if isinstance(n, m.Local)}
    return Suspect(
        "EXM130",
        function.name,
        f"{field} of {names[0]}",
        f"`{field}` is changed for `{names[0]}` only: the base always changes it both ways, for the other one, "
        f"`{names[1]}`, as well",
        f"change `{field}[{names[1]}]` in the same way",
        kinds=(ast.Assign,),
        words=frozenset(name for name in (field, *slots) if name.isidentifier()),
    )


def _name(function: m.Function, e: m.Expr) -> str:
    return function.slots[e.slot].name if isinstance(e, m.Local) else expression_text(e)
