"""Maps: places and edges as a graph, built from a shape or from a map file.

Nodes are the keys of places, in canonical order. Each carries ``index``, ``pos`` (where it is drawn, in
thousandths of a step: x to the right, y down), ``toward`` (direction -> key) and its attributes: ``number``
on a ring, ``row`` and ``column`` on a grid, ``q`` and ``r`` on hexes and growing maps, and whatever a map file
says. Edges carry ``index``, ``key`` (``a|b``, the place of lower index first), ``ends`` and their attributes.
``graph.graph`` has ``shape`` and ``directions``. :mod:`rulewright.ir.graphs` turns all this into the
program's form.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from rulewright.data.place_graph import PlaceGraph
from rulewright.diagnostics import NOWHERE, Diagnostic, RulesetError, Span
from rulewright.foundation import limits

GRID_DIRECTIONS = {
    "north": (-1, 0),
    "north_east": (-1, 1),
    "east": (0, 1),
    "south_east": (1, 1),
    "south": (1, 0),
    "south_west": (1, -1),
    "west": (0, -1),
    "north_west": (-1, -1),
}
"""Change of row and column."""

HEX_DIRECTIONS = {
    "north_east": (1, -1),
    "east": (1, 0),
    "south_east": (0, 1),
    "south_west": (-1, 1),
    "west": (-1, 0),
    "north_west": (0, -1),
}
"""Change of q and r; the hexes stand on a point, r counts downwards."""


_KEPT = 8
"""So many maps of each shape are kept: they are the same in all games of a ruleset."""


def directions(shape: str) -> tuple[str, ...]:
    """The values of ``Direction`` on a map of this shape, clockwise; empty if it has none."""
    return tuple({"grid": GRID_DIRECTIONS, "hexes": HEX_DIRECTIONS, "growing": HEX_DIRECTIONS}.get(shape, {}))


def ring(count: int, where: Span = NOWHERE) -> PlaceGraph:
    """Places "1" to "n" in a circle, clockwise, the first at the top."""
    _check_size(count, where)
    return _ring(count)


@lru_cache(maxsize=_KEPT)
def _ring(count: int) -> PlaceGraph:
    graph = new_graph("ring")
    radius = 500 / math.sin(math.pi / count) if count > 1 else 0.0
    for index in range(count):
        angle = 2 * math.pi * index / count
        pos = (round(radius * math.sin(angle)), round(-radius * math.cos(angle)))
        add_place(graph, str(index + 1), pos, number=index + 1)
    pairs = [(index, (index + 1) % count) for index in range(count)]
    # Two places share one edge, one place has none.
    for a, b in pairs if count > 2 else pairs[: count - 1]:
        add_edge(graph, str(a + 1), str(b + 1))
    return graph


def grid(rows: int, columns: int, diagonals: bool = False, where: Span = NOWHERE) -> PlaceGraph:
    """Squares "(row, column)" from "(0, 0)" in the north-west; neighbours share a side, with `diagonals` a side or a
    corner."""
    _check_size(rows * columns if rows > 0 and columns > 0 else 0, where)
    return _grid(rows, columns, diagonals)


@lru_cache(maxsize=_KEPT)
def _grid(rows: int, columns: int, diagonals: bool) -> PlaceGraph:
    graph = new_graph("grid")
    for row in range(rows):
        for column in range(columns):
            add_place(graph, coordinates(row, column), (column * 1000, row * 1000), row=row, column=column)
    _point_towards(graph, "row", "column", GRID_DIRECTIONS)
    for row in range(rows):
        for column in range(columns):
            further = [(row, column + 1), (row + 1, column)]
            if diagonals:
                further += [(row + 1, column - 1), (row + 1, column + 1)]
            for down, across in further:
                if down < rows and 0 <= across < columns:
                    add_edge(graph, coordinates(row, column), coordinates(down, across))
    return graph


def hexes(cells: Iterable[tuple[int, int]], where: Span = NOWHERE) -> PlaceGraph:
    """Hexes "(q, r)" at axial coordinates, in the order given; neighbours share a side."""
    graph = new_graph("hexes")
    for q, r in cells:
        add_place(graph, coordinates(q, r), (q * 1000 + r * 500, r * 866), q=q, r=r)
    _check_size(len(graph), where)
    _point_towards(graph, "q", "r", HEX_DIRECTIONS)
    for key in places(graph):
        for other in graph.nodes[key]["toward"].values():
            if not graph.has_edge(key, other):
                add_edge(graph, key, other)
    return graph


def hexagon(radius: int) -> list[tuple[int, int]]:
    """Axial coordinates of all hexes at most `radius` steps from (0, 0), from north to south and west to
    east."""
    return [
        (q, r)
        for r in range(-radius, radius + 1)
        for q in range(max(-radius, -r - radius), min(radius, -r + radius) + 1)
    ]


def shaped_hexes(form: str, sizes: tuple[int, ...], where: Span = NOWHERE) -> PlaceGraph:
    """Hexes in a hexagon of a radius, a rhombus of so many rows and columns, or a triangle with a side, row by row.

    The north-west corner of a rhombus or triangle is (0, 0); the middle of a hexagon is. A triangle points south.
    """
    first, last = sizes[0], sizes[-1]
    counts = {"hexagon": 3 * first * (first + 1) + 1, "rhombus": first * last, "triangle": first * (first + 1) // 2}
    _check_size(counts[form], where)
    return _shaped_hexes(form, first, last)


@lru_cache(maxsize=_KEPT)
def _shaped_hexes(form: str, first: int, last: int) -> PlaceGraph:
    if form == "hexagon":
        return hexes(hexagon(first))
    return hexes((q, r) for r in range(first) for q in range(last if form == "rhombus" else first - r))


def growing_hexes(at_most: int, where: Span = NOWHERE) -> PlaceGraph:
    """The lattice on which at most this many hexes are laid, each beside another, beginning at "(0, 0)".

    What is laid hangs together, so it is never wider than `at_most` in any direction, and a lattice that closes
    upon itself after two places more cannot show the difference: neighbours and ways are those of the endless
    plane, with a fixed number of places. Keys are axial coordinates around the origin, north to south, west to
    east; a long row leaves at one side and comes back at the other.
    """
    if not 1 <= at_most <= limits.LAID:
        raise RulesetError(
            Diagnostic("MAP008", f"a growing map holds 1 to {limits.LAID} places, not {max(at_most, 0)}", where)
        )
    return _growing_hexes(at_most)


@lru_cache(maxsize=_KEPT)
def _growing_hexes(at_most: int) -> PlaceGraph:
    side = at_most + 2
    graph = new_graph("growing")
    graph.graph["at_most"] = at_most
    span = range(-(side // 2), side - side // 2)
    for r in span:
        for q in span:
            add_place(graph, coordinates(q, r), (q * 1000 + r * 500, r * 866), q=q, r=r)

    def wrapped(number: int) -> int:
        return (number + side // 2) % side - side // 2

    for data in graph.nodes.values():
        for direction, (q, r) in HEX_DIRECTIONS.items():
            data["toward"][direction] = coordinates(wrapped(data["q"] + q), wrapped(data["r"] + r))
    for key in places(graph):
        for other in graph.nodes[key]["toward"].values():
            if not graph.has_edge(key, other):
                add_edge(graph, key, other)
    return graph


_CORNERS = {
    "grid": {"north_west": (-1, -1), "north_east": (1, -1), "south_east": (1, 1), "south_west": (-1, 1)},
    "hexes": {
        "north": (0, -2),
        "north_east": (1, -1),
        "south_east": (1, 1),
        "south": (0, 2),
        "south_west": (-1, 1),
        "north_west": (-1, -1),
    },
}
"""The corners of a cell, clockwise, in halves of its width, and of its height or, of a hex, in quarters."""
_NAMING = ("north", "south", "north_west", "north_east", "south_west", "south_east")
"""Places of a corner at a cell; the first that fits gives its name."""


@lru_cache(maxsize=_KEPT)
def corners(base: PlaceGraph) -> PlaceGraph:
    """The corners of the cells of a grid, or of hexes, from north to south and west to east; sides join them.

    Each is called like one of its cells and where it lies there, ``(0, 0) north``: north or south of a hex, north-west
    of a square, if there is one; ``aliases`` are its names at all its cells. Corners and sides carry ``cells``, those
    around them.
    """
    hexes = base.graph["shape"] == "hexes"
    cells: dict[tuple[int, int], list[str]] = {}
    sides: dict[tuple[tuple[int, int], tuple[int, int]], list[str]] = {}
    names: dict[tuple[int, int], tuple[int, str]] = {}
    aliases: dict[tuple[int, int], list[str]] = {}
    for key, data in base.nodes.items():
        x, y = (2 * data["q"] + data["r"], 3 * data["r"]) if hexes else (2 * data["column"], 2 * data["row"])
        around = {name: (x + right, y + down) for name, (right, down) in _CORNERS[base.graph["shape"]].items()}
        for name, corner in around.items():
            cells.setdefault(corner, []).append(key)
            aliases.setdefault(corner, []).append(f"{key} {name}")
            rank = _NAMING.index(name)
            if corner not in names or rank < names[corner][0]:
                names[corner] = rank, f"{key} {name}"
        line = tuple(around.values())
        for one, other in zip(line, (*line[1:], line[0]), strict=True):
            sides.setdefault((min(one, other), max(one, other)), []).append(key)
    graph = new_graph("graph")
    for x, y in sorted(cells, key=lambda corner: corner[::-1]):
        pos = (x * 500, round(y * 500 / math.sqrt(3)) if hexes else y * 500)
        add_place(graph, names[x, y][1], pos, cells=tuple(cells[x, y]), aliases=tuple(aliases[x, y]))
    for (one, other), beside in sides.items():
        add_edge(graph, names[one][1], names[other][1], cells=tuple(beside))
    return graph


def coordinates(first: int, second: int) -> str:
    """The key of a place with coordinates: ``(3, 4)``."""
    return f"({first}, {second})"


def places(graph: PlaceGraph) -> tuple[str, ...]:
    """Keys of the places in canonical order."""
    return tuple(graph.nodes)


def edges(graph: PlaceGraph) -> tuple[tuple[str, str], ...]:
    """The two ends of each edge, in canonical order."""
    found = sorted((data["index"], data["ends"]) for _, _, data in graph.edges())
    return tuple(ends for _, ends in found)


def edge_key(one: str, other: str) -> str:
    """The key of the edge between two places, of which the first has the lower index."""
    return f"{one}|{other}"


def place_attribute(graph: PlaceGraph, name: str) -> list[object]:
    """For each place its value under `name`; None if it has none."""
    return [graph.nodes[key].get(name) for key in places(graph)]


# ------------------------------------------------------------------------- for the readers of map files


def new_graph(shape: str) -> PlaceGraph:
    """A map without places."""
    return PlaceGraph(shape=shape, directions=directions(shape))


def add_place(graph: PlaceGraph, key: str, pos: tuple[int, int], **attributes: Any) -> None:
    """Add a place after the others."""
    graph.add_node(key, index=len(graph), pos=pos, toward={}, **attributes)


def add_edge(graph: PlaceGraph, one: str, other: str, **attributes: Any) -> None:
    """Add an edge after the others."""
    if graph.nodes[one]["index"] > graph.nodes[other]["index"]:
        one, other = other, one
    index = graph.graph["edges"] = graph.graph.get("edges", -1) + 1
    graph.add_edge(one, other, index=index, key=edge_key(one, other), ends=(one, other), **attributes)


def _point_towards(graph: PlaceGraph, first: str, second: str, table: dict[str, tuple[int, int]]) -> None:
    for _, data in graph.nodes.items():
        for direction, (one, two) in table.items():
            other = coordinates(data[first] + one, data[second] + two)
            if other in graph:
                data["toward"][direction] = other


def _check_size(count: int, where: Span) -> None:
    if not 1 <= count <= limits.PLACES:
        raise RulesetError(
            Diagnostic("MAP008", f"a map must have 1 to {limits.PLACES} places, not {max(count, 0)}", where)
        )


def isolated(graph: PlaceGraph) -> Sequence[str]:
    """Places that nothing leads to, on a map of more than one place."""
    return [key for key in places(graph) if graph.degree(key) == 0] if len(graph) > 1 else []
