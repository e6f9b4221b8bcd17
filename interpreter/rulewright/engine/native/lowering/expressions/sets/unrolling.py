"""Unrolling: each of a few known members has its own code, of which most is worked out when it is written."""

from __future__ import annotations

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.lowering.expressions.known_values import known_members
from rulewright.engine.native.lowering.expressions.loop_invariants import is_costly
from rulewright.engine.native.lowering.expressions.sets.mask_filters import MaskFilters
from rulewright.engine.native.values import Value, constant
from rulewright.ir import model as m
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
        """True if conditions are to be asked of each member of a set by itself: of what is the same for all of them a
        loop has one copy, which is worked out once."""
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
