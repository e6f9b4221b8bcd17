"""Evaluation of constants, variables, printed values, arithmetic, comparison and logic."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from typing import Any, Literal, get_args

from rulewright.engine.evaluator.expressions import Expressions, nothing_of
from rulewright.engine.evaluator.scope import BASE, BEFORE, REGISTERS, STACK, Environment, Evaluate, Scope
from rulewright.engine.faults import DIVISION, FAULTS, fault
from rulewright.ir import model as m
from rulewright.ir.arithmetic import DIVISIONS, ArithOp, applied
from rulewright.ir.comparison import CmpOp
from rulewright.ir.model import INT_MAX, NONE
from rulewright.ir.step_costs import OPERATIONS

_ORDER: dict[Literal["lt", "le", "gt", "ge"], Callable[[int, int], bool]] = {
    "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
}  # fmt: skip
_OPERATIONS: dict[ArithOp, Callable[[int, int], int]] = {
    **{op: partial(applied, op) for op in get_args(ArithOp)},
    "add": operator.add,
    "sub": operator.sub,
    "mul": operator.mul,
}


class Scalars:
    """Expressions whose value follows from those of their parts alone, variables and slots."""

    def __init__(self, x: Expressions) -> None:
        self.x, self.ctx, self.checked_int32 = x, x.ctx, x.ctx.support.checked_int32

    def _x_Const(self, e: m.Const, s: Scope) -> Evaluate:
        value = e.value
        return lambda C, E: value

    def _x_ListConst(self, e: m.ListConst, s: Scope) -> Evaluate:
        values = e.values
        return lambda C, E: values

    def _x_Kind(self, e: m.Kind, s: Scope) -> Evaluate:
        pieces = self.ctx.kinds[e.name].members
        return lambda C, E: pieces

    def _x_Var(self, e: m.Var, s: Scope) -> Evaluate:
        at = s.variables[e.name].at
        return lambda C, E: E[at]

    def _x_Local(self, e: m.Local, s: Scope) -> Evaluate:
        offset, slot = s.slots[e.slot]
        if slot.ty.kind != "list":
            return lambda C, E: E[STACK][E[BASE] + offset]

        def items(C: list[int], E: Environment) -> tuple[int, ...]:
            S, at = E[STACK], E[BASE] + offset
            return tuple(S[at + 1 : at + 1 + S[at]])

        return items

    def _x_Attr(self, e: m.Attr, s: Scope) -> Evaluate:
        table = self.ctx.tables[e.table]
        return self.x.looked_up(tuple(table.values), e.of, s, nothing_of(table.ty.kind))

    def _t_Attr(self, e: m.Attr, s: Scope) -> Evaluate:
        return self.x.looked_up(tuple(value == 1 for value in self.ctx.tables[e.table].values), e.of, s, False)

    def _x_Preimage(self, e: m.Preimage, s: Scope) -> Evaluate:
        found: dict[Any, int] = {}
        for member, printed in enumerate(self.ctx.tables[e.table].values):
            if printed != NONE or e.nothing:
                found[printed] = found.get(printed, 0) | 1 << member
        value, get = self.x.value(e.value, s), found.get
        return lambda C, E: get(value(C, E), 0)

    # ------------------------------------------------------------------------------------------ numbers

    def _x_Arith(self, e: m.Arith, s: Scope) -> Evaluate:
        left, right = self.x.value(e.left, s), self.x.value(e.right, s)
        operation, divides, checked = _OPERATIONS[e.op], e.op in DIVISIONS, self.checked_int32
        known = self.x.constant(right)
        if known is not None and known != NONE and not (divides and known == 0):
            if e.op == "sub":
                known = -known

            def added(C: list[int], E: Environment) -> int:
                a = left(C, E)
                if a == NONE:
                    return NONE
                found = a + known
                return found if -INT_MAX <= found <= INT_MAX else checked(found)

            def with_constant(C: list[int], E: Environment) -> int:
                a = left(C, E)
                if a == NONE:
                    return NONE
                found = operation(a, known)
                return found if -INT_MAX <= found <= INT_MAX else checked(found)

            return added if e.op in ("add", "sub") else with_constant

        # Most operations are these two, and a call would take as long as all else here.
        def total(C: list[int], E: Environment) -> int:
            a, b = left(C, E), right(C, E)
            if a == NONE or b == NONE:
                return NONE
            found = a + b
            return found if -INT_MAX <= found <= INT_MAX else checked(found)

        def difference(C: list[int], E: Environment) -> int:
            a, b = left(C, E), right(C, E)
            if a == NONE or b == NONE:
                return NONE
            found = a - b
            return found if -INT_MAX <= found <= INT_MAX else checked(found)

        def arithmetic(C: list[int], E: Environment) -> int:
            a, b = left(C, E), right(C, E)
            if a == NONE or b == NONE:
                return NONE
            if divides and b == 0:
                fault(DIVISION, "division by zero")
            found = operation(a, b)
            return found if -INT_MAX <= found <= INT_MAX else checked(found)

        return total if e.op == "add" else difference if e.op == "sub" else arithmetic

    def _x_Cmp(self, e: m.Cmp, s: Scope) -> Evaluate:
        left, op = self.x.value(e.left, s), e.op
        if isinstance(e.right, m.Const):
            return _compared(op, left, e.right.value, e.nothing)
        right = self.x.value(e.right, s)
        if op == "ne":
            return lambda C, E: left(C, E) != right(C, E)
        if op == "eq" and e.nothing:
            return lambda C, E: left(C, E) == right(C, E)
        if op == "eq":
            return lambda C, E: left(C, E) == right(C, E) != NONE
        holds = _ORDER[op]

        def comparison(C: list[int], E: Environment) -> bool:
            a, b = left(C, E), right(C, E)
            return a != NONE and b != NONE and holds(a, b)

        return comparison

    def _x_SetEq(self, e: m.SetEq, s: Scope) -> Evaluate:
        left, right = self.x.value(e.left, s), self.x.value(e.right, s)
        return lambda C, E: left(C, E) == right(C, E)

    # ------------------------------------------------------------------------------------------ logic

    def _x_And(self, e: m.And, s: Scope) -> Evaluate:
        tests = [self.x.test(item, s) for item in e.items]
        if len(tests) == 1:
            return tests[0]
        if len(tests) == 2:
            first, second = tests
            return lambda C, E: first(C, E) and second(C, E)
        if len(tests) == 3:
            first, second, third = tests
            return lambda C, E: first(C, E) and second(C, E) and third(C, E)

        def all_hold(C: list[int], E: Environment) -> bool:
            for test in tests:  # noqa: SIM110 (a generator takes twice as long)
                if not test(C, E):
                    return False
            return True

        return all_hold

    def _x_Or(self, e: m.Or, s: Scope) -> Evaluate:
        tests = [self.x.test(item, s) for item in e.items]
        if len(tests) == 2:
            first, second = tests
            return lambda C, E: first(C, E) or second(C, E)

        def one_holds(C: list[int], E: Environment) -> bool:
            for test in tests:  # noqa: SIM110
                if test(C, E):
                    return True
            return False

        return one_holds

    def _x_Not(self, e: m.Not, s: Scope) -> Evaluate:
        test = self.x.test(e.operand, s)
        return lambda C, E: not test(C, E)

    def _x_IfElse(self, e: m.IfElse, s: Scope) -> Evaluate:
        form = self.x.closure if self.x.is_truth(e) else self.x.value
        test, then, otherwise = self.x.test(e.condition, s), form(e.then, s), form(e.otherwise, s)
        return lambda C, E: then(C, E) if test(C, E) else otherwise(C, E)

    # ------------------------------------------------------------------------------------------ bindings

    def _x_LetIn(self, e: m.LetIn, s: Scope) -> Evaluate:
        level = max((s.variables[name].level for name in self.ctx.facts.free(e.value)), default=0)
        value = self.x.value(e.value, s)
        inner, at = s.bind(e.var, self.x.is_list(e.value, s), level, self.x.is_living(e.value, s))
        body = self.x.closure(e.body, inner)

        def let(C: list[int], E: Environment) -> Any:
            E[at] = value(C, E)
            return body(C, E)

        return let

    def _x_Old(self, e: m.Old, s: Scope) -> Evaluate:
        of = self.x.value(e.of, s.in_other_cells())
        return lambda C, E: of(E[BEFORE], E)

    def _x_CallQuery(self, e: m.CallQuery, s: Scope) -> Evaluate:
        args, name = self.x.values(e.args, s), e.query
        find, function = self.x.query, _unknown
        [first, second, *_] = [*args, _unknown, _unknown]

        # The function is found when it is first called: queries may be many, and most games ask few of them.
        def called_without(C: list[int], E: Environment) -> Any:
            nonlocal function
            if function is _unknown:
                function = find(name)
            return function(C, E[0])

        def called_with_one(C: list[int], E: Environment) -> Any:
            nonlocal function
            if function is _unknown:
                function = find(name)
            return function(C, E[0], first(C, E))

        def called_with_two(C: list[int], E: Environment) -> Any:
            nonlocal function
            if function is _unknown:
                function = find(name)
            return function(C, E[0], first(C, E), second(C, E))

        def called(C: list[int], E: Environment) -> Any:
            nonlocal function
            if function is _unknown:
                function = find(name)
            return function(C, E[0], *[arg(C, E) for arg in args])

        forms: tuple[Evaluate, ...] = (called_without, called_with_one, called_with_two)
        return forms[len(args)] if len(args) < len(forms) else called

    def _x_Fault(self, e: m.Fault, s: Scope) -> Evaluate:
        code, message = FAULTS[e.reason], e.message
        shown = [self.x.value(e.shown, s)] if e.shown is not None else []
        return lambda C, E: fault(code, message, *[one(C, E) for one in shown])

    def _x_Charged(self, e: m.Charged, s: Scope) -> Evaluate:
        of, steps, each, pay = self.x.closure(e.of, s), e.steps, e.each, self.x.pay
        if each:
            is_list = self.x.is_list(e.of, s)

            def for_each(C: list[int], E: Environment) -> Any:
                found = of(C, E)
                size = len(found) if is_list else found.bit_count()
                pay(E[REGISTERS], steps + size * each // OPERATIONS)
                return found

            return for_each

        def charged(C: list[int], E: Environment) -> Any:
            pay(E[REGISTERS], steps)
            return of(C, E)

        def charged_at_once(C: list[int], E: Environment) -> Any:
            R = E[REGISTERS]
            pay(R, steps)
            left, R.budget = R.budget, steps
            found = of(C, E)
            R.budget = left
            return found

        return charged_at_once if e.all else charged


def _unknown(C: list[int], *_: Any) -> Any:
    """In place of a query that was not called yet."""
    raise NotImplementedError


def _compared(op: CmpOp, left: Evaluate, bound: int, nothing: bool) -> Evaluate:
    """A comparison with a constant; none is less than all numbers, and compares with nothing."""
    if op == "ne":
        return lambda C, E: left(C, E) != bound
    if op == "eq":
        if bound == NONE and not nothing:
            return lambda C, E: left(C, E) == bound != NONE
        return lambda C, E: left(C, E) == bound
    if bound == NONE:
        return lambda C, E: left(C, E) is None
    if op == "lt":
        return lambda C, E: NONE < left(C, E) < bound
    if op == "le":
        return lambda C, E: NONE < left(C, E) <= bound
    if op == "gt":
        return lambda C, E: left(C, E) > bound
    return lambda C, E: left(C, E) >= bound
