"""Maps of every shape, as graphs and in the program's form."""

from __future__ import annotations

import json
import random
from pathlib import Path

import networkx as nx
import pytest

from rulewright.data import maps
from rulewright.data.map_files import MapFile, load_map
from rulewright.data.place_graph import PlaceGraph
from rulewright.diagnostics import Diagnostic, RulesetError, Span
from rulewright.foundation import limits
from rulewright.ir.graphs import graph_of, to_program_graph
from rulewright.ir.model import NONE

WHERE = Span("game.rules", 5, 1, 5, 20)


def edge_keys(graph: PlaceGraph) -> tuple[str, ...]:
    """Keys of the edges in canonical order: ``a|b``."""
    return tuple(maps.edge_key(*ends) for ends in maps.edges(graph))


def test_ring() -> None:
    graph = maps.ring(15)
    assert maps.places(graph) == tuple(str(number) for number in range(1, 16))
    assert maps.place_attribute(graph, "number") == list(range(1, 16))
    assert len(maps.edges(graph)) == 15
    assert (edge_keys(graph)[0], edge_keys(graph)[-1]) == ("1|2", "1|15")
    assert sorted(graph.adj["1"]) == ["15", "2"]
    # Clockwise from the top: the first place above, the fourth of fifteen to the right.
    x, y = graph.nodes["1"]["pos"]
    assert (x, y < 0) == (0, True)
    assert graph.nodes["4"]["pos"][0] > 0
    # Neighbours are one step apart.
    (ax, ay), (bx, by) = graph.nodes["7"]["pos"], graph.nodes["8"]["pos"]
    assert abs((ax - bx) ** 2 + (ay - by) ** 2 - 1_000_000) < 3000


def test_whole_numbers_with_a_point_are_whole_numbers(tmp_path: Path) -> None:
    """As JSON Schema has it: 1.0 is as good as 1 wherever a whole number is wanted."""
    maps_of = []
    for one in ("1", "1.0", "1e0"):
        (tmp_path / "m.json").write_text(f'{{"shape": "hexes", "radius": {one}, "places": [{{"at": [{one}, 0]}}]}}')
        maps_of.append(load_map(tmp_path, "m.json", WHERE).graph)
    assert all(maps.places(graph) == maps.places(maps_of[0]) for graph in maps_of)
    assert len(maps.places(maps_of[0])) == 7


@pytest.mark.parametrize("count, edges", [(1, 0), (2, 1), (3, 3)])
def test_small_rings(count: int, edges: int) -> None:
    graph = maps.ring(count)
    assert len(maps.edges(graph)) == edges
    assert to_program_graph(graph, "M", "P").neighbours == {1: (0,), 2: (2, 1), 3: (6, 5, 3)}[count]


def test_grid() -> None:
    graph = maps.grid(2, 3)
    assert maps.places(graph) == ("(0, 0)", "(0, 1)", "(0, 2)", "(1, 0)", "(1, 1)", "(1, 2)")
    assert maps.place_attribute(graph, "row") == [0, 0, 0, 1, 1, 1]
    assert maps.place_attribute(graph, "column") == [0, 1, 2, 0, 1, 2]
    assert len(maps.edges(graph)) == 7
    assert nx.is_isomorphic(graph.to_networkx(), nx.grid_2d_graph(2, 3))
    found = to_program_graph(graph, "Board", "Space", "Border")
    assert (found.shape, found.place, found.edge) == ("grid", "Space", "Border")
    assert found.neighbours[0] == 0b001010
    assert len(found.towards) == 8
    names = maps.directions("grid")
    assert found.towards[names.index("south_east")][0] == 4
    assert found.towards[names.index("north")][0] == NONE
    assert found.towards[names.index("north_west")][5] == 1
    assert found.distance[0] == (0, 1, 2, 1, 2, 3)
    assert found.layout[5] == (2000, 1000)
    assert to_program_graph(graph, "Board", "Space").edges == ()


def test_hexes() -> None:
    graph = maps.hexes(maps.hexagon(2))
    assert len(graph) == 19
    assert maps.places(graph)[0] == "(0, -2)"
    assert graph.degree("(0, 0)") == 6
    assert len(maps.edges(graph)) == 42
    toward = graph.nodes["(0, 0)"]["toward"]
    assert toward == {
        "north_east": "(1, -1)",
        "east": "(1, 0)",
        "south_east": "(0, 1)",
        "south_west": "(-1, 1)",
        "west": "(-1, 0)",
        "north_west": "(0, -1)",
    }
    # Directions point where they are drawn.
    for way, key in toward.items():
        x, y = graph.nodes[key]["pos"]
        assert ("north" in way) == (y < 0)
        assert ("south" in way) == (y > 0)
        assert ("east" in way) == (x > 0)
    found = to_program_graph(graph, "Field", "Hex")
    assert found.distance[0][18] == 4
    assert max(max(row) for row in found.distance) == 4


