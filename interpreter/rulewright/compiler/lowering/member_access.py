"""Lowering of the three accesses: dot reads what is printed, bracket what changes, parentheses what is computed."""

from __future__ import annotations

from rulewright.compiler.lowering.coercions import NONE_VALUE, WRONG, Base, _a
from rulewright.compiler.symbols.scope import Scope, Typed
from rulewright.compiler.symbols.static_types import BOOL, Type, entity, set_of
from rulewright.ir import model as m
from rulewright.syntax import ast


class Access(Base):
    """Dots, brackets and calls of queries and built-in functions."""

    # ------------------------------------------------------------------------------------------- dot

    def dot(self, expr: ast.Dot, scope: Scope) -> Typed:
        """``x.name``."""
        value = self.item(self.lower(expr.operand, scope))
        type, world = value.type, self.world
        if type.kind == "any":
            return value
        if type.kind != "entity":
            self.report.error("TYP212", f"{_a(type)} has no `.{expr.name}`", expr.span)
            return WRONG
        if expr.name == "neighbours":
            if world.is_merged(type.universe):
                return Typed(m.RegionsBeside(type.universe, value.ir), set_of(type.universe))
            graph = world.graph_of(type.universe)
            if graph is not None:
                return Typed(m.NeighboursOf(graph.name, value.ir), set_of(type.universe))
        if expr.name == "borders":
            graph = world.graph_of(type.universe)
            if graph is not None and graph.edge is not None:
                return Typed(m.EdgesOf(graph.name, value.ir), set_of(graph.edge))
        found = world.attribute(type, expr.name)
        if found is None:
            known = world.attribute_names(type)
            return self.unknown(f"property of {_a(type)}", expr.name, known, expr.span, "REF002")
        attr_type, table = found
        return self.certain(Typed(m.Attr(table, value.ir), attr_type.or_none() if type.optional else attr_type))

    # --------------------------------------------------------------------------------------- bracket

    def at(self, expr: ast.Index, scope: Scope) -> Typed:
        """``name[i, j]``."""
        world = self.world
        if isinstance(expr.operand, ast.Name) and scope.find(expr.operand.name) is None:
            word = expr.operand.name
            listed = self._listed_alone(word)
            if listed is not None and len(expr.index) == 1:
                return self._element(listed, expr, scope)
            if word in world.fields:
                field = world.fields[word]
                index, optional = self.index(word, field.index, expr, scope)
                return self.certain(Typed(m.FieldGet(word, index), field.type.or_none() if optional else field.type))
            if word in world.zones:
                zone = world.zones[word]
                index, _ = self.index(word, zone.index, expr, scope)
                return Typed(m.ZoneGet(word, index), zone.type)
            if word not in world.params:
                return self.unknown("zone or field", word, [*world.fields, *world.zones], expr.operand.span)
        value = self.lower(expr.operand, scope)
        if isinstance(value.ir, m.ZoneGet):
            value = self._in_order(value)
        if value.type.kind == "list" and len(expr.index) == 1:
            return self._element(value, expr, scope)
        if value.type.kind != "any":
            self.report.error("TYP213", f"{_a(value.type)} has no members by key", expr.span)
        return WRONG

    def _element(self, value: Typed, expr: ast.Index, scope: Scope) -> Typed:
        at = self.number(expr.index[0], scope)
        return Typed(m.Item(value.ir, at), value.type.element().or_none())

    def _listed_alone(self, word: str) -> Typed | None:
        """A list field, stack or row without keys: brackets behind it ask for an element."""
        field, zone = self.world.fields.get(word), self.world.zones.get(word)
        if field is not None and not field.index and field.type.kind == "list":
            return Typed(m.FieldGet(word, ()), field.type)
        if zone is not None and not zone.index:
            listed = self._in_order(Typed(m.ZoneGet(word, ()), zone.type))
            return listed if listed.type.kind == "list" else None
        return None

    def _in_order(self, value: Typed) -> Typed:
        """A stack or row as a list; anything else as it is."""
        zone = value.ir
        if isinstance(zone, m.ZoneGet) and self.world.zones[zone.zone].order in ("stack", "row"):
            return Typed(m.ZoneList(zone.zone, zone.index), value.type.as_list(self.world.size("Piece")))
        return value

    def index(
        self, name: str, wanted: tuple[str, ...], expr: ast.Index, scope: Scope
    ) -> tuple[tuple[m.Expr, ...], bool]:
        """The keys of a zone or field; and whether one of them may be none."""
        if len(expr.index) != len(wanted):
            self.report.error(
                "TYP207",
                f"`{name}` takes {len(wanted)} key{'s' if len(wanted) != 1 else ''}, here are {len(expr.index)}",
                expr.span,
                hint=f"{name}[{', '.join(wanted)}]" if wanted else name,
            )
            return tuple(m.Const(0) for _ in wanted), False
        made: list[m.Expr] = []
        optional = False
        for part, universe in zip(expr.index, wanted, strict=True):
            type = self.world.universe_type(universe)
            value = self.item(self.lower(part, scope, type))
            optional = optional or value.type.optional
            made.append(self.coerce(value, type.or_none(), part.span, f"the key of `{name}`"))
        return tuple(made), optional

    @staticmethod
    def certain(value: Typed) -> Typed:
        """A truth about nothing is false."""
        if value.type.kind == "bool" and value.type.optional:
            return Typed(m.Cmp("eq", value.ir, m.Const(1)), BOOL)
        return value

    def target(self, expr: ast.Expr, scope: Scope) -> Typed:
        """What is written where something is set: a truth of a field is the field."""
        value = self.lower(expr, scope)
        if isinstance(expr, ast.Index) and isinstance(value.ir, m.Cmp) and isinstance(value.ir.left, m.FieldGet):
            return Typed(value.ir.left, value.type)
        return value

    # --------------------------------------------------------------------------------------- calls

    def call(self, expr: ast.Call, scope: Scope, expected: Type | None) -> Typed:
        """``name(a, b)`` in an expression."""
        if isinstance(expr.operand, ast.Dot) and expr.operand.name == "other":
            return self._other(expr, expr.operand, scope)
        if not isinstance(expr.operand, ast.Name):
            self.report.error("TYP214", "this cannot be called", expr.operand.span)
            return WRONG
        word = expr.operand.name
        signature = self.world.query_signature(word, expr.span)
        if signature is not None:
            args = self.arguments(word, signature[0], expr, scope)
            return Typed(m.CallQuery(word, args), signature[1])
        if (asked := self.world.asked_as(word)) is not None:
            if self.world.is_merged(asked):
                return self._region(asked, expr, scope)
            return self._area(asked, expr, scope)
        if word in _BUILTINS:
            low, high = _BUILTINS[word]
            if not low <= len(expr.args) <= high:
                many = str(low) if low == high else f"{low} to {high}"
                self.report.error("TYP215", f"`{word}` takes {many} arguments, here are {len(expr.args)}", expr.span)
                return WRONG
            made: Typed = getattr(self, f"_{word}")(expr, scope)
            return made
        if self.world.is_callable(word):
            self.report.error("CTL107", f"`{word}` does something; a condition or value may only ask", expr.span)
            return WRONG
        known = [*self.world.query_names(), *_BUILTINS, *(a.lower() for a in self.world.area_names())]
        return self.unknown("query", word, known, expr.operand.span)

    def arguments(
        self, name: str, wanted: tuple[tuple[str, Type], ...], expr: ast.Call, scope: Scope
    ) -> tuple[m.Expr, ...]:
        """The arguments of a call, checked against the parameters."""
        if len(wanted) != len(expr.args):
            self.report.error(
                "TYP215",
                f"`{name}` takes {len(wanted)} argument{'s' if len(wanted) != 1 else ''}, here are {len(expr.args)}",
                expr.span,
                hint=f"{name}({', '.join(f'{n}: {t}' for n, t in wanted)})",
            )
            return tuple(m.Const(0) for _ in wanted)
        return tuple(
            self.want(arg, scope, type.or_none(), f"`{param}` of `{name}`")
            for arg, (param, type) in zip(expr.args, wanted, strict=True)
        )

    def _other(self, expr: ast.Call, dot: ast.Dot, scope: Scope) -> Typed:
        edge = self.item(self.lower(dot.operand, scope))
        graph = self.world.graph_with(edge.type.universe)
        if edge.type.kind == "any":
            return WRONG
        if graph is None or len(expr.args) != 1:
            self.report.error("TYP212", f"{_a(edge.type)} has no `.other(place)`", expr.span)
            return WRONG
        place = entity(graph.place, optional=True)
        one = self.want(expr.args[0], scope, place)
        e, s = self.fresh("edge"), self.fresh("side")
        a, b = m.Attr(f"{graph.edge}.a", m.Var(e)), m.Attr(f"{graph.edge}.b", m.Var(e))
        body = m.IfElse(m.Cmp("eq", a, m.Var(s)), b, m.IfElse(m.Cmp("eq", b, m.Var(s)), a, NONE_VALUE))
        return Typed(m.LetIn(e, edge.ir, m.LetIn(s, one, body)), place)

    def _area(self, name: str, expr: ast.Call, scope: Scope) -> Typed:
        place = self.world.area_place(name)
        at = self.want(expr.args[0], scope, entity(place, optional=True)) if len(expr.args) == 1 else m.Const(0)
        if len(expr.args) != 1:
            self.report.error("TYP215", f"`{name.lower()}` takes 1 argument, a place", expr.span)
        return Typed(m.Component(name, at), set_of(place))

    def _region(self, name: str, expr: ast.Call, scope: Scope) -> Typed:
        if len(expr.args) != 1:
            self.report.error("TYP215", f"`{name.lower()}` takes 1 argument, a place", expr.span)
            return WRONG
        at = self.want(expr.args[0], scope, entity(name, optional=True), "the place")
        return Typed(at, entity(name))

    # ------------------------------------------------------------------------------ built-in functions

    def _single(self, expr: ast.Call, scope: Scope) -> Typed:
        value = self.collection(expr.args[0], scope)
        return Typed(m.Single(self.as_set(value)), value.type.element().or_none())

    def _size(self, expr: ast.Call, scope: Scope) -> Typed:
        value = self.collection(expr.args[0], scope)
        return Typed(m.Size(value.ir, value.type.kind == "list"), Type("int", low=0, high=100_000))

    def _piece(self, expr: ast.Expr, scope: Scope) -> Typed:
        value = self.item(self.lower(expr, scope, Type("entity", "Piece")))
        if value.type.kind != "any" and value.type.universe != "Piece":
            self.mismatch("a piece", value.type, expr.span)
        return value

    def _place(self, expr: ast.Call, scope: Scope) -> Typed:
        return self._key_of_zone(expr, scope, self.world.place_universes(), "place")

    def _holder(self, expr: ast.Call, scope: Scope) -> Typed:
        return self._key_of_zone(expr, scope, self.world.owner_universes(), "holder")

    def _key_of_zone(self, expr: ast.Call, scope: Scope, universes: list[str], what: str) -> Typed:
        value = self._piece(expr.args[0], scope)
        if value.type.kind == "any":
            return WRONG
        found = self.world.zone_keys(value.type.kinds, universes)
        if len(found) != 1:
            why = "no zone that can hold it has one" if not found else "it may be one of " + ", ".join(found)
            self.report.error("TYP216", f"`{what}` of {_a(value.type)} means nothing: {why}", expr.span)
            return WRONG
        return Typed(m.PlaceOf(found[0], value.ir), entity(found[0], optional=True))

    def _on_board(self, expr: ast.Call, scope: Scope) -> Typed:
        value = self._piece(expr.args[0], scope)
        zones = self.world.zones_with(self.world.place_universes())
        return Typed(m.InZone(zones, value.ir), BOOL)

    def _in_game(self, expr: ast.Call, scope: Scope) -> Typed:
        value = self._piece(expr.args[0], scope)
        return Typed(m.InZone(tuple(z for z in self.world.zones if z != "box"), value.ir), BOOL)

    def _side(self, expr: ast.Call, scope: Scope) -> Typed:
        value = self._piece(expr.args[0], scope)
        if value.type.kind == "any":
            return WRONG
        return Typed(m.SideOf(value.ir), entity(self.world.sides_universe(value.type.kinds), value.type.optional))

    def _slot(self, expr: ast.Call, scope: Scope) -> Typed:
        value = self._piece(expr.args[0], scope)
        return Typed(m.SlotOf(value.ir), Type("int", low=0, optional=True))

    def _places(self, expr: ast.Call, scope: Scope) -> Typed:
        value = self.lower(expr.args[0], scope)
        place = self.world.merged_over(value.type.universe)
        if place is None:
            return value if value.type.kind == "any" else self.mismatch("a region", value.type, expr.span)
        return Typed(m.PlacesOf(value.type.universe, value.ir), set_of(place))

    def _ahead(self, expr: ast.Call, scope: Scope) -> Typed:
        value = self.item(self.lower(expr.args[0], scope))
        steps = self.number(expr.args[1], scope)
        merged = value.type.universe if self.world.is_merged(value.type.universe) else ""
        graph = self.world.graph_of(self.world.merged_over(merged) or value.type.universe)
        if graph is None or graph.shape != "ring":
            if value.type.kind != "any":
                self.report.error("MAP304", "`ahead` goes round a ring", expr.span)
            return WRONG
        return Typed(m.Ahead(graph.name, merged, value.ir, steps), value.type)

    def _distance(self, expr: ast.Call, scope: Scope) -> Typed:
        value = self.item(self.lower(expr.args[0], scope))
        graph = self.world.graph_of(value.type.universe) or self.world.only_graph()
        if graph is None:
            self.report.error("MAP304", "there is no map to measure on", expr.span)
            return WRONG
        if graph.shape == "growing":
            hint = "ask for `neighbours`, `towards` or `reach`"
            self.report.error("MAP309", "a map that grows measures no distances", expr.span, hint=hint)
            return WRONG
        place = entity(graph.place, optional=True)
        a = self.coerce(value, place, expr.args[0].span)
        b = self.want(expr.args[1], scope, place)
        return Typed(m.DistanceOf(graph.name, a, b), Type("int", low=0, optional=True))

    def _towards(self, expr: ast.Call, scope: Scope) -> Typed:
        value = self.item(self.lower(expr.args[0], scope))
        graph = self.world.graph_of(value.type.universe)
        if graph is None or not self.world.has_universe("Direction"):
            if value.type.kind != "any":
                self.report.error("MAP305", "`towards` goes over a grid or hex map", expr.span)
            return WRONG
        direction = self.want(expr.args[1], scope, entity("Direction", optional=True), "the direction")
        steps = self.number(expr.args[2], scope) if len(expr.args) > 2 else m.Const(1)
        return Typed(m.Towards(graph.name, value.ir, direction, steps), entity(graph.place, optional=True))

    def _player_of(self, expr: ast.Call, scope: Scope) -> Typed:
        player = entity("Player", optional=True)
        return Typed(self.want(expr.args[0], scope, player, "the party"), player)

    def _old(self, expr: ast.Call, scope: Scope) -> Typed:
        value = self.lower(expr.args[0], scope)
        if not self.world.in_property:
            self.report.error("PRP604", "`old` may stand only in a property", expr.span)
        return Typed(m.Old(value.ir), value.type)

    def _possible(self, expr: ast.Call, scope: Scope) -> Typed:
        call = expr.args[0]
        if not (isinstance(call, ast.Call) and isinstance(call.operand, ast.Name)):
            self.report.error("TYP217", "`possible` asks about a call: `possible(place_knight(p))`", expr.span)
            return WRONG
        word = call.operand.name
        signature = self.world.possible_signature(word, call.span)
        if signature is None:
            known = self.world.procedure_names()
            return self.unknown("procedure", word, known, call.operand.span)
        args = self.arguments(word, signature, call, scope)
        return Typed(m.CallQuery(f"possible {word}", args), BOOL)


_BUILTINS: dict[str, tuple[int, int]] = {
    "single": (1, 1),
    "size": (1, 1),
    "place": (1, 1),
    "holder": (1, 1),
    "on_board": (1, 1),
    "in_game": (1, 1),
    "side": (1, 1),
    "slot": (1, 1),
    "places": (1, 1),
    "ahead": (2, 2),
    "distance": (2, 2),
    "towards": (2, 3),
    "player_of": (1, 1),
    "old": (1, 1),
    "possible": (1, 1),
}
