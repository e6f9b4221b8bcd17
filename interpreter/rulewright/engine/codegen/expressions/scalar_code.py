"""Code for numbers, truths, fields and printed values."""

from __future__ import annotations

from dataclasses import replace

from rulewright.engine.codegen.expressions.expression_writer import ExpressionWriter
from rulewright.engine.codegen.value_ranges import N, V, bits, constant, constant_set, join, listed, number, truth
from rulewright.engine.faults import DIVISION, FAULTS
from rulewright.ir import model as m
from rulewright.ir.arithmetic import DIVISIONS, ArithOp, applied, bounds
from rulewright.ir.comparison import CmpOp
from rulewright.ir.model import INT_MAX, NONE
from rulewright.ir.step_costs import OPERATIONS

_COMPARE: dict[CmpOp, str] = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
_FORMULA: dict[ArithOp, str] = {
    "add": "({a} + {b})",
    "sub": "({a} - {b})",
    "mul": "({a} * {b})",
    "div_down": "({a} // {b})",
    "div_up": "(-(-{a} // {b}))",
    "mod": "({a} % {b})",
    "min": "({a} if {a} <= {b} else {b})",
    "max": "({a} if {a} >= {b} else {b})",
}
_ONCE: tuple[ArithOp, ...] = ("add", "sub", "mul")
"""Operations whose code names each operand once, wherever it stands."""


