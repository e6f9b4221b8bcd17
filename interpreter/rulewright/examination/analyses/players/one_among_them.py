"""EXM133: those who have the same as somebody are looked for, and that one is among them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rulewright.examination.examined_program import ExaminedProgram, conjuncts, disjuncts, put
from rulewright.examination.findings import Suspect
from rulewright.examination.playing.program_words import same_words, words_of
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import slots_stored
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

_ANY_OR_NONE = {("gt", 0), ("ne", 0), ("eq", 0), ("le", 0), ("ge", 1), ("lt", 1)}
"""Comparisons of a count that ask whether there is any."""


def ones_among_them(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A loop goes through all players, or pieces, that have the same as one of them, and changes that of each; or it is
    asked whether some player has the same: the one itself has.
    """
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            if isinstance(i, m.JumpUnless):
                found = _looped(function, pc, i)
                if found is not None:
                    field, one = found
                    yield _suspect(
                        examined,
                        function,
                        one,
                        i.condition,
                        f"and {f'`{field}` of it is changed' if field else 'it is moved'} as well",
                        ast.Each,
                    )
                for part in conjuncts(i.condition):
                    asked = _always_one(function, part)
                    if asked is not None:
                        yield _suspect(
                            examined, function, asked, part, "and so there always is such a player", ast.Branch
                        )
            elif isinstance(i, m.Choose):
                for restriction in (*i.restrictions, *(one for extra in i.extras for one in extra.restrictions)):
                    for part in (one for e in disjuncts(restriction.condition) for one in conjuncts(e)):
                        asked = _always_one(function, part)
                        if asked is not None:
                            so = "and so there always is such a player"
                            yield replace(
                                _suspect(examined, function, asked, part, so, ast.Forbid), rule=restriction.label
                            )


def _suspect(examined: ExaminedProgram, function: m.Function, one: m.Local, e: m.Expr, so: str, kind: type) -> Suspect:
    name = function.slots[one.slot].name
    return Suspect(
        "EXM133",
        function.name,
        same_words(examined.program, function.name, e),
        f"`{name}` itself is among those that have the same as `{name}`, {so}",
        f"leave it out: `… except {name}`",
        kinds=(kind,),
        words=words_of(function, e),
    )


def _looped(function: m.Function, pc: int, i: m.JumpUnless) -> tuple[str, m.Local] | None:
    """The value that a loop over all players, or pieces, compares with that of one and changes, and that one."""
    around = _loop(function, pc, i)
    if around is None:
        return None
    slot, body = around
    parts = conjuncts(i.condition)
    for part in parts:
        compared = _with_another(function, part, slot)
        if compared is None:
            continue
        one, what = compared
        excluded = any(node == one for other in parts if other is not part for node in nodes(other))
        asks = any(isinstance(x, m.JumpUnless) and any(node == one for node in nodes(x.condition)) for x in body)
        if not excluded and not asks and any(_changes(x, what, slot) for x in body):
            return what, one
    return None


def _with_another(function: m.Function, e: m.Expr, slot: int) -> tuple[m.Local, str] | None:
    """The one with which each is compared, and the field, or zones, that both must have alike."""
    match e:
        case m.Cmp("eq", left, right):
            pass
        case _:
            return None
    for mine, theirs in ((left, right), (right, left)):
        match mine, theirs:
            case m.FieldGet(field, (m.Local(of),)), m.FieldGet(other, (m.Local(one),)) if field == other and of == slot:
                what = field
            case m.PlaceOf(m.Local(of)), m.PlaceOf(m.Local(one)) if of == slot:
                what = ""
            case _:
                continue
        if one != slot and function.slots[one].ty.universe == function.slots[slot].ty.universe in ("Player", "Piece"):
            return m.Local(one), what
    return None


def _changes(i: m.Instr, what: str, slot: int) -> bool:
    match i:
        case m.SetField(field, index):
            return field == what and index == (m.Local(slot),)
        case m.Move(m.MakeSet((m.Local(moved),))):
            return not what and moved == slot
        case _:
            return False


def _loop(function: m.Function, pc: int, i: m.JumpUnless) -> tuple[int, tuple[m.Instr, ...]] | None:
    """The name of each that a condition at the head of a loop over all is asked of, and what is done with it."""
    code, at = function.code, pc
    while at > 0 and isinstance(one := code[at - 1], m.JumpUnless) and isinstance(one.condition, m.Contains):
        at -= 1  # whoever has left the game is passed over
    match code[max(0, at - 2) : at]:
        case (m.SetLocal(slot, m.First(m.Local(left))), m.SetLocal(again)) if again == left:
            pass
        case (_, m.SetLocal(slot, m.Item(m.Local(left)))):
            pass
        case _:
            return None
    filled = [x.value for x in code if isinstance(x, m.SetLocal) and x.slot == left]
    ends = [to for to, x in enumerate(code) if isinstance(x, m.Jump) and x.to == i.to and to > pc]
    everybody = any(isinstance(value, m.Alive | m.Kind | m.ClockwiseFrom) for value in filled)
    return (slot, code[pc + 1 : max(ends)]) if i.to < pc and everybody and ends else None


def _always_one(function: m.Function, e: m.Expr) -> m.Local | None:
    """The player because of whom there always is one who has the same."""
    if isinstance(e, m.Not):
        return _always_one(function, e.operand)
    match e:
        case m.Fold("some" | "no", (m.Bound(var, m.Alive("Player"), False),), where, _) if where is not None:
            pass
        case m.Cmp(op, m.Fold("count", (m.Bound(var, m.Alive("Player"), False),), where), m.Const(number)) | m.Cmp(
            op, m.Size(m.Filter(m.Alive("Player"), var, where)), m.Const(number)
        ) if (op, number) in _ANY_OR_NONE:
            pass
        case _:
            return None
    if where is None:
        return None
    for node in nodes(where):
        if isinstance(node, m.Local) and function.slots[node.slot].ty.universe == "Player":
            slot = function.slots[node.slot]
            sure = not slot.ty.optional and (
                node.slot < function.params or any(node.slot in slots_stored(x) for x in function.code)
            )
            if sure and all(_is_same(part) for part in conjuncts(put(where, {var: node}))):
                return node
    return None


def _is_same(e: m.Expr) -> bool:
    return isinstance(e, m.Cmp) and e.op in ("eq", "le", "ge") and e.left == e.right


__all__ = ["ones_among_them"]
