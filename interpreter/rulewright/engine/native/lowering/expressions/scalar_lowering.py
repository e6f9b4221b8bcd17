"""Constants, variables, fields, arithmetic, comparison, truths, calls of queries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from operator import add, mul, sub
from typing import Literal, assert_never

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering, LoweringPart
from rulewright.engine.native.lowering.expressions.known_values import known_truth
from rulewright.engine.native.lowering.expressions.sets.sparse_sets import SparseSets
from rulewright.engine.native.lowering.program_facts import known_not, known_within
from rulewright.engine.native.memory_map import SMALL_BITS, words
from rulewright.engine.native.values import Value, constant, constant_set, present
from rulewright.engine.native.webassembly.terms import I32, I64, Emitted, Term, const, mem32, select
from rulewright.ir import model as m
from rulewright.ir.arithmetic import DIVISIONS, bounds
from rulewright.ir.comparison import CmpOp
from rulewright.ir.model import INT_MAX, NONE

_COMPARE: dict[CmpOp, Callable[[Term, Term], Term]] = {
    "eq": Term.eq,
    "ne": Term.ne,
    "lt": Term.lt_s,
    "le": Term.le_s,
    "gt": Term.gt_s,
    "ge": Term.ge_s,
}
_ARITH: dict[Literal["add", "sub", "mul"], Callable[[Term, Term], Term]] = {"add": add, "sub": sub, "mul": mul}


class ScalarLowering(LoweringPart):
    """Code for scalars, which needs neither sets nor the map."""

    def __init__(self, lower: ExpressionLowering) -> None:
        super().__init__(lower)
        self.sparse = SparseSets(lower)

    def _x_Const(self, e: m.Const) -> Value:
        return constant(e.value)

    def _x_Var(self, e: m.Var) -> Value:
        v = self.writer.env[e.name]
        return self.lower.lists.as_set(v) if v.is_sparse else v

    def _x_Local(self, e: m.Local) -> Value:
        if e.slot in self.writer.given:
            return self.writer.given[e.slot]
        offset, slot = self.writer.slots[e.slot]
        null = slot.ty.optional or ("slot", self.writer.function, e.slot) in self.ctx.null
        if slot.ty.kind == "set":
            return self.writer.load_set(offset, self.writer.frame, self.ctx.layout.set_bits(slot.ty))
        is_list = slot.ty.kind == "list"
        held = self.body.hold(self.writer.frame + offset if is_list else mem32(self.writer.frame, offset))
        return self.ctx.typed((held,), slot.ty, null)

    def _x_Attr(self, e: m.Attr) -> Value:
        table = self.ctx.tables[e.table]
        if isinstance(e.of, m.Const) and 0 <= e.of.value < len(table.values) and table.ty.kind != "set":
            known = table.values[e.of.value]
            return constant(known) if isinstance(known, int) else self.lower.lists.constant(known)
        of = self.lower.value(e.of)
        if table.ty.kind == "list":
            return self._list_of(table, of)
        printed = self.ctx.found.printed(e.table)
        values = printed.values
        if table.ty.kind == "set":
            bits = max((v.bit_length() for v in values), default=0)
            count = words(bits)
            at = self.ctx.memory.sets(values, count)
            return self.lower.table(at, 8 * count, of).load_set(bits, False)
        at = self.ctx.memory.numbers(values)
        return self.lower.table(at, 4, of).load_number(printed.low, printed.high, printed.null)

    def _list_of(self, table: m.Table, of: Value) -> Value:
        """The list that is printed on something."""
        lists = [v for v in table.values if isinstance(v, tuple)]
        at = self.ctx.memory.numbers(self.lower.lists.constant(v).known for v in lists)
        low, high = self.ctx.bounds(table.ty)
        null = any(NONE in v for v in lists)
        found = self.lower.table(at, 4, of).load_number(0, INT_MAX)
        size = max(map(len, lists), default=0)
        result = Value((self.body.local(),), is_list=True, capacity=size, null=null, low=low, high=high)
        with self.writer.unless_null([of] if of.null else [], result):
            self.writer.assign(result, found)
        return result

    def _x_FieldGet(self, e: m.FieldGet) -> Value:
        declared = self.ctx.layout.field_of[e.field]
        place = self.ctx.layout.fields[e.field]
        ty = declared.ty
        address, width = self.lower.cell(place.at, place.strides, declared.index, e.index)
        if ty.kind == "list":
            found = self.ctx.typed((self.body.local(),), ty, ("field", e.field, 0) in self.ctx.null)
            return address.load_address(found)
        if ty.kind == "set":
            return address.load_set(self.ctx.layout.set_bits(ty), width <= SMALL_BITS)
        low, high = self.ctx.bounds(ty)
        return address.load_number(low, high, ty.optional)

    # -------------------------------------------------------------------------------------------------- arithmetic

    def _x_Arith(self, e: m.Arith) -> Value:
        a, b = self.lower.value(e.left), self.lower.value(e.right)
        nulls = [v for v in (a, b) if v.null]
        low, high = bounds(e.op, (a.low, a.high), (b.low, b.high))
        if low == high and not nulls and e.op not in DIVISIONS and abs(low) <= INT_MAX:
            return constant(low)
        result = Value((self.body.local(),), null=bool(nulls), low=max(low, -INT_MAX), high=min(high, INT_MAX))
        with self.writer.unless_null(nulls, result):
            match e.op:
                case "min" | "max":
                    is_first = a.term.le_s(b.term) if e.op == "min" else a.term.ge_s(b.term)
                    found = select(a.term, b.term, is_first)
                case "div_up" | "div_down":
                    found = self._divide(e.op == "div_up", a, b)
                case "mod":
                    found = self._modulo(a, b)
                case "add" | "sub" | "mul":
                    if known_within(self.ctx.log, Value(low=low, high=high), -INT_MAX, INT_MAX):
                        found = _ARITH[e.op](a.term, b.term)
                    else:
                        found = self._checked(_ARITH[e.op](a.term.extend_s(), b.term.extend_s()))
                case _:
                    assert_never(e.op)
            self.body.set(result.local, found)
        return result

    def _checked(self, wide: Term) -> Term:
        """A result of 64 bits as a number of 32, which must hold it."""

        def narrowed() -> Term:
            kept, number = self.body.locals(I64, I32)
            self.body.trap_if(number.tee(kept.tee(wide).wrap()).extend_s().ne(kept) | number.eq(NONE))
            return number

        return Emitted(I32, narrowed)

    def _divide(self, up: bool, a: Value, b: Value) -> Term:
        """The quotient, rounded up or down; stop if the divisor is 0."""
        if not known_not(self.ctx.log, b, 0):
            self.body.trap_if(b.term.eqz())
        quotient, left, signs = a.term.div_s(b.term), a.term.rem_s(b.term), a.term ^ b.term
        # Corrected by 1 if something is left over and the exact quotient lies on that side of the one rounded to 0.
        return quotient + (left.ne(0) & signs.ge_s(0)) if up else quotient - (left.ne(0) & signs.lt_s(0))

    def _modulo(self, a: Value, b: Value) -> Term:
        """The remainder, with the sign of the divisor; stop if that is 0."""
        if not known_not(self.ctx.log, b, 0):
            self.body.trap_if(b.term.eqz())
        left = self.body.local()
        # The divisor is added if something is left over that has the other sign.
        return left.tee(a.term.rem_s(b.term)) + select(b.term, 0, (left ^ b.term).lt_s(0) & left.ne(0))

    # ------------------------------------------------------------------------------------------------------ truths

    def _x_Cmp(self, e: m.Cmp) -> Value:
        a, b = self.lower.value(e.left), self.lower.value(e.right)
        found = _COMPARE[e.op](a.term, b.term)
        both_none = e.op == "eq" and b.null and not e.nothing
        if a.null and (both_none or e.op in ("lt", "le")):
            found = found & present([a])
        elif b.null and e.op in ("gt", "ge"):
            found = found & present([b])
        return self.writer.hold(found, 0, 1)

    def _x_And(self, e: m.And) -> Value:
        return self.lower.decide(e)

    def _x_Or(self, e: m.Or) -> Value:
        return self.lower.decide(e)

    def _x_Not(self, e: m.Not) -> Value:
        return self.lower.decide(e)

    def _x_IfElse(self, e: m.IfElse) -> Value:
        """Only the value that is needed is computed; then one of both is taken, as their locals are known only now."""
        truth = known_truth(self.writer, e.condition)
        if truth is not None:
            return self.lower.value(e.then if truth else e.otherwise)
        condition = self.lower.decide(e.condition).term
        with self.body.when(condition):
            a = self.lower.value(e.then)
        with self.body.otherwise():
            b = self.lower.value(e.otherwise)
        if a.is_set or b.is_set:
            a, b = self.writer.as_set(a), self.writer.as_set(b)
            bits, living = max(a.bits, b.bits), a.living and b.living
            return self.writer.wordwise(bits, (a, b), lambda one, other: select(one, other, condition), living)
        found = select(a.term, b.term, condition)
        if a.is_list:
            return self.lower.lists.joined(a, b, found)
        return self.writer.hold(found, min(a.low, b.low), max(a.high, b.high), a.null or b.null, a.living and b.living)

    def _x_LetIn(self, e: m.LetIn) -> Value:
        with self.sparse.let(e):
            return self.lower.value(e.body)

    def _x_CallQuery(self, e: m.CallQuery) -> Value:
        query, args = self.ctx.queries[e.query], self.sparse.arguments(e)
        for arg, slot in zip(args, query.params, strict=True):
            if slot.ty.kind == "set":
                self.body.push(*self.writer.words_of(self.writer.as_set(arg), self.ctx.layout.set_bits(slot.ty)))
            else:
                if arg.is_list:
                    self.lower.lists.trap_if_longer(arg, slot.ty.capacity)
                self.body.push(arg.term)
        self.body.call(self.ctx.query_number(e.query, earlier=self.writer.earlier))
        locals_ = tuple(self.body.locals(*self.ctx.types(query.ty)))
        self.body.take(*locals_)
        null = query.ty.optional or ("result", e.query, 0) in self.ctx.null
        result = self.ctx.typed(locals_, query.ty, null)
        # The next call of the query overwrites its list, or large set.
        if result.in_memory:
            copied = self.writer.allocate_set(result.bits, result.living)
            self.writer.assign(copied, result)
            return copied
        return self.lower.lists.copied(result) if result.is_list else result

    def _x_Fault(self, e: m.Fault) -> Value:
        self.body.trap_if(const(1))
        if e.ty.kind == "list":
            return self.writer.empty_list()
        return constant_set(0) if e.ty.kind == "set" else constant(0)

    def _x_Charged(self, e: m.Charged) -> Value:
        if e.each:
            v = self.lower.collection(e.of)
            v = v if v.is_list else self._settled(v)
            size = self.lower.lists.length(v) if v.is_list else self.writer.size(v)
            self.writer.pay_for_each(e, size)
            return v
        self.writer.pay_now(e.steps)
        if not e.all:
            return self.lower.value(e.of)
        left = self.body.hold(self.ctx.budget)
        self.body.set(self.ctx.budget, e.steps)
        found = self._settled(self.lower.value(e.of))
        self.body.set(self.ctx.budget, left)
        return found

    def _settled(self, v: Value) -> Value:
        """A value that is worked out by now."""
        if v.is_list:
            return self.lower.lists.copied(v)
        if not v.is_set:
            return self.writer.hold(v.term, v.low, v.high, v.null, v.living)
        made = self.writer.allocate_set(v.bits, v.living)
        self.writer.assign(made, v)
        return made

    def _x_Old(self, e: m.Old) -> Value:
        with self.writer.of_earlier_state():
            return replace(self.lower.value(e.of), living=False)
