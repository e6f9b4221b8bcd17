"""Aggregates over the members of sets and lists: counts, sums, quantifiers.

A loop over a few known members is unrolled: each has its own code, of which most is evaluated when it is written.
"""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import replace
from typing import Literal, assert_never

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering, LoweringPart
from rulewright.engine.native.lowering.expressions.known_values import is_costly, known_members
from rulewright.engine.native.lowering.expressions.sets.mask_filters import MaskFilters
from rulewright.engine.native.lowering.expressions.sets.sparse_sets import SparseSets
from rulewright.engine.native.lowering.expressions.state_lowering import length, occupant
from rulewright.engine.native.values import Value, absent, constant
from rulewright.engine.native.webassembly.terms import I64, Local, Term, const
from rulewright.ir import model as m
from rulewright.ir.folds import of_nothing
from rulewright.ir.model import INT_MAX, NONE
from rulewright.ir.walk import conjuncts, nodes

MOST_CODE = 240
"""So many nodes of conditions are written for all members of a small set together."""


class Unrolling:
    """Writes loops over known members without a loop."""

    def __init__(self, lower: ExpressionLowering, filters: MaskFilters) -> None:
        self.lower, self.writer, self.ctx, self.body, self.filters = (
            lower,
            lower.writer,
            lower.ctx,
            lower.writer.body,
            filters,
        )

    def fits(self, source: Value, var: str, parts: list[m.Expr]) -> bool:
        """True if conditions are to be evaluated for each member of a set by itself: of what is the same for all of
        them a loop has one copy, which is worked out once."""
        if source.constant is None or not self.ctx.log.makes("unrolling"):
            return False
        if any(is_costly(self.ctx, node) and var not in self.ctx.facts.free(node) for node in nodes(tuple(parts))):
            return False
        return source.known.bit_count() * sum(self.ctx.optimizer.size.of(part) for part in parts) <= MOST_CODE

    def filter(self, source: Value, var: str, parts: list[m.Expr], result: Value) -> None:
        """Ask the conditions of each member."""
        self.ctx.log.note("unrolling")
        for member in range(source.known.bit_length()):
            if source.known >> member & 1:
                with self.writer.binding(var, constant(member)), self.body.block() as refused:
                    for part in parts:
                        self.lower.guard(part, refused)
                    self.writer.insert(result, constant(member))

    def pair(self, e: m.Fold) -> Value | None:
        """Truth of there being two members such that …, if the second is one of a few that are known, and for each of
        these the conditions can be had for all first ones at once."""
        if e.kind not in ("some", "no") or e.where is None or e.binds[0].is_list or not self.ctx.log.makes("unrolling"):
            return None
        (first, second), parts = e.binds, conjuncts(e.where)
        members = known_members(self.writer, second.source)
        if members is None or any(self.ctx.facts.fallible(part) for part in parts):
            return None
        for member in members:
            with self.writer.binding(second.var, constant(member)):
                if not self.filters.are_masks(parts, first.var):
                    return None
        self.ctx.log.note("unrolling")
        source, result = self.lower.set(first.source), self.body.local()
        with self.body.block() as done:
            for member in members:
                with self.writer.binding(second.var, constant(member)):
                    found, _ = self.filters.narrow(source, first.var, parts)
                self.body.branch_if(done, result.tee(self.writer.empty(found).eqz()))
        if e.kind == "some":
            return Value((result,), low=0, high=1)
        return self.writer.hold(result.eqz(), 0, 1)


