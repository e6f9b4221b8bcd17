"""Conditions of ends and consequences: one that was false is asked for only when it could have become true.

That it holds for nobody is kept as the result of a query is, until an instruction writes something that it reads,
about pieces that it asks about (:mod:`rulewright.ir.dataflow.piece_effects`).
"""

from __future__ import annotations

from collections.abc import Callable

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.values import Value
from rulewright.engine.native.webassembly.terms import mem64
from rulewright.ir import model as m
from rulewright.ir.dataflow.memoized_queries import condition_set_by
from rulewright.ir.model import NONE


class ConditionLowering:
    """Writes the instructions that find out for whom a condition holds."""

    def __init__(self, lower: ExpressionLowering, store: Callable[[int, Value], None]) -> None:
        """`store` stores a value in a slot."""
        self._lower, self._store = lower, store

    def write(self, i: m.SetLocal) -> bool:
        """Write an instruction; False if it is no such one, or its result is not kept."""
        writer, ctx, body = self._lower.writer, self._lower.ctx, self._lower.writer.body
        table = ctx.memos.find(condition_set_by(ctx.program.functions[ctx.functions[writer.function]], i))
        if table is None:
            return False
        ctx.log.note("conditions")
        pays = ctx.facts.pays(i.value)
        with table.when_valid(body) as row:
            if pays and table.cost is not None:
                writer.pay_now(mem64(row, table.cost))
            self._store(i.slot, Value(known=NONE))
        with body.otherwise():
            left = body.hold(ctx.budget) if pays else ctx.budget
            v = self._lower.value(i.value)
            self._store(i.slot, v)
            with body.when(v.term.eq(NONE)):
                if pays:
                    table.keep_cost(body, row, left - ctx.budget)
                table.mark_valid(body, row)
        return True


__all__ = ["ConditionLowering"]