def test_there_and_back() -> None:
    for graph in (maps.ring(5), maps.grid(3, 4), maps.hexes(maps.hexagon(1))):
        program = to_program_graph(graph, "M", "P", "E")
        again = graph_of(program, maps.places(graph), edge_keys(graph))
        assert to_program_graph(again, "M", "P", "E") == program
        assert edge_keys(again) == edge_keys(graph)
        # Without declared edges the steps of the map are the edges of the graph.
        bare = graph_of(to_program_graph(graph, "M", "P"))
        assert nx.is_isomorphic(bare.to_networkx(), graph.to_networkx())
        assert next(iter(bare.nodes)) == "0"


def test_a_grid_with_diagonals() -> None:
    graph = maps.grid(3, 3, diagonals=True)
    found = to_program_graph(graph, "Board", "Space", "Border")
    assert found.neighbours[4] == 0b111101111
    assert found.neighbours[0] == 0b000011010
    assert len(found.edges) == 20
    assert found.distance[0][8] == 2


@pytest.mark.parametrize("make", [lambda: maps.ring(0), lambda: maps.grid(0, 4), lambda: maps.grid(40, 40)])
def test_sizes(make: object) -> None:
    with pytest.raises(RulesetError) as caught:
        make()  # type: ignore[operator]
    assert caught.value.diagnostics[0].code == "MAP008"


@pytest.mark.parametrize("at_most", [1, 2, 3, 8])
def test_a_growing_map_cannot_be_told_from_an_endless_one(at_most: int) -> None:
    """The lattice around places laid from the origin on is that of the plane."""
    lattice = maps.growing_hexes(at_most)
    assert len(lattice) == (at_most + 2) ** 2
    assert all(lattice.degree(key) == 6 for key in lattice)
    draw = random.Random(at_most)
    for _ in range(20):
        laid = {(0, 0): "(0, 0)"}
        while len(laid) < at_most:
            q, r = draw.choice(list(laid))
            way, (by_q, by_r) = draw.choice(list(maps.HEX_DIRECTIONS.items()))
            laid[q + by_q, r + by_r] = lattice.nodes[laid[q, r]]["toward"][way]
        around = dict(laid)
        for (q, r), key in laid.items():
            for way, (by_q, by_r) in maps.HEX_DIRECTIONS.items():
                around.setdefault((q + by_q, r + by_r), lattice.nodes[key]["toward"][way])
        assert len(set(around.values())) == len(around), "no two places of the plane are one place of the lattice"
        for (q, r), key in around.items():
            for way, (by_q, by_r) in maps.HEX_DIRECTIONS.items():
                if (beside := around.get((q + by_q, r + by_r))) is not None:
                    assert lattice.nodes[key]["toward"][way] == beside
                    assert lattice.has_edge(key, beside)


@pytest.mark.parametrize("at_most", [0, -3, limits.LAID + 1])
def test_growing_maps_have_a_limit(at_most: int) -> None:
    with pytest.raises(RulesetError) as caught:
        maps.growing_hexes(at_most, WHERE)
    (finding,) = caught.value.diagnostics
    assert (finding.code, finding.span) == ("MAP008", WHERE)


def read(tmp_path: Path, value: object) -> MapFile:
    (tmp_path / "map.json").write_text(json.dumps(value, indent=1))
    return load_map(tmp_path, "map.json", WHERE)


def refused(tmp_path: Path, value: object) -> list[Diagnostic]:
    with pytest.raises(RulesetError) as caught:
        read(tmp_path, value)
    return list(caught.value.diagnostics)


COAST = {
    "$schema": "../../schemas/map.schema.json",
    "shape": "graph",
    "places": [
        {"name": "Old Port", "at": [0, 0], "harbour": True},
        {"name": "mill", "at": [1.5, 0.25], "start": {"2": "red", "3": None}},
        {"name": "lake", "at": [0, 2]},
    ],
    "edges": [["Old Port", "mill"], {"between": ["lake", "mill"], "cost": 2}],
}


def test_graph_file(tmp_path: Path) -> None:
    found = read(tmp_path, COAST)
    assert found.shape == "graph"
    assert maps.places(found.graph) == ("Old Port", "mill", "lake")
    assert edge_keys(found.graph) == ("Old Port|mill", "mill|lake")
    assert maps.place_attribute(found.graph, "harbour") == [True, None, None]
    assert maps.place_attribute(found.graph, "start") == [None, {"2": "red", "3": None}, None]
    assert [found.graph.edge(*ends).get("cost") for ends in maps.edges(found.graph)] == [None, 2]
    assert found.graph.nodes["mill"]["pos"] == (1500, 250)
    assert found.findings == ()
    assert found.place_span("mill", "start").line == 19
    assert found.edge_span(("mill", "lake"), "cost").line > found.edge_span(("Old Port", "mill")).line
    program = to_program_graph(found.graph, "Coast", "Town", "Road")
    assert (program.shape, program.towards, program.edges) == ("graph", (), ((0, 1), (1, 2)))


