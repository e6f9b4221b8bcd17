"""Algorithms on directed graphs, compared with those of networkx."""

from __future__ import annotations

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from rulewright.foundation.reachability import reachable
from rulewright.ir.control_flow.graph_algorithms import components, immediate_dominators

Graph = dict[int, list[int]]


def graphs() -> st.SearchStrategy[Graph]:
    """For each node those to which an edge leads, in any order."""
    return st.integers(1, 12).flatmap(
        lambda size: st.fixed_dictionaries(
            {n: st.lists(st.integers(0, size - 1), max_size=4, unique=True) for n in range(size)}
        )
    )


def of_networkx(graph: Graph) -> nx.DiGraph[int]:
    made: nx.DiGraph[int] = nx.DiGraph([(n, to) for n, ways in graph.items() for to in ways])
    made.add_nodes_from(graph)
    return made


@given(graphs())
def test_components_come_after_those_that_they_lead_to(graph: Graph) -> None:
    found = components(graph)
    expected = {frozenset(component) for component in nx.strongly_connected_components(of_networkx(graph))}
    assert len(found) == len(expected)
    assert set(map(frozenset, found)) == expected
    place = {node: number for number, component in enumerate(found) for node in component}
    assert all(place[to] <= place[node] for node, ways in graph.items() for to in ways)


@given(graphs())
def test_what_can_be_reached(graph: Graph) -> None:
    assert set(reachable((0,), graph.__getitem__)) == nx.descendants(of_networkx(graph), 0) | {0}


@given(graphs())
def test_dominators(graph: Graph) -> None:
    expected = dict(nx.immediate_dominators(of_networkx(graph), 0))
    expected.pop(0, None)
    assert immediate_dominators(graph, 0) == expected


def test_a_long_chain_is_no_recursion() -> None:
    size = 5000
    chain = {n: [n + 1] if n < size else [0] for n in range(size + 1)}
    assert len(components(chain)) == 1
    assert immediate_dominators(chain, 0)[size] == size - 1
