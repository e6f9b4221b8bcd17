"""The rules that can fire or end a game, in the order in which every backend counts them."""

from __future__ import annotations

from rulewright.ir import model as m


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


__all__ = ["rule_numbers"]
