"""Values that expressions are known to have while code is written for them."""

from __future__ import annotations

from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.ir import model as m
from rulewright.ir.model import NONE

MOST = 8
"""So many members a set has at most of which each is looked at."""


def known_number(writer: FunctionWriter, e: m.Expr) -> int | None:
    """The number that an expression is known to be now."""
    if isinstance(e, m.Var):
        known = writer.env.get(e.name)
        return None if known is None or known.is_set or known.is_list else known.constant
    return e.value if isinstance(e, m.Const) else None


def known_truth(writer: FunctionWriter, e: m.Expr) -> bool | None:
    """The truth that a condition is known to have now."""
    match e:
        case m.Cmp("eq" | "ne") if (left := known_number(writer, e.left)) is not None:
            right = known_number(writer, e.right)
            return None if right is None or NONE in (left, right) else (left == right) is (e.op == "eq")
        case m.Not():
            truth = known_truth(writer, e.operand)
            return None if truth is None else not truth
        case m.And(items) | m.Or(items):
            return _known_in_turn(writer, items, isinstance(e, m.Or))
        case _:
            return None


def _known_in_turn(writer: FunctionWriter, items: tuple[m.Expr, ...], decides: bool) -> bool | None:
    """The truth of conditions that are asked until one has the truth that decides; none may be an error before it."""
    found: bool | None = not decides
    for item in items:
        truth = known_truth(writer, item)
        if truth is decides:
            return decides
        if truth is None:
            found = None
            if writer.ctx.facts.fallible(item):
                break
    return found


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
