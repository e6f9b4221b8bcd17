"""Lowering of binders, comprehensions and ``reach``."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from rulewright.compiler.lowering.expressions.coercions import WRONG, Coercions
from rulewright.compiler.lowering.expressions.narrowing import Narrowing
from rulewright.compiler.lowering.lowering_context import Expressions, LoweringContext, a_type
from rulewright.compiler.symbols.static_types import ANY, Type, entity, set_of
from rulewright.compiler.symbols.symbols import Scope, Typed
from rulewright.diagnostics import Span, over_limit
from rulewright.foundation import limits
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


class ComprehensionLowerer:
    """Lowers expressions that bind a variable and give a set or list."""

    def __init__(self, context: LoweringContext, coercions: Coercions, expressions: Expressions) -> None:
        self.context, self.coercions, self.expressions = context, coercions, expressions
        self.world, self.narrowing = context.world, Narrowing(coercions)

    def bind(self, bind: ast.Bind, scope: Scope, ordered: bool = False) -> tuple[Bound, Scope]:
        """``x[: Kind] in S where C``: the binder and the scope in which x is known; if need be in the order of S."""
        source = self.expressions.collection(bind.source, scope)
        if ordered or bind.leading:
            source = self.coercions.in_order(source)
        type = source.type.element() if source.type.is_collection else ANY
        ir = source.ir
        if bind.kind is not None:
            if bind.kind not in self.world.kinds:
                part = self.coercions.narrowed(source, bind.kind)
                if part is not None:
                    ir, type = part.ir, part.type.element()
                elif bind.kind != type.universe:
                    kinds = [*self.world.parts(type), *self.world.kinds]
                    self.context.unknown("kind", bind.kind, kinds, bind.span)
            elif type.kind != "any":
                if type.universe != "Piece":
                    self.context.mismatch("pieces", source.type, bind.source.span, f"the source of `{bind.name}`")
                elif type.kinds and not self.world.overlap(type.kinds, (bind.kind,)):
                    self.context.error("TYP202", f"{a_type(source.type)} never contains a {bind.kind}", bind.span)
                if source.type.kind == "list":
                    inner = self.context.fresh(bind.name)
                    ir = m.Filter(ir, inner, m.Contains(m.Kind(bind.kind), m.Var(inner)), is_list=True)
                else:
                    ir = m.SetOp("inter", ir, m.Kind(bind.kind))
                type = Type("entity", "Piece", (bind.kind,))
        var, binding = self.context.variable(bind.name, type)
        bound = Bound(var, ir, source.type.kind == "list", type, source.type.capacity)
        known = scope.inner(**{bind.name: binding})
        if bind.where is not None:
            where = self.expressions.truth(bind.where, known)
            bound = self._restricted(bound, where, bind.leading, bind.source.span)
            known = known if bind.leading == "until" else self.narrowing.where(bind.where, known, pure=False)
        return bound, known

    def binds(self, expr: ast.Comprehension | ast.Aggregate, scope: Scope) -> tuple[list[Bound], m.Expr | None, Scope]:
        """``x in S, y in T where C``: the binders, the condition, and the scope in which the names are known.

        With ``while`` or ``until`` the condition is part of the last source.
        """
        bounds: list[Bound] = []
        inner = scope
        ordered = bool(expr.leading) or (
            expr.kind in ("first", "last") if isinstance(expr, ast.Aggregate) else expr.listed
        )
        for bind in expr.binds:
            bound, inner = self.bind(bind, inner, ordered)
            bounds.append(bound)
        where = self.expressions.truth(expr.where, inner) if expr.where is not None else None
        if expr.leading != "until":
            inner = self.narrowing.where(expr.where, inner)
        if where is None or not expr.leading:
            return bounds, where, inner
        bounds[-1] = self._restricted(bounds[-1], where, expr.leading, expr.binds[-1].source.span)
        return bounds, None, inner

    def _restricted(self, bound: Bound, where: m.Expr, leading: ast.Leading, span: Span) -> Bound:
        """A binder over those members alone for which a condition holds, or that stand before, or up to, such a one."""
        if not leading:
            return bound._replace(source=m.Filter(bound.source, bound.var, where, bound.is_list))
        if not bound.is_list and bound.type.kind == "int":  # numbers have an order
            capacity = max(min(bound.type.high, limits.NUMBER_IN_A_SET) - max(bound.type.low, 0) + 1, 1)
            bound = bound._replace(source=m.ToList(bound.source), is_list=True, capacity=capacity)
        elif not bound.is_list and bound.type.kind != "any":
            hint = "put them in an order: `sorted(x in S by K)`"
            message = f"`{leading}` goes through a list, and a set has no order"
            self.context.error("TYP240", message, span, hint=hint)
            return bound
        line = self._until(bound, where) if leading == "until" else m.Leading(bound.source, bound.var, where)
        return bound._replace(source=line)

    def _until(self, bound: Bound, where: m.Expr) -> m.Expr:
        """The members of a list up to the first for which a condition holds, with it; all if it holds for none."""
        line, before, one = (self.context.fresh(name) for name in ("line", "before", "one"))
        up_to = m.Leading(m.Var(line), bound.var, m.Not(where))
        there = m.Cmp("ne", m.Var(one), m.Const(m.NONE), nothing=True)
        joined = m.IfElse(there, m.Joined(m.Var(before), m.MakeList((m.Var(one),))), m.Var(before))
        behind = m.Item(m.Var(line), m.Size(m.Var(before), is_list=True))
        return m.LetIn(line, bound.source, m.LetIn(before, up_to, m.LetIn(one, behind, joined)))

    def comprehension(self, expr: ast.Comprehension, scope: Scope, expected: Type | None = None) -> Typed:
        """``{x in S where C}``, ``{f(x) for x in S, y in T where C}`` and ``[f(x) for x in S, y in T where C]``."""
        if expr.element is None:
            return self.filter(expr, scope)
        bounds, where, inner = self.binds(expr, scope)
        if isinstance(expr.element, ast.Entry):
            key, value = self.expressions.entry(expr.element, inner, expected)
            if "any" in (key.type.kind, value.type.kind):
                return WRONG
            over = tuple(m.Bound(bound.var, bound.source, bound.is_list) for bound in bounds)
            return self.coercions.keyed.collected(over, where, key, value)
        element = self.coercions.item(self.expressions.lower(expr.element, inner))
        if element.type.keys:
            return self.context.mismatch("a single thing", element.type, expr.element.span, "a member of a set or list")
        if expr.listed:
            return self._listed(expr, bounds, where, element)
        flat = element.type.is_collection
        type = element.type if flat else element.type.present().as_set()
        if type.is_collection and type.universe == "Int" and type.low < 0:
            type = Type("set", "Int", low=0, high=type.high)
        ir = self.coercions.as_set(element) if flat else element.ir
        for depth, bound in enumerate(reversed(bounds)):
            source = bound.source
            if depth == 0 and where is not None:
                source = m.Filter(source, bound.var, where, bound.is_list)
            ir = m.Collect(source, bound.var, ir, flat or depth > 0, bound.is_list)
        if type.kind == "list":
            type = Type("set", type.universe, type.kinds, type.low, type.high)
        return Typed(ir, Type(type.kind, type.universe, type.kinds, type.low, type.high))

    def _listed(self, expr: ast.Comprehension, bounds: list[Bound], where: m.Expr | None, element: Typed) -> Typed:
        """A list in the order of the sources, the first source slowest."""
        element = self.coercions.in_order(element)
        flat, type = element.type.is_collection, element.type
        ir = m.ToList(element.ir) if type.kind == "set" else element.ir
        room = self._room(type.kind == "list", type.capacity, type.element()) if flat else 1
        for bound in bounds:
            room *= self._room(bound.is_list, bound.capacity, bound.type)
        if room > limits.LISTED:
            hint = "give the numbers that it goes through bounds, or collect a set"
            self.context.report.found.append(
                over_limit("items may be in this list", room, limits.LISTED, expr.span, hint)
            )
            return WRONG
        for depth, bound in enumerate(reversed(bounds)):
            source = bound.source
            if depth == 0 and where is not None:
                source = m.Filter(source, bound.var, where, bound.is_list)
            ir = m.Mapped(source, bound.var, ir, flat or depth > 0, bound.is_list)
        return Typed(ir, (type.element() if flat else type.present()).as_list(min(max(room, 1), limits.LIST)))

    def _room(self, is_list: bool, capacity: int, type: Type) -> int:
        """The most members of a collection."""
        return capacity if is_list else self.world.most_members(type)

    def filter(self, expr: ast.Comprehension | ast.Aggregate, scope: Scope) -> Typed:
        """``x in S where C``: the members for which a condition holds."""
        if len(expr.binds) > 1:
            self.context.error(
                "TYP210", "with two binders, write what is collected: `{f(x, y) for x in …, y in …}`", expr.span
            )
            return WRONG
        (bound,), where, _ = self.binds(expr, scope)
        members = bound.type.as_list(bound.capacity) if bound.is_list else bound.type.as_set()
        if where is None:
            return Typed(bound.source, members)
        return Typed(m.Filter(bound.source, bound.var, where, bound.is_list), members)

    def reach(self, expr: ast.Reach, scope: Scope) -> Typed:
        """``reach(from a within S across b where C)``.

        From a set it is what can be come to from any of its members, if they lie within S themselves.
        """
        start = self.coercions.item(self.expressions.lower(expr.start, scope))
        if not start.type.is_collection:
            return self._reach(start, expr, scope)
        one = self.context.fresh("start")
        found = self._reach(Typed(m.Var(one), start.type.element()), expr, scope)
        reach = found.ir
        if not isinstance(reach, m.ReachFrom | m.Closure):
            return found
        starts = self.coercions.as_set(start)
        if (allowed := reach.within) is None:
            return Typed(m.Collect(starts, one, reach, True), found.type)
        within = self.context.fresh("within")
        begin = m.SetOp("inter", starts, m.Var(within))
        collected = m.Collect(begin, one, replace(reach, within=m.Var(within)), True)
        return Typed(m.LetIn(within, allowed, collected), found.type)

    def _reach(self, start: Typed, expr: ast.Reach, scope: Scope) -> Typed:
        if expr.by is not None and expr.to is not None:
            return self._reach_by(start, expr, expr.by, expr.to, scope)
        graph = self.world.graph_of(start.type.universe)
        if graph is None:
            if start.type.kind != "any":
                self.context.mismatch("a place", start.type, expr.start.span, "the start")
            return WRONG
        within = None
        if expr.within is not None:
            within = self.expressions.want(expr.within, scope, set_of(graph.place), "where it may go")
        if expr.across is None:
            return Typed(m.ReachFrom(graph.name, start.ir, within, None, None), set_of(graph.place))
        if graph.edge is None:
            self.context.error("MAP303", f"`across` needs edges, and map {graph.name} has none", expr.span)
            return WRONG
        var, binding = self.context.variable(expr.across, entity(graph.edge))
        assert expr.where is not None
        across = self.expressions.truth(expr.where, scope.inner(**{expr.across: binding}))
        return Typed(m.ReachFrom(graph.name, start.ir, within, var, across), set_of(graph.place))

    def _reach_by(self, start: Typed, expr: ast.Reach, by: str, to: ast.Expr, scope: Scope) -> Typed:
        """``reach(from a within S by x to T)``: steps from each x to the members of T."""
        universe = start.type.universe
        merged = self.world.merged_over(universe) is not None
        if start.type.kind != "entity" or universe == "Piece" or merged:
            if start.type.kind != "any":
                self.context.mismatch("a place or a value of an enum", start.type, expr.start.span, "the start")
            return WRONG
        within = None
        if expr.within is not None:
            within = self.expressions.want(expr.within, scope, set_of(universe), "where it may go")
        var, binding = self.context.variable(by, entity(universe))
        step = self.expressions.want(to, scope.inner(**{by: binding}), set_of(universe), "where it goes on")
        return Typed(m.Closure(universe, start.ir, within, var, step), set_of(universe))
