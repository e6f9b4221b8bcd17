"""Every kind of expression that can be compiled, each known to one writer."""

from __future__ import annotations

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering, Kinds
from rulewright.engine.native.lowering.expressions.floods.flood_lowering import FloodLowering
from rulewright.engine.native.lowering.expressions.list_lowering import ListLowering
from rulewright.engine.native.lowering.expressions.maps.map_lowering import MapLowering
from rulewright.engine.native.lowering.expressions.maps.ray_lowering import RayLowering
from rulewright.engine.native.lowering.expressions.maps.region_lowering import RegionLowering
from rulewright.engine.native.lowering.expressions.scalar_lowering import ScalarLowering
from rulewright.engine.native.lowering.expressions.sets.fold_lowering import FoldLowering
from rulewright.engine.native.lowering.expressions.sets.set_lowering import SetLowering
from rulewright.engine.native.lowering.expressions.state.hypothetical_lowering import HypotheticalLowering
from rulewright.engine.native.lowering.expressions.state.position_lowering import PositionLowering
from rulewright.engine.native.lowering.expressions.state.zone_lowering import ZoneLowering
from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.ir import model as m

LOWERED: Kinds = {
    getattr(m, name.removeprefix("_x_")): (part, method)
    for part in (
        ScalarLowering,
        SetLowering,
        FoldLowering,
        ZoneLowering,
        MapLowering,
        FloodLowering,
        RayLowering,
        RegionLowering,
        ListLowering,
        PositionLowering,
        HypotheticalLowering,
    )
    for name, method in vars(part).items()
    if name.startswith("_x_")
}
"""For each kind of expression who writes it, and by which method."""


def expressions(writer: FunctionWriter) -> ExpressionLowering:
    """Writes expressions into a function."""
    return ExpressionLowering(writer, LOWERED)
