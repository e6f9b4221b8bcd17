"""Types that follow from conditions: where ``x is a Knight`` holds, x is a Knight (occurrence typing)."""

from __future__ import annotations

from dataclasses import replace

from rulewright.compiler.lowering.expressions.coercions import Coercions
from rulewright.compiler.overlays.addresses import is_value
from rulewright.compiler.symbols import several_kinds
from rulewright.compiler.symbols.symbols import Binding, Scope, Typed
from rulewright.ir import model as m
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


class Narrowing:
    """Finds what is known of names where a condition holds, or does not."""

    def __init__(self, coercions: Coercions) -> None:
        self.coercions, self.world = coercions, coercions.world

    def where(self, condition: ast.Expr | None, scope: Scope, holds: bool = True, pure: bool = True) -> Scope:
        """A scope in which names have the kinds that follow; the same scope, if none follows. So have reads of fields
        and names that change, unless the scope is not `pure`: statements may change them."""
        match condition:
            case ast.Binary("and" | "or" as op, left, right) if holds == (op == "and"):
                return self.where(right, self.where(left, scope, holds, pure), holds, pure)
            case ast.Unary("not", operand):
                return self.where(operand, scope, not holds, pure)
            case ast.IsA(ast.Name(name), kind, negated) if (bound := scope.find(name)) is not None:
                if bound.changes and not pure:
                    return scope
                return self._narrowed(name, bound, kind, holds != negated, scope)
            case ast.IsA(ast.Name() | ast.Index() as read, kind, negated) if pure:
                found = self.coercions.context.typed.of(read)
                if found is None or not isinstance(found.ir, m.FieldGet):
                    return scope
                bound = Binding(found.ir, found.type)
                inner = self._narrowed(print_expr(read), bound, kind, holds != negated, scope)
                inner.reads = inner.reads or inner is not scope
                return inner
            case _:
                return scope

    def arm(self, subject: ast.Expr, arm: ast.Arm, scope: Scope, holds: bool = True) -> Scope:
        """A scope for the body of an arm of a ``match``, or for the arms below it."""
        if holds and len(arm.values) > 1:
            return scope
        for value in arm.values:
            scope = self.where(is_value(subject, value), scope, holds, pure=False)
        return scope

    def _narrowed(self, name: str, bound: Binding, kind: str, is_of: bool, scope: Scope) -> Scope:
        if bound.type.kind != "entity":
            return scope
        held = Typed(bound.ir, bound.type)
        if is_of:
            found = self.coercions.narrowed(held, kind)
        else:
            rest = several_kinds.other_kinds(self.world, bound.type, kind)
            other = rest.universe != bound.type.universe
            found = self.coercions.narrowed(held, rest.universe) if other else Typed(held.ir, rest)
        if found is None or found.type == bound.type:
            return scope
        slot = bound.slot if found.ir == bound.ir else None
        return scope.inner(**{name: replace(bound, ir=found.ir, type=found.type, slot=slot)})
