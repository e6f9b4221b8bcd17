"""Candidates in the order in which they lie, where their faces may be hidden.

The canonical order of pieces is that of their names and numbers: options in it would tell of a piece that lies face
down which one it is. So what is chosen from a row or stack whose faces are not open to all is a list.
"""

from __future__ import annotations

from rulewright.compiler.lowering.expressions.comprehensions import Bound
from rulewright.compiler.lowering.lowering_context import LoweringContext
from rulewright.compiler.symbols.open_audiences import is_open
from rulewright.ir import model as m


def in_their_order(bound: Bound, context: LoweringContext) -> Bound:
    """A binder over the same candidates, as a list where these are out of a row or stack that hides faces."""
    if bound.is_list or bound.type.universe != "Piece":
        return bound
    listed = _listed(bound.source, context)
    return bound if listed is None else bound._replace(source=listed, is_list=True)


def _listed(e: m.Expr, context: LoweringContext) -> m.Expr | None:
    """The members of a set as a list in their order; none if they have none, or all see them."""
    match e:
        case m.ZoneGet(zone, index) if _hides_order(zone, context):
            return m.ZoneList(zone, index)
        case m.Filter(source, var, where, False) if (listed := _listed(source, context)) is not None:
            return m.Filter(listed, var, where, is_list=True)
        case m.SetOp("inter" | "minus", left, right) if (listed := _listed(left, context)) is not None:
            var = context.fresh("lying")
            among: m.Expr = m.Contains(right, m.Var(var))
            return m.Filter(listed, var, among if e.op == "inter" else m.Not(among), is_list=True)
    return None


def _hides_order(name: str, context: LoweringContext) -> bool:
    zone = context.world.zones[name]
    return zone.order in ("row", "stack") and not is_open(context.world, name)


__all__ = ["in_their_order"]
