"""Maps: their places and edges, what is printed on them, and regions that are made of them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from itertools import product

from rulewright.compiler.declarations.attributes import Attributes
from rulewright.compiler.lowering.expressions.expression_lowering import ExpressionLowerer
from rulewright.compiler.overlays.declaration_set import Rules
from rulewright.compiler.symbols.constants import Cells, constant
from rulewright.compiler.symbols.static_types import INT, Type, entity
from rulewright.compiler.symbols.symbol_table import SymbolTable
from rulewright.compiler.symbols.symbols import Scope
from rulewright.data import maps
from rulewright.data.map_files import MapFile
from rulewright.data.place_graph import PlaceGraph
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Diagnostic, Report, RulesetError, Span, over_limit
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.foundation import limits
from rulewright.ir import model as m
from rulewright.ir.evaluation import Value
from rulewright.ir.graphs import to_program_graph
from rulewright.syntax import ast, print_type

_PRINTED = {"ring": ("number",), "grid": ("row", "column"), "hexes": ("q", "r"), "growing": ("q", "r")}
"""Attributes that places have by the shape of their map."""

Cell = tuple[object, Span | None]
"""A value of a map file, and its place there."""


class Places:
    """Takes in all maps, then what is printed on their places and edges."""

    def __init__(
        self,
        rules: Rules,
        ruleset: Ruleset,
        world: SymbolTable,
        lower: ExpressionLowerer,
        attributes: Attributes,
        report: Report,
    ) -> None:
        self.rules, self.ruleset, self.report = rules, ruleset, report
        self.world, self.lower, self.attributes = world, lower, attributes
        self.cells = Cells(world, report)
        self._graphs: dict[str, PlaceGraph] = {}
        self._count = 0
        self._files: dict[str, MapFile] = {}
        self._incident: dict[tuple[str, str], list[list[object]]] = {}
        """For two universes the members of the second at each of the first: cells, their corners and sides."""

    def declare(self, decls: list[ast.MapDecl]) -> None:
        """Take in all maps."""
        for decl in sorted(decls, key=lambda decl: decl.shape == "corners"):  # these come of the others
            self._map(decl)

    def _graph(self, decl: ast.MapDecl) -> PlaceGraph:
        match decl.shape:
            case "ring":
                return maps.ring(self._size(decl.sizes[0], "the number of places"), decl.span)
            case "grid":
                rows, columns = (self._size(size) for size in decl.sizes)
                return maps.grid(rows, columns, decl.form == "diagonals", decl.span)
            case "hexes" if decl.form is not None:
                what = "the radius of a map" if decl.form == "hexagon" else "a side of a map"
                return maps.shaped_hexes(decl.form, tuple(self._size(size, what) for size in decl.sizes), decl.span)
            case "growing":
                return maps.growing_hexes(self._laid(decl.sizes[0]), decl.span)
            case "corners":
                return maps.corners(self._base(decl))
            case _:
                found = self._files[decl.name] = self.ruleset.map_file(decl.table or "", decl.span)
                self.report.extend(found.findings)
                return found.graph

    def _base(self, decl: ast.MapDecl) -> PlaceGraph:
        """The map of which a map has the corners."""
        base = self._graphs.get(decl.base or "")
        if base is not None and base.graph["shape"] in ("grid", "hexes"):
            return base
        known = [name for name, graph in self._graphs.items() if graph.graph["shape"] in ("grid", "hexes")]
        message = f"`{decl.base}` has no corners" if base is not None else f"there is no map `{decl.base}`"
        hint = did_you_mean(decl.base or "", known) or "grids and maps of hexes have corners"
        raise RulesetError(Diagnostic("MAP310", message, decl.span, hint=hint))

    def _number(self, expr: ast.Expr) -> int:
        before = len(self.report.found)
        ir = self.lower.number(expr, Scope())
        if len(self.report.found) > before:
            return 1
        value = constant(ir, INT, expr.span, self.report, self.world)
        return value if isinstance(value, int) else 1

    def _laid(self, expr: ast.Expr) -> int:
        """The number of places that may be laid: a number, or as many as there are pieces of a kind, ``size(Tile)``."""
        match expr:
            case ast.Call(ast.Name("size"), (ast.TypeName(kind),)) if isinstance(self.rules.decls.get(kind), ast.Piece):
                return self._pieces(kind, set())
        return self._number(expr)

    def _pieces(self, kind: str, above: set[str]) -> int:
        # Pieces are declared after the places they lie on, so that their tables are only counted here.
        if kind in above:
            return 0
        total = 0
        for decl in self.rules.all(ast.Piece):
            if decl.name == kind and decl.table is not None:
                with suppress(RulesetError):
                    table = self.ruleset.table_of(decl)
                    total += sum(self.cells.count(table, row) for row in range(len(table.rows)))
            elif decl.base == kind:
                total += self._pieces(decl.name, above | {kind})
        return total

    def _size(self, expr: ast.Expr, what: str = "a side of a map") -> int:
        value = self._number(expr)
        if not 1 <= value <= limits.PLACES:
            wrong = f"{what} must be at least 1" if value < 1 else f"a map must have 1 to {limits.PLACES} places"
            self.report.error("MAP008", f"{wrong}, not {value}", expr.span)
            return 1
        return value

    def _map(self, decl: ast.MapDecl) -> None:
        found = len(self.report.found)
        try:
            graph = self._graph(decl)
            before, self._count = self._count, self._count + graph.graph.get("at_most", len(graph))
            if before <= limits.ALL_PLACES < self._count:
                what = "places are on this map and those before it"
                raise RulesetError(over_limit(what, self._count, limits.ALL_PLACES, decl.span))
        except RulesetError as error:
            self.report.extend(error.diagnostics)
            # A small map of the same shape, so that directions and attributes mean something in what follows.
            stand_in = {
                "grid": lambda: maps.grid(2, 2),
                "hexes": lambda: maps.hexes(((0, 0), (1, 0))),
                "growing": lambda: maps.growing_hexes(1),
            }
            graph = stand_in.get(decl.shape, lambda: maps.ring(1))()
        self._graphs[decl.name] = graph
        world = self.world
        base = next((d.place for d in self.rules.all(ast.MapDecl) if d.name == decl.base), "")
        if base in world.unread or len(self.report.found) > found:
            world.unread |= {decl.place, decl.edges or decl.place}
        if world.has_universe(decl.place) and decl.place in {g.place for g in world.graphs.values()}:
            self.report.error("MAP308", f"there are two maps of {decl.place}", decl.span, hint="declare another place")
            return
        keys = maps.places(graph)
        before = len(self.report.found)
        names = self._names(decl, graph)
        if len(set(names)) < len(names) and len(self.report.found) == before:
            self.report.error("MAP306", f"two places of {decl.place} have the same key", decl.span)
        world.add_universe(m.Universe(decl.place, "place", names))
        world.coordinates[decl.place] = {key: number for number, key in enumerate(keys)}
        if decl.edges is not None:
            if not isinstance(self.rules.decls.get(decl.edges), ast.Place):
                known = [p.name for p in self.rules.all(ast.Place) if p.word == "edge"]
                self.lower.context.unknown("edge", decl.edges, known, decl.span)
            self._edges(decl.edges, decl.place, graph, dict(zip(keys, names, strict=True)))
        ways = maps.directions(graph.graph["shape"])
        if ways and not world.has_universe("Direction"):
            world.add_universe(m.Universe("Direction", "enum", ways))
        elif ways and world.keys("Direction") != ways:
            self.report.error("MAP307", "a grid and a hex map have different directions", decl.span)
        if all("cells" in data for data in graph.nodes.values()):
            self._meet(decl, graph)
        made = to_program_graph(graph, decl.name, decl.place, decl.edges)
        world.graphs[decl.name] = replace(made, at_most=graph.graph.get("at_most", 0), base=base)

    def _meet(self, decl: ast.MapDecl, graph: PlaceGraph) -> None:
        """Note which cells, corners and sides meet, and by which names corners and sides are known."""
        world = self.world
        for number, data in enumerate(graph.nodes.values()):
            world.add_aliases(decl.place, number, data["aliases"])
        for number, (one, other) in enumerate(maps.edges(graph) if decl.edges is not None else ()):
            here, there = graph.nodes[one]["aliases"], graph.nodes[other]["aliases"]
            ends = (*product(here, there), *product(there, here))
            world.add_aliases(decl.edges or "", number, (maps.edge_key(*two) for two in ends))
        base = next(d for d in self.rules.all(ast.MapDecl) if d.name == decl.base)
        cells = dict(zip(maps.places(self._graphs[base.name]), world.keys(base.place), strict=True))
        at = {decl.place: [graph.nodes[key]["cells"] for key in maps.places(graph)]}
        if decl.edges is not None:
            at[decl.edges] = [graph.edge(*ends)["cells"] for ends in maps.edges(graph)]
        for universe, around in at.items():
            names = world.keys(universe)
            self._incident[universe, base.place] = [[cells[one] for one in some] for some in around]
            self._incident[base.place, universe] = [
                [name for name, some in zip(names, around, strict=True) if key in some] for key in cells
            ]

    def _edges(self, name: str, place: str, graph: PlaceGraph, own: dict[str, str]) -> None:
        ends = maps.edges(graph)
        self.world.add_universe(m.Universe(name, "edge", tuple(maps.edge_key(own[a], own[b]) for a, b in ends)))
        at = {k: i for i, k in enumerate(own)}
        self.world.print_on(name, "a", entity(place), [at[a] for a, _ in ends])
        self.world.print_on(name, "b", entity(place), [at[b] for _, b in ends])

    def _names(self, decl: ast.MapDecl, graph: PlaceGraph) -> tuple[str, ...]:
        """The keys of the places: those of the map, or made from ``named "…"``."""
        keys = maps.places(graph)
        place = self.rules.decls.get(decl.place)
        if not isinstance(place, ast.Place):
            self.lower.context.unknown("place", decl.place, [p.name for p in self.rules.all(ast.Place)], decl.span)
            return keys
        if place.named is None:
            return keys
        known = {*_PRINTED.get(graph.graph["shape"], ()), *(a.name for a in place.attributes if a.value is None)}
        if graph.graph["shape"] == "graph":
            known.add("name")
        found = []
        for key in keys:
            held = {"name": key} | {n: graph.nodes[key].get(n) for n in known - {"name"}}
            words = {
                n: "no" if v is None else str(v).lower() if isinstance(v, bool) else str(v) for n, v in held.items()
            }
            found.append(self.attributes.filled(place.named, {n: words[n] for n in known}, place.place_of("named")))
        return tuple(found)

    def printed(self, decls: list[ast.MapDecl]) -> None:
        """Read the values printed on places and edges (enums and parties are known by now)."""
        for decl in decls:
            if (graph := self._graphs.get(decl.name)) is None:
                continue
            keys, file = maps.places(graph), self._files.get(decl.name)
            known: list[dict[str, Value]] = [{} for _ in keys]
            for name in _PRINTED.get(graph.graph["shape"], ()):
                numbers = [int(str(v)) for v in maps.place_attribute(graph, name)]
                self.world.print_on(decl.place, name, Type("int", low=min(numbers), high=max(numbers)), numbers)
                for held, number in zip(known, numbers, strict=True):
                    held[name] = number

            def of_place(
                index: int,
                name: str,
                g: PlaceGraph = graph,
                f: MapFile | None = file,
                keys: tuple[str, ...] = keys,
            ) -> Cell:
                key = keys[index]
                return g.nodes[key].get(name), f.place_span(key, name) if f is not None else None

            between = maps.edges(graph) if decl.edges is not None else ()

            def of_edge(
                index: int,
                name: str,
                g: PlaceGraph = graph,
                f: MapFile | None = file,
                between: tuple[tuple[str, str], ...] = between,
            ) -> Cell:
                ends = between[index]
                return g.edge(*ends).get(name), f.edge_span(ends, name) if f is not None else None

            self._printed(decl.place, known, of_place)
            if decl.edges is not None:
                self._printed(decl.edges, [{} for _ in between], of_edge)

    def _printed(self, universe: str, known: list[dict[str, Value]], cell: Callable[[int, str], Cell]) -> None:
        decl = self.rules.decls.get(universe)
        if not isinstance(decl, ast.Place):
            return
        has = {"a", "b", "other"} if decl.word == "edge" else {"neighbours", "borders", *(known[0] if known else ())}
        for attribute in decl.attributes:
            if attribute.name in has:
                self.report.error(
                    "REF007", f"every {universe} has a `{attribute.name}` already", attribute.span, hint="leave it out"
                )
        types = dict.fromkeys(known[0] if known else (), INT)
        types |= {a.name: self.world.resolve_printed(a.type) for a in decl.attributes}
        rows: list[dict[str, Value]] = []
        for index, held in enumerate(known):

            def convert(attribute: ast.Attribute, type: Type, index: int = index) -> Value:
                beside = self._incident.get((universe, type.universe)) if type.is_collection else None
                value, span = cell(index, attribute.name) if beside is None else (beside[index], attribute.span)
                if value is None and span is None and not (type.optional or type.is_collection):
                    if index == 0 and universe not in self.world.unread:
                        message = f"`{attribute.name}` is printed on no {universe}: this map has no file"
                        kept = f"field {attribute.name}[{universe}]: {print_type(attribute.type)}"
                        hint = f"compute it, as in `{attribute.name}: … = …`, or keep it in a field: `{kept}`"
                        self.report.error("DAT010", message, attribute.span, hint=hint)
                    return 0
                return self.cells.convert(value, type, span or attribute.span, f"`{attribute.name}`")

            rows.append(self.attributes.read(decl.attributes, types, convert, held))
        for attribute in decl.attributes:
            if attribute.name not in has:
                values = [r[attribute.name] for r in rows]
                self.world.print_on(universe, attribute.name, types[attribute.name], values)

    def merge(self, decls: list[ast.Merged]) -> None:
        """Take in all universes of regions."""
        for decl in decls:
            if decl.place not in self.world.graph_places():
                hint = did_you_mean(decl.place, self.world.graph_places())
                self.report.error("REF001", f"no map has a place `{decl.place}`", decl.span, hint=hint)
            self.world.merged[decl.name] = decl.place
            self.world.add_universe(m.Universe(decl.name, "merged", self.world.keys(decl.place)))


def _shown(raw: object) -> str:
    return "no" if raw is None else str(raw).lower() if isinstance(raw, bool) else str(raw)
