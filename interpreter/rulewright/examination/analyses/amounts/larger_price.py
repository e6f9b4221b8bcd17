"""EXM153: more is taken of something than was asked for."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram, conjuncts, disjuncts
from rulewright.examination.findings import Suspect
from rulewright.examination.options import options_of
from rulewright.ir import model as m
from rulewright.syntax import ast

Had = tuple[str, tuple[m.Expr, ...], int]
"""A number of which there surely is so much, by its field and keys."""


def prices_larger_than_asked(examined: ExaminedProgram) -> Iterator[Suspect]:
    """An option, or what is done on a condition, asks for some amount of a number, and takes a larger one from it."""
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            if isinstance(i, m.JumpUnless) and i.to > pc:
                asked = [had for part in conjuncts(i.condition) for had in _at_least(part, True)]
                asked = [had for had in asked if examined.fields[had[0]].ty.low >= 0]  # others may well be owed
                yield from _taken(examined, function, function.code[pc + 1 : i.to], asked)
        for option in options_of(function):
            asked = [
                had
                for restriction in option.extra.restrictions
                if not restriction.unless
                for part in disjuncts(restriction.condition)
                for had in _at_least(part, False)
            ]
            yield from _taken(examined, function, option.own, asked)


def _at_least(e: m.Expr, holds: bool) -> Iterator[Had]:
    """The amount that there is if a condition holds, or if it does not."""
    match e:
        case m.Not(inner):
            yield from _at_least(inner, not holds)
        case m.Cmp(op, m.FieldGet(name, index), m.Const(number)) if (op, holds) in _ENOUGH:
            yield name, index, number + _ENOUGH[op, holds]
        case m.Cmp(op, m.Const(number), m.FieldGet(name, index)) if (_TURNED.get(op, op), holds) in _ENOUGH:
            yield name, index, number + _ENOUGH[_TURNED.get(op, op), holds]
        case _:
            pass


_TURNED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le"}
_ENOUGH = {("ge", True): 0, ("gt", True): 1, ("lt", False): 0, ("le", False): 1}
"""Comparisons that hold, or do not, where there is enough, and how much more than the number there is then."""


def _taken(
    examined: ExaminedProgram, function: m.Function, code: tuple[m.Instr, ...], asked: list[Had]
) -> Iterator[Suspect]:
    """The numbers of which more is taken, by the instructions that surely follow one after the other."""
    for name, index in dict.fromkeys((name, index) for name, index, _ in asked):
        most = max(number for field, keys, number in asked if (field, keys) == (name, index))
        taken, token = 0, f"field {name}"
        for i in code:
            match i:
                case m.SetField(field, keys, m.Arith("sub", m.FieldGet(read, of), m.Const(amount))) if (
                    field == read == name and keys == of == index
                ):
                    taken += amount
                case m.SetField(field) if field != name:
                    continue
                case m.Fired() | m.Tell() | m.Observe() | m.Show() | m.Move():
                    continue
                case m.Call() if not any(token in examined.effects.writes(x) for x in examined.carried_out((i,))):
                    continue
                case _:
                    break
            if taken > most > 0:
                yield Suspect(
                    "EXM153",
                    function.name,
                    f"{taken} of {name}",
                    f"{taken} of `{name}` are taken here, and only {most} asked for: it may come to {most - taken}",
                    "ask for as much as is taken",
                    kinds=(ast.Assign,),
                    words=frozenset((name, str(amount))),
                )
                break


__all__ = ["prices_larger_than_asked"]
