"""Functions that move pieces, which are part of a module if anybody calls them.

All that they have to know of a zone lies in a row of four numbers: its address, whether it is a stack or row, how many
pieces it holds, and whether that is declared.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from rulewright.engine.native.lowering.helpers.derived_records import DerivedRecords
from rulewright.engine.native.webassembly.encoding import MEMORY_COPY, Op, Type
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.word_sizes import SMALL_BITS, WORD_BITS, words

if TYPE_CHECKING:
    from rulewright.engine.native.lowering.lowering_context import LoweringContext

ROW = 16
AT, ORDERED, CAPACITY, LIMITED = 0, 4, 8, 12
"""Within the row of a zone."""
UNORDERED, IN_A_ROW, STACKED = 0, 1, 2


class PieceFunctions:
    """The numbers of the functions; each is written when it is first asked for."""

    def __init__(self, ctx: LoweringContext) -> None:
        self.ctx, self.memory, self.layout = ctx, ctx.memory, ctx.layout
        self._beside = DerivedRecords(ctx)

    @cached_property
    def rows(self) -> int:
        """The address of a row about each zone."""
        found: list[int] = []
        for number, i in enumerate(self.layout.instances):
            order = (STACKED if i.stack else IN_A_ROW) if i.ordered else UNORDERED
            found += (self.memory.cell_at[i.at], order, i.capacity, int(self.layout.limited[number]))
        return self.memory.numbers(found)

    @cached_property
    def _covers(self) -> int:
        """The address of a table: for each zone the address of the set of pieces that may lie face down there."""
        count = words(self.layout.pieces)
        return self.memory.numbers(self.memory.sets([i.covered], count) for i in self.layout.instances)

    def _locate(self, body: FunctionBody, piece: int, zone: int, row: int, at: int) -> None:
        """Note that a piece lies in a zone; set two locals to the zone's entry in the table and to its first cell."""
        self._push_location(body, piece)
        body.get(zone)
        body.memory(Op.I32_STORE, self._loc)
        body.get(zone)
        self._set_row(body, row)
        self._load(body, row, AT)
        body.set(at)

    def _set_row(self, body: FunctionBody, row: int) -> None:
        """Take the number of a zone from the stack: the local gets the address of its row."""
        body.i32(ROW.bit_length() - 1)
        body.op(Op.I32_SHL)
        body.i32(self.rows)
        body.op(Op.I32_ADD)
        body.set(row)

    def _load(self, body: FunctionBody, base: int, offset: int = 0) -> None:
        body.get(base)
        body.memory(Op.I32_LOAD, offset)

    def _push_location(self, body: FunctionBody, piece: int) -> None:
        body.get(piece)
        body.i32(2)
        body.op(Op.I32_SHL)

    @property
    def _loc(self) -> int:
        return self.memory.cell_at[self.layout.loc]

    def _change_bit(self, body: FunctionBody, at: int, piece: int) -> None:
        """Change the bit of a piece in the set at an address."""
        small = self.layout.pieces <= SMALL_BITS
        where = body.local(Type.I32)
        body.get(at)
        if not small:
            body.get(piece)
            body.i32(6)
            body.op(Op.I32_SHR_U)
            body.i32(3)
            body.op(Op.I32_SHL, Op.I32_ADD)
        body.tee(where)
        body.get(where)
        if small:
            body.memory(Op.I32_LOAD)
            body.i32(1)
            body.get(piece)
            body.op(Op.I32_SHL, Op.I32_XOR)
            body.memory(Op.I32_STORE)
        else:
            body.memory(Op.I64_LOAD)
            body.i64(1)
            body.get(piece)
            body.op(Op.I64_EXTEND_I32_U, Op.I64_SHL, Op.I64_XOR)
            body.memory(Op.I64_STORE)

    def _push_item(self, body: FunctionBody, at: int, number: int) -> None:
        """Push the address of an item but for the length before them all."""
        body.get(at)
        body.get(number)
        body.i32(2)
        body.op(Op.I32_SHL, Op.I32_ADD)

    def _add(self, body: FunctionBody, local: int, more: int) -> None:
        body.get(local)
        body.i32(more)
        body.op(Op.I32_ADD)

    @cached_property
    def take_out(self) -> int:
        """Take a piece out of the zone in which it lies; a stack or row closes its gap."""
        number = self.ctx.module.declare((Type.I32,))
        body = self.ctx.module.body(number, "moving pieces")
        row, at, length, slot, zone = (body.local(Type.I32) for _ in range(5))
        self._push_location(body, 0)
        body.memory(Op.I32_LOAD, self._loc)
        body.tee(zone)
        self._set_row(body, row)
        self._beside.tell_maps(body, zone, False)
        self._load(body, row, AT)
        body.set(at)
        self._load(body, row, ORDERED)
        with body.when():
            body.get(at)
            body.get(0)
            body.call(self.ctx.lists.position)
            body.tee(slot)
            body.i32(0)
            body.op(Op.I32_LT_S)
            with body.when():
                body.op(Op.UNREACHABLE)
            self._load(body, at)
            body.i32(1)
            body.op(Op.I32_SUB)
            body.set(length)
            self._push_item(body, at, slot)
            body.i32(4)
            body.op(Op.I32_ADD)
            self._push_item(body, at, slot)
            body.i32(8)
            body.op(Op.I32_ADD)
            body.get(length)
            body.get(slot)
            body.op(Op.I32_SUB)
            body.i32(2)
            body.op(Op.I32_SHL)
            body.raw(MEMORY_COPY)
            self._push_item(body, at, length)
            body.i32(0)
            body.memory(Op.I32_STORE, 4)
            body.get(at)
            body.get(length)
            body.memory(Op.I32_STORE)
            body.otherwise()
            self._change_bit(body, at, 0)
            self._beside.occupy(body, zone, None)
        self.ctx.module.define(number, body)
        return number

    @cached_property
    def put(self) -> int:
        """Put a piece that lies nowhere into a zone; the third argument is 1 for the bottom, or before all others."""
        number = self.ctx.module.declare((Type.I32, Type.I32, Type.I32))
        body = self.ctx.module.body(number, "moving pieces")
        piece, to, bottom = range(3)
        row, at, length = (body.local(Type.I32) for _ in range(3))
        self._locate(body, piece, to, row, at)
        self._beside.tell_maps(body, to, True)
        self._load(body, row, ORDERED)
        with body.when():
            self._load(body, at)
            body.tee(length)
            self._load(body, row, CAPACITY)
            body.op(Op.I32_GE_U)
            with body.when():
                body.op(Op.UNREACHABLE)
            body.get(bottom)
            with body.when():
                self._add(body, at, 8)
                self._add(body, at, 4)
                body.get(length)
                body.i32(2)
                body.op(Op.I32_SHL)
                body.raw(MEMORY_COPY)
                body.get(at)
                body.get(piece)
                body.memory(Op.I32_STORE, 4)
                body.otherwise()
                self._push_item(body, at, length)
                body.get(piece)
                body.memory(Op.I32_STORE, 4)
            body.get(at)
            self._add(body, length, 1)
            body.memory(Op.I32_STORE)
            body.otherwise()
            self._change_bit(body, at, piece)
            self._beside.occupy(body, to, piece)
        self.ctx.module.define(number, body)
        return number

    @cached_property
    def turn(self) -> int:
        """Lay a piece face up (third argument 0), down (1) or as it lies (-1) in a zone: up if it cannot lie down."""
        number = self.ctx.module.declare((Type.I32, Type.I32, Type.I32))
        body = self.ctx.module.body(number, "moving pieces")
        piece, zone, face = range(3)
        word, down, bit = body.local(Type.I32), body.local(Type.I64), body.local(Type.I64)
        at = self.memory.cell_at[self.layout.down]
        small = self.layout.pieces <= SMALL_BITS
        body.get(piece)
        body.i32(6)
        body.op(Op.I32_SHR_U)
        body.i32(3)
        body.op(Op.I32_SHL)
        body.tee(word)
        body.memory(Op.I64_LOAD32_U if small else Op.I64_LOAD, at)
        body.set(down)
        body.i64(1)
        body.get(piece)
        body.op(Op.I64_EXTEND_I32_U, Op.I64_SHL)
        body.set(bit)
        body.get(word)
        body.get(down)
        body.get(bit)
        body.i64(-1)
        body.op(Op.I64_XOR, Op.I64_AND)
        # what it keeps: its own bit, a 1 or a 0, where the set of the zone has it
        body.get(down)
        body.i64(-1)
        body.i64(0)
        body.get(face)
        body.op(Op.SELECT)
        body.get(face)
        body.i32(0)
        body.op(Op.I32_LT_S, Op.SELECT)
        body.get(zone)
        body.i32(2)
        body.op(Op.I32_SHL)
        body.memory(Op.I32_LOAD, self._covers)
        body.get(word)
        body.op(Op.I32_ADD)
        body.memory(Op.I64_LOAD)
        body.get(bit)
        body.op(Op.I64_AND, Op.I64_AND, Op.I64_OR)
        body.memory(Op.I64_STORE32 if small else Op.I64_STORE, at)
        self.ctx.module.define(number, body)
        return number

    @cached_property
    def check(self) -> int:
        """Stop if there are more pieces in a set or bag than it may hold."""
        number = self.ctx.module.declare((Type.I32,))
        body = self.ctx.module.body(number, "moving pieces")
        row, at = body.local(Type.I32), body.local(Type.I32)
        body.get(0)
        self._set_row(body, row)
        self._load(body, row, AT)
        body.set(at)
        self._load(body, row, LIMITED)
        self._load(body, row, ORDERED)
        body.op(Op.I32_EQZ, Op.I32_AND)
        with body.when():
            for word in range(words(self.layout.pieces)):
                body.get(at)
                small = self.layout.pieces <= SMALL_BITS
                body.memory(Op.I64_LOAD32_U if small else Op.I64_LOAD, WORD_BITS // 8 * word)
                body.op(Op.I64_POPCNT)
                if word:
                    body.op(Op.I64_ADD)
            body.op(Op.I32_WRAP_I64)
            self._load(body, row, CAPACITY)
            body.op(Op.I32_GT_U)
            with body.when():
                body.op(Op.UNREACHABLE)
        self.ctx.module.define(number, body)
        return number

    @cached_property
    def content(self) -> int:
        """Write the pieces in a zone to an address (the second argument) as a list: a stack from the bottom."""
        number = self.ctx.module.declare((Type.I32, Type.I32))
        body = self.ctx.module.body(number, "moving pieces")
        zone, target = 0, 1
        row, at, end = (body.local(Type.I32) for _ in range(3))
        word = body.local(Type.I64)
        body.get(zone)
        self._set_row(body, row)
        self._load(body, row, AT)
        body.set(at)
        self._load(body, row, ORDERED)
        with body.when():
            body.get(target)
            body.get(at)
            self._load(body, at)
            body.i32(2)
            body.op(Op.I32_SHL)
            body.i32(4)
            body.op(Op.I32_ADD)
            body.raw(MEMORY_COPY)
            body.op(Op.RETURN)
        body.get(target)
        body.set(end)
        for number_ in range(words(self.layout.pieces)):
            body.get(at)
            small = self.layout.pieces <= SMALL_BITS
            body.memory(Op.I64_LOAD32_U if small else Op.I64_LOAD, 8 * number_)
            body.set(word)
            with body.block() as out, body.loop() as again:
                body.get(word)
                body.op(Op.I64_EQZ)
                body.branch_if(out)
                self._add(body, end, 4)
                body.tee(end)
                body.get(word)
                body.op(Op.I64_CTZ, Op.I32_WRAP_I64)
                body.i32(WORD_BITS * number_)
                body.op(Op.I32_ADD)
                body.memory(Op.I32_STORE)
                body.get(word)
                body.get(word)
                body.i64(1)
                body.op(Op.I64_SUB, Op.I64_AND)
                body.set(word)
                body.branch(again)
        body.get(target)
        body.get(end)
        body.get(target)
        body.op(Op.I32_SUB)
        body.i32(2)
        body.op(Op.I32_SHR_U)
        body.memory(Op.I32_STORE)
        self.ctx.module.define(number, body)
        return number

    @cached_property
    def swap(self) -> int:
        """Exchange two positions of a list, counted from its end if the last argument is 1; stop if there are none."""
        number = self.ctx.module.declare((Type.I32, Type.I32, Type.I32, Type.I32))
        body = self.ctx.module.body(number, "moving pieces")
        at, first, second, stack = range(4)
        held = body.local(Type.I32)
        for position in (first, second):
            body.get(position)
            self._load(body, at)
            body.op(Op.I32_GE_U)
            with body.when():
                body.op(Op.UNREACHABLE)
            body.get(stack)
            with body.when():
                self._load(body, at)
                body.i32(1)
                body.get(position)
                body.op(Op.I32_ADD, Op.I32_SUB)
                body.set(position)
        self._push_item(body, at, first)
        body.memory(Op.I32_LOAD, 4)
        body.set(held)
        self._push_item(body, at, first)
        self._push_item(body, at, second)
        body.memory(Op.I32_LOAD, 4)
        body.memory(Op.I32_STORE, 4)
        self._push_item(body, at, second)
        body.get(held)
        body.memory(Op.I32_STORE, 4)
        self.ctx.module.define(number, body)
        return number

    @cached_property
    def exchange(self) -> int:
        """Let one piece lie where another one lies, at its position, and record that it does; not the other way
        round."""
        number = self.ctx.module.declare((Type.I32, Type.I32, Type.I32, Type.I32))
        body = self.ctx.module.body(number, "moving pieces")
        come, gone, zone, slot = range(4)
        row, at = body.local(Type.I32), body.local(Type.I32)
        self._locate(body, come, zone, row, at)
        self._load(body, row, ORDERED)
        with body.when():
            self._push_item(body, at, slot)
            body.get(come)
            body.memory(Op.I32_STORE, 4)
            body.otherwise()
            self._change_bit(body, at, come)
            self._change_bit(body, at, gone)
            self._beside.occupy(body, zone, come)
        self.ctx.module.define(number, body)
        return number