class FoldLowering(LoweringPart):
    """Code for values over several members."""

    def __init__(self, lower: ExpressionLowering) -> None:
        super().__init__(lower)
        self.filters, self.sparse = MaskFilters(lower), SparseSets(lower)
        self.unrolling = Unrolling(lower, self.filters)

    def _x_Fold(self, e: m.Fold) -> Value:
        e = _without_exceptions(e)
        if len(e.binds) == 1 and e.kind in ("some", "no") and e.where is None:
            empty = self._is_empty(e.binds[0].source)
            return self.writer.hold(empty.eqz() if e.kind == "some" else empty, 0, 1)
        if len(e.binds) == 1 and (counted := self._counted(e)) is not None:
            return counted
        if len(e.binds) == 2 and (found := self.unrolling.pair(e)) is not None:
            return found
        result = self.body.hold(const(of_nothing(e.kind)))
        with self.body.block() as done, ExitStack() as stack:
            parts = conjuncts(e.where) if e.where is not None else []
            again = done
            for depth, bind in enumerate(e.binds):
                following = e.binds[depth + 1 :]
                ready: list[m.Expr] = []
                if not any(self.ctx.facts.fallible(b.source) for b in following):  # else an error would be passed over
                    ready, parts = self.ctx.facts.ready(parts, {b.var for b in following})
                source = self.sparse.collection(bind.source)
                if not source.is_list:
                    source, ready = self.filters.narrow(source, bind.var, ready)
                _, again, _ = stack.enter_context(self.lower.loop(source, bind.var))
                for part in ready:
                    self.lower.guard(part, again)
            low, high = self._body(e, result, again, done)
        return Value((result,), null=e.kind in ("max", "min"), low=low, high=high)

    def _is_empty(self, e: m.Expr) -> Term:
        """The truth of a set or list being empty; of some zones a number gives it."""
        if isinstance(e, m.ZoneGet) and e.zone in self.ctx.memory.occupants:
            return occupant(self.lower, e).term.eq(NONE)
        if (count := length(self.lower, e)) is not None:
            return count.term.eqz()
        found = self.sparse.collection(e)
        return self.lower.lists.length(found).eqz() if found.is_list else self.writer.empty(found)

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
        source = self.lower.collection(bind.source)
        if source.is_list:
            return None
        source, _ = self.filters.narrow(source, bind.var, parts)
        if e.kind == "count":
            return self.writer.hold(self.writer.size(source), 0, source.bits)
        empty = self.writer.empty(source)
        return self.writer.hold(empty.eqz() if e.kind == "some" else empty, 0, 1)

    def _body(self, e: m.Fold, result: Local, again: int, done: int) -> tuple[int, int]:
        """Write what an aggregate does for one combination; the bounds of its value."""
        body = self.body
        match e.kind:
            case "count":
                body.set(result, result + 1)
                return 0, INT_MAX
            case "some" | "no":
                body.set(result, int(e.kind == "some"))
                body.branch(done)
                return 0, 1
            case "every":
                assert e.body is not None
                self.lower.guard(e.body, again, True)
                body.set(result, 0)
                body.branch(done)
                return 0, 1
            case "sum" | "max" | "min":
                assert e.body is not None
                return self._extended(e.kind, self.lower.value(e.body), result, again)
            case _:
                assert_never(e.kind)

    def _extended(self, kind: Literal["sum", "max", "min"], v: Value, result: Local, again: int) -> tuple[int, int]:
        """Take one more value into a sum or an extreme."""
        body = self.body
        if v.null:
            body.branch_if(again, absent(v))
        if kind == "sum":
            wide = body.local(I64)
            sum_ = result.tee(wide.tee(result.extend_s() + v.term.extend_s()).wrap())
            body.trap_if(sum_.extend_s().ne(wide) | result.eq(NONE))
            return -INT_MAX, INT_MAX
        better = v.term.gt_s(result) if kind == "max" else v.term.lt_s(result) | result.eq(NONE)
        with body.when(better):
            body.set(result, v.term)
        return v.low, v.high


def _without_exceptions(e: m.Fold) -> m.Fold:
    """``every(x has not a or b)`` is ``every(x where a has b)``, and conditions can be evaluated for all members at
    once."""
    if e.kind != "every" or not isinstance(e.body, m.Or):
        return e
    if not e.body.items:
        return e
    *exceptions, last = e.body.items
    conditions = (one.operand if isinstance(one, m.Not) else m.Not(one) for one in exceptions)
    return replace(e, where=m.And((*(conjuncts(e.where) if e.where is not None else ()), *conditions)), body=last)
