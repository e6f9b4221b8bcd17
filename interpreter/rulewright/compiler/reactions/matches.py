"""The members for which a consequence or an end is due: ``for x in S, y in T by K when C``."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.compiler.lowering.expressions.comprehensions import Bound
from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.lowering.function_builder import FunctionBuilder
from rulewright.compiler.symbols.scope import Scope
from rulewright.compiler.symbols.static_types import INT, Type
from rulewright.diagnostics import Report
from rulewright.ir import model as m
from rulewright.syntax import ast

Matched = tuple[m.Expr, m.Expr, tuple[tuple[str, Type], ...]]
"""The first member for which something is due, or none; what that reads; the parameters of what is then done."""


class MatchLowerer:
    """Finds the first members, in order, for which a condition holds.

    A match is one member: that of the first binder for which there are members of the others. What is then done looks
    for these itself, one after the other, before anything else.
    """

    def __init__(self, expressions: ExpressionLowerer) -> None:
        self.expressions = expressions

    def matched(self, decl: ast.Consequence | ast.End) -> Matched:
        """The match of a declaration; 0 or none if it is about nothing in particular."""
        if not decl.binds:
            condition = self.expressions.truth(decl.when, Scope())
            return m.IfElse(condition, m.Const(0), m.Const(m.NONE)), condition, (("", INT),)
        first, found, is_list = self._due(decl, decl.binds, Scope())
        return m.First(found, is_list), found, ((decl.binds[0].name, first.type),)

    def others(self, decl: ast.Consequence | ast.End) -> Callable[[Scope, FunctionBuilder], None] | None:
        """The beginning of its body: the members of the other binders; None if there is only one."""
        if len(decl.binds) < 2:
            return None

        def look(scope: Scope, code: FunctionBuilder) -> None:
            context = self.expressions.context
            for number, bind in enumerate(decl.binds[1:], 1):
                with context.reporting_to(Report()):  # told already where it is matched
                    one, found, is_list = self._due(decl, decl.binds[number:], scope)
                slot = context.bind_slot(code, scope, bind.name, one.type)
                code.add(m.SetLocal(slot, m.First(found, is_list)))

        return look

    def _due(
        self, decl: ast.Consequence | ast.End, binds: Sequence[ast.Bind], scope: Scope
    ) -> tuple[Bound, m.Expr, bool]:
        """The first of some binders, and in order its members for which the condition holds with some of the others."""
        bounds: list[Bound] = []
        for bind in binds:
            bound, scope = self.expressions.bind(bind, scope)
            bounds.append(bound)
        holds = self.expressions.truth(decl.when, scope)
        by = decl.by if isinstance(decl, ast.Consequence) else None
        key = self.expressions.number(by, scope) if by is not None else None
        first, inner = bounds[0], tuple(m.Bound(b.var, b.source, b.is_list) for b in bounds[1:])
        if inner:
            key = m.Fold("min", inner, holds, key) if key is not None else None
            holds = m.Fold("some", inner, holds, None)
        found: m.Expr = m.Filter(first.source, first.var, holds, first.is_list)
        if key is None:
            return first, found, first.is_list
        return first, m.Sort(found, first.var, key, is_list=first.is_list), True
