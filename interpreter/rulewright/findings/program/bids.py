"""EXM143: bids that are made one after the other, so that who comes later knows those before."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from rulewright.findings.program.facts.examined_program import ExaminedProgram
from rulewright.findings.suspects import Suspect
from rulewright.ir import model as m
from rulewright.ir.declared_sight import sight_of
from rulewright.ir.walk import nodes
from rulewright.syntax import ast


def open_bids(examined: ExaminedProgram, _base: ExaminedProgram) -> Iterator[Suspect]:
    """Players choose a number in turn, all see it, and behind the loop those with the highest, or lowest, are looked
    for. Where each bid must be higher than the last one they are meant to know.
    """
    sight = sight_of(examined.program)
    for function in examined.functions.values():
        code = function.code
        for pc, (i, stored) in enumerate(pairwise(code)):
            match i, stored:
                case m.Choose(who=m.Local(one), universe="Int", into=into), m.SetField(
                    name, (m.Local(whose),), m.Local(answer)
                ) if one == whose and answer == into and not i.secret:
                    pass
                case _:
                    continue
            is_open = sight.open(examined.fields[name])
            known = any(isinstance(node, m.FieldGet) and node.field == name for node in nodes(i))
            if is_open and not known and _goes_round(function, pc, one) and _compared(code[pc + 2 :], name):
                yield Suspect(
                    "EXM143",
                    function.name,
                    i.label,
                    f"whoever is asked for `{i.label}` later knows what those before have chosen, as all see `{name}`; "
                    "then they are compared",
                    "`each … at once` asks all of them together, a field that is `seen by` its player keeps it secret",
                    kinds=(ast.Choose,),
                    given=i.label,
                )


def _goes_round(function: m.Function, pc: int, slot: int) -> bool:
    """True if a question stands in a loop over players, who are named by its variable."""
    loops = any(isinstance(i, m.Jump) and i.to <= pc for i in function.code[pc:])
    named = [i.value for i in function.code if isinstance(i, m.SetLocal) and i.slot == slot]
    return loops and bool(named) and all(isinstance(value, m.First | m.Item) for value in named)


def _compared(code: tuple[m.Instr, ...], name: str) -> bool:
    """True if those with the highest, or lowest, of a field are looked for."""
    return any(
        isinstance(node, m.Best | m.Sort)
        and any(isinstance(n, m.FieldGet) and n.field == name for n in nodes(node.key))
        for i in code
        for node in nodes(i)
    )
