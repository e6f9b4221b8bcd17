"""EXM135: something that goes from one place to another one is not taken from where it stood."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulewright.examination.examined_program import ExaminedProgram, conjuncts
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import successors
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

MOST = 400
"""Ways through a function that are followed."""


def men_left_behind(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """A place where something of a player stands is chosen, and then another one; on one way through what follows the
    new place gets it and the old one is cleared, on another way the old one keeps it: there are two of it then. Or no
    way clears it, and where it may go depends on where it stands.
    """
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            if not isinstance(i, m.Choose) or i.where is None:
                continue
            for part in conjuncts(i.where):
                match part:
                    case m.Cmp("eq", m.FieldGet(field, (m.Var(var),)), who) if var == i.var and who == i.who:
                        ways = list(_ways(examined, function, pc, field, m.Local(i.into)))
                        kept = [way for way in ways if way[0] and not way[1]]
                        if kept and any(way[0] and way[1] for way in ways):
                            yield _suspect(function, field, kept[0][0], i.label, "on another way it is cleared")
                        elif kept and len(kept) == len([way for way in ways if way[0]]) and _goes_on(function, pc, i):
                            yield _suspect(function, field, kept[0][0], i.label, "it is never cleared")
                    case _:
                        pass


def _goes_on(function: m.Function, pc: int, i: m.Choose) -> bool:
    """True if the next answer depends on this one: somebody goes from here to there."""
    following = next((one for one in function.code[pc + 1 :] if isinstance(one, m.Choose)), None)
    return following is not None and any(node == m.Local(i.into) for node in nodes(following))


def _suspect(function: m.Function, field: str, at: str, home: str, otherwise: str) -> Suspect:
    return Suspect(
        "EXM135",
        at,
        f"{field} from {function.name}",
        f"here the new place gets what `{field}` of `{home}` holds and `{home}` keeps it, {otherwise}: there are two "
        "of it then",
        f"if it is moved, write `move {field} from … to …`, or clear the old place as well",
        kinds=(ast.Assign,),
        words=frozenset((field,)),
    )


_Way = tuple[str, bool]
"""The function in which the new place gets something, empty if none does, and whether the old one is cleared."""


def _ways(examined: ExaminedProgram, function: m.Function, start: int, field: str, home: m.Local) -> Iterator[_Way]:
    """The ways from a question to the end of the function, without going round twice."""
    waiting: list[tuple[int, frozenset[int], str, bool]] = [(start + 1, frozenset((start,)), "", False)]
    followed = 0
    while waiting and followed < MOST:
        pc, seen, given, cleared = waiting.pop()
        followed += 1
        if pc in seen or not 0 <= pc < len(function.code):
            yield given, cleared
            continue
        i = function.code[pc]
        here, gone = _done(examined, function, i, field, home)
        given, cleared = given or here, cleared or gone
        following = [to for to in successors(i, pc) if to != pc]
        if not following or isinstance(i, m.Return):
            yield given, cleared
        waiting += [(to, seen | {pc}, given, cleared) for to in following if not isinstance(i, m.Return)]


def _done(examined: ExaminedProgram, function: m.Function, i: m.Instr, field: str, home: m.Local) -> tuple[str, bool]:
    """The function in which another place gets what stood there, and whether that place is cleared."""
    match i:
        case m.SetField():
            return _set(i, field, home, function.name, {})
        case m.Call(name, args) if home in args:
            called = examined.functions[name]
            given: Mapping[m.Expr, m.Expr] = {m.Local(n): arg for n, arg in enumerate(args)}
            inside = m.Local(args.index(home))
            straight = not any(isinstance(x, m.JumpUnless | m.Choose) for x in called.code)
            if not straight:
                wrote = any(isinstance(x, m.SetField) and x.field == field for x in called.code)
                return ("", True) if wrote else ("", False)
            done = [_set(x, field, inside, name, given) for x in called.code if isinstance(x, m.SetField)]
            return next((at for at, _ in done if at), ""), any(gone for _, gone in done)
        case _:
            return "", False


def _set(i: m.SetField, field: str, home: m.Local, name: str, _given: Mapping[m.Expr, m.Expr]) -> tuple[str, bool]:
    if i.field != field:
        return "", False
    if i.index == (home,):
        return "", True
    holds = isinstance(i.value, m.Local) or i.value == m.FieldGet(field, (home,))
    return (name if holds and not any(node == home for node in nodes(i.index)) else ""), False


__all__ = ["men_left_behind"]
