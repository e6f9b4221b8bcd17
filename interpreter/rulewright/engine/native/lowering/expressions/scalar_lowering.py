"""Constants, variables, fields, arithmetic, comparison, truths, calls of queries."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, assert_never

from rulewright.engine.native.lowering.expressions.emptiness import Emptiness
from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.lowering.expressions.sparse_sets import SparseSets
from rulewright.engine.native.lowering.known_ranges import known_not, known_within
from rulewright.engine.native.values import Value, constant, constant_set
from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.engine.native.webassembly.terms import select
from rulewright.engine.native.word_sizes import SMALL_BITS, words
from rulewright.ir import model as m
from rulewright.ir.arithmetic import DIVISIONS, bounds
from rulewright.ir.comparison import CmpOp
from rulewright.ir.model import INT_MAX, NONE

_COMPARE: dict[CmpOp, Op] = {
    "eq": Op.I32_EQ,
    "ne": Op.I32_NE,
    "lt": Op.I32_LT_S,
    "le": Op.I32_LE_S,
    "gt": Op.I32_GT_S,
    "ge": Op.I32_GE_S,
}
_ARITH: dict[Literal["add", "sub", "mul"], tuple[Op, Op]] = {
    "add": (Op.I32_ADD, Op.I64_ADD),
    "sub": (Op.I32_SUB, Op.I64_SUB),
    "mul": (Op.I32_MUL, Op.I64_MUL),
}


class ScalarLowering:
    """Everything that needs neither sets nor the map."""

    def __init__(self, x: ExpressionLowering) -> None:
        self.x, self.w, self.ctx, self.body = x, x.w, x.ctx, x.w.body
        self.sparse, self.emptiness = SparseSets(x), Emptiness(x)

    def _x_Const(self, e: m.Const) -> Value:
        return constant(e.value)

    def _x_Var(self, e: m.Var) -> Value:
        v = self.w.env[e.name]
        return self.x.lists.as_set(v) if v.is_sparse else v

    def _x_Local(self, e: m.Local) -> Value:
        if e.slot in self.w.given:
            return self.w.given[e.slot]
        offset, slot = self.w.slots[e.slot]
        null = slot.ty.optional or ("slot", self.w.function, e.slot) in self.ctx.null
        if slot.ty.kind == "set":
            return self.w.load_set(offset, self.w.frame, self.ctx.layout.set_bits(slot.ty))
        value = self.ctx.typed((self.body.local(Type.I32),), slot.ty, null)
        self.body.push(self.w.frame)
        if value.is_list:
            self.body.i32(offset)
            self.body.op(Op.I32_ADD)
        else:
            self.body.memory(Op.I32_LOAD, offset)
        self.body.set(value.locals[0])
        return value

    def _x_Attr(self, e: m.Attr) -> Value:
        table = self.ctx.tables[e.table]
        if isinstance(e.of, m.Const) and 0 <= e.of.value < len(table.values) and table.ty.kind != "set":
            known = table.values[e.of.value]
            return constant(known) if isinstance(known, int) else self.x.lists.constant(known)
        of = self.x.value(e.of)
        if table.ty.kind == "list":
            return self._list_of(table, of)
        printed = self.ctx.found.printed(e.table)
        values = printed.values
        if table.ty.kind == "set":
            bits = max((v.bit_length() for v in values), default=0)
            count = words(bits)
            at = self.ctx.memory.sets(values, count)
            return self.x.table(at, 8 * count, of).load_set(bits, False)
        at = self.ctx.memory.numbers(values)
        return self.x.table(at, 4, of).load_number(printed.low, printed.high, printed.null)

    def _list_of(self, table: m.Table, of: Value) -> Value:
        """The list that is printed on something."""
        lists = [v for v in table.values if isinstance(v, tuple)]
        at = self.ctx.memory.numbers(self.x.lists.constant(v).known for v in lists)
        low, high = self.ctx.bounds(table.ty)
        null = any(NONE in v for v in lists)
        found = self.x.table(at, 4, of).load_number(0, INT_MAX)
        size = max(map(len, lists), default=0)
        result = Value((self.body.local(Type.I32),), is_list=True, capacity=size, null=null, low=low, high=high)
        with self.w.unless_null([of] if of.null else [], result):
            self.w.assign(result, found)
        return result

    def _x_FieldGet(self, e: m.FieldGet) -> Value:
        declared = self.ctx.layout.field_of[e.field]
        place = self.ctx.layout.fields[e.field]
        ty = declared.ty
        address, width = self.x.cell(place.at, place.strides, declared.index, e.index)
        if ty.kind == "list":
            found = self.ctx.typed((self.body.local(Type.I32),), ty, ("field", e.field, 0) in self.ctx.null)
            return address.load_address(found)
        if ty.kind == "set":
            return address.load_set(self.ctx.layout.set_bits(ty), width <= SMALL_BITS)
        low, high = self.ctx.bounds(ty)
        return address.load_number(low, high, ty.optional)

    # -------------------------------------------------------------------------------------------------- arithmetic

    def _x_Arith(self, e: m.Arith) -> Value:
        a, b = self.x.value(e.left), self.x.value(e.right)
        nulls = [v for v in (a, b) if v.null]
        low, high = bounds(e.op, (a.low, a.high), (b.low, b.high))
        if low == high and not nulls and e.op not in DIVISIONS and abs(low) <= INT_MAX:
            return constant(low)
        result = Value((self.body.local(Type.I32),), null=bool(nulls), low=max(low, -INT_MAX), high=min(high, INT_MAX))
        with self.w.unless_null(nulls, result):
            match e.op:
                case "min" | "max":
                    for v in (a, b, a, b):
                        self.w.push(v)
                    self.body.op(Op.I32_LE_S if e.op == "min" else Op.I32_GE_S, Op.SELECT)
                case "div_up" | "div_down":
                    self._divide(e.op == "div_up", a, b)
                case "mod":
                    self._modulo(a, b)
                case "add" | "sub" | "mul":
                    narrow, wide = _ARITH[e.op]
                    if known_within(self.ctx.log, Value(low=low, high=high), -INT_MAX, INT_MAX):
                        self.w.push(a)
                        self.w.push(b)
                        self.body.op(narrow)
                    else:
                        self._checked(wide, a, b)
                case _:
                    assert_never(e.op)
            self.body.set(result.locals[0])
        return result

    def _checked(self, op: Op, a: Value, b: Value) -> None:
        """Push the result of 64 bits as a number of 32, which must hold it."""
        wide, number = self.body.local(Type.I64), self.body.local(Type.I32)
        for v in (a, b):
            self.w.push(v)
            self.body.op(Op.I64_EXTEND_I32_S)
        self.body.op(op)
        self.body.tee(wide)
        self.body.op(Op.I32_WRAP_I64)
        self.body.tee(number)
        self.body.op(Op.I64_EXTEND_I32_S)
        self.body.get(wide)
        self.body.op(Op.I64_NE)
        self.body.get(number)
        self.body.i32(NONE)
        self.body.op(Op.I32_EQ, Op.I32_OR)
        self.w.trap_if()
        self.body.get(number)

    def _divide(self, up: bool, a: Value, b: Value) -> None:
        """Push the quotient, rounded up or down; stop if the divisor is 0."""
        if not known_not(self.ctx.log, b, 0):
            self.w.push(b)
            self.body.op(Op.I32_EQZ)
            self.w.trap_if()
        self.w.push(a)
        self.w.push(b)
        self.body.op(Op.I32_DIV_S)
        # Corrected by 1 if something is left over and the exact quotient lies on that side of the one rounded to 0.
        self.w.push(a)
        self.w.push(b)
        self.body.op(Op.I32_REM_S)
        self.body.i32(0)
        self.body.op(Op.I32_NE)
        self.w.push(a)
        self.w.push(b)
        self.body.op(Op.I32_XOR)
        self.body.i32(0)
        self.body.op(Op.I32_GE_S if up else Op.I32_LT_S, Op.I32_AND, Op.I32_ADD if up else Op.I32_SUB)

    def _modulo(self, a: Value, b: Value) -> None:
        """Push what is left over, with the sign of the divisor; stop if that is 0."""
        if not known_not(self.ctx.log, b, 0):
            self.w.push(b)
            self.body.op(Op.I32_EQZ)
            self.w.trap_if()
        left = self.body.local(Type.I32)
        self.w.push(a)
        self.w.push(b)
        self.body.op(Op.I32_REM_S)
        self.body.tee(left)
        # The divisor is added if something is left over that has the other sign.
        self.w.push(b)
        self.body.i32(0)
        self.body.get(left)
        self.w.push(b)
        self.body.op(Op.I32_XOR)
        self.body.i32(0)
        self.body.op(Op.I32_LT_S)
        self.body.get(left)
        self.body.i32(0)
        self.body.op(Op.I32_NE, Op.I32_AND, Op.SELECT, Op.I32_ADD)

    # ------------------------------------------------------------------------------------------------------ truths

    def _x_Cmp(self, e: m.Cmp) -> Value:
        if isinstance(e.left, m.Size) and e.right == m.Const(0) and e.op in ("eq", "ne", "gt"):
            self.emptiness.push(e.left.of)
            if e.op != "eq":
                self.body.op(Op.I32_EQZ)
            return self.w.pop(0, 1)
        if e.right == m.Const(NONE) and e.nothing and e.op in ("eq", "ne"):
            absent = self.emptiness.absence(e.left)
            if absent is not None:
                self.w.push(absent)
                if e.op == "ne":
                    self.body.op(Op.I32_EQZ)
                return self.w.pop(0, 1)
        a, b = self.x.value(e.left), self.x.value(e.right)
        self.w.push(a)
        self.w.push(b)
        self.body.op(_COMPARE[e.op])
        both_none = e.op == "eq" and b.null and not e.nothing
        if a.null and (both_none or e.op in ("lt", "le")):
            self.w.push_present([a])
            self.body.op(Op.I32_AND)
        elif b.null and e.op in ("gt", "ge"):
            self.w.push_present([b])
            self.body.op(Op.I32_AND)
        return self.w.pop(0, 1)

    def _x_And(self, e: m.And) -> Value:
        return self.x.decide(e)

    def _x_Or(self, e: m.Or) -> Value:
        return self.x.decide(e)

    def _x_Not(self, e: m.Not) -> Value:
        return self.x.decide(e)

    def _x_IfElse(self, e: m.IfElse) -> Value:
        """Only the value that is needed is computed; then one of both is taken, as their locals are known only now."""
        condition = self.x.decide(e.condition)
        self.w.push(condition)
        with self.body.when():
            a = self.x.value(e.then)
            self.body.op_else()
            b = self.x.value(e.otherwise)
        if a.is_set or b.is_set:
            a, b = self.w.as_set(a), self.w.as_set(b)
            bits, living = max(a.bits, b.bits), a.living and b.living
            return self.w.wordwise(bits, (a, b), lambda one, other: select(one, other, condition.term), living)
        for v in (a, b, condition):
            self.w.push(v)
        self.body.op(Op.SELECT)
        if a.is_list:
            return self.x.lists.joined(a, b)
        living = a.living and b.living
        return self.w.pop(min(a.low, b.low), max(a.high, b.high), a.null or b.null, living)

    def _x_LetIn(self, e: m.LetIn) -> Value:
        with self.w.binding(e.var, self.x.value(e.value)):
            return self.x.value(e.body)

    def _x_CallQuery(self, e: m.CallQuery) -> Value:
        query, args = self.ctx.queries[e.query], self.sparse.arguments(e)
        if self.ctx.inlining.takes(e.query):
            return self._inlined(query, args, e.args)
        for arg, slot in zip(args, query.params, strict=True):
            if slot.ty.kind == "set":
                self.w.push_set(self.w.as_set(arg), self.ctx.layout.set_bits(slot.ty))
            else:
                if arg.is_list:
                    self.x.lists.trap_if_longer(arg, slot.ty.capacity)
                self.w.push(arg)
        self.body.call(self.ctx.query_number(e.query, earlier=self.w.earlier))
        locals_ = tuple(self.body.local(kind) for kind in self.ctx.types(query.ty))
        for local in reversed(locals_):
            self.body.set(local)
        null = query.ty.optional or ("result", e.query, 0) in self.ctx.null
        result = self.ctx.typed(locals_, query.ty, null)
        # The next call of the query overwrites its list, or large set.
        if result.in_memory:
            copied = self.w.allocate_set(result.bits, result.living)
            self.w.assign(copied, result)
            return copied
        return self.x.lists.copied(result) if result.is_list else result

    def _x_Fault(self, e: m.Fault) -> Value:
        self.body.i32(1)
        self.w.trap_if()
        if e.ty.kind == "list":
            return self.w.empty_list()
        return constant_set(0) if e.ty.kind == "set" else constant(0)

    def _x_Old(self, e: m.Old) -> Value:
        with self.w.of_earlier_state():
            return replace(self.x.value(e.of), living=False)

    def _inlined(self, query: m.QueryDef, args: list[Value], given: tuple[m.Expr, ...]) -> Value:
        """The value of a query, written here; what its type says of it holds too."""
        with self.x.inside(query, args, given):
            v = self.x.value(query.body)
        if v.is_set or v.is_list or query.ty.kind in ("set", "list") or v.constant is not None:
            return v
        low, high = self.ctx.bounds(query.ty)
        return replace(v, low=max(v.low, low), high=min(v.high, high))
