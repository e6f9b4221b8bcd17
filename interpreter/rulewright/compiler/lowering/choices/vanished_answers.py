"""Answers that an interruption takes away while their question is open.

The question is asked again with what is left. If that is nothing and the rules have no ``else``, its binder stays
without a value, and the statements that read it are passed over: nothing is done with what nobody has chosen. An answer
that was never there, before anybody interrupted, stays an error of the rules.
"""

from __future__ import annotations

from rulewright.compiler.lowering.conditions import all_of
from rulewright.compiler.lowering.function_builder import FunctionBuilder, Mark, RunTriggers
from rulewright.compiler.symbols.scope import Scope
from rulewright.ir import model as m
from rulewright.ir.walk import nodes


def passed_over(
    code: FunctionBuilder, at: int, before: dict[int, tuple[m.Expr, ...]], scope: Scope, known: set[str]
) -> None:
    """Let the statement lowered after the mark `at` be passed over when a value that it reads has vanished.

    `before` are the unsure slots and `known` the names of its scope before it. What it gives a name is unsure, too.
    Of a statement with others inside only those are passed over that read the value.
    """
    instructions = [
        i
        for number, i in enumerate(code.items[at:], at)
        if not isinstance(i, Mark | RunTriggers) and not any(number in inside for inside in code.guarded)
    ]
    read = {n.slot for i in instructions for n in nodes(i) if isinstance(n, m.Local)}
    needs = dict.fromkeys(there for slot in sorted(read & before.keys()) for there in before[slot])
    if not needs:
        return
    on = code.label()
    code.items[at] = m.JumpUnless(all_of(*needs), on)
    code.mark(on)
    code.guarded.append(range(at, len(code.items)))
    for name, binding in scope.names.items():
        if name not in known and binding.slot is not None:
            code.unsure[binding.slot] = (*needs, *code.unsure.get(binding.slot, ()))


__all__ = ["passed_over"]
