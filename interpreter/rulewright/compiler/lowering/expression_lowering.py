"""The expression lowerer: names, types and meaning of everything that only asks."""

from __future__ import annotations

from rulewright.compiler.lowering.comprehensions import Collections
from rulewright.compiler.lowering.member_access import Access
from rulewright.compiler.lowering.operators import Operators
from rulewright.compiler.symbols.scope import Scope, Typed
from rulewright.compiler.symbols.static_types import Type
from rulewright.syntax import ast


class Expressions(Operators, Collections, Access):
    """Lowers expressions; see the parts for each construct."""

    def lower(self, expr: ast.Expr, scope: Scope, expected: Type | None = None) -> Typed:
        """The program's form of an expression; `expected` helps bare words to find their meaning."""
        made = self._lower(expr, scope, expected)
        self.typed[id(expr)] = (expr, made)
        return made

    def _lower(self, expr: ast.Expr, scope: Scope, expected: Type | None) -> Typed:
        match expr:
            case ast.Name():
                return self.name(expr, scope, expected)
            case ast.TypeName():
                return self.type_name(expr)
            case ast.Binary():
                return self.binary(expr, scope, expected)
            case ast.Divide():
                return self.divide(expr, scope)
            case ast.Unary():
                return self.unary(expr, scope, expected)
            case ast.IsA():
                return self.is_a(expr, scope)
            case ast.IsEmpty():
                return self.is_empty(expr, scope)
            case ast.IfElse():
                return self.if_else(expr, scope, expected)
            case ast.Dot():
                return self.dot(expr, scope)
            case ast.Index():
                return self.at(expr, scope)
            case ast.Call():
                return self.call(expr, scope, expected)
            case ast.Comprehension():
                return self.comprehension(expr, scope)
            case ast.Aggregate():
                return self.aggregate(expr, scope, expected)
            case ast.Ranked():
                return self.ranked(expr, scope)
            case ast.Every():
                return self.every(expr, scope)
            case ast.Reach():
                return self.reach(expr, scope)
            case _:
                made = self.literal(expr, scope, expected)
                assert made is not None, expr
                return made
