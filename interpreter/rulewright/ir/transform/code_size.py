"""Size of code: what an expression costs when it is written once more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping

from rulewright.foundation.node_memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir.control_flow.code_nodes import code_nodes
from rulewright.ir.walk import nodes

Calls = tuple[tuple[str, int], ...]
"""Queries, each with how often it is called."""


class CodeSize:
    """The nodes of expressions and of the queries that they call, as often as they do; those that are remembered are
    worked out elsewhere."""

    def __init__(self, queries: Mapping[str, m.QueryDef], remembered: Container[str]) -> None:
        self._queries, self._remembered = queries, remembered
        self._sizes: dict[str, int] = {}

    def of_query(self, name: str) -> int:
        """The size of a query."""
        if name not in self._sizes:
            own, calls = _query_size(self._queries[name])
            self._sizes[name] = self._whole(own, calls)
        return self._sizes[name]

    def of(self, e: m.Expr) -> int:
        """The size of an expression."""
        return self._whole(*_size(e))

    def _whole(self, own: int, calls: Calls) -> int:
        return own + sum(times * self.of_query(name) for name, times in calls if name not in self._remembered)


@memoized_by_node
def _query_size(query: m.QueryDef) -> tuple[int, Calls]:
    return _size(query.body)


def _size(e: m.Expr) -> tuple[int, Calls]:
    own = list(nodes(e))
    return len(own), _calls(own)


def _calls(found: Iterable[object]) -> Calls:
    return tuple(Counter(node.query for node in found if isinstance(node, m.CallQuery)).items())


@memoized_by_node
def _function_calls(function: m.Function) -> Calls:
    return _calls(node for inside in code_nodes(function) for node in inside)


def call_counts(program: m.Program) -> Counter[str]:
    """The number of calls of each query in the queries and functions of a program."""
    found = Counter[str]()
    for calls in (*(_query_size(q)[1] for q in program.queries), *map(_function_calls, program.functions)):
        for name, times in calls:
            found[name] += times
    return found


__all__ = ["CodeSize", "call_counts"]
