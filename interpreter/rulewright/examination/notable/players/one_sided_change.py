"""EXM125: a change of what one player has, where another one is asked about, or who acts is left out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.examination.playing.program_words import new_instructions, words_of
from rulewright.ir import model as m
from rulewright.ir.walk import children, nodes
from rulewright.syntax import ast

_SIDES = ("Player.left", "Player.right")


def one_sided_changes(examined: ExaminedProgram, base: ExaminedProgram) -> Iterator[Suspect]:
    """A number of one player changes and that of no other: who it is, and whom it leaves out, is said where the two
    could be mistaken. That is where a condition around it asks about some other player, or where the one beside is
    changed and not who acts.
    """
    new = new_instructions(examined.program, base.program)
    for function in examined.functions.values():
        changes = [
            (pc, name, whose) for pc in new[function.name] for name, whose in _changed(examined, function.code[pc])
        ]
        for pc, name, whose in changes:
            others = {_words(other) for _, of, other in changes if of == name}
            asked = [
                who
                for at, one in enumerate(function.code[:pc])
                if isinstance(one, m.JumpUnless) and _guards(function, at, one.to, pc)
                for who in _players_in(examined, one.condition)
            ]
            if any(_words(who) not in others for who in asked):
                what = "the condition asks about another player, of whom nothing changes: only"
            elif _is_beside(whose) and all(_is_beside(other) for _, of, other in changes if of == name):
                what = "nothing changes of the one who acts, only of another player:"
            else:
                continue
            yield Suspect(
                "EXM125",
                function.name,
                f"{name} of {_told(function, whose)}",
                f"{what} `{name}` of {_told(function, whose)} does",
                "compare it with who is to get it, or to lose it; what one gets another one may have to give",
                kinds=(ast.Assign,),
                words=frozenset((name, *words_of(function, whose))),
            )


def _guards(function: m.Function, at: int, to: int, pc: int) -> bool:
    """True if an instruction is carried out only if a condition before it holds; or only for those it holds of."""
    if to > at:
        return to > pc
    return any(isinstance(i, m.Jump) and i.to == to for i in function.code[pc:])


def _words(e: m.Expr) -> str:
    """A player as a text that is equal for the same one, wherever it is written."""
    return re.sub(r"_\d+\b", "", repr(e))


def _changed(examined: ExaminedProgram, i: m.Instr) -> Iterator[tuple[str, m.Expr]]:
    """The number of a player that an instruction changes, and whose it is."""
    match i:
        case m.SetField(name, (whose,), m.Arith("add" | "sub", m.FieldGet(read))) if name == read:
            if examined.fields[name].index == ("Player",):
                yield name, whose
        case _:
            pass


def _players_in(examined: ExaminedProgram, e: m.Expr) -> Iterator[m.Expr]:
    """The players that a condition asks about: computed ones, and those that fields hold; not those that it looks
    through one by one. Of a field that is compared with such a player it is that one."""
    match e:
        case m.Cmp(_, m.FieldGet() as field, other) if not isinstance(other, m.Const):
            yield from _players_in(examined, other if _is_player(examined, field) else field)
        case _ if _is_player(examined, e):
            if not any(isinstance(node, m.Var) for node in nodes(e)) or isinstance(e, m.LetIn):
                yield e
        case _:
            for child in children(e):
                yield from _players_in(examined, child)


def _is_player(examined: ExaminedProgram, e: m.Expr) -> bool:
    match e:
        case m.Attr(table):
            return examined.tables[table].ty.universe == "Player"
        case m.FieldGet(name):
            return examined.fields[name].ty.universe == "Player" and examined.fields[name].ty.kind == "entity"
        case m.LetIn(_, _, m.LetIn(_, m.Attr(table))):
            return table in _SIDES
        case _:
            return False


def _is_beside(whose: m.Expr) -> bool:
    return any(isinstance(node, m.Attr) and node.table in _SIDES for node in nodes(whose))


def _told(function: m.Function, whose: m.Expr) -> str:
    """A player in words."""
    if isinstance(whose, m.Local):
        return f"`{function.slots[whose.slot].name}`"
    if _is_beside(whose):
        side = next(node.table for node in nodes(whose) if isinstance(node, m.Attr) and node.table in _SIDES)
        return f"the player to the {side.partition('.')[2]}"
    return "a computed player"


__all__ = ["one_sided_changes"]
