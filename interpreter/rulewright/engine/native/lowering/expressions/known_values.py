"""Values that expressions are known to have while code is written for them."""

from __future__ import annotations

from functools import partial

from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.ir import model as m
from rulewright.ir.evaluation import Impossible, known
from rulewright.ir.model import NONE

MOST = 8
"""So many members a set has at most of which each is looked at."""


_FOLLOWED = (m.And, m.Arith, m.Attr, m.Cmp, m.Const, m.IfElse, m.Not, m.Or)
"""Expressions whose parts are looked at: all else is folded before, or known to nobody."""


def known_number(writer: FunctionWriter, e: m.Expr) -> int | None:
    """The number or truth that an expression is known to be now."""
    if isinstance(e, m.Var):
        bound = writer.env.get(e.name)
        return None if bound is None or bound.is_set or bound.is_list else bound.constant
    if not isinstance(e, _FOLLOWED):
        return None
    try:
        value = known(e, partial(known_number, writer), writer.ctx.tables, writer.ctx.facts.fallible)
    except Impossible:  # it is an error when somebody comes to it
        return None
    return value if isinstance(value, int) else None


def known_truth(writer: FunctionWriter, e: m.Expr) -> bool | None:
    """The truth that a condition is known to have now."""
    value = known_number(writer, e)
    return None if value is None else value not in (0, NONE)


def _size(writer: FunctionWriter, universe: str) -> int | None:
    """The number of members of a universe; none if it can change who belongs to it."""
    layout = writer.ctx.layout
    if universe == "Player" or universe in layout.merged:
        return None
    return 2 if universe == "Bool" else layout.sizes[universe]


def known_members(writer: FunctionWriter, e: m.Expr) -> tuple[int, ...] | None:
    """The few members of a collection that are known now."""
    match e:
        case m.Alive(universe) if (size := _size(writer, universe)) is not None:
            return tuple(range(size)) if size <= MOST else None
        case m.IntRange():
            low, high = known_number(writer, e.low), known_number(writer, e.high)
            known = low is not None and high is not None and high - low < MOST
            return tuple(range(low, high + 1)) if known and low is not None and high is not None else None
        case m.MakeSet(items):
            found = {known_number(writer, item) for item in items}
            known = None not in found and NONE not in found and len(found) <= MOST
            return tuple(sorted(item for item in found if item is not None)) if known else None
        case _:
            return None
