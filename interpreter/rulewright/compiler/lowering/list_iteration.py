"""The loop over a list in a slot that lowered statements have in common."""

from __future__ import annotations

from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.ir import model as m


def begin_iteration(code: FunctionBuilder, members: int, at: int, one: int) -> tuple[int, int]:
    """The head of a loop over a list in a slot: the labels of its beginning and its end."""
    again, end = code.label(), code.label()
    code.add(m.SetLocal(at, m.Const(0)))
    code.mark(again)
    code.add(
        m.JumpUnless(m.Cmp("lt", m.Local(at), m.Size(m.Local(members), is_list=True)), end),
        m.SetLocal(one, m.Item(m.Local(members), m.Local(at))),
    )
    return again, end


def end_iteration(code: FunctionBuilder, at: int, again: int, end: int) -> None:
    """The foot of such a loop."""
    code.add(m.SetLocal(at, m.Arith("add", m.Local(at), m.Const(1))), m.Jump(again))
    code.mark(end)
