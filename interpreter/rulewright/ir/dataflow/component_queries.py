"""Queries that have one answer for all places that hang together: questions whether a flood comes to such a place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from rulewright.ir import model as m
from rulewright.ir.walk import nodes


def component_queries(queries: Iterable[m.QueryDef], graphs: Mapping[str, m.Graph]) -> dict[str, tuple[int, int]]:
    """For each query whose answer is that of a component which of its parameters tells the start, and the number of
    places of the map."""
    found: dict[str, tuple[int, int]] = {}
    for query in queries:
        match question_of(query):
            case m.Reaches(m.ReachFrom(start=m.Var(start), across=None) as flood):
                around = graphs[flood.graph].neighbours
                asked = sum(node == flood.start for node in nodes(query.body))
                order = next((n for n, slot in enumerate(query.params) if slot.name == start), None)
                if order is not None and asked == 1 and _is_symmetric(around):
                    found[query.name] = order, len(around)
            case _:
                pass
    return found


def question_of(query: m.QueryDef) -> m.Expr:
    """The question of a query, without a ``not`` before it."""
    return query.body.operand if isinstance(query.body, m.Not) else query.body


def _is_symmetric(neighbours: tuple[int, ...]) -> bool:
    for place, around in enumerate(neighbours):
        while around:
            lowest = around & -around
            if not neighbours[lowest.bit_length() - 1] >> place & 1:
                return False
            around ^= lowest
    return True


__all__ = ["component_queries", "question_of"]
