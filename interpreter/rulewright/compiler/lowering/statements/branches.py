"""Lowering of ``if`` and ``match``."""

from __future__ import annotations

from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.lowering.protocols import LowerBlock
from rulewright.compiler.lowering.statements.procedure_calls import ProcedureCallLowerer
from rulewright.compiler.symbols.scope import Scope
from rulewright.ir import model as m
from rulewright.syntax import ast


class BranchLowerer:
    """Lowers statements that go one way or another."""

    def __init__(self, expressions: ExpressionLowerer, calls: ProcedureCallLowerer, lower_block: LowerBlock) -> None:
        self.context, self.coercions, self.expressions = expressions.context, expressions.coercions, expressions
        self.world = expressions.world
        self.calls, self.lower_block = calls, lower_block

    def if_(self, s: ast.If, scope: Scope, code: FunctionBuilder) -> None:
        """The first branch whose condition holds."""
        end = code.label()
        for branch in s.branches:
            other = code.label()
            condition = self._condition(branch.condition, scope, code)
            code.add(m.JumpUnless(condition, other))
            self.lower_block(branch.body, scope.inner(), code)
            code.add(m.Jump(end))
            code.mark(other)
        self.lower_block(s.otherwise, scope.inner(), code)
        code.mark(end)

    def _condition(self, expr: ast.Expr, scope: Scope, code: FunctionBuilder) -> m.Expr:
        """A condition; ``if procedure(…)`` runs the procedure and asks what it gave back."""
        got = self.calls.result_of(expr, scope, code)
        if got is None:
            return self.expressions.truth(expr, scope)
        if got[1].kind not in ("bool", "any"):
            self.context.mismatch("true or false", got[1], expr.span, "a condition")
        return m.Local(got[0])

    def match(self, s: ast.Match, scope: Scope, code: FunctionBuilder) -> None:
        """The arm that has the value of the subject; each value has one."""
        end = code.label()
        subject = self.coercions.item(self.expressions.lower(s.subject, scope))
        if subject.type.is_collection:
            self.context.mismatch("a single thing", subject.type, s.subject.span, "the matched value")
            return
        seen: set[m.Expr] = set()
        unclear = False
        for arm in s.arms:
            other = code.label()
            for value in arm.values:
                found = self.expressions.lower(value, scope, subject.type)
                if found.type.kind == "any" or self.coercions.common(subject, found) is None:
                    unclear = True
                    continue
                if found.ir in seen and isinstance(found.ir, m.Const):
                    self.context.error(
                        "CTL111", "this arm can never be reached: the value is handled above", value.span
                    )
                seen.add(found.ir)
            code.add(m.JumpUnless(self.expressions.is_one_of(s.subject, arm.values, scope), other))
            self.lower_block(arm.body, scope.inner(), code)
            code.add(m.Jump(end))
            code.mark(other)
        if s.otherwise is not None:
            self.lower_block(s.otherwise.body, scope.inner(), code)
        elif self.world.is_enum(subject.type.universe):
            missing = [k for i, k in enumerate(self.world.keys(subject.type.universe)) if m.Const(i) not in seen]
            if missing and not unclear:
                self.context.error(
                    "TYP223",
                    f"no arm handles {', '.join(f'`{k}`' for k in missing)}",
                    s.span,
                    hint="add arms, or `otherwise`",
                )
        code.mark(end)
