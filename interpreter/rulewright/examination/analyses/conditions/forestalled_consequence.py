"""EXM106: a consequence, or an end, that another one, which comes first, always forestalls."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.bounds import Bounds
from rulewright.examination.examined_program import ExaminedProgram, conjuncts, put
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m


def forestalled_consequences(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A consequence for a player holds only if one that is declared before it holds, too, and eliminates them, or ends
    the game.
    """
    bounds = Bounds(examined)
    for function in examined.functions.values():
        earlier: list[tuple[str, frozenset[m.Expr]]] = []
        for name, condition in _looked_for(function):
            for before, needed in earlier:
                if not _implies(bounds, condition, needed):
                    continue
                ends = _ends(examined, before)
                if ends or _eliminates(examined, before, needed):
                    what = "ends the game" if ends else "eliminates the player"
                    yield Suspect(
                        "EXM106",
                        name,
                        before,
                        f"`{name}` can never happen: whenever it holds `{before}` holds, too, comes first, and {what}",
                        f"except from `{before}` those for whom `{name}` holds, or declare it behind `{name}`",
                        rule=name,
                    )
                    break
            earlier.append((name, condition))


def _looked_for(function: m.Function) -> Iterator[tuple[str, frozenset[m.Expr]]]:
    """The consequences that a function looks for, in order, with the conditions on the player they are about."""
    code = function.code
    for i, unless, call in zip(code, code[1:], code[2:], strict=False):
        if isinstance(i, m.SetLocal) and isinstance(unless, m.JumpUnless) and isinstance(call, m.Call):
            condition = _about_players(i.value)
            if condition is not None and call.args == (m.Local(i.slot),):
                yield call.function, condition


def _about_players(e: m.Expr) -> frozenset[m.Expr] | None:
    """The conditions on a player of whom there must be one."""
    match e:
        case m.First(m.Filter(m.Alive("Player"), var, where)):
            pass
        case m.IfElse(m.Fold("some", (m.Bound(var, m.Alive("Player")),), where), _, m.Const(m.NONE)):
            pass
        case _:
            return None
    return None if where is None else frozenset(conjuncts(put(where, {var: m.Var(_ONE)})))


def _implies(bounds: Bounds, condition: frozenset[m.Expr], needed: frozenset[m.Expr]) -> bool:
    """True if conditions that all hold are enough for some others: each is among them, or asks for less."""
    return all(part in condition or _weaker(bounds, part, condition) for part in needed)


def _weaker(bounds: Bounds, part: m.Expr, condition: frozenset[m.Expr]) -> bool:
    """True if a number is asked for that one of some conditions exceeds, or if nothing is asked for at all."""
    if not isinstance(part, m.Cmp):
        return False
    least = bounds.number(part.right)
    if isinstance(part.left, m.Const) and isinstance(part.right, m.Const):
        return part.op in ("eq", "ge", "le") and part.left == part.right
    if part.op != "ge" or least is None:
        return False
    for other in condition:
        if isinstance(other, m.Cmp) and (other.op, other.left) == (part.op, part.left):
            asked = bounds.number(other.right)
            if asked is not None and asked[0] >= least[1]:
                return True
    return False


def _ends(examined: ExaminedProgram, consequence: str) -> bool:
    """True if a rule surely ends the game and asks nobody before."""
    function = examined.functions[consequence]
    if function.word != "end" or any(isinstance(i, m.JumpUnless) for i in function.code):
        return False
    code = [i for function in examined.closure(consequence) for i in function.code]
    finishes = any(isinstance(i, m.FinishWin | m.FinishRank) for i in code)
    return finishes and not any(isinstance(i, m.Choose | m.Chance) for i in code)


def _eliminates(examined: ExaminedProgram, consequence: str, needed: frozenset[m.Expr]) -> bool:
    """True if a consequence eliminates the player it is about, or all players who meet the conditions."""
    function = examined.functions[consequence]
    code = function.code
    if function.slots and function.slots[0].ty.universe == "Player" and m.Eliminate(m.Local(0)) in code:
        return not any(isinstance(i, m.JumpUnless) for i in code)
    slots = [i.slot for i in code if isinstance(i, m.SetLocal) and _filtered(i.value) == needed]
    return bool(slots) and any(isinstance(i, m.Eliminate) for i in code)


def _filtered(e: m.Expr) -> frozenset[m.Expr] | None:
    match e:
        case m.Filter(m.Alive("Player"), var, where):
            return frozenset(conjuncts(put(where, {var: m.Var(_ONE)})))
        case _:
            return None


_ONE = "the player"

__all__ = ["forestalled_consequences"]
