"""Interchangeable pieces: one stands for all, in canonical order (see :mod:`rulewright.engine.cells.interchange`).

Only what a piece shows by itself is compared here: where it lies, and its side. If a live slot of a frame holds one of
the offered pieces of which there are others alike, the game stops, and the Python backend plays it.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from rulewright.engine.cells.interchange import Interchange
from rulewright.engine.native.memory_map import CALLER, FUNCTION, LEGAL, PC
from rulewright.engine.native.values import Unsupported
from rulewright.engine.native.webassembly.encoding import MEMORY_FILL, Op, Type
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.word_sizes import WORD_BITS, words
from rulewright.ir.dataflow.control_flow import rests

if TYPE_CHECKING:
    from rulewright.engine.native.lowering.lowering_context import LoweringContext

CLASS, ZONE, PLACE = 40, 24, 8
"""Begins of the parts of a piece's key; the side is last."""
NUMBER, LIST = 0, -1
"""In place of the words of a slot that holds no set."""


class BundleFunctions:
    """The numbers of the functions; each is written when it is first asked for."""

    def __init__(self, ctx: LoweringContext, interchange: Interchange) -> None:
        self.ctx, self.memory, self.layout, self.interchange = ctx, ctx.memory, ctx.layout, interchange
        if interchange.related or interchange.columns or interchange.holders:
            raise Unsupported("alike pieces that fields tell apart")
        count = self.layout.pieces
        self.items = self.memory.reserve(4 * (1 + count))
        """The address of the pieces that are offered, a list."""
        self._keys = self.memory.reserve(8 * (1 + count))
        self._lowest = self.memory.reserve(4 * count)
        self._held = self.memory.reserve(8 * words(count))

    def _count_up(self, body: FunctionBody, local: int, more: int) -> None:
        body.increase(local, more)

    def _live_slots(self) -> int:
        """The address of a table: for each function that of one that has, for each place where the function can rest,
        where the slots begin and end that hold pieces and are live there."""
        tables = []
        for number, function in enumerate(self.ctx.program.functions):
            rows = [(0, 0)] * (len(function.code) + 1)
            for pc in rests(function):
                found: list[int] = []
                for slot in sorted(self.interchange.live(number, pc)):
                    ty = function.slots[slot].ty
                    if ty.universe == "Piece":
                        size = (
                            words(self.layout.set_bits(ty))
                            if ty.kind == "set"
                            else LIST
                            if ty.kind == "list"
                            else NUMBER
                        )
                        found += (self.memory.frames[number].offsets[slot], size)
                at = self.memory.numbers(found) if found else 0
                rows[pc] = (at, at + 4 * len(found))
            tables.append(self.memory.numbers(end for row in rows for end in row))
        return self.memory.numbers(tables)

    @cached_property
    def held(self) -> int:
        """Collect the pieces that live slots hold."""
        number = self.ctx.module.declare(())
        body = self.ctx.module.body(number)
        frame, at, end, size, value, left = (body.local(Type.I32) for _ in range(6))
        body.i32(self._held)
        body.i32(0)
        body.i32(8 * words(self.layout.pieces))
        body.raw(MEMORY_FILL)
        tables = self._live_slots()
        body.get_global(self.ctx.frame)
        body.set(frame)
        with body.block() as out, body.loop() as next_frame:
            body.get(frame)
            body.op(Op.I32_EQZ)
            body.branch_if(out)
            for local, offset in ((at, 0), (end, 4)):
                body.get(frame)
                body.memory(Op.I32_LOAD, FUNCTION)
                body.i32(2)
                body.op(Op.I32_SHL)
                body.memory(Op.I32_LOAD, tables)
                body.get(frame)
                body.memory(Op.I32_LOAD, PC)
                body.i32(3)
                body.op(Op.I32_SHL, Op.I32_ADD)
                body.memory(Op.I32_LOAD, offset)
                body.set(local)
            with body.block() as done, body.loop() as next_slot:
                body.get(at)
                body.get(end)
                body.op(Op.I32_GE_U)
                body.branch_if(done)
                body.get(frame)
                body.get(at)
                body.memory(Op.I32_LOAD)
                body.op(Op.I32_ADD)
                body.set(value)
                body.get(at)
                body.memory(Op.I32_LOAD, 4)
                body.set(size)
                self._count_up(body, at, 8)
                with body.block() as no_set:
                    body.get(size)
                    body.i32(0)
                    body.op(Op.I32_LE_S)
                    body.branch_if(no_set)
                    for word in range(words(self.layout.pieces)):
                        body.i32(0)
                        body.i32(0)
                        body.memory(Op.I64_LOAD, self._held + 8 * word)
                        body.get(value)
                        body.memory(Op.I64_LOAD, 8 * word)
                        body.op(Op.I64_OR)
                        body.memory(Op.I64_STORE, self._held + 8 * word)
                    body.branch(next_slot)
                body.i32(1)
                body.set(left)
                body.get(size)
                with body.when():
                    body.get(value)
                    body.memory(Op.I32_LOAD)
                    body.set(left)
                    self._count_up(body, value, 4)
                with body.loop() as next_item:
                    body.get(left)
                    body.op(Op.I32_EQZ)
                    body.branch_if(next_slot)
                    body.get(value)
                    body.memory(Op.I32_LOAD)
                    body.i32(0)
                    body.op(Op.I32_GE_S)
                    with body.when():
                        self._mark(body, value)
                    self._count_up(body, value, 4)
                    self._count_up(body, left, -1)
                    body.branch(next_item)
            body.get(frame)
            body.memory(Op.I32_LOAD, CALLER)
            body.set(frame)
            body.branch(next_frame)
        self.ctx.module.define(number, body)
        return number

    def _mark(self, body: FunctionBody, value: int) -> None:
        """Note the piece at an address."""
        where = body.local(Type.I32)
        body.get(value)
        body.memory(Op.I32_LOAD)
        body.i32(6)
        body.op(Op.I32_SHR_U)
        body.i32(3)
        body.op(Op.I32_SHL)
        body.tee(where)
        body.get(where)
        body.memory(Op.I64_LOAD, self._held)
        body.i64(1)
        body.get(value)
        body.memory(Op.I32_LOAD)
        body.op(Op.I64_EXTEND_I32_U, Op.I64_SHL, Op.I64_OR)
        body.memory(Op.I64_STORE, self._held)

    @cached_property
    def bundle(self) -> int:
        """Write the pieces that are offered as a list: one of each bundle, or, if the argument is 1, that one for each
        piece of it."""
        number = self.ctx.module.declare((Type.I32,))
        body, layout = self.ctx.module.body(number), self.layout
        piece, count, at, kept = (body.local(Type.I32) for _ in range(4))
        rest, key, last = (body.local(Type.I64) for _ in range(3))
        alike = sum(1 << one for same in self.interchange.classes for one in same)
        body.call(self.held)
        for word in range(words(layout.pieces)):
            body.i32(0)
            body.memory(Op.I64_LOAD, LEGAL + 8 * word)
            body.i32(0)
            body.memory(Op.I64_LOAD, self._held + 8 * word)
            body.i64(alike >> WORD_BITS * word & (1 << WORD_BITS) - 1)
            body.op(Op.I64_AND, Op.I64_AND, Op.I64_EQZ, Op.I32_EQZ)
            with body.when():
                body.op(Op.UNREACHABLE)
        body.i32(self._lowest)
        body.i32(0)
        body.i32(4 * layout.pieces)
        body.raw(MEMORY_FILL)
        for word in range(words(layout.pieces)):
            body.i32(0)
            body.memory(Op.I64_LOAD, LEGAL + 8 * word)
            body.set(rest)
            with body.block() as out, body.loop() as again:
                body.get(rest)
                body.op(Op.I64_EQZ)
                body.branch_if(out)
                body.get(rest)
                body.op(Op.I64_CTZ, Op.I32_WRAP_I64)
                body.i32(WORD_BITS * word)
                body.op(Op.I32_ADD)
                body.set(piece)
                body.get(rest)
                body.get(rest)
                body.i64(1)
                body.op(Op.I64_SUB, Op.I64_AND)
                body.set(rest)
                self._set_key(body, piece, key)
                body.i32(self._keys)
                body.i32(self.items)
                body.get(count)
                body.get(key)
                body.get(piece)
                body.call(self.ctx.lists.insert_sorted)
                self._count_up(body, count, 1)
                body.branch(again)
        body.i64(-1)
        body.set(last)
        with body.block() as done, body.loop() as further:
            body.get(at)
            body.get(count)
            body.op(Op.I32_GE_U)
            body.branch_if(done)
            body.get(at)
            body.i32(3)
            body.op(Op.I32_SHL)
            body.memory(Op.I64_LOAD, self._keys + 8)
            body.set(key)
            with body.block() as same:
                body.get(key)
                body.get(last)
                body.op(Op.I64_EQ)
                body.branch_if(same)
                body.get(at)
                body.i32(2)
                body.op(Op.I32_SHL)
                body.memory(Op.I32_LOAD, self.items + 4)
                body.set(piece)
            body.get(key)
            body.get(last)
            body.op(Op.I64_NE)
            body.get(0)
            body.op(Op.I32_OR)
            with body.when():
                body.get(kept)
                body.i32(2)
                body.op(Op.I32_SHL)
                body.get(piece)
                body.memory(Op.I32_STORE, self.items + 4)
                self._count_up(body, kept, 1)
            body.get(key)
            body.set(last)
            self._count_up(body, at, 1)
            body.branch(further)
        for address, value in ((self.items, kept), (LEGAL, None)):
            body.i32(0)
            if value is None:
                body.i32(self.items)
            else:
                body.get(value)
            body.memory(Op.I32_STORE, address)
        self.ctx.module.define(number, body)
        return number

    def _set_key(self, body: FunctionBody, piece: int, key: int) -> None:
        """The key of a piece: the first of its class that is offered, the zone, the place in a stack or row, the
        side."""
        memory, layout = self.memory, self.layout
        same, zone, row, first, place = (body.local(Type.I32) for _ in range(5))
        numbers = {one: order for order, one in enumerate(sorted(set(self.ctx.program.alike)))}
        classes = memory.numbers(4 * numbers[one] for one in self.ctx.program.alike)
        self._push_entry(body, piece, classes)
        body.tee(same)
        body.memory(Op.I32_LOAD, self._lowest)
        body.tee(first)
        body.op(Op.I32_EQZ)
        with body.when():
            body.get(piece)
            body.i32(1)
            body.op(Op.I32_ADD)
            body.set(first)
            body.get(same)
            body.get(first)
            body.memory(Op.I32_STORE, self._lowest)
        self._push_entry(body, piece, memory.cell_at[layout.loc])
        body.set(zone)
        body.i32(0)
        body.set(place)
        if layout.ordered:
            stacks = memory.numbers(int(i.stack) for i in layout.instances)
            rows = memory.numbers(memory.cell_at[i.at] if i.ordered else 0 for i in layout.instances)
            self._push_entry(body, zone, rows)
            body.tee(row)
            with body.when():
                body.get(row)
                body.get(piece)
                body.call(self.ctx.lists.position)
                body.set(place)
                self._push_entry(body, zone, stacks)
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
