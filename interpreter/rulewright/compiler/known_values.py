"""Values of expressions of a program that are the same in every state, because its parameters have values."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.ir import model as m
from rulewright.ir.evaluation import NotConstant, known


class KnownValues:
    """Values that hang on no state: of what parameters decide, nothing else is left."""

    def __init__(self, program: m.Program) -> None:
        self._tables = {table.name: table for table in program.tables}
        self._bodies = {query.name: query.body for query in program.queries}
        self._queries: dict[str, int | None] = {}

    def of(self, e: m.Expr, slots: Mapping[int, int]) -> int | None:
        """The value of an expression, None if it depends on the state; `slots` are those of the frame that are known.

        Errors are no matter: a condition is false already if one of its parts is.
        """
        match e:
            case m.Local():
                return slots.get(e.slot)
            case m.CallQuery():
                return self._query(e.query)
            case _:
                pass  # the value of its parts decides
        try:
            value = known(e, lambda part: self.of(part, slots), self._tables)
        except NotConstant:
            return None
        return value if isinstance(value, int) else None

    def _query(self, name: str) -> int | None:
        """The value of a query that is the same whatever it is asked about."""
        if name not in self._queries:
            self._queries[name] = None
            self._queries[name] = self.of(self._bodies[name], {})
        return self._queries[name]


__all__ = ["KnownValues"]
