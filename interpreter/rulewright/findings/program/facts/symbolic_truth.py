"""Truth of conditions that follows from the rules: queries written out, equal terms cancelled, bounds compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from rulewright.compiler.rule_flow import KnownValues
from rulewright.findings.program.facts.bounds import Bounds
from rulewright.findings.program.facts.examined_program import ExaminedProgram, put
from rulewright.ir import model as m
from rulewright.ir.comparison import CmpOp
from rulewright.ir.evaluation import truth
from rulewright.ir.intervals import compared

_DEEP = 6
"""Queries that call each other are written out so far."""


@dataclass(frozen=True, slots=True)
class Linear:
    """A number as a sum: terms that are not known, each so many times, and a constant."""

    terms: Mapping[m.Expr, int]
    constant: int

    def plus(self, other: Linear, times: int) -> Linear:
        """The sum of this term and a multiple of another one."""
        terms = Counter(self.terms)
        for term, often in other.terms.items():
            terms[term] += times * often
        return Linear({term: often for term, often in terms.items() if often}, self.constant + times * other.constant)


class SymbolicTruth:
    """Conditions of a function of one program."""

    def __init__(self, examined: ExaminedProgram, function: m.Function) -> None:
        self._examined, self._values = examined, KnownValues(examined.program)
        self._bounds = Bounds(examined, function, open_ends=True)

    def of(self, e: m.Expr) -> bool | None:
        """True or False if a condition has that value in any state; None if that does not follow."""
        return truth(e, self._leaf)

    def _leaf(self, e: m.Expr) -> bool | None:
        known = self._values.truth(e, {})
        if known is not None:
            return known
        match e:
            case m.Cmp(op, left, right):
                return self._compared(op, left, right)
            case m.CallQuery():
                body = self.written_out(e)
                return None if body is e else self.of(body)
            case _:
                return None  # it may be so, or not

    def number(self, e: m.Expr) -> Linear:
        """A number as a sum."""
        e = self.written_out(e)
        match e:
            case m.Const(value) if value != m.NONE:
                return Linear({}, value)
            case m.Arith("add" | "sub" as op, left, right):
                return self.number(left).plus(self.number(right), 1 if op == "add" else -1)
            case m.Arith("mul", m.Const(times), right) | m.Arith("mul", right, m.Const(times)):
                return Linear({}, 0).plus(self.number(right), times)
            case _:
                return Linear({e: 1}, 0)

    def written_out(self, e: m.Expr, depth: int = 0) -> m.Expr:
        """The body of a query in the place of its call, and of two values the one for which a condition decides."""
        if isinstance(e, m.CallQuery) and depth < _DEEP:
            query = self._examined.queries[e.query]
            given = {slot.name: value for slot, value in zip(query.params, e.args, strict=True)}
            return self.written_out(put(query.body, given), depth + 1)
        if isinstance(e, m.IfElse):
            known = self.of(e.condition)
            if known is not None:
                return self.written_out(e.then if known else e.otherwise, depth)
        return e

    def _compared(self, op: CmpOp, left: m.Expr, right: m.Expr) -> bool | None:
        left, right = self.written_out(left), self.written_out(right)
        if m.Const(m.NONE) in (left, right):
            other = left if right == m.Const(m.NONE) else right
            return {"eq": False, "ne": True}.get(op) if self._bounds.number(other) is not None else None
        if self._bounds.number(left) is None or self._bounds.number(right) is None:
            return None  # one of both may be none
        difference = self.number(left).plus(self.number(right), -1)
        low = high = difference.constant
        for term, often in difference.terms.items():
            known = self._bounds.number(term)
            if known is None:
                return None
            low += min(often * known[0], often * known[1])
            high += max(often * known[0], often * known[1])
        return compared(op, (low, high), (0, 0))
