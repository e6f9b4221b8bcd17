"""Analyses of consequences and ends that never come, or never cease to be due."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.findings.program.facts.bounds import Bounds
from rulewright.findings.program.facts.examined_program import ExaminedProgram, conjuncts, put
from rulewright.findings.program.facts.program_words import same_words, words_of
from rulewright.findings.program.facts.thresholds import player_looked_for, required_members, threshold
from rulewright.findings.suspects import Suspect
from rulewright.ir import model as m
from rulewright.syntax import ast

# -------------------------------------------------------------------------------------------------------- after the end
# EXM106: a condition behind a statement after which an end has looked already.


def conditions_after_the_end(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A number of a player changes, ends look on, and the game is over if it is large enough; only then a condition
    tests whether it is as large as that, or larger.
    """
    least = dict(_least_to_end(examined))
    for function in examined.functions.values():
        code = function.code
        for pc, i in enumerate(code):
            if pc < 2 or not isinstance(i, m.JumpUnless) or i.to <= pc:
                continue
            match code[pc - 2], code[pc - 1]:
                case m.SetField(name, index), m.Call(system) if (system, name) in least:
                    number, end = least[system, name]
                case _:
                    continue
            for part in conjuncts(i.condition):
                match threshold(part) or part:
                    case (m.FieldGet(read, of), bound, True) | m.Cmp("eq", m.FieldGet(read, of), m.Const(bound)) if (
                        read,
                        of,
                    ) == (name, index) and bound >= number:
                        yield Suspect(
                            "EXM106",
                            function.name,
                            same_words(examined.program, function.name, part),
                            f"this can never hold: `{name}` has changed just before, `{end}` has looked on since, and "
                            f"the game is over if it is {number} or more",
                            f"ask before `{name}` changes, or change the end",
                            kinds=(ast.Branch,),
                            words=words_of(function, part),
                        )
                    case _:
                        pass


def _least_to_end(examined: ExaminedProgram) -> Iterator[tuple[tuple[str, str], tuple[int, str]]]:
    """For each function that looks for ends after a statement, and each field of players: the number with which the
    game is surely over, and the end."""
    for function in examined.functions.values():
        if function.word != "system":
            continue
        for i, call in zip(function.code, function.code[2:], strict=False):
            looked_for = player_looked_for(i.value) if isinstance(i, m.SetLocal) else None
            if looked_for is None or not isinstance(call, m.Call):
                continue
            end, (var, where) = call.function, looked_for
            rules = examined.functions[end]
            finishes = any(isinstance(one, m.FinishWin | m.FinishRank) for one in rules.code)
            if rules.word != "end" or not finishes or any(isinstance(one, m.JumpUnless) for one in rules.code):
                continue
            match threshold(where):
                case (m.FieldGet(name, (m.Var(of),)), least, True) if of == var:
                    yield (function.name, name), (least, end)
                case _:
                    pass


# ---------------------------------------------------------------------------------------------- forestalled consequence
# EXM106: a consequence, or an end, that another one, which comes first, always forestalls.


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
    if isinstance(e, m.IfElse) and e.otherwise == m.Const(m.NONE):
        required = required_members(e.condition)
        return _filtered(required.counted) if required is not None and required[1:] == (1, True) else None
    return _filtered(e.of) if isinstance(e, m.First) else None


def _implies(bounds: Bounds, condition: frozenset[m.Expr], needed: frozenset[m.Expr]) -> bool:
    """True if conditions that all hold are enough for some others: each is among them, or asks for less."""
    return all(part in condition or _weaker(bounds, part, condition) for part in needed)


def _weaker(bounds: Bounds, part: m.Expr, condition: frozenset[m.Expr]) -> bool:
    """True if a number is required that one of some conditions exceeds, or if nothing is required at all."""
    if not isinstance(part, m.Cmp):
        return False
    least = bounds.number(part.right)
    if isinstance(part.left, m.Const) and isinstance(part.right, m.Const):
        return part.op in ("eq", "ge", "le") and part.left == part.right
    if part.op != "ge" or least is None:
        return False
    for other in condition:
        if isinstance(other, m.Cmp) and (other.op, other.left) == (part.op, part.left):
            bound = bounds.number(other.right)
            if bound is not None and bound[0] >= least[1]:
                return True
    return False


def _ends(examined: ExaminedProgram, consequence: str) -> bool:
    """True if a rule surely ends the game and asks no player before."""
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
