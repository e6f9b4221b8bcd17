"""Code for conditions of ends and consequences: one that was false is asked for only when it could have become true."""

from __future__ import annotations

from collections.abc import Callable

from rulewright.engine.codegen.expressions.expression_writer import ExpressionWriter
from rulewright.engine.codegen.memoization import REGISTER as MEMORY
from rulewright.engine.codegen.value_ranges import V
from rulewright.engine.meter import LEFT
from rulewright.ir import model as m
from rulewright.ir.dataflow.memoized_queries import condition_set_by
from rulewright.ir.model import NONE


def find_out(x: ExpressionWriter, i: m.SetLocal, store: Callable[[int, V], None]) -> bool:
    """Write an instruction that finds out for whom a condition holds; False if it is no such one, or its result is not
    remembered."""
    w, ctx = x.w, x.ctx
    known = ctx.remembered.numbers.get(condition_set_by(ctx.program.functions[ctx.functions[w.function]], i))
    if known is None:
        return False
    w.line(f"m = R[{MEMORY}]")
    w.line("if m[0] is not C: forget(m, C)")
    w.line(f"m = m[{known}]")
    pays, before = ctx.facts.pays(i.value), w.temp()
    with w.inside("if m:"):  # it held for nobody, and nothing that it reads has changed since
        if pays:
            w.pay("m[0]")
        store(i.slot, V(str(NONE), "n", True))
    with w.inside("else:"):
        if pays:
            w.line(f"{before} = {LEFT}")
        found = w.hold(x.value(i.value))
        store(i.slot, found)
        w.line(f"if {found.code} == {NONE}: m[0] = {f'{before} - ({LEFT})' if pays else True}")
    return True


__all__ = ["find_out"]
