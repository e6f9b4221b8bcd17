"""Colours of pieces: what tells those from each other that are alike (:mod:`rulewright.engine.cells.interchange`).

Most of a colour is one number, the *key*: the kind, the zone, the place in a stack or row, the face, the side. Only
pieces of one key are compared in the values of fields over them and in the places where the rules hold them. If two
pieces of one colour are both related to others, the game stops, and the Python backend plays it: it refines colours.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from rulewright.engine.cells.interchange import Interchange
from rulewright.engine.native.lowering.helpers.mention_functions import MentionFunctions
from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.word_sizes import cell_bytes
from rulewright.foundation.lazy_dataclass import dataclass

if TYPE_CHECKING:
    from rulewright.engine.native.lowering.lowering_context import LoweringContext

CLASS, ZONE, PLACE, DOWN = 41, 25, 9, 8
"""Begins of the parts of a key; the side is last."""


@dataclass(frozen=True, slots=True)
class Column:
    """A field over pieces."""

    at: int
    """The address of the value for the first piece."""
    apart: int
    """The bytes from piece to piece."""
    numbers: int
    """The words of 32 bits that a value has."""
    is_set: bool
    """True of sets: the last number counts first, and none is below 0."""


class ColourFunctions:
    """The numbers of the functions; each is written when it is first asked for."""

    def __init__(self, ctx: LoweringContext, interchange: Interchange) -> None:
        self.ctx, self.memory, self.layout, self.interchange = ctx, ctx.memory, ctx.layout, interchange
        self.mentions = MentionFunctions(ctx, interchange)
        self.lowest = self.memory.reserve(4 * self.layout.pieces)
        """The address of a table of 0: for each class 1 and the first of it that was asked about."""
        self.ranked = self.memory.reserve(4)
        """The address of the truth of the pieces being ranked: it takes long, and is seldom needed."""

    def _columns(self) -> Iterator[Column]:
        for at, step, count in self.interchange.columns:
            address, size = self.memory.cell_at[at], cell_bytes(self.layout.widths[at + count - 1])
            apart = self.memory.cell_at[at + step] - address if self.layout.pieces > 1 else 0
            numbers = (self.memory.cell_at[at + count - 1] - address + size) // 4
            yield Column(address, apart, numbers, self._is_set(at))

    def _is_set(self, cell: int) -> bool:
        return any(
            f.ty.kind == "set" and 0 <= cell - place.at < place.count
            for f in self.ctx.program.fields
            for place in [self.layout.fields[f.name]]
        )

    @cached_property
    def compare(self) -> int:
        """Compare the colours of two pieces of one key: below 0, 0 or above 0."""
        number = self.ctx.module.declare((Type.I32, Type.I32), (Type.I32,))
        body = self.ctx.module.body(number, "alike pieces")
        for column in self._columns():
            self._compare_column(body, column)
        body.i32(0)
        body.memory(Op.I32_LOAD, self.ranked)
        body.op(Op.I32_EQZ)
        with body.when():
            body.call(self.mentions.rank)
            if self.interchange.related:
                body.call(self.mentions.relate)
            body.i32(0)
            body.i32(1)
            body.memory(Op.I32_STORE, self.ranked)
        ranks = [body.local(Type.I64) for _ in range(2)]
        for piece, rank in enumerate(ranks):
            self._push_entry(body, piece, self.mentions.ranks)
            body.op(Op.I64_EXTEND_I32_S)
            body.set(rank)
        self._return_if_different(body, *ranks)
        if self.interchange.related:
            related = [body.local(Type.I64) for _ in range(2)]
            for piece, one in enumerate(related):
                self._push_bit(body, piece, self.mentions.related)
                body.set(one)
            for one in related:
                body.get(one)
            body.op(Op.I64_AND, Op.I64_EQZ, Op.I32_EQZ)
            body.get(0)
            body.get(1)
            body.op(Op.I32_NE, Op.I32_AND)
            with body.when():
                body.op(Op.UNREACHABLE)
            self._return_if_different(body, *related)
        body.i32(0)
        self.ctx.module.define(number, body)
        return number

    def _compare_column(self, body: FunctionBody, column: Column) -> None:
        """Give the order of two pieces if their values in a column are different."""
        found = [body.local(Type.I64) for _ in range(2)]
        rows = [body.local(Type.I32) for _ in range(2)]
        load = Op.I64_LOAD32_U if column.is_set else Op.I64_LOAD32_S
        last = 4 * (column.numbers - 1)
        for piece, row in enumerate(rows):
            body.get(piece)
            body.i32(column.apart)
            body.op(Op.I32_MUL)
            if column.numbers > 1 and column.is_set:
                body.i32(last)
                body.op(Op.I32_ADD)
            body.set(row)
        left = body.local(Type.I32)
        body.i32(column.numbers)
        body.set(left)
        with body.loop() as next_number:
            for row, one in zip(rows, found, strict=True):
                body.get(row)
                body.memory(load, column.at)
                body.set(one)
                body.increase(row, -4 if column.is_set else 4)
            self._return_if_different(body, *found)
            body.decrease(left, 1)
            body.get(left)
            body.branch_if(next_number)

    def _return_if_different(self, body: FunctionBody, left: int, right: int) -> None:
        """Give the order of two locals of 64 bits, unless they are equal."""
        for one in (left, right):
            body.get(one)
        body.op(Op.I64_NE)
        with body.when():
            body.i32(1)
            body.i32(-1)
            for one in (left, right):
                body.get(one)
            body.op(Op.I64_GT_S, Op.SELECT, Op.RETURN)

    def _push_bit(self, body: FunctionBody, piece: int, at: int) -> None:
        """Push, as 64 bits, whether a piece is in the set at an address."""
        body.get(piece)
        body.i32(6)
        body.op(Op.I32_SHR_U)
        body.i32(3)
        body.op(Op.I32_SHL)
        body.memory(Op.I64_LOAD, at)
        body.get(piece)
        body.op(Op.I64_EXTEND_I32_U, Op.I64_SHR_U)
        body.i64(1)
        body.op(Op.I64_AND)

    def set_key(self, body: FunctionBody, piece: int, key: int) -> None:
        """The key of a piece: the first of its class that is asked about, the zone, the place in a stack or row, the
        face, the side."""
        memory, layout = self.memory, self.layout
        same, zone, row, first, place = (body.local(Type.I32) for _ in range(5))
        numbers = {one: order for order, one in enumerate(sorted(set(self.ctx.program.alike)))}
        classes = memory.numbers(4 * numbers[one] for one in self.ctx.program.alike)
        self._push_entry(body, piece, classes)
        body.tee(same)
        body.memory(Op.I32_LOAD, self.lowest)
        body.tee(first)
        body.op(Op.I32_EQZ)
        with body.when():
            body.get(piece)
            body.i32(1)
            body.op(Op.I32_ADD)
            body.set(first)
            body.get(same)
            body.get(first)
            body.memory(Op.I32_STORE, self.lowest)
        self._push_entry(body, piece, memory.cell_at[layout.loc])
        body.set(zone)
        body.i32(0)
        body.set(place)
        if layout.ordered:
            self._push_entry(body, zone, memory.zone_lists())
            body.tee(row)
            with body.when():
                body.get(row)
                body.get(piece)
                body.call(self.ctx.lists.position)
                body.set(place)
                self._push_entry(body, zone, memory.zone_is_stack)
                with body.when():
                    body.get(row)
                    body.memory(Op.I32_LOAD)
                    body.i32(1)
                    body.get(place)
                    body.op(Op.I32_ADD, Op.I32_SUB)
                    body.set(place)
        for number, (part, shift) in enumerate(((first, CLASS), (zone, ZONE), (place, PLACE))):
            body.get(part)
            body.op(Op.I64_EXTEND_I32_U)
            body.i64(shift)
            body.op(Op.I64_SHL)
            if number:
                body.op(Op.I64_OR)
        if layout.faced:
            self._push_bit(body, piece, memory.cell_at[layout.down])
            body.i64(DOWN)
            body.op(Op.I64_SHL, Op.I64_OR)
        if layout.sided:
            self._push_entry(body, piece, memory.cell_at[layout.side])
            body.op(Op.I64_EXTEND_I32_U, Op.I64_OR)
        body.set(key)

    def _push_entry(self, body: FunctionBody, number: int, table: int) -> None:
        """Push an entry of a table."""
        body.get(number)
        body.i32(2)
        body.op(Op.I32_SHL)
        body.memory(Op.I32_LOAD, table)
