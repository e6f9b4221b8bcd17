"""Facts about a zone without a look at its pieces: the only one, and how many lie in a stack or row."""

from __future__ import annotations

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.values import Value, present
from rulewright.engine.native.webassembly.terms import select
from rulewright.ir import model as m


def occupant(x: ExpressionLowering, e: m.ZoneGet) -> Value:
    """The piece that lies in a zone whose occupants are kept; none if it is empty."""
    layout, memory = x.ctx.layout, x.ctx.memory
    kept, place = memory.occupants[e.zone], layout.zones[e.zone]
    x.ctx.log.note("occupants")
    at = memory.occupants_at + kept.offset + x.w.behind
    found = x.address(at, 4, e.index, place.strides, layout.zone_of[e.zone].index)
    return found.load_number(0, layout.pieces - 1, True)


def length(x: ExpressionLowering, e: m.ZoneGet) -> Value:
    """The number of pieces in a stack or row."""
    layout = x.ctx.layout
    place, declared = layout.zones[e.zone], layout.zone_of[e.zone]
    found = x.cell(place.at, place.strides, declared.index, e.index)[0].load_number(0, declared.capacity)
    if not found.null:
        return found
    return x.w.hold(select(found.term, 0, present([found])), 0, declared.capacity)


def is_row(x: ExpressionLowering, e: m.Expr) -> bool:
    """True of the pieces in a stack or row."""
    return isinstance(e, m.ZoneGet) and x.ctx.layout.zones[e.zone].ordered and x.ctx.log.makes("emptiness")
