"""Every kind of expression that can be compiled, each known to one writer."""

from __future__ import annotations

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering, Kinds
from rulewright.engine.native.lowering.expressions.flood_lowering import FloodLowering
from rulewright.engine.native.lowering.expressions.map_lowering import MapLowering, RayLowering, RegionLowering
from rulewright.engine.native.lowering.expressions.scalar_lowering import ScalarLowering
from rulewright.engine.native.lowering.expressions.sets.fold_lowering import FoldLowering
from rulewright.engine.native.lowering.expressions.sets.set_lowering import ListLowering, SetLowering
from rulewright.engine.native.lowering.expressions.state_lowering import (
    PositionLowering,
    WhatIfLowering,
    ZoneLowering,
)
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
        WhatIfLowering,
    )
    for name, method in vars(part).items()
    if name.startswith("_x_")
}
"""For each kind of expression who writes it, and by which method."""


def expressions(writer: FunctionWriter) -> ExpressionLowering:
    """Writes expressions into a function."""
    return ExpressionLowering(writer, LOWERED)
