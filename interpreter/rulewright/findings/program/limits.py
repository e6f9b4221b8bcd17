"""Analysis of limits that are checked too late: a number is counted up once more."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.findings.program.facts.examined_program import ExaminedProgram, conjuncts, disjuncts
from rulewright.findings.program.facts.option_code import options_of
from rulewright.findings.suspects import Suspect
from rulewright.ir import model as m
from rulewright.syntax import ast

# --------------------------------------------------------------------------------------------------------- raised limit
# EXM121: a number is counted up as long as it is not above a limit, and so to one above it.


def raised_limits(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """A count that begins with nothing may grow if it is at most so many: then it is one more. Numbers that begin with
    one are not spoken of, they count what is going on and not what there is.
    """
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            if isinstance(i, m.JumpUnless):
                body = function.code[pc + 1 : i.to] if i.to > pc else ()
                for part in conjuncts(i.condition):
                    found = _limit(examined, function, part, "le")
                    if found is not None and any(_grows(one, found[0]) for one in body):
                        yield _suspect(function, *found, "")
        for option in options_of(function):
            for restriction in option.extra.restrictions:
                for part in disjuncts(restriction.condition):
                    found = _limit(examined, function, part, "gt")
                    if found is not None and any(_grows(one, found[0]) for one in option.own):
                        yield _suspect(function, *found, restriction.label)


def _limit(examined: ExaminedProgram, function: m.Function, e: m.Expr, op: str) -> tuple[m.Expr, str, int] | None:
    """A number that begins at 0 and is compared with a limit: it, its name, and the limit."""
    if not isinstance(e, m.Cmp) or e.op != op or not isinstance(e.right, m.Const) or e.right.value < 1:
        return None
    match e.left:
        case m.FieldGet(name):
            begins = examined.fields[name].initial
            zero = begins == 0 or (isinstance(begins, tuple) and not any(begins))
            return (e.left, name, e.right.value) if zero else None
        case m.Local(slot):
            stored = [i.value for i in function.code if isinstance(i, m.SetLocal) and i.slot == slot]
            return (e.left, function.slots[slot].name, e.right.value) if m.Const(0) in stored else None
        case _:
            return None


def _grows(i: m.Instr, counted: m.Expr) -> bool:
    """True if an instruction adds one to a number."""
    match i:
        case m.SetField(name, index, m.Arith("add", old, m.Const(1))):
            return old == counted == m.FieldGet(name, index)
        case m.SetLocal(slot, m.Arith("add", old, m.Const(1))):
            return old == counted == m.Local(slot)
        case _:
            return False


def _suspect(function: m.Function, _: m.Expr, name: str, limit: int, label: str) -> Suspect:
    where = f"`{label}` lets one more in: `{name}`" if label else f"`{name}`"
    return Suspect(
        "EXM121",
        function.name,
        label or name,
        f"{where} can be {limit + 1} here, it is compared with {limit} before one is added",
        f"if it is to be {limit} at most, write `{'>=' if label else '<'} {limit}`",
        rule=label,
        kinds=(ast.Branch,),
        words=frozenset((name, str(limit))),
    )