def test_graph_file_with_neighbours_and_without_coordinates(tmp_path: Path) -> None:
    places = [
        {"name": "a", "beside": ["b"]},
        {"name": "b", "beside": ["a", "c"]},
        {"name": "c", "beside": ["b"]},
    ]
    found = read(tmp_path, {"shape": "graph", "places": places})
    assert edge_keys(found.graph) == ("a|b", "b|c")
    assert len({found.graph.nodes[key]["pos"] for key in "abc"}) == 3


def test_hex_file(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        {
            "shape": "hexes",
            "radius": 1,
            "places": [{"at": [0, 0], "terrain": "sea"}, {"at": [2, 0]}],
            "edges": [{"between": [[1, 0], [0, 0]], "river": True}],
        },
    )
    assert len(found.graph) == 8
    assert found.graph.nodes["(0, 0)"]["terrain"] == "sea"
    assert found.graph.edge("(0, 0)", "(1, 0)")["river"] is True
    assert found.place_span("(0, 0)", "terrain").line == 10
    assert found.edge_span(("(0, 0)", "(1, 0)")).line > 10
    assert found.place_span("(0, 1)").line == 3


def change(**more: object) -> dict[str, object]:
    return {**COAST, **more}


BAD = [
    ("MAP001", change(edges=[["mill", "lak"], ["mill", "lake"]]), "there is no place `lak`", "edges[0][1]"),
    (
        "MAP001",
        {"shape": "hexes", "radius": 1, "edges": [{"between": [[1, 0], [-1, 0]]}]},
        "not neighbours",
        "edges[0].between",
    ),
    (
        "MAP001",
        {"shape": "hexes", "radius": 1, "edges": [{"between": [[1, 0], [5, 0]]}]},
        "`(5, 0)`",
        "edges[0].between[1]",
    ),
    ("MAP001", {"shape": "graph", "places": [{"name": "a", "beside": ["b"]}]}, "`b`", "places[0].beside[0]"),
    ("MAP002", {"shape": "graph", "places": [{"name": "a"}, {"name": "a"}]}, "duplicate place", "places[1].name"),
    ("MAP002", {"shape": "hexes", "places": [{"at": [0, 0]}, {"at": [0, 0]}]}, "duplicate place", "places[1].at"),
    (
        "MAP003",
        {"shape": "graph", "places": [{"name": "a", "beside": ["b"]}, {"name": "b"}]},
        "does not lie",
        "places[0].beside[0]",
    ),
    ("MAP005", change(edges=[["mill", "lake"], ["lake", "mill"]]), "already", "edges[1]"),
    ("MAP005", change(edges=[["mill", "mill"]]), "to itself", "edges[0]"),
    (
        "MAP005",
        {
            "shape": "hexes",
            "radius": 1,
            "edges": [{"between": [[1, 0], [0, 0]]}, {"between": [[0, 0], [1, 0]]}],
        },
        "duplicate edge",
        "edges[1]",
    ),
    (
        "MAP007",
        {"shape": "graph", "places": [{"name": "a", "index": 3}]},
        "by the map itself",
        "places[0].index",
    ),
    (
        "MAP009",
        {"shape": "graph", "places": [{"name": "a", "at": [0, 0]}, {"name": "b"}]},
        "no `at`",
        "places[1]",
    ),
]


@pytest.mark.parametrize("code, value, message, path", BAD, ids=[f"{n}-{case[0]}" for n, case in enumerate(BAD)])
def test_bad_map_files(tmp_path: Path, code: str, value: object, message: str, path: str) -> None:
    (finding,) = refused(tmp_path, value)
    assert finding.code == code
    assert message in finding.message
    assert finding.path == path
    assert finding.span.line > 1


def test_lone_places_and_equal_spots_are_warned_of(tmp_path: Path) -> None:
    places = [{"name": "a", "at": [0, 0]}, {"name": "b", "at": [0, 0]}]
    found = read(tmp_path, {"shape": "graph", "places": places})
    assert [(d.code, d.is_error) for d in found.findings] == [
        ("MAP009", False),
        ("MAP004", False),
        ("MAP004", False),
    ]


def test_hexes_need_places_or_a_radius(tmp_path: Path) -> None:
    assert [d.code for d in refused(tmp_path, {"shape": "hexes"})] == ["DAT010"]


@pytest.mark.parametrize(
    "base", [maps.grid(3, 5), maps.grid(1, 1), maps.shaped_hexes("hexagon", (2,)), maps.shaped_hexes("triangle", (4,))]
)
def test_corners_and_sides_of_cells(base: PlaceGraph) -> None:
    """Cells without a hole: V - E + F = 1 (Euler). A side lies between two neighbours, or outside."""
    corners = maps.corners(base)
    sides = [corners.edge(*ends) for ends in maps.edges(corners)]
    assert len(corners) - len(sides) + len(base) == 1
    assert nx.is_connected(corners.to_networkx())
    between = {frozenset(side["cells"]) for side in sides if len(side["cells"]) == 2}
    assert between == {frozenset(ends) for ends in maps.edges(base)}
    around = 4 if base.graph["shape"] == "grid" else 6
    for key in base.nodes:
        assert sum(key in data["cells"] for data in corners.nodes.values()) == around
        assert sum(key in side["cells"] for side in sides) == around
