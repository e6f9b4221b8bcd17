"""Levels: the best by a printed value are those in the first of some known sets that has any, one for each value."""

from __future__ import annotations

from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.value_sets import FEW
from rulewright.engine.native.values import Value, constant_set
from rulewright.engine.native.webassembly.encoding import Op
from rulewright.ir import model as m
from rulewright.ir.model import NONE


def levels(ctx: LoweringContext, e: m.Best) -> list[int]:
    """The members with each of a few printed keys, the highest first; none if the keys are no such."""
    match e.key:
        case m.Attr(name, m.Var(var)) if var == e.var and ctx.tables[name].ty.kind not in ("set", "list"):
            found: dict[int, int] = {}
            for member, value in enumerate(ctx.tables[name].values):
                if isinstance(value, int) and value != NONE:
                    found[value] = found.get(value, 0) | 1 << member
            if len(found) <= FEW and ctx.log.makes("levels"):
                return [found[value] for value in sorted(found, reverse=True)]
    return []


def highest(w: FunctionWriter, source: Value, ordered: list[int]) -> Value:
    """Those members of a set that are in the first of some sets that has any."""
    w.ctx.log.note("levels")
    body, result = w.body, w.allocate_set(source.bits, source.living)
    with body.block() as done:
        for level in ordered:
            w.wordwise(source.bits, (source, constant_set(level)), lambda: body.op(Op.I64_AND), into=result)
            w.push_empty(result)
            body.op(Op.I32_EQZ)
            body.branch_if(done)
    return result
