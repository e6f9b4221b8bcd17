"""EXM106: a condition behind a statement after which an end has looked already."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram, conjuncts
from rulewright.examination.findings import Suspect
from rulewright.examination.playing.program_words import same_words, words_of
from rulewright.ir import model as m
from rulewright.syntax import ast


def conditions_after_the_end(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A number of a player changes, ends look on, and the game is over if it is large enough; only then it is asked
    whether it is as large as that, or larger.
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
                match part:
                    case m.Cmp("gt" | "ge" | "eq" as op, m.FieldGet(read, of), m.Const(asked)) if (read, of) == (
                        name,
                        index,
                    ) and asked + (op == "gt") >= number:
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
            match i, call:
                case m.SetLocal(_, m.First(m.Filter(m.Alive("Player"), var, where))), m.Call(end):
                    pass
                case _:
                    continue
            rules = examined.functions[end]
            finishes = any(isinstance(one, m.FinishWin | m.FinishRank) for one in rules.code)
            if rules.word != "end" or not finishes or any(isinstance(one, m.JumpUnless) for one in rules.code):
                continue
            match where:
                case m.Cmp("gt" | "ge" as op, m.FieldGet(name, (m.Var(of),)), m.Const(number)) if of == var:
                    yield (function.name, name), (number + (op == "gt"), end)
                case _:
                    pass


__all__ = ["conditions_after_the_end"]
