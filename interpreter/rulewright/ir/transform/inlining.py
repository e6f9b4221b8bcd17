"""Inlining: a call of a short query becomes its body; so do others, as long as the program does not grow by much.

Those come first that add the least. Queries that are remembered stay: their results are found, not worked out.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping

from rulewright.ir import model as m
from rulewright.ir.transform.bindings import PLAIN, bound
from rulewright.ir.transform.code_size import CodeSize, call_counts
from rulewright.ir.transform.rewriting import Rewriter
from rulewright.ir.transform.substitution import substituted
from rulewright.ir.walk import ExprFacts

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
    once = {name for name, nodes in sizes.items() if calls[name] == 1 and nodes <= ALONE}
    chosen, left = {name for name, nodes in sizes.items() if nodes <= SHORT} | once, MOST_GROWTH
    for added, name in sorted((nodes * calls[name], name) for name, nodes in sizes.items() if SHORT < nodes <= LONGEST):
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

    def told(self, node: m.CallQuery | m.LetIn) -> str | None:
        """The query that was called."""
        return node.query if isinstance(node, m.CallQuery) else None

    def rewritten(self, node: m.CallQuery | m.LetIn) -> m.Expr:
        """The body of a query with what it is asked about."""
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


__all__ = ["Inlining", "chosen_queries"]
