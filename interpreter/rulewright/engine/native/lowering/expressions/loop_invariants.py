"""Hoisting of loop invariants: what a loop does not change is worked out before it."""

from __future__ import annotations

from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.ir import model as m

_COSTLY = (m.CallQuery, m.Fold, m.Filter, m.Collect, m.Best, m.Component, m.Grown, m.ReachFrom, m.RegionsBeside)
"""Worth to be worked out before loops that they do not depend on."""
ARGUMENTS = (m.Local,)
"""Worth it as arguments of a query, for what that asks about them."""


def level_of(w: FunctionWriter, e: m.Expr, more: tuple[type, ...] = ()) -> int | None:
    """The number of the loops around that change an expression, if it is worth it and cannot be an error, so that it
    may stand before the others; else None. `more` kinds of expressions are worth it, too."""
    ctx = w.ctx
    if not w.depth or not isinstance(e, _COSTLY + more) or not ctx.log.makes("hoisting"):
        return None
    level = w.level(ctx.facts.free(e))
    if level >= w.depth or _gives_list(ctx.queries, e) or ctx.facts.fallible(e):
        return None
    return level


def _gives_list(queries: dict[str, m.QueryDef], e: m.Expr) -> bool:
    """True of an expression whose list lies in a buffer that is used again."""
    if isinstance(e, m.CallQuery):
        return queries[e.query].ty.kind == "list"
    return isinstance(e, m.Filter) and e.is_list
