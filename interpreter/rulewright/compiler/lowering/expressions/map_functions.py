"""Lowering of the built-in functions about maps: ways, distances, borders of sets of places."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.compiler.lowering.expressions.coercions import WRONG, Coercions
from rulewright.compiler.lowering.lowering_context import Expressions, LoweringContext
from rulewright.compiler.symbols.static_types import BOOL, Type, entity, set_of
from rulewright.compiler.symbols.symbols import Scope, Typed
from rulewright.ir import model as m
from rulewright.ir.graphs import longest_way
from rulewright.syntax import ast

DIRECTION = "Direction"


class MapFunctionLowerer:
    """Calls of functions that ask a map."""

    def __init__(self, context: LoweringContext, coercions: Coercions, expressions: Expressions) -> None:
        self.context, self.coercions, self.expressions = context, coercions, expressions
        self.world = context.world
        self.by_name: dict[str, Callable[[ast.Call, Scope], Typed]] = {
            "places": self._places,
            "edges_around": self._edges_around,
            "boundary": self._boundary,
            "connected": self._connected,
            "ahead": self._ahead,
            "distance": self._distance,
            "towards": self._towards,
            "ray": self._ray,
            "opposite": self._opposite,
            "rotated": self._rotated,
        }

    def _places(self, expr: ast.Call, scope: Scope) -> Typed:
        """The places of a region, or of all regions of a set."""
        value = self.coercions.item(self.expressions.lower(expr.args[0], scope))
        place = self.world.merged_over(value.type.universe)
        if place is None:
            return value if value.type.kind == "any" else self.context.mismatch("a region", value.type, expr.span)
        if not value.type.is_collection:
            return Typed(m.PlacesOf(value.type.universe, value.ir), set_of(place))
        region = self.context.fresh("region")
        found = m.PlacesOf(value.type.universe, m.Var(region))
        return Typed(m.Collect(value.ir, region, found, True, value.type.kind == "list"), set_of(place))

    def _edges_around(self, expr: ast.Call, scope: Scope) -> Typed:
        """The edges between places of a set and all others."""
        value = self.expressions.collection(expr.args[0], scope)
        graph = self.world.graph_of(value.type.universe) if value.type.universe else self.world.edge_graph()
        if graph is None or graph.edge is None:
            if value.type.kind != "any":
                self.context.error("MAP303", "`edges_around` needs places of a map with `edges`", expr.span)
            return WRONG
        inside, place, edge = (self.context.fresh(name) for name in ("inside", "place", "edge"))
        ends = (m.Attr(f"{graph.edge}.{end}", m.Var(edge)) for end in ("a", "b"))
        within = m.And(tuple(m.Contains(m.Var(inside), end) for end in ends))
        leaving = m.Filter(m.EdgesOf(graph.name, m.Var(place)), edge, m.Not(within))
        found = m.Collect(m.Var(inside), place, leaving, flat=True)
        return Typed(m.LetIn(inside, self.coercions.as_set(value), found), set_of(graph.edge))

    def _ahead(self, expr: ast.Call, scope: Scope) -> Typed:
        value = self.expressions.one(expr.args[0], scope, "a place or a region")
        steps = self.expressions.number(expr.args[1], scope)
        merged = value.type.universe if self.world.is_merged(value.type.universe) else ""
        graph = self.world.graph_of(self.world.merged_over(merged) or value.type.universe)
        if graph is None or graph.shape != "ring":
            if value.type.kind != "any":
                self.context.error("MAP304", "`ahead` works only on a ring", expr.span)
            return WRONG
        return Typed(m.Ahead(graph.name, merged, value.ir, steps), value.type)

    def _distance(self, expr: ast.Call, scope: Scope) -> Typed:
        value = self.coercions.item(self.expressions.lower(expr.args[0], scope))
        graph = self.world.graph_of(value.type.universe) or self.world.only_graph()
        if graph is None:
            self.context.error("MAP304", "there is no map to measure on", expr.span)
            return WRONG
        if graph.shape == "growing":
            hint = "ask for `neighbours`, `towards` or `reach`"
            self.context.error("MAP309", "a growing map has no distances", expr.span, hint=hint)
            return WRONG
        place = entity(graph.place, optional=True)
        a = self.coercions.coerce(value, place, expr.args[0].span)
        b = self.expressions.want(expr.args[1], scope, place)
        return Typed(m.DistanceOf(graph.name, a, b), Type("int", low=0, optional=True))

    def _way(self, expr: ast.Call, scope: Scope) -> tuple[m.Graph, m.Expr, m.Expr] | None:
        """The map, the place and the direction of ``towards(c, d)`` and ``ray(c, d)``; None if there are none."""
        value = self.expressions.one(expr.args[0], scope, "a place")
        graph = self.world.graph_of(value.type.universe)
        if graph is None or not graph.towards:
            if value.type.kind != "any":
                assert isinstance(expr.operand, ast.Name)
                self.context.error("MAP305", f"`{expr.operand.name}` works only on a grid or hex map", expr.span)
            return None
        direction = self.expressions.want(expr.args[1], scope, entity(DIRECTION, optional=True), "the direction")
        return graph, value.ir, direction

    def _towards(self, expr: ast.Call, scope: Scope) -> Typed:
        way = self._way(expr, scope)
        if way is None:
            return WRONG
        graph, place, direction = way
        steps = self.expressions.number(expr.args[2], scope) if len(expr.args) > 2 else m.Const(1)
        return Typed(m.Towards(graph.name, place, direction, steps), entity(graph.place, optional=True))

    def _ray(self, expr: ast.Call, scope: Scope) -> Typed:
        """The places from the next one on to the edge of the map, the nearest first."""
        way = self._way(expr, scope)
        if way is None:
            return WRONG
        graph, place, direction = way
        if graph.shape == "growing":
            hint = "ask for `towards` with so many steps"
            self.context.error("MAP309", "a ray on a growing map has no end", expr.span, hint=hint)
            return WRONG
        start, towards, step = (self.context.fresh(name) for name in ("start", "towards", "step"))
        steps = longest_way(graph)
        found = m.MakeList(
            tuple(m.Towards(graph.name, m.Var(start), m.Var(towards), m.Const(n + 1)) for n in range(steps))
        )
        there = m.Cmp("ne", m.Var(step), m.Const(m.NONE), nothing=True)
        listed = m.Filter(found, step, there, is_list=True)
        return Typed(
            m.LetIn(start, place, m.LetIn(towards, direction, listed)), set_of(graph.place).as_list(max(steps, 1))
        )

    def _opposite(self, expr: ast.Call, scope: Scope) -> Typed:
        return self._turned(expr, m.Const(len(self.world.keys(DIRECTION)) // 2), scope)

    def _rotated(self, expr: ast.Call, scope: Scope) -> Typed:
        return self._turned(expr, self.expressions.number(expr.args[1], scope), scope)

    def _turned(self, expr: ast.Call, steps: m.Expr, scope: Scope) -> Typed:
        """A direction turned so many steps clockwise."""
        if not self.world.has_universe(DIRECTION):
            self.context.error("MAP305", "only grids and hex maps have directions", expr.span)
            return WRONG
        size = self.world.size(DIRECTION)
        value = self.coercions.item(self.expressions.lower(expr.args[0], scope, entity(DIRECTION)))
        given = self.coercions.coerce(value, entity(DIRECTION, optional=True), expr.args[0].span, "the direction")
        result = entity(DIRECTION, value.type.optional)
        if isinstance(steps, m.Const) and steps.value != m.NONE:
            ways = tuple((way + steps.value) % size for way in range(size))
            if isinstance(given, m.Const) and given.value != m.NONE:
                return Typed(m.Const(ways[given.value]), result)
            return Typed(m.Item(m.ListConst(ways), given), result)
        at = self.context.fresh("at")
        rounds = m.Arith("mul", m.Const(size), m.Arith("div_down", m.Var(at), m.Const(size)))
        turned = m.Item(m.ListConst(tuple(range(size))), m.Arith("sub", m.Var(at), rounds))
        return Typed(m.LetIn(at, m.Arith("add", given, steps), turned), result)

    def _places_of(self, expr: ast.Call, scope: Scope) -> tuple[m.Graph, m.Expr] | None:
        """The map and the set of its places that are a function's argument; None if they are none."""
        value = self.expressions.collection(expr.args[0], scope)
        graph = self.world.graph_of(value.type.universe) if value.type.universe else self.world.only_graph()
        if graph is None:
            if value.type.kind != "any":
                self.context.mismatch("a set of places", value.type, expr.args[0].span)
            return None
        return graph, self.coercions.as_set(value)

    def _boundary(self, expr: ast.Call, scope: Scope) -> Typed:
        """The places beside those of a set that are not in it themselves."""
        on_map = self._places_of(expr, scope)
        if on_map is None:
            return WRONG
        graph, places = on_map
        inside, place = self.context.fresh("inside"), self.context.fresh("place")
        beside = m.Collect(m.Var(inside), place, m.NeighboursOf(graph.name, m.Var(place)), flat=True)
        return Typed(m.LetIn(inside, places, m.SetOp("minus", beside, m.Var(inside))), set_of(graph.place))

    def _connected(self, expr: ast.Call, scope: Scope) -> Typed:
        """True if one can go from each place of a set to each other over places of the set."""
        on_map = self._places_of(expr, scope)
        if on_map is None:
            return WRONG
        graph, places = on_map
        inside = self.context.fresh("inside")
        found = m.ReachFrom(graph.name, m.First(m.Var(inside)), m.Var(inside), None, None)
        return Typed(m.LetIn(inside, places, m.SetEq(found, m.Var(inside))), BOOL)
