"""Places in the rules that instructions and functions of a program stand for."""

from __future__ import annotations

from collections.abc import Callable
from weakref import ref

from rulewright.diagnostics import Span
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m

OR_INSTEAD = " or instead"
"""Behind the name of a procedure the end of the name of the function that looks for what happens in its place."""


def declared(name: str) -> str:
    """The declaration from which a function or query of a program was made."""
    return name.removeprefix("possible ").removesuffix(OR_INSTEAD)


class RulePlaces:
    """The rules of a program, by the instructions that belong to them."""

    def __init__(self, program: m.Program) -> None:
        self._rules = {info.name for info in program.rules}
        self._words = {f.name: f.word for f in program.functions}

    def of(self, function: m.Function) -> list[str]:
        """For each instruction the rule that it belongs to: a question (``turn.card``), else the function.

        Where an end or a consequence is looked for, that is a part of it.
        """
        found = [function.name] * len(function.code)
        for pc, i in enumerate(function.code):
            match i:
                case m.Choose(label=label) | m.Chance(label=label):
                    if f"{function.name}.{label}" in self._rules:
                        found[pc] = f"{function.name}.{label}"
                case m.Call(called) if self._words[called] in ("end", "consequence"):
                    found[pc] = called
                    before = function.code[max(0, pc - 2) : pc]
                    if [type(one) for one in before] == [m.SetLocal, m.JumpUnless]:
                        found[pc - 2 : pc] = [called, called]
        return found


def rule_numbers(program: m.Program) -> dict[str, int]:
    """The number of each rule by its name."""
    found: dict[str, int] = {}
    for function in program.functions:
        for i in function.code:
            if isinstance(i, m.Fired | m.FinishWin | m.FinishRank) and i.rule not in found:
                found[i.rule] = len(found)
    for function in program.functions:
        if function.word == "end" and function.name not in found:
            found[function.name] = len(found)
    return found


@dataclass(frozen=True, slots=True)
class StatementPlace:
    """A statement: its place, and the statements of the rulebook that it transcribes itself."""

    span: Span
    cites: tuple[str, ...]


Find = Callable[[m.Function, int], StatementPlace | None]
"""Finds the statement to which an instruction of a function belongs."""

_known: dict[int, tuple[ref[m.Program], Find]] = {}


def tell_statements(program: m.Program, find: Find) -> None:
    """From here on the statements of a program can be found; `find` must not hold the program itself."""
    key = id(program)

    def forget(_: object, known: dict[int, tuple[ref[m.Program], Find]] = _known) -> None:  # the name may be gone
        known.pop(key, None)

    _known[key] = ref(program, forget), find


def statement_at(program: m.Program, function: m.Function, pc: int) -> StatementPlace | None:
    """The statement to which an instruction belongs; None if it is unknown."""
    held = _known.get(id(program))
    return held[1](function, pc) if held is not None and held[0]() is program else None
