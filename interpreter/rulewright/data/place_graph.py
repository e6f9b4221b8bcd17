"""The graph of a map: places, edges, and what each of them carries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import networkx as nx


class PlaceGraph:
    """An undirected graph whose nodes and edges carry attributes.

    Names are those of networkx, into whose graphs it can be turned. It is no such graph itself because that library
    takes longer to import than a small ruleset to check, and nearly all games have a map.
    """

    def __init__(self, **attributes: Any) -> None:
        self.graph: dict[str, Any] = attributes
        """The attributes of the graph itself."""
        self.nodes: dict[str, dict[str, Any]] = {}
        self.adj: dict[str, dict[str, dict[str, Any]]] = {}
        """For each node its neighbours, with the attributes of the edge between them."""

    def __len__(self) -> int:
        return len(self.nodes)

    def __iter__(self) -> Iterator[str]:
        return iter(self.nodes)

    def __contains__(self, key: object) -> bool:
        return key in self.nodes

    def add_node(self, key: str, **attributes: Any) -> None:
        """Add a node after the others, or attributes to one."""
        self.nodes.setdefault(key, {}).update(attributes)
        self.adj.setdefault(key, {})

    def add_edge(self, one: str, other: str, **attributes: Any) -> None:
        """Add an edge between two nodes, or attributes to one."""
        self.adj[one].setdefault(other, self.adj[other].get(one, {})).update(attributes)
        self.adj[other][one] = self.adj[one][other]

    def has_edge(self, one: str, other: str) -> bool:
        """True if there is an edge between two nodes."""
        return other in self.adj.get(one, ())

    def degree(self, key: str) -> int:
        """The number of its neighbours."""
        return len(self.adj[key])

    def edge(self, one: str, other: str) -> dict[str, Any]:
        """The attributes of an edge."""
        return self.adj[one][other]

    def edges(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """Each edge once, the node that was added first before the other, with its attributes."""
        done: set[str] = set()
        for one, beside in self.adj.items():
            done.add(one)
            yield from ((one, other, held) for other, held in beside.items() if other not in done or other == one)

    def components(self) -> list[list[str]]:
        """The parts into which it falls, each from its first node on."""
        found: list[list[str]] = []
        seen: set[str] = set()
        for start in self.nodes:
            if start in seen:
                continue
            part = [start]
            seen.add(start)
            for key in part:  # it grows
                beyond = [other for other in self.adj[key] if other not in seen]
                seen.update(beyond)
                part += beyond
            found.append(part)
        return found

    def to_networkx(self) -> nx.Graph[str]:
        """The graph as a graph of networkx, which has all the algorithms."""
        import networkx as nx

        made: nx.Graph[str] = nx.Graph(**self.graph)
        made.add_nodes_from(self.nodes.items())
        made.add_edges_from(self.edges())
        return made
