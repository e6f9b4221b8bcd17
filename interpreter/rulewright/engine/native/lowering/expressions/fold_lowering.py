"""Aggregates over the members of sets and lists: counts, sums, quantifiers."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import Literal, assert_never

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.lowering.expressions.mask_filters import MaskFilters
from rulewright.engine.native.lowering.expressions.sparse_sets import SparseSets
from rulewright.engine.native.lowering.expressions.unrolling import Unrolling
from rulewright.engine.native.values import Value
from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.ir import model as m
from rulewright.ir.conditions import conjuncts
from rulewright.ir.folds import of_nothing
from rulewright.ir.model import INT_MAX, NONE


class FoldLowering:
    """Everything that is worked out over several members."""

    def __init__(self, x: ExpressionLowering) -> None:
        self.x, self.w, self.ctx, self.body = x, x.w, x.ctx, x.w.body
        self.filters, self.sparse = MaskFilters(x), SparseSets(x)
        self.unrolling = Unrolling(x, self.filters)

    def _x_Fold(self, e: m.Fold) -> Value:
        e = _without_exceptions(e)
        if len(e.binds) == 1 and (counted := self._counted(e)) is not None:
            return counted
        if len(e.binds) == 2 and (found := self.unrolling.pair(e)) is not None:
            return found
        result = self.body.local(Type.I32)
        self.body.i32(of_nothing(e.kind))
        self.body.set(result)
        with self.body.block() as done, ExitStack() as stack:
            parts = conjuncts(e.where) if e.where is not None else []
            again = done
            for depth, bind in enumerate(e.binds):
                following = e.binds[depth + 1 :]
                ready: list[m.Expr] = []
                if not any(self.ctx.facts.fallible(b.source) for b in following):  # else an error would be passed over
                    ready, parts = self._ready(parts, {b.var for b in following})
                source = self.sparse.collection(bind.source)
                if not source.is_list:
                    source, ready = self.filters.narrow(source, bind.var, ready)
                _, again, _ = stack.enter_context(self.x.loop(source, bind.var))
                for part in ready:
                    self.x.guard(part, again)
            low, high = self._body(e, result, again, done)
        return Value((result,), null=e.kind in ("max", "min"), low=low, high=high)

    def _counted(self, e: m.Fold) -> Value | None:
        """An aggregate over one set that needs no loop: the conditions can be had for all members at once."""
        bind = e.binds[0]
        if bind.is_list or self.sparse.is_sparse(bind.source):
            return None
        parts = conjuncts(e.where) if e.where is not None else []
        if e.kind == "every":
            assert e.body is not None
            parts = [*parts, m.Not(e.body)]
        elif e.kind not in ("count", "some", "no"):
            return None
        if any(self.ctx.facts.fallible(part) for part in parts) or not self.filters.are_masks(parts, bind.var):
            return None
        source = self.x.collection(bind.source)
        if source.is_list:
            return None
        source, _ = self.filters.narrow(source, bind.var, parts)
        if e.kind == "count":
            self.w.push_size(source)
            return self.w.pop(0, source.bits)
        self.w.push_empty(source)
        if e.kind == "some":
            self.body.op(Op.I32_EQZ)
        return self.w.pop(0, 1)

    def _ready(self, parts: list[m.Expr], missing: set[str]) -> tuple[list[m.Expr], list[m.Expr]]:
        """The conditions that can be asked before some variables are bound, and the others (errors stay in order)."""
        here: list[m.Expr] = []
        for number, part in enumerate(parts):
            if missing and (self.ctx.facts.fallible(part) or self.ctx.facts.free(part) & missing):
                return here, parts[number:]
            here.append(part)
        return here, []

    def _body(self, e: m.Fold, result: int, again: int, done: int) -> tuple[int, int]:
        """Write what an aggregate does for one combination; the bounds of its value."""
        body = self.body
        match e.kind:
            case "count":
                body.increase(result, 1)
                return 0, INT_MAX
            case "some" | "no":
                body.i32(int(e.kind == "some"))
                body.set(result)
                body.branch(done)
                return 0, 1
            case "every":
                assert e.body is not None
                self.x.guard(e.body, again, True)
                body.i32(0)
                body.set(result)
                body.branch(done)
                return 0, 1
            case "sum" | "max" | "min":
                assert e.body is not None
                return self._extended(e.kind, self.x.value(e.body), result, again)
            case _:
                assert_never(e.kind)

    def _extended(self, kind: Literal["sum", "max", "min"], v: Value, result: int, again: int) -> tuple[int, int]:
        """Take one more value into a sum or an extreme."""
        body = self.body
        if v.null:
            self.w.push_present([v])
            body.op(Op.I32_EQZ)
            body.branch_if(again)
        if kind == "sum":
            wide = body.local(Type.I64)
            body.get(result)
            body.op(Op.I64_EXTEND_I32_S)
            self.w.push(v)
            body.op(Op.I64_EXTEND_I32_S, Op.I64_ADD)
            body.tee(wide)
            body.op(Op.I32_WRAP_I64)
            body.tee(result)
            body.op(Op.I64_EXTEND_I32_S)
            body.get(wide)
            body.op(Op.I64_NE)
            body.get(result)
            body.i32(NONE)
            body.op(Op.I32_EQ, Op.I32_OR)
            self.w.trap_if()
            return -INT_MAX, INT_MAX
        self.w.push(v)
        body.get(result)
        body.op(Op.I32_GT_S if kind == "max" else Op.I32_LT_S)
        if kind == "min":
            body.get(result)
            body.i32(NONE)
            body.op(Op.I32_EQ, Op.I32_OR)
        with body.when():
            self.w.push(v)
            body.set(result)
        return v.low, v.high


def _without_exceptions(e: m.Fold) -> m.Fold:
    """``every(x has not a or b)`` is ``every(x where a has b)``, and conditions can be asked of all members at once."""
    if e.kind != "every" or not isinstance(e.body, m.Or):
        return e
    if not e.body.items:
        return e
    *exceptions, last = e.body.items
    asked = (one.operand if isinstance(one, m.Not) else m.Not(one) for one in exceptions)
    return replace(e, where=m.And((*(conjuncts(e.where) if e.where is not None else ()), *asked)), body=last)
