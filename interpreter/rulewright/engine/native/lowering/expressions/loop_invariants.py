"""Hoisting of loop invariants: what a loop does not change is worked out once, before it or when it is first asked."""

from __future__ import annotations

from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.ir import model as m

_COSTLY = (
    *(m.CallQuery, m.Fold, m.Filter, m.Collect, m.Best, m.Closure, m.Component, m.Fingerprint, m.Grown, m.ReachFrom),
    *(m.Reaches, m.RegionsBeside, m.Occurrences),
)
"""Worth to be worked out before loops that they do not depend on."""
CHEAP = 12
"""So many nodes has what is worked out before a loop in any case."""


def is_costly(ctx: LoweringContext, e: m.Expr) -> bool:
    """True of what is worth to be worked out before loops that it does not depend on, as are the bodies of queries."""
    while isinstance(e, m.LetIn):
        if ctx.optimizer.origin(e):
            return True
        e = e.body
    return isinstance(e, _COSTLY) or bool(ctx.optimizer.origin(e))


def is_lazy(ctx: LoweringContext, e: m.Expr) -> bool:
    """True of what is worked out when it is asked for the first time, as perhaps nobody does, or as it is an error."""
    return not isinstance(e, m.Local) and (ctx.optimizer.size.of(e) > CHEAP or ctx.facts.fallible(e))


def level_of(writer: FunctionWriter, e: m.Expr) -> int | None:
    """The number of the loops around that change an expression, if it is worth it; else None."""
    ctx = writer.ctx
    if not writer.depth or not (isinstance(e, m.Local) or is_costly(ctx, e)) or not ctx.log.makes("hoisting"):
        return None
    if ctx.facts.pays(e):
        return None
    level = writer.level(ctx.facts.free(e))
    return None if level >= writer.depth or _gives_list(ctx.queries, e) else level


def _gives_list(queries: dict[str, m.QueryDef], e: m.Expr) -> bool:
    """True of an expression whose list lies in a buffer that is used again."""
    if isinstance(e, m.CallQuery):
        return queries[e.query].ty.kind == "list"
    return isinstance(e, m.Filter) and e.is_list
