"""Builds the world of a game from its declarations, tables and maps."""

from __future__ import annotations

from typing import TypeVar

import networkx as nx

from rulewright.analysis.cells import Cells
from rulewright.analysis.consteval import NotConstant, Value, evaluate, number
from rulewright.analysis.expressions import Expressions
from rulewright.analysis.pieces import Pieces
from rulewright.analysis.rules import Rules
from rulewright.analysis.scope import Scope
from rulewright.analysis.types import ANY, INT, Type, entity, set_of
from rulewright.analysis.world import CallInfo, FieldInfo, World, ZoneInfo
from rulewright.data import maps
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Report, RulesetError, Span
from rulewright.program import model as m
from rulewright.program.graphs import to_program_graph
from rulewright.syntax import ast

D = TypeVar("D", bound=ast.Clause)


class Declarations:
    """One pass over the declarations, in an order in which each finds what it needs."""

    def __init__(
        self, rules: Rules, ruleset: Ruleset, count: int, options: dict[str, ast.Expr], report: Report
    ) -> None:
        self.rules, self.ruleset, self.report = rules, ruleset, report
        self.options = options
        self.world = World(count, report)
        self.lower = Expressions(self.world, report)
        self.cells = Cells(self.world, report)
        self.pieces = Pieces(self.world, self.lower, self.cells, ruleset, report)
        self._graphs: dict[str, maps.PlaceGraph] = {}

    def build(self) -> World:
        """The world."""
        world = self.world
        world.add_universe(m.Universe("Player", "player", self.ruleset.manifest.seat_names(world.player_count)))
        players = self._the(ast.Players)
        for enum in self._all(ast.EnumDecl):
            self._enum(enum)
        for die in self._all(ast.Die):
            self._die(die)
        for parameter in self._all(ast.Parameter):
            self._param(parameter)
        for party in self._all(ast.Party):
            self._party(party, players)
        self._player_attributes()
        for place in self._all(ast.MapDecl):
            self._map(place)
        for merged in self._all(ast.Merged):
            self._merged(merged)
        for area in self._all(ast.Area):
            world.areas[area.name] = area
        for enum in self._all(ast.EnumDecl):
            self._enum_attributes(enum)
        for graph in self._all(ast.MapDecl):
            self._place_attributes(graph)
        self.pieces.declare(self._all(ast.Piece))
        for zone in self._all(ast.Zone):
            self._zone(zone)
        world.zones["box"] = ZoneInfo((), set_of("Piece"), "set", False, None)
        for field in self._all(ast.FieldDecl):
            self._field(field)
        for call in self._all(ast.Callable):
            params = tuple((p.name, world.resolve(p.type)) for p in call.params)
            world.calls[call.name] = CallInfo(call, params, world.resolve(call.type) if call.type else None)
        for query in self._all(ast.Query):
            world.query_decls[query.name] = query
        for value in self._all(ast.Value):
            world.query_decls[value.name] = value
        return world

    def _all(self, kind: type[D]) -> list[D]:
        return self.rules.all(kind)

    def _the(self, kind: type[D]) -> D | None:
        return next(iter(self._all(kind)), None)

    # --------------------------------------------------------------------------------- enums and dice

    def _enum(self, decl: ast.EnumDecl) -> None:
        values = decl.values
        if decl.table is not None:
            try:
                table = self.ruleset.table(decl.table, decl.span)
            except RulesetError as error:
                self.report.extend(error.diagnostics)
                values = ()
            else:
                column = "name" if "name" in table.columns else decl.name.lower()
                if column not in table.columns:
                    self.report.error(
                        "DAT010", f"no column `name` or `{column}` to name the values of {decl.name}", table.span()
                    )
                values = tuple(dict.fromkeys(str(r[column]) for r in table.rows if column in r))
        self.world.add_universe(m.Universe(decl.name, "enum", values))

    def _enum_attributes(self, decl: ast.EnumDecl) -> None:
        if not decl.attributes or decl.table is None:
            return
        try:
            table = self.ruleset.table(decl.table, decl.span)
        except RulesetError:
            return
        column = "name" if "name" in table.columns else decl.name.lower()
        for attribute in decl.attributes:
            type = self.world.resolve(attribute.type)
            first: dict[str, int] = {}
            for number_, row in enumerate(table.rows):
                first.setdefault(str(row.get(column)), number_)
            values = [
                self.cells.read(table, first[key], attribute.name, type) if key in first else m.NONE
                for key in self.world.keys(decl.name)
            ]
            self._attribute(decl.name, attribute.name, type, values)

    def _die(self, decl: ast.Die) -> None:
        if decl.low is not None and decl.high is not None:
            self.world.dice[decl.name] = Type("int", low=decl.low, high=decl.high)
            if not 0 <= decl.low <= decl.high:
                self.report.error("CHN310", f"die {decl.name} has no faces", decl.span)
            return
        keys: list[str] = []
        for face in decl.faces:
            if face[0].isupper():
                if not self.world.is_enum(face):
                    self.lower.unknown("enum", face, self.world.type_names(), decl.span)
                    continue
                if not keys:
                    self.world.base_of[decl.name] = face
                keys.extend(self.world.keys(face))
            else:
                keys.append(face)
        self.world.add_universe(m.Universe(decl.name, "enum", tuple(keys)))
        self.world.dice[decl.name] = entity(decl.name)

    # ------------------------------------------------------------------------------------ parameters

    def _param(self, decl: ast.Parameter) -> None:
        written = decl.value
        for other in decl.by_count:
            if self.world.player_count in other.counts:
                written = other.value
        wanted = self.world.resolve(decl.type) if decl.type is not None else None
        chosen = self.options.pop(decl.name, None)
        if chosen is not None:
            if wanted is None and (kind := self.lower.lower(written, Scope()).type).kind != "int":
                wanted = kind.present()
            written = chosen
        value = self.lower.lower(written, Scope(), wanted)
        if wanted is None:
            wanted = value.type if value.type.kind != "int" else INT
        ir = self.lower.coerce(value, wanted, written.span, f"the value of `{decl.name}`")
        result = self.constant(ir, written.span)
        if wanted.kind == "int" and isinstance(result, int) and not wanted.low <= result <= wanted.high:
            self.report.error(
                "TYP206", f"`{decl.name}` must be {wanted.low} to {wanted.high}, not {result}", written.span
            )
        self.world.params[decl.name] = (wanted, result)

    def constant(self, ir: m.Expr, span: Span) -> Value:
        """The value of an expression that may not depend on the game."""
        try:
            return evaluate(ir, {}, self.world.tables)
        except NotConstant:
            self.report.error("TYP218", "this must be known before the game begins", span)
            return 0

    def _amount(self, expr: ast.Expr, least: int = 0) -> int:
        value = self.constant(self.lower.number(expr, Scope()), expr.span)
        amount = value if isinstance(value, int) else 0
        if not least <= amount <= 100_000:
            self.report.error("TYP206", f"this must be {least} to 100000, not {amount}", expr.span)
            return max(least, 1)
        return amount

    # --------------------------------------------------------------------------------------- parties

    def _party(self, decl: ast.Party, players: ast.Players | None) -> None:
        count = self.world.player_count
        seats = self.world.keys("Player")
        keys: list[str] = []
        held: list[int] = []
        for member in decl.members:
            if member.counts and count not in member.counts:
                continue
            if member.name == "teams" and players is not None and players.team_count == count:
                size = players.team_size or 1
                teams = max(count // size, 1)
                together = self._together(players)
                for team in range(teams):
                    seated = [s for s in range(count) if (s // size if together else s % teams) == team]
                    keys.append(f"team {team + 1}")
                    held.append(sum(1 << s for s in seated))
            elif member.name in ("teams", "players"):
                keys.extend(seats)
                held.extend(1 << s for s in range(count))
            else:
                keys.append(member.name)
                held.append(0)
        self.world.add_universe(m.Universe(decl.name, "party", tuple(keys)))
        self.world.parties[decl.name] = decl
        members = f"{decl.name}.members"
        self.world.tables[members] = m.Table(members, decl.name, set_of("Player").run_time(), tuple(held))
        self.world.attributes.setdefault(decl.name, {})["players"] = (set_of("Player"), members)
        only = [h.bit_length() - 1 if h and h & (h - 1) == 0 else m.NONE for h in held]
        self._attribute(decl.name, "player", entity("Player", optional=True), list(only))
        of = [next((i for i, h in enumerate(held) if h >> s & 1), m.NONE) for s in range(count)]
        name = f"Player.{decl.name}"
        type = entity(decl.name, optional=m.NONE in of)
        self.world.tables[name] = m.Table(name, "Player", type.run_time(), tuple(of))
        self.world.attributes.setdefault("Player", {})[decl.name.lower()] = (type, name)

    def _together(self, players: ast.Players) -> bool:
        if players.seated in (None, "apart", "together"):
            return players.seated == "together"
        found = self.world.params.get(players.seated or "")
        if found is None or found[0].kind != "entity":
            self.lower.unknown("parameter", players.seated or "", list(self.world.params), players.span)
            return False
        return self.world.keys(found[0].universe)[number(found[1])] == "together"

    def _player_attributes(self) -> None:
        count = self.world.player_count
        self._attribute("Player", "left", entity("Player"), [(s + 1) % count for s in range(count)])
        self._attribute("Player", "right", entity("Player"), [(s - 1) % count for s in range(count)])
        self._attribute("Player", "seat", Type("int", low=1, high=count), [s + 1 for s in range(count)])

    def _attribute(self, universe: str, name: str, type: Type, values: list[Value] | list[int]) -> None:
        table = f"{universe}.{name}"
        if m.NONE in values:
            type = type.or_none()
        self.world.tables[table] = m.Table(table, universe, type.run_time(), tuple(values))
        self.world.attributes.setdefault(universe, {})[name] = (type, table)

    # ------------------------------------------------------------------------------------------ maps

    def _graph(self, decl: ast.MapDecl) -> maps.PlaceGraph:
        match decl.shape:
            case "ring":
                return maps.ring(self._amount(decl.sizes[0], 1), decl.span)
            case "grid":
                return maps.grid(self._amount(decl.sizes[0], 1), self._amount(decl.sizes[1], 1), decl.span)
            case "growing":
                # Not yet played (the façade says so); the checker needs its places only to exist.
                graph: maps.PlaceGraph = nx.Graph(shape="growing", directions=())
                for slot in range(self._amount(decl.sizes[0], 1)):
                    maps.add_place(graph, f"({slot}, 0)", (slot * 1000, 0))
                return graph
            case _:
                found = self.ruleset.map_file(decl.table or "", decl.span)
                self.report.extend(found.findings)
                return found.graph

    def _map(self, decl: ast.MapDecl) -> None:
        try:
            graph = self._graph(decl)
        except RulesetError as error:
            self.report.extend(error.diagnostics)
            graph = maps.ring(1)
        self._graphs[decl.name] = graph
        world = self.world
        place = self._place_decl(decl.place)
        keys = maps.places(graph)
        names = keys
        if place is not None and place.named is not None:
            names = tuple(self._place_name(place.named, graph.nodes[k], i) for i, k in enumerate(keys))
        if len(set(names)) < len(names):
            self.report.error("MAP306", f"two places of {decl.place} have the same key", decl.span)
        world.add_universe(m.Universe(decl.place, "place", names))
        world.coordinates[decl.place] = keys
        if decl.edges is not None:
            ends = maps.edges(graph)
            own = dict(zip(keys, names, strict=True))
            world.add_universe(m.Universe(decl.edges, "edge", tuple(maps.edge_key(own[a], own[b]) for a, b in ends)))
            at = {k: i for i, k in enumerate(keys)}
            self._attribute(decl.edges, "a", entity(decl.place), [at[a] for a, _ in ends])
            self._attribute(decl.edges, "b", entity(decl.place), [at[b] for _, b in ends])
        if (ways := maps.directions(graph.graph["shape"])) and not world.has_universe("Direction"):
            world.add_universe(m.Universe("Direction", "enum", ways))
        world.graphs[decl.name] = to_program_graph(graph, decl.name, decl.place, decl.edges)

    def _place_decl(self, name: str) -> ast.Place | None:
        found = self.rules.decls.get(name)
        if isinstance(found, ast.Place):
            return found
        self.lower.unknown("place", name, [p.name for p in self._all(ast.Place)], NOSPAN)
        return None

    def _place_name(self, template: str, node: dict[str, object], index: int) -> str:
        return template.format_map({"index": index, "number": index + 1} | dict(node))

    def _place_attributes(self, decl: ast.MapDecl) -> None:
        graph = self._graphs[decl.name]
        built_in = {"ring": ("number",), "grid": ("row", "column"), "hexes": ("q", "r")}
        for name in built_in.get(graph.graph["shape"], ()):
            numbers = [int(str(v)) for v in maps.place_attribute(graph, name)]
            self._attribute(decl.place, name, Type("int", low=min(numbers), high=max(numbers)), numbers)
        place = self._place_decl(decl.place)
        for owner, attributes in (
            (decl.place, place.attributes if place else ()),
            (decl.edges, self._edge_attributes(decl)),
        ):
            for attribute in attributes:
                type = self.world.resolve(attribute.type)
                raw = (
                    maps.place_attribute(graph, attribute.name)
                    if owner == decl.place
                    else maps.edge_attribute(graph, attribute.name)
                )
                values = [
                    self._computed(attribute, type, i, owner or "")
                    if attribute.value is not None
                    else self.cells.convert(v, type, attribute.span, f"`{attribute.name}`")
                    for i, v in enumerate(raw)
                ]
                self._attribute(owner or "", attribute.name, type, values)

    def _computed(self, attribute: ast.Attribute, type: Type, index: int, universe: str) -> Value:
        assert attribute.value is not None
        var, binding = self.lower.variable("it", entity(universe))
        ir = self.lower.want(attribute.value, Scope({"it": binding}), type)
        try:
            return evaluate(ir, {var: index}, self.world.tables)
        except NotConstant:
            self.report.error("TYP218", "this must be known before the game begins", attribute.value.span)
            return 0

    def _edge_attributes(self, decl: ast.MapDecl) -> tuple[ast.Attribute, ...]:
        found = self.rules.decls.get(decl.edges or "")
        return found.attributes if isinstance(found, ast.Place) else ()

    def _merged(self, decl: ast.Merged) -> None:
        self.world.merged[decl.name] = decl.place
        self.world.add_universe(m.Universe(decl.name, "merged", self.world.keys(decl.place)))

    # --------------------------------------------------------------------------------- zones and fields

    def _index(self, parts: tuple[ast.IndexPart, ...]) -> tuple[str, ...]:
        for part in parts:
            if not self.world.has_universe(part.type) and part.type not in self.world.kinds:
                self.lower.unknown("type", part.type, self.world.type_names(), part.span)
        return tuple("Piece" if p.type in self.world.kinds else p.type for p in parts)

    def _zone(self, decl: ast.Zone) -> None:
        for kind in decl.kinds:
            if kind not in self.world.kinds:
                self.lower.unknown("kind of piece", kind, list(self.world.kinds), decl.span)
        limit = self._amount(decl.at_most) if decl.at_most is not None else None
        kinds = tuple(k for k in decl.kinds if k in self.world.kinds)
        type = Type("set", "Piece", kinds, unit=limit == 1, capacity=limit or 0)
        self.world.zones[decl.name] = ZoneInfo(self._index(decl.index), type, decl.order, decl.faced, decl)
        if not decl.audiences:
            self.report.error(
                "INF322",
                f"zone `{decl.name}` does not say who sees it",
                decl.span,
                hint="add `seen by everyone`, or `face seen by p, count seen by everyone`",
            )

    def _field(self, decl: ast.FieldDecl) -> None:
        type = self.world.resolve(decl.type)
        if type.kind == "list" and decl.at_most is not None:
            type = type.element().as_list(self._amount(decl.at_most, 1))
        self.world.fields[decl.name] = FieldInfo(self._index(decl.index), type, decl.lasting, decl)


NOSPAN = Span()
__all__ = ["ANY", "Declarations"]
