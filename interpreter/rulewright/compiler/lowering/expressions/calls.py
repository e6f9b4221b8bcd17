"""Lowering of parentheses in expressions: what is computed."""

from __future__ import annotations

from rulewright.compiler.lowering.expressions.builtin_functions import BuiltinLowerer
from rulewright.compiler.lowering.expressions.coercions import NONE_VALUE, WRONG, Coercions
from rulewright.compiler.lowering.lowering_context import LoweringContext, a_type
from rulewright.compiler.lowering.protocols import Expressions
from rulewright.compiler.symbols.builtins import BUILTINS, is_builtin
from rulewright.compiler.symbols.scope import Scope, Typed
from rulewright.compiler.symbols.static_types import entity, set_of
from rulewright.ir import model as m
from rulewright.syntax import ast


class CallLowerer:
    """Calls of queries, areas, regions and built-in functions."""

    def __init__(
        self, context: LoweringContext, coercions: Coercions, expressions: Expressions, builtins: BuiltinLowerer
    ) -> None:
        self.context, self.coercions, self.expressions, self.builtins = context, coercions, expressions, builtins
        self.world = context.world

    def call(self, expr: ast.Call, scope: Scope) -> Typed:
        """``name(a, b)`` in an expression."""
        if isinstance(expr.operand, ast.Dot) and expr.operand.name == "other":
            return self._other(expr, expr.operand, scope)
        if not isinstance(expr.operand, ast.Name):
            self.context.error("TYP214", "this cannot be called", expr.operand.span)
            return WRONG
        word = expr.operand.name
        signature = self.world.query_signature(word, expr.span)
        if signature is not None:
            args = self.expressions.arguments(word, signature[0], expr, scope)
            return Typed(m.CallQuery(word, args), signature[1])
        if (asked := self.world.asked_as(word)) is not None:
            if self.world.is_merged(asked):
                return self._region(asked, expr, scope)
            return self._area(asked, expr, scope)
        if is_builtin(word) and not self.world.is_callable(word):
            low, high = BUILTINS[word]
            if not low <= len(expr.args) <= high:
                many = str(low) if low == high else f"{low} to {high}"
                self.context.error("TYP215", f"`{word}` takes {many} arguments, not {len(expr.args)}", expr.span)
                return WRONG
            return self.builtins.lower(word, expr, scope)
        if self.world.is_callable(word):
            info = self.world.calls.get(word)
            gives = info is not None and info.result is not None
            hint = f"write `let found = {word}({'…' if expr.args else ''})` on the line before, and ask `found`"
            message = f"`{word}` has effects; a condition or value must not"
            self.context.error("CTL107", message, expr.span, hint=hint if gives else "")
            return WRONG
        known = [*self.world.query_names(), *BUILTINS, *(a.lower() for a in self.world.area_names())]
        return self.context.unknown("query", word, known, expr.operand.span)

    def _other(self, expr: ast.Call, dot: ast.Dot, scope: Scope) -> Typed:
        edge = self.expressions.one(dot.operand, scope, "an edge")
        graph = self.world.graph_with(edge.type.universe)
        if edge.type.kind == "any":
            return WRONG
        if graph is None or len(expr.args) != 1:
            self.context.error("TYP212", f"{a_type(edge.type)} has no `.other(place)`", expr.span)
            return WRONG
        place = entity(graph.place, optional=True)
        one = self.expressions.want(expr.args[0], scope, place)
        e, s = self.context.fresh("edge"), self.context.fresh("side")
        a, b = m.Attr(f"{graph.edge}.a", m.Var(e)), m.Attr(f"{graph.edge}.b", m.Var(e))
        body = m.IfElse(m.Cmp("eq", a, m.Var(s)), b, m.IfElse(m.Cmp("eq", b, m.Var(s)), a, NONE_VALUE))
        return Typed(m.LetIn(e, edge.ir, m.LetIn(s, one, body)), place)

    def _area(self, name: str, expr: ast.Call, scope: Scope) -> Typed:
        place = self.world.area_place(name)
        at = (
            self.expressions.want(expr.args[0], scope, entity(place, optional=True))
            if len(expr.args) == 1
            else m.Const(0)
        )
        if len(expr.args) != 1:
            self.context.error("TYP215", f"`{name.lower()}` takes 1 argument, a place", expr.span)
        return Typed(m.Component(name, at), set_of(place))

    def _region(self, name: str, expr: ast.Call, scope: Scope) -> Typed:
        if len(expr.args) != 1:
            self.context.error("TYP215", f"`{name.lower()}` takes 1 argument, a place", expr.span)
            return WRONG
        at = self.expressions.want(expr.args[0], scope, entity(name, optional=True), "the place")
        return Typed(at, entity(name))
