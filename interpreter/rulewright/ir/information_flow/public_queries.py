"""Queries whose answers are public to all who know the arguments."""

from __future__ import annotations

from rulewright.ir import model as m
from rulewright.ir.information_flow.public_values import PublicValues


def public_queries(program: m.Program) -> frozenset[str]:
    """The queries that read nothing but what all players see, in any state. None is named by mistake, but one that
    reads a secret without telling it is left out."""
    values = _OfKnownArguments(program)
    return frozenset(query.name for query in program.queries if values.answers(query.name))


class _OfKnownArguments(PublicValues):
    """Takes parameters for known: the caller of a query looks through the arguments."""

    def answers(self, query: str) -> bool:
        """True if the answer is known to all."""
        return self._body(query)

    def _body(self, name: str) -> bool:
        if name not in self._bodies:
            return False
        if name not in self._named:
            self._named[name] = True  # a cycle adds nothing
            self._named[name] = self.known(self._bodies[name], lambda slot: True)
        return self._named[name]
