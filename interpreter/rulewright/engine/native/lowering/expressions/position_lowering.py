"""Fingerprints of positions: a look at each word, see :mod:`rulewright.engine.cells.fingerprint`."""

from __future__ import annotations

from rulewright.engine.cells.fingerprint import LANES, Fingerprint
from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.values import Value, constant_set
from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.engine.native.word_sizes import cell_bytes
from rulewright.ir import model as m
from rulewright.ir.types import INT_MAX


class PositionLowering:
    """Questions about a position as a whole."""

    def __init__(self, x: ExpressionLowering) -> None:
        self.x, self.w, self.ctx, self.body = x, x.w, x.ctx, x.w.body

    def _x_Fingerprint(self, e: m.Fingerprint) -> Value:
        body, made = self.body, Fingerprint(self.ctx.layout, e.fields, e.zones)
        lanes = [body.local(Type.I64) for _ in LANES]
        for lane in lanes:
            body.i64(0)
            body.set(lane)
        self.w.charge(1 + made.size)
        word = body.local(Type.I64)
        for name, first in made.fields.items():
            self._add_cells(name, first, lanes, word)
        if made.instances:
            self._add_pieces(made, lanes, word)
        result = self.x.lists.new(2 * len(lanes), Value(low=0, high=INT_MAX))
        for lane in lanes:
            for shift in (0, 32):
                body.get(lane)
                body.i64(shift)
                body.op(Op.I64_SHR_U, Op.I32_WRAP_I64)
                body.i32(INT_MAX)
                body.op(Op.I32_AND)
                result.append(self.w.pop(0, INT_MAX))
        return result.finished()

    def _add(self, lanes: list[int], word: int, number: int) -> None:
        """Add a word, both it and its number in locals."""
        for lane, key in zip(lanes, LANES, strict=True):
            for local in (lane, word, number):
                self.body.get(local)
            self.body.i64(key)
            self.body.call(self.ctx.positions.added)
            self.body.set(lane)

    def _add_cells(self, name: str, first: int, lanes: list[int], word: int) -> None:
        """Add the words of a field that are not as they were at first."""
        body, memory, layout = self.body, self.ctx.memory, self.ctx.layout
        place, is_set = layout.fields[name], layout.field_of[name].ty.kind == "set"
        size = min(8, cell_bytes(layout.widths[place.at]))
        total = place.count * place.span * cell_bytes(layout.widths[place.at])
        begin = memory.cell_at[place.at] - memory.cells
        before = memory.constant(memory.initial[begin : begin + total])
        load = Op.I64_LOAD if size > 4 else Op.I64_LOAD32_U if is_set else Op.I64_LOAD32_S
        at, number = body.local(Type.I32), body.local(Type.I64)
        body.i32(0)
        body.set(at)
        with body.loop() as again:
            body.get(at)
            body.memory(load, self.x.cell_at(place.at))
            body.tee(word)
            body.get(at)
            body.memory(load, before)
            body.op(Op.I64_NE)
            with body.when():
                body.get(at)
                body.i32(size.bit_length() - 1)
                body.op(Op.I32_SHR_U)
                body.op(Op.I64_EXTEND_I32_U)
                body.i64(first)
                body.op(Op.I64_ADD)
                body.set(number)
                self._add(lanes, word, number)
            body.increase(at, size)
            body.get(at)
            body.i32(total)
            body.op(Op.I32_LT_U)
            body.branch_if(again)

    def _add_pieces(self, made: Fingerprint, lanes: list[int], word: int) -> None:
        """Add a word for each piece that lies in one of the zones."""
        body, memory, layout = self.body, self.ctx.memory, self.ctx.layout
        places = range(len(layout.instances))
        first = memory.numbers(made.instances.get(number, -1) for number in places)
        ordered = [number in made.instances and layout.instances[number].ordered for number in places]
        rows = memory.numbers(
            self.x.cell_at(i.at) if row else 0 for i, row in zip(layout.instances, ordered, strict=True)
        )
        alike = memory.numbers(number << 8 for number in layout.program.alike)
        number = body.local(Type.I64)
        self.w.charge(layout.pieces)
        with self.w.loop(constant_set((1 << layout.pieces) - 1), "*") as (piece, further, _):
            lies = self.x.table(self.x.cell_at(layout.loc), 4, piece).load_number(0, len(places) - 1)
            at = self.x.table(first, 4, lies).load_number(-1, made.size)
            self.w.push(at)
            body.i32(0)
            body.op(Op.I32_LT_S)
            body.branch_if(further)
            if any(ordered):
                row = self.x.table(rows, 4, lies).load_number(0, INT_MAX)
                self.w.push(row)
                with body.when():
                    self.w.push(at)
                    body.i32(1)
                    self.w.push(row)
                    self.w.push(piece)
                    body.call(self.ctx.lists.position)
                    body.op(Op.I32_ADD, Op.I32_ADD)
                    body.set(at.locals[0])
            self.w.push(at)
            body.op(Op.I64_EXTEND_I32_U)
            body.set(number)
            self.w.push(self.x.table(alike, 4, piece).load_number(0, INT_MAX))
            if layout.sided:
                self.w.push(self.x.table(self.x.cell_at(layout.side), 4, piece).load_number(0, 255))
                body.op(Op.I32_OR)
            body.op(Op.I64_EXTEND_I32_U)
            body.set(word)
            self._add(lanes, word, number)
