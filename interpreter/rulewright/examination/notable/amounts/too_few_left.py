"""EXM146: a pile that is looked at for one piece, and from which several are drawn then."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram, conjuncts, disjuncts
from rulewright.examination.findings import Suspect
from rulewright.examination.options import options_of
from rulewright.ir import model as m
from rulewright.syntax import ast


def too_few_left(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """A rule looks whether a pile has any pieces left, or some number of them, to fill it up or to go on, and then more
    than that are drawn from it: with a number between the two, fewer are drawn than it says.
    """
    for function in examined.functions.values():
        for pc, i in enumerate(function.code):
            if not isinstance(i, m.JumpUnless) or i.to <= pc:
                continue
            for part in conjuncts(i.condition):
                if (fewer := _fewer(part)) is not None and _fills(function.code[pc + 1 : i.to], fewer[0]):
                    yield from _drawn(function, function.code[i.to :], *fewer)
                if (enough := _enough(part)) is not None:
                    yield from _drawn(function, function.code[pc + 1 : i.to], *enough)
        for option in options_of(function):
            for restriction in option.extra.restrictions:
                for part in disjuncts(restriction.condition):
                    if not restriction.unless and (fewer := _fewer(part)) is not None:
                        yield from _drawn(function, option.own, *fewer)


Pile = tuple[m.Expr, int]
"""A zone, and the least number of pieces of which a condition makes sure."""


def _fewer(e: m.Expr) -> Pile | None:
    """The pile of which a condition says that it holds fewer than a number."""
    match e:
        case m.Cmp("eq" | "le", m.Size(m.ZoneGet() | m.ZoneList() as pile), m.Const(0)):
            return pile, 1
        case m.Cmp("lt", m.Size(m.ZoneGet() | m.ZoneList() as pile), m.Const(number)):
            return pile, number
        case m.Not(inner):
            return _enough(inner)
        case _:
            return None


def _enough(e: m.Expr) -> Pile | None:
    """The pile of which a condition says that it holds at least a number."""
    match e:
        case m.Cmp("ne" | "gt", m.Size(m.ZoneGet() | m.ZoneList() as pile), m.Const(0)):
            return pile, 1
        case m.Cmp("ge", m.Size(m.ZoneGet() | m.ZoneList() as pile), m.Const(number)):
            return pile, number
        case m.Not(inner):
            return _fewer(inner)
        case _:
            return None


def _fills(code: tuple[m.Instr, ...], pile: m.Expr) -> bool:
    """True if some instructions lay pieces on a pile."""
    return any(isinstance(i, m.Move) and isinstance(pile, m.ZoneGet | m.ZoneList) and i.zone == pile.zone for i in code)


def _drawn(function: m.Function, code: tuple[m.Instr, ...], pile: m.Expr, least: int) -> Iterator[Suspect]:
    """More pieces that are drawn from a pile, by the instructions that follow one after the other."""
    if not isinstance(pile, m.ZoneGet | m.ZoneList) or least < 1:
        return
    for i in code:
        match i:
            case m.Move(m.Top(zone, index, m.Const(count))) if (zone, index) == (pile.zone, pile.index):
                if count > least:
                    left = "only one" if (least, count) == (1, 2) else f"{least} to {count - 1}"
                    yield Suspect(
                        "EXM146",
                        function.name,
                        f"{count} from {zone}",
                        f"{count} are drawn from `{zone}`, and before it is asked whether there are fewer than {least}:"
                        f" with {left} left, fewer are drawn than it says",
                        f"ask for as many as are drawn: `size({zone}) < {count}`",
                        kinds=(ast.Draw,),
                        words=frozenset((zone, str(count))),
                    )
                return
            case m.Fired() | m.Tell() | m.Observe() | m.SetField() | m.SetLocal():
                pass
            case _:
                return


__all__ = ["too_few_left"]
