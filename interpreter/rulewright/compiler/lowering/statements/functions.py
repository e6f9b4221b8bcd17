"""Lowering of whole functions: from their parameters to their end."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.compiler.lowering.expressions.coercions import NONE_VALUE
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.lowering.lowering_context import LowerBlock, LoweringContext, Windows
from rulewright.compiler.lowering.statements.control_flow import BlockLowerer
from rulewright.compiler.symbols.static_types import Type
from rulewright.compiler.symbols.symbols import Scope
from rulewright.ir import model as m
from rulewright.syntax import ast

EMPTY: dict[str, m.Expr] = {
    "set": m.Const(0),
    "list": m.ListConst(()),
    "bool": m.Const(0),
    "int": NONE_VALUE,
    "entity": NONE_VALUE,
    "any": NONE_VALUE,
    "none": NONE_VALUE,
}


class FunctionLowerer:
    """Lowers effects, procedures, phases, reactions, consequences and ends."""

    def __init__(
        self, context: LoweringContext, blocks: BlockLowerer, windows: Windows, lower_block: LowerBlock
    ) -> None:
        self.context, self.blocks, self.windows, self.lower_block = context, blocks, windows, lower_block

    def lower(
        self,
        code: FunctionBuilder,
        params: tuple[tuple[str, Type], ...],
        body: tuple[ast.Stmt, ...],
        changing: int = 0,
        begin: Callable[[Scope, FunctionBuilder], None] | None = None,
    ) -> None:
        """The code of a whole function, from its parameters to its end; the first `changing` parameters may change, and
        `begin` gives further names before the block begins."""
        scope = Scope()
        for number, (name, type) in enumerate(params):
            self.context.bind_slot(code, scope, name, type, changes=number < changing)
        code.params = len(params)
        if begin is not None:
            begin(scope, code)
        if code.result is not None:
            code.result_slot = code.slot("result", code.result.or_none())
            code.add(m.SetLocal(code.result_slot, EMPTY[code.result.kind]))
        code.exit = code.label()
        block = self.blocks.enter(code.name, code.name, code)
        self.windows.opening(code)
        self.lower_block(body, scope, code)
        code.blocks.pop()
        code.mark(code.exit)
        self.windows.closing(code)
        self.blocks.exit(block, code)
        code.add(m.Return(m.Local(code.result_slot) if code.result_slot is not None else None))
