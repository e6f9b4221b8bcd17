"""Lowering of who is asked: a player or a party."""

from __future__ import annotations

from typing import Literal

from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.symbols.scope import Scope
from rulewright.compiler.symbols.static_types import entity
from rulewright.ir import model as m
from rulewright.syntax import ast


class AskedLowerer:
    """Lowers the one who chooses, repeats or rolls."""

    def __init__(self, expressions: ExpressionLowerer) -> None:
        self.context, self.coercions, self.expressions = expressions.context, expressions.coercions, expressions
        self.world = expressions.world

    def lower(self, expr: ast.Expr, scope: Scope) -> tuple[m.Expr, Literal["player", "party"]]:
        """The one who is asked."""
        value = self.coercions.item(self.expressions.lower(expr, scope, entity("Player")))
        if value.type.kind == "entity" and self.world.is_party(value.type.universe):
            return m.Attr(f"{value.type.universe}.members", value.ir), "party"
        if value.type.kind != "any" and (value.type.kind != "entity" or value.type.universe != "Player"):
            self.context.mismatch("a player or party", value.type, expr.span, "the asked player")
        return value.ir, "player"
