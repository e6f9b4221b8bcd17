"""Values of expressions of a program that are the same in every state, because its parameters have values."""

from __future__ import annotations

from collections.abc import Mapping

from rulewright.compiler.symbols.consteval import NotConstant, evaluate
from rulewright.ir import model as m


class KnownValues:
    """Values that hang on no state: of what parameters decide, nothing else is left."""

    def __init__(self, program: m.Program) -> None:
        self._tables = {table.name: table for table in program.tables}
        self._bodies = {query.name: query.body for query in program.queries}
        self._queries: dict[str, int | None] = {}

    def of(self, e: m.Expr, slots: Mapping[int, int]) -> int | None:
        """The value of an expression, None if it depends on the state; `slots` are those of the frame that are known.

        In the manner of Kleene's logic: a condition is false already if one of its parts is.
        """
        match e:
            case m.Local():
                return slots.get(e.slot)
            case m.And():
                return _all_of([self.of(item, slots) for item in e.items])
            case m.Or():
                return _turned(_all_of([_turned(self.of(item, slots)) for item in e.items]))
            case m.Not():
                return _turned(self.of(e.operand, slots))
            case m.Cmp():
                return self._evaluated(e, slots, e.left, e.right)
            case m.Arith():
                return self._evaluated(e, slots, e.left, e.right)
            case m.IfElse():
                condition = self.of(e.condition, slots)
                return None if condition is None else self.of(e.then if condition else e.otherwise, slots)
            case m.Filter(is_list=False):
                return 0 if self.of(e.where, slots) == 0 or self.of(e.source, slots) == 0 else None
            case m.First(is_list=False) | m.Single():
                return m.NONE if self.of(e.of, slots) == 0 else None
            case m.Size(is_list=False):
                return 0 if self.of(e.of, slots) == 0 else None
            case m.Fold() if e.kind in ("count", "some", "no") and e.where is not None:
                return int(e.kind == "no") if self.of(e.where, slots) == 0 else None
            case m.CallQuery():
                return self._query(e.query)
            case _:
                pass  # the value of its parts decides
        try:
            value = evaluate(e, {}, self._tables)
        except NotConstant:
            return None
        return value if isinstance(value, int) else None

    def _evaluated(self, e: m.Cmp | m.Arith, slots: Mapping[int, int], left: m.Expr, right: m.Expr) -> int | None:
        one, other = self.of(left, slots), self.of(right, slots)
        if one is None or other is None:
            return None
        whole = (
            m.Cmp(e.op, m.Const(one), m.Const(other), e.nothing)
            if isinstance(e, m.Cmp)
            else m.Arith(e.op, m.Const(one), m.Const(other))
        )
        try:
            value = evaluate(whole, {}, self._tables)
        except NotConstant:
            return None
        return value if isinstance(value, int) else None

    def _query(self, name: str) -> int | None:
        """The value of a query that is the same whatever it is asked about."""
        if name not in self._queries:
            self._queries[name] = None
            self._queries[name] = self.of(self._bodies[name], {})
        return self._queries[name]


def _all_of(values: list[int | None]) -> int | None:
    if any(value == 0 for value in values):
        return 0
    return None if None in values else 1


def _turned(value: int | None) -> int | None:
    return None if value is None else int(not value)


__all__ = ["KnownValues"]
