"""Inlining: short queries are written where they are asked.

Others are, too, as long as the program does not grow by much: those first that add the least.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Mapping
from functools import cached_property

from rulewright.engine.native.lowering.pass_log import PassLog
from rulewright.engine.native.lowering.program_facts import ProgramFacts
from rulewright.ir import model as m
from rulewright.ir.walk import nodes

SHORT, LONGEST = 10, 120
"""A query of so many nodes is always inlined; so many it has at most."""
MOST_GROWTH = 1500
"""So many nodes the queries that are not short take at all their calls together."""


class Inlining:
    """Choice of the queries that are inlined."""

    def __init__(
        self, found: ProgramFacts, queries: Mapping[str, m.QueryDef], remembered: Container[str], log: PassLog
    ) -> None:
        self._found, self._queries, self._remembered, self._log = found, queries, remembered, log
        self._sizes: dict[str, int] = {}

    def takes(self, name: str) -> bool:
        """True if a query is written where it is called."""
        return name in self._chosen

    @cached_property
    def _chosen(self) -> frozenset[str]:
        """The queries that are inlined: none that are remembered."""
        if not self._log.makes("inlining"):
            return frozenset()
        calls = Counter(node.query for node in self._found.rules if isinstance(node, m.CallQuery))
        sizes = {name: self._expanded(name) for name in self._queries if name not in self._remembered}
        short = {name for name, size in sizes.items() if size <= SHORT}
        growth = sorted((size * calls[name], name) for name, size in sizes.items() if SHORT < size <= LONGEST)
        chosen, left = short, MOST_GROWTH
        for added, name in growth:
            left -= added
            if left < 0:
                break
            chosen.add(name)
        return frozenset(chosen)

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
