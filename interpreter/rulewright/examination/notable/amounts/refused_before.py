"""EXM131: a condition that a restriction has refused when what it is about was chosen."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram, conjuncts, disjuncts, put
from rulewright.examination.findings import Suspect
from rulewright.examination.playing.program_words import new_instructions, same_words, words_of
from rulewright.examination.playing.straight_line import conditions_of
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import slots_stored
from rulewright.syntax import ast


def refused_before(examined: ExaminedProgram, base: ExaminedProgram) -> Iterator[Suspect]:
    """A new condition asks in the same words what refuses an answer to the question before: of what was chosen it can
    hold only if what is done in between brings it about.
    """
    new = new_instructions(examined.program, base.program)
    for function in examined.functions.values():
        for pc, condition in conditions_of(function, lambda _: True):
            for part in conjuncts(condition) if pc in new[function.name] else ():
                label = next(_refusing(function, pc, part), "")
                if label:
                    yield Suspect(
                        "EXM131",
                        function.name,
                        same_words(examined.program, function.name, part),
                        f"this never holds unless what is done in between brings it about: `{label}` lets nothing be "
                        "chosen of which it holds",
                        "ask for what the step in between makes of it, or ask about something else",
                        kinds=(ast.Branch, ast.IfElse),
                        words=words_of(function, part),
                    )


def _refusing(function: m.Function, pc: int, asked: m.Expr) -> Iterator[str]:
    """The restrictions on the answers to questions before that refuse what is asked of the answer."""
    for i in function.code[:pc]:
        if not isinstance(i, m.Choose) or any(_stores_another(one, i) for one in function.code):
            continue
        for one in i.restrictions:
            for part in disjuncts(one.condition) if not one.unless else ():
                if asked != part and asked == put(part, {i.var: m.Local(i.into)}):
                    yield one.label


def _stores_another(i: m.Instr, asked: m.Choose) -> bool:
    """True of an instruction that stores something else than nothing where an answer is stored."""
    if i is asked or asked.into not in slots_stored(i):
        return False
    return not (isinstance(i, m.SetLocal) and i.value == m.Const(m.NONE))


__all__ = ["refused_before"]
