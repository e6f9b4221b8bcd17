"""Places in the rules that the instructions of a function stand for."""

from __future__ import annotations

from rulewright.ir import model as m


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


__all__ = ["RulePlaces"]
