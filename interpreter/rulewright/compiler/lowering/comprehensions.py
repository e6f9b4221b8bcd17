"""Lowering of comprehensions, aggregates, ``best``, ``sorted``, ``every`` and ``reach``."""

from __future__ import annotations

from typing import NamedTuple

from rulewright.compiler.lowering.coercions import NONE_VALUE, WRONG, Base, _a
from rulewright.compiler.symbols.scope import Scope, Typed
from rulewright.compiler.symbols.static_types import ANY, BOOL, INT, Type, entity, join, set_of
from rulewright.ir import model as m
from rulewright.syntax import ast


class Bound(NamedTuple):
    """A lowered binder: its variable, source and the members' type."""

    var: str
    source: m.Expr
    is_list: bool
    type: Type
    capacity: int = 0
    """Of a list: its most members."""


class Collections(Base):
    """Everything that binds a variable."""

    def bind(self, bind: ast.Bind, scope: Scope) -> tuple[Bound, Scope]:
        """``x[: Kind] in S``: the binder and the scope in which x is known."""
        source = self.collection(bind.source, scope)
        type = source.type.element() if source.type.is_collection else ANY
        ir = source.ir
        if bind.kind is not None:
            if bind.kind not in self.world.kinds:
                if bind.kind != type.universe:
                    self.unknown("kind of piece", bind.kind, list(self.world.kinds), bind.span)
            elif type.kind != "any":
                if type.universe != "Piece":
                    self.mismatch("pieces", source.type, bind.source.span, f"what `{bind.name}` comes from")
                elif type.kinds and not self.world.overlap(type.kinds, (bind.kind,)):
                    self.report.error("TYP202", f"there is never a {bind.kind} in {_a(source.type)}", bind.span)
                if source.type.kind == "list":
                    inner = self.fresh(bind.name)
                    ir = m.Filter(ir, inner, m.Contains(m.Kind(bind.kind), m.Var(inner)), is_list=True)
                else:
                    ir = m.SetOp("inter", ir, m.Kind(bind.kind))
                type = Type("entity", "Piece", (bind.kind,))
        var, binding = self.variable(bind.name, type)
        bound = Bound(var, ir, source.type.kind == "list", type, source.type.capacity)
        return bound, scope.inner(**{bind.name: binding})

    def comprehension(self, expr: ast.Comprehension, scope: Scope) -> Typed:
        """``{x in S where C}`` and ``{f(x) for x in S, y in T where C}``."""
        if expr.element is None:
            return self._filter(expr.binds, expr.where, expr, scope)
        bounds: list[Bound] = []
        inner = scope
        for bind in expr.binds:
            bound, inner = self.bind(bind, inner)
            bounds.append(bound)
        where = self.truth(expr.where, inner) if expr.where is not None else None
        element = self.item(self.lower(expr.element, inner))
        flat = element.type.is_collection
        type = element.type if flat else element.type.present().as_set()
        if type.is_collection and type.universe == "Int" and type.low < 0:
            type = Type("set", "Int", low=0, high=type.high)
        ir = self.as_set(element) if flat else element.ir
        for depth, bound in enumerate(reversed(bounds)):
            source = bound.source
            if depth == 0 and where is not None:
                source = m.Filter(source, bound.var, where, bound.is_list)
            ir = m.Collect(source, bound.var, ir, flat or depth > 0, bound.is_list)
        if type.kind == "list":
            type = Type("set", type.universe, type.kinds, type.low, type.high)
        return Typed(ir, Type(type.kind, type.universe, type.kinds, type.low, type.high))

    def _filter(self, binds: tuple[ast.Bind, ...], where: ast.Expr | None, expr: ast.Expr, scope: Scope) -> Typed:
        if len(binds) > 1:
            self.report.error(
                "TYP210", "with two binders say what is collected: `{f(x, y) for x in …, y in …}`", expr.span
            )
            return WRONG
        bound, inner = self.bind(binds[0], scope)
        members = bound.type.as_list(bound.capacity) if bound.is_list else bound.type.as_set()
        if where is None:
            return Typed(bound.source, members)
        return Typed(m.Filter(bound.source, bound.var, self.truth(where, inner), bound.is_list), members)

    # ----------------------------------------------------------------------------------- aggregates

    def aggregate(self, expr: ast.Aggregate, scope: Scope, expected: Type | None) -> Typed:
        """``count``, ``some``, ``no``, ``sum``, ``max``, ``min`` and ``first``."""
        if not expr.binds:
            assert expr.element is not None
            return self._aggregate_of(expr.kind, expr.element, scope, expected)
        if expr.kind == "first":
            made = (
                self._filter(expr.binds, expr.where, expr, scope)
                if expr.element is None
                else self.comprehension(ast.Comprehension(expr.element, expr.binds, expr.where, span=expr.span), scope)
            )
            return self._first(made)
        bounds: list[m.Bound] = []
        inner = scope
        type = ANY
        for bind in expr.binds:
            bound, inner = self.bind(bind, inner)
            bounds.append(m.Bound(bound.var, bound.source, bound.is_list))
            type = bound.type
        where = self.truth(expr.where, inner) if expr.where is not None else None
        if expr.kind in ("count", "some", "no"):
            if expr.element is not None:
                if expr.kind != "count":
                    self.report.error("TYP211", f"`{expr.kind}` takes no value, only binders", expr.element.span)
                counted = self.comprehension(
                    ast.Comprehension(expr.element, expr.binds, expr.where, span=expr.span), scope
                )
                return Typed(m.Size(counted.ir), Type("int", low=0) if expr.kind == "count" else BOOL)
            result = Type("int", low=0) if expr.kind == "count" else BOOL
            return Typed(m.Fold(expr.kind, tuple(bounds), where, None), result)
        if expr.element is not None:
            body = self.item(self.lower(expr.element, inner))
        else:
            last = m.Var(bounds[-1].var)
            body = Typed(self.read(last, type), type)
        return self._folded(expr, tuple(bounds), where, body)

    def _folded(self, expr: ast.Aggregate, bounds: tuple[m.Bound, ...], where: m.Expr | None, body: Typed) -> Typed:
        if body.type.kind not in ("int", "any"):
            self.mismatch("a number", body.type, expr.span, f"what `{expr.kind}` works on")
        ir = m.Fold(expr.kind, bounds, where, body.ir)  # type: ignore[arg-type]
        if expr.kind == "sum":
            return Typed(ir, Type("int", low=0) if body.type.low >= 0 else INT)
        return Typed(ir, Type("int", low=body.type.low, high=body.type.high, optional=True))

    def _aggregate_of(self, kind: str, element: ast.Expr, scope: Scope, expected: Type | None) -> Typed:
        if kind in ("min", "max", "sum") and isinstance(element, ast.SetOf | ast.ListOf) and element.items:
            return self._literal_fold(kind, element.items, scope)
        value = self.collection(element, scope, expected)
        if kind == "first":
            return self._first(value)
        is_list = value.type.kind == "list"
        if kind == "count":
            return Typed(m.Size(value.ir, is_list), Type("int", low=0))
        if kind in ("some", "no"):
            empty = m.Cmp("eq", m.Size(value.ir, is_list), m.Const(0))
            return Typed(m.Not(empty) if kind == "some" else empty, BOOL)
        if value.type.kind != "any" and value.type.universe not in ("Int", ""):
            self.mismatch("a set of numbers", value.type, element.span, f"what `{kind}` works on")
        var = self.fresh("x")
        ir = m.Fold(kind, (m.Bound(var, value.ir, is_list),), None, m.Var(var))  # type: ignore[arg-type]
        if kind == "sum":
            return Typed(ir, INT)
        return Typed(ir, Type("int", low=value.type.low, high=value.type.high, optional=True))

    def _literal_fold(self, kind: str, items: tuple[ast.Expr, ...], scope: Scope) -> Typed:
        # min({a, b}) of numbers written out: no set is built, so they may be negative or equal.
        values = [self.item(self.lower(i, scope)) for i in items]
        for value, item in zip(values, items, strict=True):
            if value.type.kind not in ("int", "any"):
                self.mismatch("a number", value.type, item.span, f"what `{kind}` works on")
        op = {"min": "min", "max": "max", "sum": "add"}[kind]
        ir, type = values[0].ir, values[0].type
        for value in values[1:]:
            ir = m.Arith(op, ir, value.ir)  # type: ignore[arg-type]
            type = INT if kind == "sum" else (join(type, value.type) or INT)
        return Typed(ir, type)

    def _first(self, value: Typed) -> Typed:
        if value.type.kind == "any":
            return value
        if isinstance(value.ir, m.ZoneGet) and self.world.zones[value.ir.zone].order in ("stack", "row"):
            listed = m.ZoneList(value.ir.zone, value.ir.index)
            return Typed(m.First(listed, is_list=True), value.type.element().or_none())
        return Typed(m.First(value.ir, value.type.kind == "list"), value.type.element().or_none())

    # ------------------------------------------------------------------------------- best, every, reach

    def ranked(self, expr: ast.Ranked, scope: Scope) -> Typed:
        """``best(x in S by K)`` and ``sorted(x in S by K)``."""
        bound, inner = self.bind(expr.bind, scope)
        source = bound.source
        if expr.where is not None:
            source = m.Filter(source, bound.var, self.truth(expr.where, inner), bound.is_list)
        key = self.number(expr.by, inner)
        if expr.kind == "best":
            return Typed(m.Best(source, bound.var, key, bound.is_list), bound.type.as_set())
        capacity = bound.capacity if bound.is_list else self.world.most_members(bound.type)
        return Typed(m.Sort(source, bound.var, key, is_list=bound.is_list), bound.type.as_list(capacity))

    def every(self, expr: ast.Every, scope: Scope) -> Typed:
        """``every(x in S where C has P)``."""
        bound, inner = self.bind(expr.bind, scope)
        where = self.truth(expr.where, inner) if expr.where is not None else None
        has = self.truth(expr.has, inner)
        return Typed(m.Fold("every", (m.Bound(bound.var, bound.source, bound.is_list),), where, has), BOOL)

    def reach(self, expr: ast.Reach, scope: Scope) -> Typed:
        """``reach(from a within S across b where C)``."""
        start = self.item(self.lower(expr.start, scope))
        graph = self.world.graph_of(start.type.universe)
        if graph is None:
            if start.type.kind != "any":
                self.mismatch("a place", start.type, expr.start.span, "the start")
            return WRONG
        within = None
        if expr.within is not None:
            within = self.want(expr.within, scope, set_of(graph.place), "where it may go")
        if expr.across is None:
            return Typed(m.ReachFrom(graph.name, start.ir, within, None, None), set_of(graph.place))
        if graph.edge is None:
            self.report.error("MAP303", f"`across` needs edges, and map {graph.name} has none", expr.span)
            return WRONG
        var, binding = self.variable(expr.across, entity(graph.edge))
        assert expr.where is not None
        across = self.truth(expr.where, scope.inner(**{expr.across: binding}))
        return Typed(m.ReachFrom(graph.name, start.ir, within, var, across), set_of(graph.place))


__all__ = ["NONE_VALUE", "Bound", "Collections"]
