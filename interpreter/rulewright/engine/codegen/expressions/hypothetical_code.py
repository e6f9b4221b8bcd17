"""Code for what is asked of a hypothetical position: an effect runs on a copy of the cells, which is asked then."""

from __future__ import annotations

from rulewright.engine.codegen.expressions.call_frames import frame_code
from rulewright.engine.codegen.expressions.expression_writer import ExpressionWriter
from rulewright.engine.codegen.value_ranges import V
from rulewright.engine.meter import BUDGET
from rulewright.ir import model as m


class HypotheticalCode:
    """Questions about the position after a function."""

    def __init__(self, x: ExpressionWriter) -> None:
        self.x, self.w, self.ctx = x, x.w, x.ctx

    def _x_After(self, e: m.After) -> V:
        cells, registers = self.w.temp(), self.w.temp()
        frame = frame_code(self.x, e.function, e.args, "0")
        entry = f"n{self.ctx.functions[e.function]}_0"
        self.w.line(f"{cells}, {registers} = hypothetical({self.w.cells}, R, {entry}, {frame})")
        found = self.x.outline(e.of, (cells, registers))
        self.w.line(f"R[{BUDGET}] = {registers}[{BUDGET}]")
        return found
