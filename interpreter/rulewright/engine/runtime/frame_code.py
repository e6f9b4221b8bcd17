"""Functions about one frame of the stack that are written when they are first asked for, later than the blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.engine.codegen.compiled_program import LATER
from rulewright.engine.codegen.expressions.expression_code import expressions
from rulewright.engine.codegen.instruction_code import InstructionCode
from rulewright.engine.codegen.statement_writer import CodeText, Writer
from rulewright.engine.runtime.machine import Engine
from rulewright.ir.walk import deep_recursion


def frame_function(
    engine: Engine, function: int, write: Callable[[InstructionCode], None], pc: int = -1, params: tuple[str, ...] = ()
) -> Callable[..., Any]:
    """A function of cells, registers, stack, base of the frame and `params`, whose lines `write` writes.

    The frame is one of the function of the rules with this number; errors are told at its instruction `pc`.
    """
    compiled, declared = engine.compiled, engine.program.functions[function]
    source = CodeText([], [])
    with compiled.ctx.writing, deep_recursion():
        w = Writer(compiled.ctx, source, ("C", "R", "S", "B"), (declared.name, pc))
        w.function = declared.name
        w.slots = tuple(zip(compiled.offsets[function], declared.slots, strict=False))
        write(InstructionCode(expressions(w)))
        w.finish(LATER, ("C", "R", "S", "B", *params))
        compiled.add(source)
        found: Callable[..., Any] = compiled.ctx.globals[LATER]
    return found
