"""Code for fingerprints of positions."""

from __future__ import annotations

from rulewright.engine.cells.fingerprint import Fingerprint
from rulewright.engine.codegen.expressions.expression_writer import ExpressionWriter
from rulewright.engine.codegen.value_ranges import V, listed
from rulewright.ir import model as m


class PositionCode:
    """Questions about a position as a whole."""

    def __init__(self, x: ExpressionWriter) -> None:
        self.x, self.w, self.ctx = x, x.w, x.ctx

    def _x_Fingerprint(self, e: m.Fingerprint) -> V:
        made = Fingerprint(self.ctx.layout, e.fields, e.zones)
        name = self.ctx.given(("fingerprint", e.fields, e.zones), "F", made)
        return self.w.hold(listed(f"{name}({self.w.cells})", m.FINGERPRINT))
