"""Maps in the program's form: from the graph that `data` builds, and back for the tools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from rulewright.data import maps
from rulewright.data.place_graph import PlaceGraph
from rulewright.foundation.bit_sets import bits_of
from rulewright.ir import model
from rulewright.ir.model import NONE


@lru_cache(maxsize=8)
def to_program_graph(graph: PlaceGraph, name: str, place: str, edge: str | None = None) -> model.Graph:
    """The map `name` over the universes `place` and, if the rules mention edges, `edge`.

    Kept, as the graph is the same for all games of a ruleset; it is never changed.
    """
    keys = maps.places(graph)
    index = {key: number for number, key in enumerate(keys)}
    neighbours = tuple(sum(1 << index[other] for other in graph.adj[key]) for key in keys)
    ends = tuple((index[one], index[other]) for one, other in maps.edges(graph))
    towards = tuple(
        tuple(index[other] if (other := graph.nodes[key]["toward"].get(way)) is not None else NONE for key in keys)
        for way in graph.graph["directions"]
    )
    return model.Graph(
        name=name,
        shape=graph.graph["shape"],
        place=place,
        edge=edge,
        neighbours=neighbours,
        edges=ends if edge is not None else (),
        towards=towards,
        distance=_distances(neighbours) if graph.graph["shape"] != "growing" else (),
        layout=tuple(graph.nodes[key]["pos"] for key in keys),
    )


def folded(graph: model.Graph) -> model.Graph:
    """A map as a program holds it: of a growing one how large it may become, and nothing that follows from this."""
    if graph.shape != "growing":
        return graph
    return replace(graph, neighbours=(), edges=(), towards=(), layout=())


@lru_cache(maxsize=8)
def unfolded(graph: model.Graph) -> model.Graph:
    """A map with all its places; of a growing one the whole lattice (without distances)."""
    if graph.shape != "growing" or graph.neighbours:
        return graph
    made = to_program_graph(maps.growing_hexes(graph.at_most), graph.name, graph.place, graph.edge)
    return replace(made, at_most=graph.at_most)


@lru_cache(maxsize=8)
def rising(graph: model.Graph) -> tuple[bool | None, ...]:
    """For each direction whether each step in it comes to a place with a greater number, or to a smaller one (False);
    None if neither. On a map that does not grow."""
    found: list[bool | None] = []
    for table in graph.towards:
        steps = [(place, other) for place, other in enumerate(table) if other != NONE]
        ups = {other > place for place, other in steps if other != place}
        is_line = len(ups) < 2 and all(place != other for place, other in steps)
        found.append((True in ups or not ups) if is_line else None)
    return tuple(found)


def rays(graph: model.Graph, direction: int) -> tuple[int, ...]:
    """For each place the set of all places in a direction."""
    table = graph.towards[direction]
    found = []
    for place in range(len(table)):
        there, at = 0, table[place]
        while at != NONE and not there >> at & 1:
            there |= 1 << at
            at = table[at]
        found.append(there)
    return tuple(found)


@lru_cache(maxsize=8)
def longest_way(graph: model.Graph) -> int:
    """The steps that one can take in one direction at most, on a map that does not grow."""
    longest = 0
    for table in graph.towards:
        reached, steps = {place for place in table if place != NONE}, 0
        while reached:
            steps += 1
            reached = {table[place] for place in reached} - {NONE}
        longest = max(longest, steps)
    return longest


def origin(graph: model.Graph) -> int:
    """The place where a growing map begins: (0, 0)."""
    return unfolded(graph).layout.index((0, 0))


def graph_of(graph: model.Graph, place_keys: Sequence[str] = (), edge_keys: Sequence[str] = ()) -> PlaceGraph:
    """The program's map as a graph again, for tools: nodes are the keys of places (without them, "0",
    "1" …).

    Nodes carry ``index`` and ``pos``, edges ``index``, ``key`` and ``ends``, as in
    :mod:`rulewright.data.maps`.
    """
    graph = unfolded(graph)
    keys = tuple(place_keys) or tuple(str(number) for number in range(len(graph.neighbours)))
    directions = maps.directions(graph.shape)
    found = maps.new_graph(graph.shape)
    found.graph["name"] = graph.name
    for number, key in enumerate(keys):
        maps.add_place(found, key, graph.layout[number])
        for way, table in zip(directions, graph.towards, strict=False):
            if table[number] != NONE:
                found.nodes[key]["toward"][way] = keys[table[number]]
    for number, (one, other) in enumerate(graph.edges):
        maps.add_edge(found, keys[one], keys[other])
        if edge_keys:
            found.edge(keys[one], keys[other])["key"] = edge_keys[number]
    if not graph.edges:
        for number, beside in enumerate(graph.neighbours):
            for other in bits_of(beside):
                if other > number:
                    maps.add_edge(found, keys[number], keys[other])
    return found


@lru_cache(maxsize=16)
def _distances(neighbours: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """The steps between all places; kept, as the map is the same for each number of players and variant."""
    rows = []
    for place in range(len(neighbours)):
        steps = [NONE] * len(neighbours)
        reached, edge, step = 0, 1 << place, 0
        while edge:
            reached |= edge
            beyond = 0
            for at in bits_of(edge):
                steps[at] = step
                beyond |= neighbours[at]
            edge, step = beyond & ~reached, step + 1
        rows.append(tuple(steps))
    return tuple(rows)


Ways = tuple[tuple[int, ...], ...]
"""For each direction where one comes to from each place, or none."""


def against(towards: Ways) -> Ways:
    """The ways against each direction: from each place to the one from which it is a step in that direction."""
    found = []
    for row in towards:
        back = [NONE] * len(row)
        for place, reached in enumerate(row):
            if reached != NONE:
                back[reached] = place
        found.append(tuple(back))
    return tuple(found)


def walks(towards: Ways, count: int) -> list[Ways]:
    """The ways of 0 steps, of 1 step and so on, `count` of them."""
    here: Ways = tuple(tuple(range(len(row))) for row in towards)
    found = [here]
    for _ in range(1, count):
        here = tuple(
            tuple(NONE if p == NONE else row[p] for p in places) for row, places in zip(towards, here, strict=True)
        )
        found.append(here)
    return found
