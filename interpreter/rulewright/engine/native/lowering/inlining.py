"""Inlining: short queries are written where they are asked."""

from __future__ import annotations

from collections.abc import Container, Mapping

from rulewright.engine.native.lowering.pass_log import PassLog
from rulewright.ir import model as m
from rulewright.ir.walk import nodes

LONGEST = 120
"""So many nodes a query has at most that is written where it is called."""


class Inlining:
    """Choice of the queries that are inlined."""

    def __init__(self, queries: Mapping[str, m.QueryDef], remembered: Container[str], log: PassLog) -> None:
        self._queries, self._remembered, self._log = queries, remembered, log
        self._sizes: dict[str, int] = {}

    def takes(self, name: str) -> bool:
        """True if a query is written where it is called: it is short, with all that it calls, and not remembered."""
        return self._log.makes("inlining") and name not in self._remembered and self._expanded(name) <= LONGEST

    def _expanded(self, name: str) -> int:
        """The nodes of a query and of all that it calls, as often as it does."""
        if name not in self._sizes:
            self._sizes[name] = self.code_size(self._queries[name].body)
        return self._sizes[name]

    def code_size(self, e: m.Expr) -> int:
        """The nodes of an expression and of the queries that it calls, as often as it does."""
        own = list(nodes(e))
        calls = [node.query for node in own if isinstance(node, m.CallQuery)]
        return len(own) + sum(self._expanded(query) for query in calls if query not in self._remembered)
