"""Facts about a zone without a look at its pieces: the only one, and how many lie in a stack or row."""

from __future__ import annotations

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.values import Value, present
from rulewright.engine.native.webassembly.terms import select
from rulewright.ir import model as m


def occupant(lower: ExpressionLowering, e: m.ZoneGet) -> Value:
    """The piece that lies in a zone whose occupants are kept; none if it is empty."""
    layout, memory = lower.ctx.layout, lower.ctx.memory
    kept, place = memory.occupants[e.zone], layout.zones[e.zone]
    lower.ctx.log.note("occupants")
    at = memory.occupants_at + kept.offset + lower.writer.behind
    found = lower.address(at, 4, e.index, place.strides, layout.zone_of[e.zone].index)
    return found.load_number(0, layout.pieces - 1, True)


def length(lower: ExpressionLowering, e: m.Expr) -> Value | None:
    """The number of pieces in a stack or row; None of anything else."""
    layout = lower.ctx.layout
    if not isinstance(e, m.ZoneGet) or not layout.zones[e.zone].ordered:
        return None
    place, declared = layout.zones[e.zone], layout.zone_of[e.zone]
    found = lower.cell(place.at, place.strides, declared.index, e.index)[0].load_number(0, declared.capacity)
    if not found.null:
        return found
    return lower.writer.hold(select(found.term, 0, present([found])), 0, declared.capacity)
