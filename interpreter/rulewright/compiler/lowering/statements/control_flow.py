"""Lowering of steps and of what leaves them: ``stop``, ``return`` and restrictions as statements."""

from __future__ import annotations

from rulewright.compiler.lowering.conditions import not_refused
from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import FunctionBuilder, Loop
from rulewright.compiler.lowering.protocols import LowerBlock
from rulewright.compiler.lowering.statements.block_limits import BlockLowerer
from rulewright.compiler.lowering.statements.restrictions import RestrictionLowerer
from rulewright.compiler.symbols.scope import Scope
from rulewright.ir import model as m
from rulewright.syntax import ast


class ControlFlowLowerer:
    """Lowers ``step``, ``stop``, ``return``, and ``forbid`` and ``obey`` at the head of a procedure."""

    def __init__(
        self,
        expressions: ExpressionLowerer,
        restrictions: RestrictionLowerer,
        blocks: BlockLowerer,
        lower_block: LowerBlock,
    ) -> None:
        self.context, self.expressions, self.restrictions = expressions.context, expressions, restrictions
        self.blocks, self.lower_block = blocks, lower_block

    def restriction(self, s: ast.Forbid | ast.Obey, scope: Scope, code: FunctionBuilder) -> None:
        """A restriction as a statement: if it refuses, the procedure ends here."""
        for restriction in self.restrictions.lower((s,), scope, code.name):
            on = code.label()
            code.add(m.JumpUnless(m.Not(not_refused(restriction)), on))
            self.blocks.leave(1, code)
            code.add(m.Jump(code.exit))
            code.mark(on)

    def step(self, s: ast.Step, scope: Scope, code: FunctionBuilder) -> None:
        """``step label``."""
        end = code.label()
        code.loops.append(Loop(s.label, True, end, len(code.blocks)))
        block = self.blocks.enter(s.label, f"{code.name}.{s.label}", code)
        self.lower_block(s.body, scope.inner(), code)
        code.blocks.pop()
        code.loops.pop()
        code.mark(end)
        self.blocks.exit(block, code)

    def stop(self, s: ast.Stop, code: FunctionBuilder) -> None:
        """``stop [label]``."""
        for loop in reversed(code.loops):
            if (s.label is None and not loop.is_step) or (s.label is not None and loop.label == s.label):
                self.blocks.leave(loop.blocks + (1 if loop.is_step else 0), code)
                code.add(m.Jump(loop.end))
                return
        if s.label is None:
            self.context.error("CTL112", "there is no repetition to stop", s.span)
        else:
            known = [p.label for p in code.loops if p.label]
            self.context.unknown("step or repetition", s.label, known, s.span, "CTL112")

    def return_(self, s: ast.Return, scope: Scope, code: FunctionBuilder) -> None:
        """``return [e]``."""
        if s.value is not None:
            if code.result is None:
                self.context.error(
                    "TYP224",
                    f"`{code.name}` returns nothing",
                    s.span,
                    hint="declare its result: `procedure name(…) -> Type`",
                )
            else:
                value = self.expressions.given(s.value, scope, code.result, f"the result of `{code.name}`")
                code.add(m.SetLocal(code.result_slot or 0, value))
        elif code.result is not None:
            self.context.error("TYP224", f"`{code.name}` must return a {code.result}", s.span)
        self.blocks.leave(1, code)
        code.add(m.Jump(code.exit))
