"""Interchangeable pieces: one stands for all, in canonical order (see :mod:`rulewright.engine.cells.interchange`).

The Python backend lets that piece stand for them which players remember best. Here it is the first one: as nothing that
the rules can ask tells them apart, the games are the same but for the numbers of pieces.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from rulewright.engine.cells.interchange import Interchange
from rulewright.engine.native.lowering.helpers.colour_functions import ColourFunctions
from rulewright.engine.native.lowering.helpers.mention_functions import members
from rulewright.engine.native.memory_map import LEGAL
from rulewright.engine.native.webassembly.encoding import MEMORY_FILL, Op, Type
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.word_sizes import WORD_BITS, words

if TYPE_CHECKING:
    from rulewright.engine.native.lowering.lowering_context import LoweringContext


class BundleFunctions:
    """The numbers of the functions; each is written when it is first asked for."""

    def __init__(self, ctx: LoweringContext, interchange: Interchange) -> None:
        self.ctx, self.memory, self.layout, self.interchange = ctx, ctx.memory, ctx.layout, interchange
        count = self.layout.pieces
        self.items = self.memory.reserve(4 * (1 + count))
        """The address of the pieces that are offered, a list."""
        self._sorted = self.memory.reserve(4 * count)
        self._keys = self.memory.reserve(8 * count)
        self._stands = self.memory.reserve(4 * count)
        """For each piece that one which stands for it."""
        self._offered = self.memory.reserve(4 * count)

    @cached_property
    def _colours(self) -> ColourFunctions:
        return ColourFunctions(self.ctx, self.interchange)

    @cached_property
    def _group(self) -> int:
        """Sort the offered set of pieces by colour, and let the first of each colour stand for all; gives their
        number."""
        number = self.ctx.module.declare((), (Type.I32,))
        body, layout, colours = self.ctx.module.body(number, "alike pieces"), self.layout, self._colours
        piece, count, at, stands = (body.local(Type.I32) for _ in range(4))
        key, last = body.local(Type.I64), body.local(Type.I64)
        alike = sum(1 << one for same in self.interchange.classes for one in same)
        for word in range(words(layout.pieces)):
            body.i32(0)
            body.i32(0)
            body.memory(Op.I64_LOAD, LEGAL + 8 * word)
            body.i64(alike >> WORD_BITS * word & (1 << WORD_BITS) - 1)
            body.op(Op.I64_AND)
            body.memory(Op.I64_STORE, colours.mentions.asked + 8 * word)
        body.i32(0)
        body.i32(0)
        body.memory(Op.I32_STORE, colours.ranked)
        self._clear(body, colours.lowest)
        with members(body, LEGAL, words(layout.pieces), piece):
            colours.set_key(body, piece, key)
            body.get(count)
            body.get(key)
            body.get(piece)
            body.call(self._insert)
            body.increase(count, 1)
        body.i64(-1)
        body.set(last)
        with body.block() as done, body.loop() as further:
            body.get(at)
            body.get(count)
            body.op(Op.I32_EQ)
            body.branch_if(done)
            self._push(body, at, self._sorted)
            body.set(piece)
            self._push(body, at, self._keys, Op.I64_LOAD)
            body.set(key)
            with body.block() as same:
                body.get(key)
                body.get(last)
                body.op(Op.I64_EQ)
                with body.when():
                    body.get(piece)
                    body.get(stands)
                    body.call(colours.compare)
                    body.op(Op.I32_EQZ)
                    body.branch_if(same)
                body.get(piece)
                body.set(stands)
            body.get(piece)
            body.i32(2)
            body.op(Op.I32_SHL)
            body.get(stands)
            body.memory(Op.I32_STORE, self._stands)
            body.get(key)
            body.set(last)
            body.increase(at, 1)
            body.branch(further)
        body.get(count)
        self.ctx.module.define(number, body)
        return number

    @cached_property
    def classes_are_ranges(self) -> bool:
        """True if pieces that are alike have numbers in a row: then the canonical order of a set is that of the
        numbers, but for pieces of one class."""
        return all(same[-1] - same[0] == len(same) - 1 for same in self.interchange.classes)

    @cached_property
    def standing_for(self) -> int:
        """The piece in whose place of the numbers a piece of the offered set (the argument) stands in canonical order,
        or the one that stands for it. Only the offered pieces of its class are looked at, and left in the set."""
        number = self.ctx.module.declare((Type.I32,), (Type.I32,))
        body, layout = self.ctx.module.body(number, "alike pieces"), self.layout
        piece, row, count, before, one = 0, *(body.local(Type.I32) for _ in range(3)), body.local(Type.I64)
        width = words(layout.pieces)
        alike = self.memory.sets(self.interchange.alike, width)
        lower = self.memory.sets((mask & (1 << at) - 1 for at, mask in enumerate(self.interchange.alike)), width)
        body.get(piece)
        body.i32(8 * width)
        body.op(Op.I32_MUL)
        body.set(row)
        for word in range(width):
            body.i32(0)
            body.i32(0)
            body.memory(Op.I64_LOAD, LEGAL + 8 * word)
            body.get(row)
            body.memory(Op.I64_LOAD, alike + 8 * word)
            body.op(Op.I64_AND)
            body.tee(one)
            body.memory(Op.I64_STORE, LEGAL + 8 * word)
            for counted, table in ((count, None), (before, lower)):
                body.get(counted)
                body.get(one)
                if table is not None:
                    body.get(row)
                    body.memory(Op.I64_LOAD, table + 8 * word)
                    body.op(Op.I64_AND)
                body.op(Op.I64_POPCNT, Op.I32_WRAP_I64, Op.I32_ADD)
                body.set(counted)
        body.get(count)
        body.i32(1)
        body.op(Op.I32_GT_U)
        with body.when():
            body.call(self._group)
            body.op(Op.DROP)
            self._push(body, before, self._sorted)
            body.set(before)
            self._push(body, before, self._stands)
            body.set(piece)
        body.get(piece)
        self.ctx.module.define(number, body)
        return number

    @cached_property
    def _insert(self) -> int:
        """Put a piece (the third argument) of a key among so many that are sorted, behind those of its colour."""
        number = self.ctx.module.declare((Type.I32, Type.I64, Type.I32))
        body = self.ctx.module.body(number, "alike pieces")
        at, key, piece = range(3)
        other = body.local(Type.I64)
        with body.block() as found, body.loop() as again:
            body.get(at)
            body.op(Op.I32_EQZ)
            body.branch_if(found)
            with body.block() as behind:
                self._push(body, at, self._keys - 8, Op.I64_LOAD)
                body.tee(other)
                body.get(key)
                body.op(Op.I64_GT_S)
                body.branch_if(behind)
                body.get(other)
                body.get(key)
                body.op(Op.I64_NE)
                body.branch_if(found)
                self._push(body, at, self._sorted - 4)
                body.get(piece)
                body.call(self._colours.compare)
                body.i32(0)
                body.op(Op.I32_LE_S)
                body.branch_if(found)
            body.decrease(at, 1)
            for table, load, store, size in (
                (self._keys, Op.I64_LOAD, Op.I64_STORE, 8),
                (self._sorted, Op.I32_LOAD, Op.I32_STORE, 4),
            ):
                self._push_offset(body, at, size)
                self._push(body, at, table, load)
                body.memory(store, table + size)
            body.branch(again)
        self._push_offset(body, at, 8)
        body.get(key)
        body.memory(Op.I64_STORE, self._keys)
        self._push_offset(body, at, 4)
        body.get(piece)
        body.memory(Op.I32_STORE, self._sorted)
        self.ctx.module.define(number, body)
        return number

    @cached_property
    def bundle(self) -> int:
        """Offer a list instead of the set of pieces that is offered: one piece of each colour, or, if the argument is
        1, that one for each piece of it."""
        number = self.ctx.module.declare((Type.I32,))
        body = self.ctx.module.body(number, "alike pieces")
        count, at = body.local(Type.I32), body.local(Type.I32)
        body.call(self._group)
        body.set(count)
        self._offer(body, 0, count, at, lambda: self._push(body, at, self._sorted))
        self.ctx.module.define(number, body)
        return number

    @cached_property
    def bundle_list(self) -> int:
        """The same for a list (the second argument), of which the set is offered: it keeps its order."""
        number = self.ctx.module.declare((Type.I32, Type.I32))
        body = self.ctx.module.body(number, "alike pieces")
        count, at = body.local(Type.I32), body.local(Type.I32)
        body.call(self._group)
        body.op(Op.DROP)
        body.get(1)
        body.memory(Op.I32_LOAD)
        body.set(count)

        def push_item() -> None:
            body.get(1)
            self._push_offset(body, at, 4)
            body.op(Op.I32_ADD)
            body.memory(Op.I32_LOAD, 4)

        self._offer(body, 0, count, at, push_item)
        self.ctx.module.define(number, body)
        return number

    def _offer(self, body: FunctionBody, each: int, count: int, at: int, push_item: Callable[[], None]) -> None:
        """Offer what stands for the items of a list of so many, each once, or (`each`) for each of them."""
        piece, kept = body.local(Type.I32), body.local(Type.I32)
        self._clear(body, self._offered)
        with body.block() as done, body.loop() as further:
            body.get(at)
            body.get(count)
            body.op(Op.I32_EQ)
            body.branch_if(done)
            push_item()
            body.i32(2)
            body.op(Op.I32_SHL)
            body.memory(Op.I32_LOAD, self._stands)
            body.set(piece)
            body.get(each)
            self._push(body, piece, self._offered)
            body.op(Op.I32_EQZ, Op.I32_OR)
            with body.when():
                self._push_offset(body, kept, 4)
                body.get(piece)
                body.memory(Op.I32_STORE, self.items + 4)
                body.increase(kept, 1)
            self._push_offset(body, piece, 4)
            body.i32(1)
            body.memory(Op.I32_STORE, self._offered)
            body.increase(at, 1)
            body.branch(further)
        body.i32(0)
        body.get(kept)
        body.memory(Op.I32_STORE, self.items)
        body.i32(0)
        body.i32(self.items)
        body.memory(Op.I32_STORE, LEGAL)

    def _clear(self, body: FunctionBody, table: int) -> None:
        body.i32(table)
        body.i32(0)
        body.i32(4 * self.layout.pieces)
        body.raw(MEMORY_FILL)

    def _push(self, body: FunctionBody, at: int, table: int, load: Op = Op.I32_LOAD) -> None:
        """Push an entry of a table."""
        self._push_offset(body, at, 8 if load is Op.I64_LOAD else 4)
        body.memory(load, table)

    def _push_offset(self, body: FunctionBody, at: int, size: int) -> None:
        body.get(at)
        body.i32(size.bit_length() - 1)
        body.op(Op.I32_SHL)
