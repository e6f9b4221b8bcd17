"""EXM142: an end that lets win who has nothing left, or least."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram, conjuncts
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

_NOTHING = m.Const(m.NONE)


def worse_ones_win(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """An end is looked for player by player, holds for who has nothing left on any place, and lets that one win; or
    players are ranked by a number of theirs, the lowest first.
    """
    for function in examined.functions.values():
        code = function.code
        for i, call in zip(code, code[2:], strict=False):
            match i, call:
                case m.SetLocal(slot, m.First(m.Filter(m.Alive("Player"), var, where))), m.Call(
                    end, (m.Local(of),)
                ) if slot == of and any(_has_none(part, var) for part in conjuncts(where)):
                    if _wins(examined.functions[end]):
                        yield _suspect(end, "winner", f"`{end}` lets win who has nothing left there", ast.End, end)
                case _:
                    pass
        for one in code:
            match one:
                case m.FinishRank(keys=(m.Arith("sub", m.Const(0), least), *_)) if not isinstance(least, m.Const):
                    about = "whoever has least comes first here"
                    yield _suspect(function.name, "least", about, ast.RankAll, "")
                case _:
                    pass


def _suspect(function: str, about: str, said: str, kind: type, rule: str) -> Suspect:
    return Suspect(
        "EXM142",
        function,
        about,
        f"{said}: the others lose",
        "if it is the other way round, let the others win, or leave out the minus",
        rule=rule,
        kinds=(kind,),
    )


def _has_none(e: m.Expr, var: str) -> bool:
    """True of a condition that no place holds a player."""
    match e:
        case m.Not(inner):
            return isinstance(inner, m.Fold) and inner.kind == "some" and _holds(inner, var)
        case m.Fold("no"):
            return _holds(e, var)
        case m.Cmp("eq", m.Fold("count") as counted, m.Const(0)):
            return _holds(counted, var)
        case _:
            return False


def _holds(e: m.Fold, var: str) -> bool:
    """True of a question for places that hold a player, and for nothing else."""
    return (
        len(e.binds) == 1
        and e.where is not None
        and any(
            isinstance(part, m.Cmp)
            and part.op == "eq"
            and isinstance(part.left, m.FieldGet)
            and part.left.index == (m.Var(e.binds[0].var),)
            and part.right == m.Var(var)
            for part in (e.where,)
        )
    )


def _wins(function: m.Function) -> bool:
    """True if an end lets the player win for whom it is looked for."""
    return any(isinstance(i, m.FinishWin) and i.players == m.MakeSet((m.Local(0),)) for i in function.code) and not any(
        isinstance(node, m.JumpUnless) for node in nodes(function.code)
    )


__all__ = ["worse_ones_win"]
