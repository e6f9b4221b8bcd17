"""Lowering of aggregates, ``best``, ``sorted`` and ``every``."""

from __future__ import annotations

from rulewright.compiler.lowering.expressions.coercions import Coercions
from rulewright.compiler.lowering.expressions.comprehensions import ComprehensionLowerer
from rulewright.compiler.lowering.lowering_context import Expressions, LoweringContext
from rulewright.compiler.symbols.static_types import BOOL, INT, Type, join
from rulewright.compiler.symbols.symbols import Scope, Typed
from rulewright.ir import model as m
from rulewright.syntax import ast


class AggregateLowerer:
    """Lowers expressions that bind variables and give one value, or put members in an order."""

    def __init__(
        self,
        context: LoweringContext,
        coercions: Coercions,
        expressions: Expressions,
        comprehensions: ComprehensionLowerer,
    ) -> None:
        self.context, self.coercions, self.expressions = context, coercions, expressions
        self.comprehensions = comprehensions
        self.world = context.world

    def aggregate(self, expr: ast.Aggregate, scope: Scope, expected: Type | None) -> Typed:
        """``count``, ``some``, ``no``, ``sum``, ``max``, ``min`` and ``first``."""
        if not expr.binds:
            assert expr.element is not None
            return self._aggregate_of(expr.kind, expr.element, scope, expected)
        if expr.kind == "first":
            made = self.comprehensions.filter(expr, scope) if expr.element is None else self._collected(expr, scope)
            return self._first(made)
        if expr.element is not None and expr.kind in ("count", "some", "no"):
            if expr.kind != "count":
                self.context.error("TYP211", f"`{expr.kind}` takes no value, only binders", expr.element.span)
            counted = self._collected(expr, scope)
            return Typed(m.Size(counted.ir), Type("int", low=0) if expr.kind == "count" else BOOL)
        found, where, inner = self.comprehensions.binds(expr, scope)
        bounds = tuple(m.Bound(bound.var, bound.source, bound.is_list) for bound in found)
        if expr.kind in ("count", "some", "no"):
            result = Type("int", low=0) if expr.kind == "count" else BOOL
            return Typed(m.Fold(expr.kind, bounds, where, None), result)
        if expr.element is not None:
            body = self.coercions.item(self.expressions.lower(expr.element, inner))
        else:
            body = Typed(self.context.read(m.Var(found[-1].var), found[-1].type), found[-1].type)
        return self._folded(expr, bounds, where, body)

    def _collected(self, expr: ast.Aggregate, scope: Scope) -> Typed:
        """The set of what an aggregate is over, each thing once."""
        members = ast.Comprehension(expr.element, expr.binds, expr.where, expr.leading, span=expr.span)
        return self.comprehensions.comprehension(members, scope)

    def _folded(self, expr: ast.Aggregate, bounds: tuple[m.Bound, ...], where: m.Expr | None, body: Typed) -> Typed:
        if body.type.kind not in ("int", "any"):
            self.context.mismatch("a number", body.type, expr.span, f"the argument of `{expr.kind}`")
        ir = m.Fold(expr.kind, bounds, where, body.ir)  # type: ignore[arg-type]
        if expr.kind == "sum":
            return Typed(ir, Type("int", low=0) if body.type.low >= 0 else INT)
        return Typed(ir, Type("int", low=body.type.low, high=body.type.high, optional=True))

    def _aggregate_of(self, kind: str, element: ast.Expr, scope: Scope, expected: Type | None) -> Typed:
        if kind in ("min", "max", "sum") and isinstance(element, ast.SetOf | ast.ListOf) and element.items:
            return self._literal_fold(kind, element.items, scope)
        value = self.expressions.collection(element, scope, expected)
        if kind == "first":
            return self._first(value)
        is_list = value.type.kind == "list"
        if kind == "count":
            return Typed(m.Size(value.ir, is_list), Type("int", low=0))
        if kind in ("some", "no"):
            empty = m.Cmp("eq", m.Size(value.ir, is_list), m.Const(0))
            return Typed(m.Not(empty) if kind == "some" else empty, BOOL)
        if value.type.kind != "any" and value.type.universe not in ("Int", ""):
            self.context.mismatch("a set of numbers", value.type, element.span, f"the argument of `{kind}`")
        var = self.context.fresh("x")
        ir = m.Fold(kind, (m.Bound(var, value.ir, is_list),), None, m.Var(var))  # type: ignore[arg-type]
        if kind == "sum":
            return Typed(ir, INT)
        return Typed(ir, Type("int", low=value.type.low, high=value.type.high, optional=True))

    def _literal_fold(self, kind: str, items: tuple[ast.Expr, ...], scope: Scope) -> Typed:
        # min({a, b}) of numbers written out: no set is built, so they may be negative or equal.
        values = [self.coercions.item(self.expressions.lower(i, scope)) for i in items]
        for value, item in zip(values, items, strict=True):
            if value.type.kind not in ("int", "any"):
                self.context.mismatch("a number", value.type, item.span, f"the argument of `{kind}`")
        op = {"min": "min", "max": "max", "sum": "add"}[kind]
        ir, type = values[0].ir, values[0].type
        for value in values[1:]:
            ir = m.Arith(op, ir, value.ir)  # type: ignore[arg-type]
            type = INT if kind == "sum" else (join(type, value.type) or INT)
        return Typed(ir, type)

    def _first(self, value: Typed) -> Typed:
        if value.type.kind == "any":
            return value
        value = self.coercions.in_order(value)
        return Typed(m.First(value.ir, value.type.kind == "list"), value.type.element().or_none())

    def ranked(self, expr: ast.Ranked, scope: Scope) -> Typed:
        """``best(x in S by K)`` and ``sorted(x in S by K)``."""
        bound, inner = self.comprehensions.bind(expr.bind, scope)
        source = bound.source
        if expr.where is not None:
            source = m.Filter(source, bound.var, self.expressions.truth(expr.where, inner), bound.is_list)
        key = self.expressions.number(expr.by, inner)
        if expr.kind == "best":
            return Typed(m.Best(source, bound.var, key, bound.is_list), bound.type.as_set())
        capacity = bound.capacity if bound.is_list else self.world.most_members(bound.type)
        return Typed(m.Sort(source, bound.var, key, is_list=bound.is_list), bound.type.as_list(capacity))

    def every(self, expr: ast.Every, scope: Scope) -> Typed:
        """``every(x in S where C has P)``."""
        bound, inner = self.comprehensions.bind(expr.bind, scope)
        where = self.expressions.truth(expr.where, inner) if expr.where is not None else None
        has = self.expressions.truth(expr.has, inner)
        return Typed(m.Fold("every", (m.Bound(bound.var, bound.source, bound.is_list),), where, has), BOOL)
