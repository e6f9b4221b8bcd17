"""Code for every expression: each kind is known to one of four writers."""

from __future__ import annotations

from rulewright.engine.codegen.expressions.expression_writer import ExpressionWriter, Kinds
from rulewright.engine.codegen.expressions.hypothetical_code import HypotheticalCode
from rulewright.engine.codegen.expressions.map_code import MapCode
from rulewright.engine.codegen.expressions.position_code import PositionCode
from rulewright.engine.codegen.expressions.scalar_code import ScalarCode
from rulewright.engine.codegen.expressions.set_code import SetCode
from rulewright.engine.codegen.expressions.zone_code import ZoneCode
from rulewright.engine.codegen.statement_writer import Writer
from rulewright.ir import model as m

WRITTEN: Kinds = {
    getattr(m, name.removeprefix("_x_")): (part, method)
    for part in (ScalarCode, SetCode, ZoneCode, MapCode, PositionCode, HypotheticalCode)
    for name, method in vars(part).items()
    if name.startswith("_x_")
}
"""For each kind of expression who writes it, and by which method."""


def expressions(w: Writer) -> ExpressionWriter:
    """Writes any expression into a function."""
    return ExpressionWriter(w, WRITTEN)
