"""Map files: hex fields and free graphs of places with attributes, read into a graph and checked."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import Any

from rulewright.data import maps
from rulewright.data.json_positions import JsonPath, JsonText, read_json, show_path
from rulewright.data.paths import inside, shown
from rulewright.data.place_graph import PlaceGraph
from rulewright.data.schema_checks import validate
from rulewright.diagnostics import NOWHERE, Diagnostic, Report, Severity, Span
from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.foundation.lazy_dataclass import dataclass

_OF_PLACE = {"name", "at", "beside"}
_OF_EDGE = {"between"}
RESERVED = frozenset({"index", "pos", "toward", "key", "ends", "number", "row", "column", "q", "r"})
"""Attributes that the map itself gives to places and edges."""
NUMBERING = frozenset({"number", "row", "column", "q", "r"})
"""The columns that only rings, grids and hexes give."""


@dataclass(slots=True)
class MapFile:
    """A map file, read and checked: its graph, and the spans of places and edges for messages."""

    ref: str
    file: str
    graph: PlaceGraph
    findings: tuple[Diagnostic, ...]
    """Warnings."""
    _source: JsonText = field(repr=False)
    _places: dict[str, int] = field(repr=False)
    _edges: dict[tuple[str, str], int] = field(repr=False)

    @property
    def shape(self) -> str:
        """``hexes`` or ``graph``."""
        return str(self.graph.graph["shape"])

    def place_span(self, key: str, attribute: str | None = None) -> Span:
        """The span of a place in the file, or of one of its attributes."""
        return self._source.span(_way("places", self._places.get(key), attribute))

    def edge_span(self, ends: tuple[str, str], attribute: str | None = None) -> Span:
        """The span of an edge in the file, or of one of its attributes."""
        return self._source.span(_way("edges", self._edges.get(ends), attribute))


def load_map(folder: Path, ref: str, where: Span = NOWHERE) -> MapFile:
    """Read the map file that `ref`, written at `where`, names; :class:`RulesetError` with all findings if
    it is bad."""
    path = inside(folder, ref, where)
    source = read_json(path, where)
    validate(source, "map")
    return _Builder(source, ref, shown(path)).build()


class _Builder:
    """Builds the graph and collects what is wrong with it."""

    def __init__(self, source: JsonText, ref: str, file: str) -> None:
        self.source = source
        self.ref = ref
        self.file = file
        self.value: dict[str, Any] = source.value  # type: ignore[assignment]
        self.report = Report()
        self._reported: set[str] = set()
        """Attributes of the map itself that were met: each is reported once."""
        self.rows: dict[str, int] = {}
        self.edge_rows: dict[tuple[str, str], int] = {}

    def build(self) -> MapFile:
        graph = self._hexes() if self.value["shape"] == "hexes" else self._free()
        # What is missing may be what is wrong: only a map without errors is looked through for lone places.
        self.report.stop_if_failed()
        for key in maps.isolated(graph):
            way: JsonPath = ("places", self.rows[key]) if key in self.rows else ("radius",)
            self._say("MAP004", f"nothing leads to the place `{key}`", way, warn=True)
        return MapFile(self.ref, self.file, graph, tuple(self.report.found), self.source, self.rows, self.edge_rows)

    # ------------------------------------------------------------------------------------------ hexes

    def _hexes(self) -> PlaceGraph:
        cells: dict[tuple[int, int], dict[str, Any]] = {}
        if "radius" in self.value:
            cells = {at: {} for at in maps.hexagon(self.value["radius"])}
        for row, place in enumerate(self.value.get("places", [])):
            at = (int(place["at"][0]), int(place["at"][1]))
            key = maps.coordinates(*at)
            if key in self.rows:
                self._say("MAP002", f"duplicate place `{key}`", ("places", row, "at"))
                continue
            self.rows[key] = row
            cells[at] = self._attributes(place, ("places", row), _OF_PLACE)
        graph = maps.hexes(cells, Span(self.file, 1, 1, 1, 2))
        for (q, r), attributes in cells.items():
            graph.nodes[maps.coordinates(q, r)].update(attributes)
        for row, edge in enumerate(self.value.get("edges", [])):
            one, other = (maps.coordinates(int(q), int(r)) for q, r in edge["between"])
            way: JsonPath = ("edges", row, "between")
            if not self._known(graph, (one, other), way):
                continue
            if not graph.has_edge(one, other):
                self._say("MAP001", f"`{one}` and `{other}` are not neighbours", way)
                continue
            self._note_edge(graph.edge(one, other)["ends"], row)
            graph.edge(one, other).update(self._attributes(edge, ("edges", row), _OF_EDGE))
        return graph

    # ------------------------------------------------------------------------------------- free graphs

    def _free(self) -> PlaceGraph:
        graph = maps.new_graph("graph")
        listed = self.value["places"]
        circle = maps.ring(len(listed), Span(self.file, 1, 1, 1, 2))
        drawn = [row for row, place in enumerate(listed) if "at" in place]
        if drawn and len(drawn) < len(listed):
            row = next(row for row, place in enumerate(listed) if "at" not in place)
            self._say("MAP009", "this place has no `at`, but others have", ("places", row))
        for row, place in enumerate(listed):
            key = place["name"]
            if key in self.rows:
                line = self.source.span(("places", self.rows[key])).line
                self._say(
                    "MAP002",
                    f"duplicate place `{key}`",
                    ("places", row, "name"),
                    f"also on line {line}",
                )
                continue
            self.rows[key] = row
            x, y = place.get("at", (0, 0))
            pos = (round(x * 1000), round(y * 1000)) if drawn else circle.nodes[str(row + 1)]["pos"]
            maps.add_place(graph, key, pos, **self._attributes(place, ("places", row), _OF_PLACE))
        if len(drawn) == len(listed):
            self._check_spots(graph)
        for row, edge in enumerate(self.value.get("edges", [])):
            ends = edge if isinstance(edge, list) else edge["between"]
            way: JsonPath = ("edges", row) if isinstance(edge, list) else ("edges", row, "between")
            attributes = {} if isinstance(edge, list) else self._attributes(edge, ("edges", row), _OF_EDGE)
            self._connect(graph, ends[0], ends[1], row, way, attributes)
        self._beside(graph, listed)
        return graph

    def _connect(
        self, graph: PlaceGraph, one: str, other: str, row: int, way: JsonPath, attributes: dict[str, Any]
    ) -> None:
        if not self._known(graph, (one, other), way):
            return
        if one == other:
            self._say("MAP005", f"an edge leads from `{one}` to itself", way)
        elif graph.has_edge(one, other):
            hint = "two routes are two tracks of one edge: fields have a second key, `owner[Road, Track]`"
            self._say("MAP005", f"there is already an edge between `{one}` and `{other}`", way, hint)
        else:
            maps.add_edge(graph, one, other, **attributes)
            self._note_edge(graph.edge(one, other)["ends"], row)

    def _beside(self, graph: PlaceGraph, listed: list[dict[str, Any]]) -> None:
        """Edges that are not listed, but follow from what each place says lies beside it."""
        beside_of = {place["name"]: list(place.get("beside", ())) for place in listed}
        for row, place in enumerate(listed):
            one = place["name"]
            for number, other in enumerate(place.get("beside", ())):
                way: JsonPath = ("places", row, "beside", number)
                if not self._known(graph, (other,), way):
                    continue
                if other == one:
                    self._say("MAP005", f"an edge leads from `{one}` to itself", way)
                elif one not in beside_of[other] and not graph.has_edge(one, other):
                    message = f"`{one}` lies beside `{other}`, but `{other}` does not lie beside `{one}`"
                    self._say("MAP003", message, way, f"add `{one}` to what lies beside `{other}`")
                elif not graph.has_edge(one, other):
                    maps.add_edge(graph, one, other)

    def _check_spots(self, graph: PlaceGraph) -> None:
        spots: dict[tuple[int, int], str] = {}
        for key in maps.places(graph):
            first = spots.setdefault(graph.nodes[key]["pos"], key)
            if first != key:
                message = f"`{key}` is drawn on the same spot as `{first}`"
                self._say("MAP009", message, ("places", self.rows[key], "at"), warn=True)

    # ------------------------------------------------------------------------------------------ common

    def _known(self, graph: PlaceGraph, keys: tuple[str, ...], way: JsonPath) -> bool:
        for number, key in enumerate(keys):
            if key not in graph:
                inner = (*way, number) if len(keys) > 1 else way
                self._say("MAP001", f"there is no place `{key}`", inner, did_you_mean(key, maps.places(graph)))
        return all(key in graph for key in keys)

    def _note_edge(self, ends: tuple[str, str], row: int) -> None:
        if ends in self.edge_rows:
            message = f"duplicate edge between `{ends[0]}` and `{ends[1]}`"
            self._say("MAP005", message, ("edges", row))
        self.edge_rows[ends] = row

    def _attributes(self, raw: dict[str, Any], way: JsonPath, own: set[str]) -> dict[str, Any]:
        found = {}
        for name, value in raw.items():
            if name in self._reserved():
                if name in self._reported:
                    continue
                self._reported.add(name)
                self._say("MAP007", f"`{name}` is given by the map itself", (*way, name), key=True)
            elif name not in own:
                found[name] = value
        return found

    def _reserved(self) -> frozenset[str]:
        """Attributes that a map of this shape gives: a graph has neither rows nor numbers."""
        return RESERVED - NUMBERING if self.value["shape"] == "graph" else RESERVED

    def _say(
        self, code: str, message: str, way: JsonPath, hint: str = "", *, warn: bool = False, key: bool = False
    ) -> None:
        severity = Severity.WARNING if warn else Severity.ERROR
        span = self.source.span(way, key=key)
        self.report.found.append(Diagnostic(code, message, span, severity, hint=hint, path=show_path(way)))


def _way(group: str, row: int | None, attribute: str | None) -> JsonPath:
    if row is None:
        return ("radius",)
    return (group, row, attribute) if attribute else (group, row)
