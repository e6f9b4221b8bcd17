"""Truth of conditions that follows from the rules: queries written out, equal terms cancelled, bounds compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from rulewright.compiler.rule_flow import KnownValues
from rulewright.examination.bounds import Bounds
from rulewright.examination.examined_program import ExaminedProgram, put
from rulewright.ir import model as m
from rulewright.ir.comparison import CmpOp, applied

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
    """Conditions of a function or query of one program."""

    def __init__(
        self, examined: ExaminedProgram, function: m.Function | None = None, sure: frozenset[str] = frozenset()
    ) -> None:
        """Of a query the variables in `sure` are never none."""
        self._examined, self._function, self._sure = examined, function, sure
        self._values, self._bounds = KnownValues(examined.program), Bounds(examined)

    def of(self, e: m.Expr) -> bool | None:
        """True or False if a condition has that value in any state; None if that does not follow."""
        known = self._values.of(e, {})
        if known is not None:
            return bool(known)
        match e:
            case m.Not(operand):
                found = self.of(operand)
                return None if found is None else not found
            case m.And(items):
                parts = [self.of(item) for item in items]
                return False if False in parts else True if all(parts) else None
            case m.Or(items):
                parts = [self.of(item) for item in items]
                return True if True in parts else False if not any(part is None for part in parts) else None
            case m.IfElse(condition, then, otherwise):
                which = self.of(condition)
                if which is not None:
                    return self.of(then if which else otherwise)
                one, other = self.of(then), self.of(otherwise)
                return one if one == other else None
            case m.Cmp(op, left, right, nothing):
                return self._compared(op, left, right, nothing)
            case m.CallQuery():
                body = self.written_out(e)
                return None if body is e else self.of(body)
            case _:
                return None

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
            known = self._values.of(e.condition, {})
            if known is None:
                known = self.of(e.condition)
            if known is not None:
                return self.written_out(e.then if known else e.otherwise, depth)
        return e

    def _compared(self, op: CmpOp, left: m.Expr, right: m.Expr, nothing: bool) -> bool | None:
        left, right = self.written_out(left), self.written_out(right)
        if m.Const(m.NONE) in (left, right):
            other = left if right == m.Const(m.NONE) else right
            return {"eq": False, "ne": True}.get(op) if self._is_something(other) else None
        if left == right:
            return applied(op, 0, 0) if self._is_something(left) else None
        if not (self._is_number(left) and self._is_number(right)):
            return None
        difference = self.number(left).plus(self.number(right), -1)
        low = high = difference.constant
        for term, often in difference.terms.items():
            known = self._bounds.number(term)
            if known is None:
                return None
            low += min(often * known[0], often * known[1])
            high += max(often * known[0], often * known[1])
        outcomes = {applied(op, value, 0) for value in {low, high, *((0,) if low <= 0 <= high else ())}}
        return outcomes.pop() if len(outcomes) == 1 else None

    def _is_something(self, e: m.Expr) -> bool:
        """True if an expression is never none."""
        match e:
            case m.Local(slot):
                ty = self._function.slots[slot].ty if self._function is not None else None
                return ty is not None and not ty.optional and ty.kind in ("entity", "int", "bool")
            case m.Var(name):
                return name in self._sure
            case m.Const(value):
                return value != m.NONE
            case m.Arith() | m.Size():
                return True
            case m.FieldGet(name):
                ty = self._examined.fields[name].ty
                return not ty.optional and ty.kind in ("entity", "int", "bool")
            case _:
                return False

    def _is_number(self, e: m.Expr) -> bool:
        match e:
            case m.Local(slot):
                return self._function is not None and self._function.slots[slot].ty.kind == "int"
            case m.FieldGet(name):
                return self._examined.fields[name].ty.kind == "int"
            case m.Const() | m.Arith() | m.Size() | m.Fold(kind="count"):
                return True
            case _:
                return False
