"""EXM112: a consequence that stays due whenever it happens."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram, conjuncts, put
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m

_ONE = m.Local(0)
"""The one that a consequence is about, in its own function."""


def lasting_consequences(examined: ExaminedProgram) -> Iterator[Suspect]:
    """Nothing that a consequence does can end what it asks for, so it happens again and again.

    Unless it ends the game, eliminates somebody or asks, or some other consequence or end looks at what it changes.
    """
    for function in examined.functions.values():
        if function.word != "system":
            continue
        looked_for = dict(_looked_for(function))
        for name, (_, condition) in looked_for.items():
            if not condition or examined.functions[name].word != "consequence" or not _goes_on(examined, name):
                continue
            code = [i for one in examined.closure(name) for i in one.code]
            written = frozenset(token for i in code for token in examined.effects.writes(i))
            others = (e for other, (e, _) in looked_for.items() if other != name)
            if not written or any(written & examined.effects.reads(e) for e in others):
                continue
            if all(_stays(examined, part, code, written) for part in condition):
                yield Suspect(
                    "EXM112",
                    name,
                    "stays due",
                    f"`{name}` happens again and again: nothing that it does ends what it asks for",
                    "let it change what it asks for, or note that it has happened, and ask for that",
                    rule=name,
                )


Looked = tuple[str, tuple[m.Expr, tuple[m.Expr, ...]]]


def _looked_for(function: m.Function) -> Iterator[Looked]:
    """The consequences that a function looks for: the whole question, and the conditions on whom each is about."""
    code = function.code
    for i, unless, call in zip(code, code[1:], code[2:], strict=False):
        if isinstance(i, m.SetLocal) and isinstance(unless, m.JumpUnless) and isinstance(call, m.Call):
            match i.value:
                case m.First(m.Filter(_, var, where)):
                    yield call.function, (i.value, conjuncts(put(where, {var: _ONE})))
                case other:
                    yield call.function, (other, ())
        elif isinstance(i, m.JumpUnless) and isinstance(unless, m.Call) and not unless.args:
            yield unless.function, (i.condition, conjuncts(i.condition))


def _goes_on(examined: ExaminedProgram, name: str) -> bool:
    """True if a function surely does what it does, asks nobody, and the game goes on behind it."""
    stops = m.Choose | m.Chance | m.FinishWin | m.FinishRank | m.Eliminate | m.JumpUnless
    return not any(isinstance(i, stops) for one in examined.closure(name) for i in one.code)


def _stays(examined: ExaminedProgram, part: m.Expr, code: list[m.Instr], written: frozenset[str]) -> bool:
    """True if a condition that holds does so behind some instructions, too."""
    if not examined.effects.reads(part) & written:
        return True
    match part:
        case m.Cmp("ge" | "gt", m.FieldGet(name), m.Const()):
            return all(_only(examined, i, name, "add") for i in code)
        case m.Cmp("le" | "lt", m.FieldGet(name), m.Const()):
            return all(_only(examined, i, name, "sub") for i in code)
        case _:
            return False


def _only(examined: ExaminedProgram, i: m.Instr, field: str, op: str) -> bool:
    """True if an instruction leaves a field alone, or changes it in one direction."""
    match i:
        case m.SetField(name, _, m.Arith(done, m.FieldGet(read), m.Const(number))) if name == field:
            return (done, read) == (op, field) and number >= 0
        case m.Call():
            return True  # what is called is looked at, too
        case _:
            return f"field {field}" not in examined.effects.writes(i)


__all__ = ["lasting_consequences"]