class ScalarCode:
    """Constants, variables, fields, arithmetic, comparison, truths, calls."""

    def __init__(self, x: ExpressionWriter) -> None:
        self.x, self.w, self.ctx = x, x.w, x.ctx

    def _x_Const(self, e: m.Const) -> V:
        return constant(e.value)

    def _x_ListConst(self, e: m.ListConst) -> V:
        return listed(self.ctx.given(("list", e.values), "L", e.values), len(e.values), NONE in e.values)

    def _x_Var(self, e: m.Var) -> V:
        return self.w.env[e.name]

    def _x_Local(self, e: m.Local) -> V:
        offset, slot = self.w.slots[e.slot]
        at = f"B + {offset}" if offset else "B"
        null = slot.ty.optional or ("slot", self.w.function, e.slot) in self.ctx.null
        if slot.ty.kind == "list":
            return self.w.hold(listed(f"tuple(S[{at} + 1:{at} + 1 + S[{at}]])", slot.ty.capacity, null))
        known = self.w.available.get(("slot", str(e.slot)))
        if known is None:
            known = self.w.available[("slot", str(e.slot))] = self.w.hold(self.ctx.typed(f"S[{at}]", slot.ty, null))
        return known

    def _x_Attr(self, e: m.Attr) -> V:
        table = self.ctx.tables[e.table]
        of = self.x.value(e.of)
        if of.null:
            of = self.w.hold(of)
        name = self.ctx.table(e.table)
        if table.ty.kind == "list":
            size = max((len(v) for v in table.values if isinstance(v, tuple)), default=0)
            return listed(self.w.unless_null(f"{name}[{of.code}]", [of.code] if of.null else [], "()"), size)
        values = [v for v in table.values if isinstance(v, int)]
        if of.constant is not None:
            if table.ty.kind == "set":
                return constant_set(0 if of.null else values[of.constant])
            return constant(NONE if of.null else values[of.constant])
        if table.ty.kind == "set":
            code = self.w.unless_null(f"{name}[{of.code}]", [of.code] if of.null else [], "0")
            return bits(code, max((v.bit_length() for v in values), default=0))
        known = [v for v in values if v != NONE]
        code = self.w.unless_null(f"{name}[{of.code}]", [of.code] if of.null else [])
        return number(code, min(known, default=0), max(known, default=0), of.null or NONE in values)

    def _x_FieldGet(self, e: m.FieldGet) -> V:
        declared = self.ctx.layout.field_of[e.field]
        place = self.ctx.layout.fields[e.field]
        address, nulls = self.x.address(place.at, place.strides, declared.index, e.index)
        ty, C = declared.ty, self.w.cells
        if ty.kind == "list":
            at = self.w.hold(V(address))
            code = self.w.unless_null(f"tuple({C}[{at.code} + 1:{at.code} + 1 + {C}[{at.code}]])", nulls, "()")
            return self.w.hold(listed(code, ty.capacity, ("field", e.field, 0) in self.ctx.null))
        if ty.kind == "set":
            return self.ctx.typed(self.w.unless_null(f"{C}[{address}]", nulls, "0"), ty, False)
        return self.ctx.typed(self.w.unless_null(f"{C}[{address}]", nulls), ty, ty.optional or bool(nulls))

    def _x_Item(self, e: m.Item) -> V:
        source = self.w.hold(self.x.expr(e.list))
        at = self.x.atom(e.at)
        return number(
            f"({source.code}[{at.code}] if 0 <= {at.code} < len({source.code}) else {N})", -INT_MAX, INT_MAX, True
        )

    def _x_Arith(self, e: m.Arith) -> V:
        a, b = self.x.value(e.left), self.x.value(e.right)
        if a.constant is not None and b.constant is not None and not (a.null or b.null) and e.op not in DIVISIONS:
            known = applied(e.op, a.low, b.low)
            if abs(known) <= INT_MAX:
                return constant(known)
        if e.op not in _ONCE or a.null or b.null:
            a, b = self.w.hold(a), self.w.hold(b)
        test = " and ".join(f"{v.code} != {N}" for v in (a, b) if v.null)
        code = _FORMULA[e.op].format(a=a.code, b=b.code)
        low, high = bounds(e.op, (a.low, a.high), (b.low, b.high))
        if e.op in DIVISIONS and b.low <= 0 <= b.high:
            return self._divided(code, b, test, low, high)
        if low < -INT_MAX or high > INT_MAX:
            code, low, high = self.x.checked_int32(code), max(low, -INT_MAX), min(high, INT_MAX)
        return number(f"({code} if {test} else {N})" if test else code, low, high, bool(test))

    def _divided(self, code: str, b: V, test: str, low: int, high: int) -> V:
        """A division, after the divisor has been compared with 0."""
        name = self.w.temp()
        self.w.line(f"{name} = {N}")
        with self.w.inside(f"if {test or 'True'}:"):
            self.w.line(f"if {b.code} == 0: fault({DIVISION!r}, 'division by zero')")
            self.w.line(f"{name} = {code}")
        return number(name, low, high, bool(test))

    def _x_Cmp(self, e: m.Cmp) -> V:
        a, b = self.x.value(e.left), self.x.value(e.right)
        op = _COMPARE[e.op]
        if a.constant is not None and b.constant is not None and not a.null and not b.null:
            return constant(int(eval(f"{a.constant}{op}{b.constant}", {"__builtins__": {}})))
        if e.op in ("eq", "ne"):
            if e.op == "eq" and a.null and b.null and not e.nothing:
                return truth(f"({a.code} == {b.code} != {N})")
            return truth(f"({a.code} {op} {b.code})")
        if (a.null or b.null) and e.op not in ("eq", "ne"):
            a, b = self.x.settled(a, e.left), self.x.settled(b, e.right)
        if e.op in ("lt", "le") and a.null:
            return truth(f"({N} < {a.code} {op} {b.code})")
        if e.op in ("gt", "ge") and b.null:
            return truth(f"({a.code} {op} {b.code} > {N})")
        return truth(f"({a.code} {op} {b.code})")

    def _x_And(self, e: m.And) -> V:
        return self.x.truth_of(e.items, "and") if self.x.simple(e) else truth(self.x.decide(e))

    def _x_Or(self, e: m.Or) -> V:
        return self.x.truth_of(e.items, "or") if self.x.simple(e) else truth(self.x.decide(e))

    def _x_Not(self, e: m.Not) -> V:
        return truth(f"(not {self.w.condition(self.x.expr(e.operand))})")

    def _x_IfElse(self, e: m.IfElse) -> V:
        if self.x.simple(e):
            test = self.w.condition(self.x.expr(e.condition))
            a, b = self.x.value(e.then), self.x.value(e.otherwise)
            return join(f"({a.code} if {test} else {b.code})", a, b)
        name = self.w.temp()
        test = self.w.condition(self.x.expr(e.condition))
        with self.w.inside(f"if {test}:"):
            a = self.x.value(e.then)
            self.w.line(f"{name} = {a.code}")
        with self.w.inside("else:"):
            b = self.x.value(e.otherwise)
            self.w.line(f"{name} = {b.code}")
        return join(name, a, b)

    def _x_LetIn(self, e: m.LetIn) -> V:
        level = max((self.w.levels.get(name, 0) for name in self.ctx.facts.free(e.value)), default=0)
        with self.w.binding(e.var, replace(self.x.atom(e.value), bit=""), level):
            return self.w.hold(self.x.expr(e.body))

    def _x_CallQuery(self, e: m.CallQuery) -> V:
        query = self.ctx.queries[e.query]
        args = [self.x.atom(a) for a in e.args]
        null = self.ctx.null
        # Only code that is no part of the program, as a question about it, passes none where the program never does.
        foreign = any(
            arg.null and not slot.ty.optional and ("param", e.query, i) not in null
            for i, (arg, slot) in enumerate(zip(args, query.params, strict=True))
        )
        key = (e.query, self.w.cells, *(a.code for a in args))
        known = self.w.available.get(key)
        if known is None or self.ctx.facts.pays(e):
            name = self.ctx.demand_query(e.query, foreign)
            held = self.w.temp()
            called = ", ".join([self.w.cells, "R", *(a.code for a in args)])
            self.w.line(f"{held} = {name}({called})")
            may_be_none = foreign or query.ty.optional or ("result", e.query, 0) in null
            known = self.w.available[key] = self.ctx.typed(held, query.ty, may_be_none)
        return known

    def _x_Fault(self, e: m.Fault) -> V:
        shown = f", {self.x.value(e.shown).code}" if e.shown is not None else ""
        self.w.line(f"fault({FAULTS[e.reason]!r}, {e.message!r}{shown})")
        return self.ctx.typed("()" if e.ty.kind == "list" else "0", e.ty, False)

    def _x_Charged(self, e: m.Charged) -> V:
        if e.each:
            of = self.w.hold(self.x.expr(e.of))
            size = f"len({of.code})" if of.kind == "l" else f"({of.code}).bit_count()"
            self.w.pay(f"{e.steps} + {size} * {e.each} // {OPERATIONS}")
            return of
        if not e.all:
            self.w.pay(e.steps)
            return self.x.expr(e.of)
        self.w.pay(e.steps)
        left = self.w.temp()
        self.w.line(f"{left} = R.budget")
        self.w.line(f"R.budget = {e.steps}")
        found = self.w.hold(self.x.expr(e.of))
        self.w.line(f"R.budget = {left}")
        return found

    def _x_Old(self, e: m.Old) -> V:
        before, self.w.cells = self.w.cells, "D"
        result = self.w.hold(self.x.expr(e.of))
        self.w.cells = before
        return result
