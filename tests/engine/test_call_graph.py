"""Facts over calls: the call graph, and least fixpoints over its cycles."""

from __future__ import annotations

from random import Random

import networkx as nx
from building import function
from hypothesis import given
from hypothesis import strategies as st

from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import CallGraph, callees
from rulewright.ir.control_flow.graph_algorithms import Fixpoint

Calls = list[set[int]]


def calls() -> st.SearchStrategy[Calls]:
    """For each function those that it calls."""
    return st.integers(1, 9).flatmap(
        lambda size: st.lists(st.sets(st.integers(0, size - 1), max_size=4), min_size=size, max_size=size)
    )


def functions(called: Calls) -> list[m.Function]:
    return [function(f"f{n}", [*(m.Call(f"f{c}", (), None, "") for c in sorted(to)), m.Return(None)])
            for n, to in enumerate(called)]  # fmt: skip


@given(calls())
def test_closures_and_cycles(called: Calls) -> None:
    made = functions(called)
    graph: nx.DiGraph[int] = nx.DiGraph([(n, c) for n, to in enumerate(called) for c in to])
    graph.add_nodes_from(range(len(called)))
    found = CallGraph(made)
    closures = found.closures(lambda f: f.name)
    for n, f in enumerate(made):
        assert callees(f) == tuple(f"f{c}" for c in sorted(called[n]))
        below = nx.descendants(graph, n) | {n}
        assert closures[f.name] == {made[other].name for other in below}
        ring = {o for o in below if n in nx.descendants(graph, o) or o == n}
        alone = len(ring) == 1 and n not in called[n]
        assert found.cycle(f.name) == (None if alone else {f"f{o}" for o in ring})


@given(calls(), st.integers(0, 10**6))
def test_what_is_asked_first_does_not_matter(called: Calls, seed: int) -> None:
    """Each function knows a number of its own and those of all that it calls."""
    graph = CallGraph(functions(called))
    known: dict[int, frozenset[int]] = {}

    def find(n: int) -> frozenset[int]:
        return frozenset((n,)).union(*(facts.of(c) for c in sorted(called[n])))

    facts: Fixpoint[int, frozenset[int]] = Fixpoint(
        find, frozenset(), lambda n: graph.cycle(f"f{n}"), lambda _: known, len
    )
    order = list(range(len(called)))
    Random(seed).shuffle(order)
    real: nx.DiGraph[int] = nx.DiGraph([(n, c) for n, to in enumerate(called) for c in to])
    real.add_nodes_from(order)
    for n in order:
        assert facts.of(n) == nx.descendants(real, n) | {n}
