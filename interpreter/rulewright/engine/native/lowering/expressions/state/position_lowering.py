"""Fingerprints of positions: a look at each word, see :mod:`rulewright.engine.cells.fingerprint`."""

from __future__ import annotations

from struct import pack

from rulewright.engine.cells.fingerprint import LANES, Fingerprint, key_of
from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.values import Value, constant_set
from rulewright.engine.native.webassembly.encoding import Op
from rulewright.engine.native.webassembly.terms import I32, I64, Local, Stacked, Term, call, const, mem64
from rulewright.engine.native.word_sizes import cell_bytes
from rulewright.ir import model as m
from rulewright.ir.types import INT_MAX

MOST_KEYS = 1 << 10
"""Of so many words the keys are a table; those of larger positions are worked out."""


class PositionLowering:
    """Questions about a position as a whole."""

    def __init__(self, lower: ExpressionLowering) -> None:
        self.lower, self.writer, self.ctx, self.body = lower, lower.writer, lower.ctx, lower.writer.body
        self._keys: int | None = None

    def _x_Fingerprint(self, e: m.Fingerprint) -> Value:
        body, made = self.body, Fingerprint(self.ctx.layout, e.fields, e.zones)
        lanes = body.locals(*(I64 for _ in LANES))
        for lane in lanes:
            body.set(lane, 0)
        self.writer.charge(1 + made.size)
        word = body.local(I64)
        self._keys = self._table(made.size)
        for name, first in made.fields.items():
            self._add_cells(name, first, lanes, word)
        if made.instances:
            self._add_pieces(made, lanes, word)
        result = self.lower.lists.new(2 * len(lanes), Value(low=0, high=INT_MAX))
        for lane in lanes:
            for shift in (0, 32):
                result.append(self.writer.hold((lane >> shift).wrap() & INT_MAX, 0, INT_MAX))
        return result.finished()

    def _table(self, size: int) -> int | None:
        """The address of the keys of words with each number, for all lanes."""
        if size > MOST_KEYS:
            return None
        keys = [key_of(lane, number) for number in range(size) for lane in LANES]
        return self.ctx.memory.constant(pack(f"<{len(keys)}Q", *keys))

    def _add(self, lanes: list[Local], word: Local, number: Local) -> None:
        """Add a word with a number."""
        for at, (lane, seed) in enumerate(zip(lanes, LANES, strict=True)):
            key = call(self.ctx.positions.key, number.extend_u(), const(seed, I64), gives=I64)
            if self._keys is not None:
                key = mem64(number * (8 * len(LANES)), self._keys + 8 * at)
            self.body.set(lane, call(self.ctx.positions.added, lane, word, key, gives=I64))

    def _add_cells(self, name: str, first: int, lanes: list[Local], word: Local) -> None:
        """Add the words of a field that are not as they were at first."""
        body, memory, layout = self.body, self.ctx.memory, self.ctx.layout
        place, is_set = layout.fields[name], layout.field_of[name].ty.kind == "set"
        size = min(8, cell_bytes(layout.widths[place.at]))
        total = place.count * place.span * cell_bytes(layout.widths[place.at])
        begin = memory.cell_at[place.at] - memory.cells
        before = memory.constant(memory.initial[begin : begin + total])
        load = Op.I64_LOAD if size > 4 else Op.I64_LOAD32_U if is_set else Op.I64_LOAD32_S
        at, number = body.locals(I32, I32)
        body.set(at, 0)
        with body.loop() as again:
            with body.when(word.tee(mem64(at, self.lower.cell_at(place.at), load)).ne(mem64(at, before, load))):
                body.set(number, (at >> size.bit_length() - 1) + first)
                self._add(lanes, word, number)
            body.set(at, at + size)
            body.branch_if(again, at.lt_u(total))

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
        self.writer.charge(layout.pieces)
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
            self._add(lanes, word, number)
