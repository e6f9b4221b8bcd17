"""Types that follow from conditions: where ``x is a Knight`` holds, x is a Knight (occurrence typing)."""

from __future__ import annotations

from dataclasses import replace

from rulewright.compiler.lowering.expressions.coercions import Coercions
from rulewright.compiler.symbols import several_kinds
from rulewright.compiler.symbols.symbols import Scope, Typed
from rulewright.syntax import ast


class Narrowing:
    """Finds what is known of names where a condition holds, or does not."""

    def __init__(self, coercions: Coercions) -> None:
        self.coercions, self.world = coercions, coercions.world

    def where(self, condition: ast.Expr | None, scope: Scope, holds: bool = True) -> Scope:
        """A scope in which names have the kinds that follow; the same scope, if none follows."""
        match condition:
            case ast.Binary("and" | "or" as op, left, right) if holds == (op == "and"):
                return self.where(right, self.where(left, scope, holds), holds)
            case ast.Unary("not", operand):
                return self.where(operand, scope, not holds)
            case ast.IsA(ast.Name(name), kind, negated):
                return self._narrowed(name, kind, holds != negated, scope)
            case _:
                return scope

    def _narrowed(self, name: str, kind: str, is_of: bool, scope: Scope) -> Scope:
        bound = scope.find(name)
        if bound is None or bound.changes or bound.type.kind != "entity":
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
