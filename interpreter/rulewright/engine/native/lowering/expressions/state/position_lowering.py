"""Fingerprints of positions, see :mod:`rulewright.engine.cells.fingerprint`: those of the fields, and of each piece."""

from __future__ import annotations

from rulewright.engine.cells.fingerprint import LANES, Fingerprint
from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.values import Value, constant_set
from rulewright.engine.native.webassembly.terms import I32, I64, Local, Stacked, Term, call, mem64
from rulewright.ir import model as m
from rulewright.ir.types import INT_MAX


class PositionLowering:
    """Questions about a position as a whole."""

    def __init__(self, lower: ExpressionLowering) -> None:
        self.lower, self.writer, self.ctx, self.body = lower, lower.writer, lower.ctx, lower.writer.body

    def _x_Fingerprint(self, e: m.Fingerprint) -> Value:
        made = Fingerprint(self.ctx.layout, e.fields, e.zones)
        lanes = self.body.locals(*(I64 for _ in LANES))
        known = self.ctx.positions.of_fields(made, self.writer.behind)
        self.body.call(known.update)
        for number, lane in enumerate(lanes):
            self.body.set(lane, mem64(0, known.lanes + 8 * number))
        if made.instances:
            self._add_pieces(made, lanes, self.body.local(I64))
        result = self.lower.lists.new(2 * len(lanes), Value(low=0, high=INT_MAX))
        for lane in lanes:
            for shift in (0, 32):
                result.append(self.writer.hold((lane >> shift).wrap() & INT_MAX, 0, INT_MAX))
        return result.finished()

    def _add_pieces(self, made: Fingerprint, lanes: list[Local], word: Local) -> None:
        """Add a word for each piece that lies in one of the zones."""
        body, memory, layout = self.body, self.ctx.memory, self.ctx.layout
        places = range(len(layout.instances))
        first = memory.numbers(made.instances.get(number, -1) for number in places)
        ordered = [number in made.instances and layout.instances[number].ordered for number in places]
        rows = memory.numbers(
            self.lower.cell_at(i.at) if row else 0 for i, row in zip(layout.instances, ordered, strict=True)
        )
        alike = memory.numbers(number << 8 for number in layout.program.alike)
        number = body.local(I32)
        with self.writer.loop(constant_set((1 << layout.pieces) - 1), "*") as (piece, further, _):
            lies = self.lower.table(self.lower.cell_at(layout.loc), 4, piece).load_number(0, len(places) - 1)
            at = self.lower.table(first, 4, lies).load_number(-1, made.size)
            body.branch_if(further, at.term.lt_s(0))
            if any(ordered):
                row = self.lower.table(rows, 4, lies).load_number(0, INT_MAX)
                with body.when(row.term):
                    position = call(self.ctx.lists.position, row.term, piece.term)
                    body.set(at.local, at.term + (1 + position))
            body.set(number, at.term)
            body.push(self.lower.table(alike, 4, piece).load_number(0, INT_MAX).term)
            colour: Term = Stacked()
            if layout.sided:
                body.push(self.lower.table(self.lower.cell_at(layout.side), 4, piece).load_number(0, 255).term)
                colour = colour | Stacked()
            body.set(word, colour.extend_u())
            for lane, key in zip(lanes, self.ctx.positions.keys(made.size, number), strict=True):
                body.set(lane, call(self.ctx.positions.added, lane, word, key, gives=I64))
