"""Conditions on members as sets: what holds for which members at once, without a loop."""

from __future__ import annotations

from rulewright.engine.native.lowering.expressions.expression_lowering import Address, ExpressionLowering
from rulewright.engine.native.lowering.function_writer import MASK
from rulewright.engine.native.value_sets import FEW
from rulewright.engine.native.values import Value, constant_set
from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.engine.native.word_sizes import words
from rulewright.ir import model as m
from rulewright.ir.model import NONE

Masked = tuple[Value, bool]
"""A set, and True if the condition holds for all that are not in it."""


class MaskFilters:
    """Takes conditions out of loops where they can be had for the whole set."""

    def __init__(self, x: ExpressionLowering) -> None:
        self.x, self.w, self.ctx, self.body = x, x.w, x.ctx, x.w.body

    def narrow(self, source: Value, var: str, parts: list[m.Expr]) -> tuple[Value, list[m.Expr]]:
        """The source with as many conditions as possible done at once, and the conditions left (errors in order)."""
        rest: list[m.Expr] = []
        for number, part in enumerate(parts):
            if self.ctx.facts.fallible(part):
                return source, [*rest, *parts[number:]]
            masked = self.mask(part, var)
            if masked is None:
                rest.append(part)
            else:
                source = self.combine(source, *masked)
        return source, rest

    def combine(self, source: Value, mask: Value, others: bool) -> Value:
        """The members of a set that are in another one, or those that are not."""
        bits = source.bits if others else min(source.bits, mask.bits)
        locals_ = []
        for number in range(words(bits)):
            self.w.push_word(source, number)
            self.w.push_word(mask, number)
            if others:
                self.body.i64(MASK)
                self.body.op(Op.I64_XOR)
            self.body.op(Op.I64_AND)
            locals_.append(self.body.local(Type.I64))
            self.body.set(locals_[-1])
        return Value(tuple(locals_), is_set=True, bits=bits, living=source.living)

    def are_masks(self, parts: list[m.Expr], var: str) -> bool:
        """True if all of some conditions can be had at once."""
        return all(self._is_mask(part, var) for part in parts)

    def _is_mask(self, part: m.Expr, var: str) -> bool:
        free = self.ctx.facts.free
        match part:
            case m.Not():
                return self._is_mask(part.operand, var)
            case m.Contains(_, m.Var(name), False):
                return name == var and var not in free(part.collection)
            case m.Cmp() if part.op in ("eq", "ne"):
                left, right = self._sides(part, var)
                if var in free(right):
                    return False
                match left:
                    case m.FieldGet(field, (m.Var(name),)):
                        return name == var and field in self.ctx.memory.value_sets
                    case m.Attr(table, m.Var(name)):
                        return name == var and self._few(table)
        return False

    def _sides(self, e: m.Cmp, var: str) -> tuple[m.Expr, m.Expr]:
        """The side of a comparison that depends on a member, and the other one."""
        return (e.right, e.left) if var in self.ctx.facts.free(e.right) else (e.left, e.right)

    def _few(self, table: str) -> bool:
        """True if something printed has few values."""
        declared = self.ctx.tables[table]
        known = [v for v in declared.values if isinstance(v, int) and v != NONE]
        return declared.ty.kind not in ("set", "list") and bool(known) and max(known) - min(known) < 4 * FEW

    def mask(self, part: m.Expr, var: str) -> Masked | None:
        """The members for which a condition holds; None if a loop must ask them."""
        if not self._is_mask(part, var):
            return None
        match part:
            case m.Not():
                inner, others = self.mask(part.operand, var) or (constant_set(0), False)
                return inner, not others
            case m.Contains():
                return self.x.set(part.collection), False
            case m.Cmp():
                left, right = self._sides(part, var)
                return self._equal(left, right, part.nothing or part.op == "ne"), part.op == "ne"
        return None

    def _equal(self, left: m.Expr, right: m.Expr, nothing: bool) -> Value:
        """The members for which the left side is the right one, which does not depend on them; with `nothing` none is
        equal to none.
        """
        if isinstance(left, m.Attr):
            return self._printed(left.table, right, nothing)
        assert isinstance(left, m.FieldGet)
        sets = self.ctx.memory.value_sets[left.field]
        at = self.ctx.memory.sets_at + sets.offset
        return self._of(at, sets.low, sets.high, sets.keys, self.x.value(right), nothing)

    def _printed(self, table: str, right: m.Expr, nothing: bool) -> Value:
        """The members with a printed value."""
        values = [v for v in self.ctx.tables[table].values if isinstance(v, int)]
        known = [v for v in values if v != NONE]
        low, high = min(known), max(known)
        found = [0] * (high - low + 3)
        for member, value in enumerate(values):
            found[0 if value == NONE else value - low + 1] |= 1 << member
        v = self.x.value(right)
        if v.constant is not None:
            if v.known == NONE:
                return constant_set(found[0] if nothing else 0)
            return constant_set(found[v.known - low + 1] if low <= v.known <= high else 0)
        at = self.ctx.memory.sets(found, words(len(values)))
        return self._of(at, low, high, len(values), v, nothing)

    def _of(self, at: int, low: int, high: int, keys: int, v: Value, nothing: bool) -> Value:
        """The set of a value among sets that begin with that of none and end with an empty one."""
        span, empty = 8 * words(keys), high - low + 2
        none = 0 if nothing else empty
        if v.constant is not None:
            slot = none if v.known == NONE else v.known - low + 1 if low <= v.known <= high else empty
            return Address(self.w, at + slot * span, [], []).refer_to_set(keys)
        return self._looked_up(at, span, keys, v, low, high, none, empty)

    def _looked_up(self, at: int, span: int, keys: int, v: Value, low: int, high: int, none: int, empty: int) -> Value:
        """The set of a value that is not known now."""
        slot = self.body.local(Type.I32)
        self.w.push(v)
        self.body.i32(low - 1)
        self.body.op(Op.I32_SUB)
        self.body.set(slot)
        if v.low < low or v.high > high:
            self.body.get(slot)
            self.body.i32(empty)
            self.body.get(slot)
            self.body.i32(empty)
            self.body.op(Op.I32_LT_U)
            self.body.get(slot)
            self.body.i32(0)
            self.body.op(Op.I32_NE, Op.I32_AND, Op.SELECT)
            self.body.set(slot)
        if v.null:
            self.body.get(slot)
            self.body.i32(none)
            self.w.push_present([v])
            self.body.op(Op.SELECT)
            self.body.set(slot)
        key = Value((slot,), low=0, high=empty)
        return Address(self.w, at, [(key, span)], []).refer_to_set(keys)
