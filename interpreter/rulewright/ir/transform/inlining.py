"""Size of code: what an expression costs when it is written once more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Mapping

from rulewright.foundation.memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import code_nodes
from rulewright.ir.transform.rewriting import PLAIN, Rewriter, bound, substituted
from rulewright.ir.walk import ExprFacts, nodes

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


SHORT, LONGEST = 10, 120
"""A query of so many nodes is always inlined; so many it has at most."""
ALONE = 400
"""So many nodes at most has a query that is written in the only place where it is called."""
MOST_GROWTH = 1500
"""So many nodes the queries that are not short take at all their calls together."""


def chosen_queries(program: m.Program, size: CodeSize, remembered: Container[str]) -> frozenset[str]:
    """The queries that are written where they are called."""
    sizes = {q.name: size.of_query(q.name) for q in program.queries if q.name not in remembered}
    calls = call_counts(program)
    once = {name for name, length in sizes.items() if calls[name] == 1 and length <= ALONE}
    chosen, left = {name for name, length in sizes.items() if length <= SHORT} | once, MOST_GROWTH
    for added, name in sorted(
        (length * calls[name], name) for name, length in sizes.items() if SHORT < length <= LONGEST
    ):
        left -= added
        if left < 0:
            break
        chosen.add(name)
    return frozenset(chosen)


class Inlining:
    """Writes the bodies of some queries where they are called; `query` gives them, rewritten already."""

    name = "inlining"
    kinds = frozenset({m.CallQuery, m.LetIn})

    def __init__(
        self, chosen: frozenset[str], rewriter: Rewriter, facts: ExprFacts, query: Callable[[str], m.QueryDef]
    ) -> None:
        self._chosen = chosen
        self._rewriter, self._facts, self._query = rewriter, facts, query

    def describe(self, node: m.CallQuery | m.LetIn) -> str | None:
        """The query that was called."""
        return node.query if isinstance(node, m.CallQuery) else None

    def rewritten(self, node: m.CallQuery | m.LetIn) -> m.Expr:
        """The body of a query with its arguments bound."""
        if isinstance(node, m.LetIn):
            return bound(self._rewriter, self._facts, node)
        return self._inlined(node) if node.query in self._chosen else node

    def _inlined(self, call: m.CallQuery) -> m.Expr:
        query = self._query(call.query)
        given = list(zip((slot.name for slot in query.params), call.args, strict=True))
        plain: dict[str, m.Expr] = {name: value for name, value in given if isinstance(value, PLAIN)}
        held = self._names({name: value for name, value in given if name not in plain}, call)
        plain |= {name: m.Var(fresh) for name, (fresh, _) in held.items() if fresh != name}
        found = substituted(self._rewriter, query.body, plain)
        self._rewriter.mark(found, call.query)
        for fresh, value in reversed(held.values()):
            found = bound(self._rewriter, self._facts, m.LetIn(fresh, value, found))
        return found

    def _names(self, held: Mapping[str, m.Expr], call: m.CallQuery) -> dict[str, tuple[str, m.Expr]]:
        """For each parameter that is bound to a value a name that no argument uses, and the value."""
        outside = frozenset[str]().union(*map(self._facts.free, call.args))
        found: dict[str, tuple[str, m.Expr]] = {}
        for name, value in held.items():
            fresh = name
            while fresh in outside or (fresh != name and fresh in held):
                fresh += "'"
            found[name] = fresh, value
        return found
