"""Places where the rules hold pieces: fields and the live slots of frames.

The colour of a piece has a list of these places in canonical order (:mod:`rulewright.engine.cells.interchange`). The
lists need not be written down: they are compared by one number for each piece, its *rank*. The places are looked
through backwards, and each gives the pieces that it holds new ranks below all that have been given: in the order of
the old ones, as what comes behind in their lists. A piece that nothing holds has rank 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from typing import TYPE_CHECKING

from rulewright.engine.cells.interchange import Interchange
from rulewright.engine.native.memory_map import CALLER, FUNCTION, PC
from rulewright.engine.native.values import Unsupported
from rulewright.engine.native.webassembly.encoding import MEMORY_FILL, Op, Type
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.word_sizes import SMALL_BITS, cell_bytes, words
from rulewright.ir import model as m
from rulewright.ir.control_flow.successors import rests

if TYPE_CHECKING:
    from rulewright.engine.native.lowering.lowering_context import LoweringContext

ONE, LISTED, SMALL_SET, LARGE_SET = range(4)
"""Forms in which a value holds pieces; sets of few pieces are smaller in fields than in slots."""
MOST_RANK = 1 << 30


class MentionFunctions:
    """The numbers of the functions; each is written when it is first asked for."""

    def __init__(self, ctx: LoweringContext, interchange: Interchange) -> None:
        self.ctx, self.memory, self.layout, self.interchange = ctx, ctx.memory, ctx.layout, interchange
        self._words = words(self.layout.pieces)
        self.asked = self.memory.reserve(8 * self._words)
        """The address of the set of pieces that are looked for."""
        self.ranks = self.memory.reserve(4 * self.layout.pieces)
        """The address of the ranks."""
        self.related = self.memory.reserve(8 * self._words)
        """The address of the set of pieces that a field relates to others."""
        self._left = self.memory.reserve(8 * self._words)
        self._next = self.memory.reserve(4)

    def _form(self, ty: m.Ty, in_field: bool) -> int:
        if ty.kind == "set":
            return SMALL_SET if in_field and self.layout.pieces <= SMALL_BITS else LARGE_SET
        return LISTED if ty.kind == "list" else ONE

    def _live_slots(self) -> int:
        """The address of a table: for each function that of one that has, for each place where the function can rest,
        where the slots begin and end that hold pieces and are live there, the last one first."""
        tables = []
        for number, function in enumerate(self.ctx.program.functions):
            rows = [(0, 0)] * (len(function.code) + 1)
            holds = any(slot.ty.universe == "Piece" for slot in function.slots)
            for pc in rests(function) if holds else ():
                found: list[int] = []
                for slot in sorted(self.interchange.live(number, pc), reverse=True):
                    ty = function.slots[slot].ty
                    if ty.universe == "Piece":
                        found += (self.memory.frames[number].offsets[slot], self._form(ty, False))
                at = self.memory.numbers(found) if found else 0
                rows[pc] = (at, at + 4 * len(found))
            tables.append(self.memory.numbers(end for row in rows for end in row))
        return self.memory.numbers(tables)

    @contextmanager
    def _rows(self, body: FunctionBody, at: int, end: int, size: int) -> Iterator[None]:
        """A loop over the rows of a table; `at` and `end` are locals."""
        with body.block() as out, body.loop() as again:
            body.get(at)
            body.get(end)
            body.op(Op.I32_GE_U)
            body.branch_if(out)
            yield
            body.increase(at, size)
            body.branch(again)

    @cached_property
    def rank(self) -> int:
        """Rank the pieces that are asked about."""
        number = self.ctx.module.declare(())
        body = self.ctx.module.body(number, "alike pieces")
        frame, at, end = (body.local(Type.I32) for _ in range(3))
        self._clear(body, self.ranks, 4 * self.layout.pieces)
        body.i32(0)
        body.i32(MOST_RANK)
        body.memory(Op.I32_STORE, self._next)
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
            with self._rows(body, at, end, 8):
                body.get(frame)
                body.get(at)
                body.memory(Op.I32_LOAD)
                body.op(Op.I32_ADD)
                body.get(at)
                body.memory(Op.I32_LOAD, 4)
                body.call(self._visit)
            body.get(frame)
            body.memory(Op.I32_LOAD, CALLER)
            body.set(frame)
            body.branch(next_frame)
        holders = [(self.memory.cell_at[cell], self._form(ty, True)) for cell, ty in reversed(self.interchange.holders)]
        if holders:
            table = self.memory.numbers(number for holder in holders for number in holder)
            for local, value in ((at, table), (end, table + 8 * len(holders))):
                body.i32(value)
                body.set(local)
            with self._rows(body, at, end, 8):
                for offset in (0, 4):
                    body.get(at)
                    body.memory(Op.I32_LOAD, offset)
                body.call(self._visit)
        self.ctx.module.define(number, body)
        return number

    @cached_property
    def _visit(self) -> int:
        """Rank the pieces that a value (its address, its form) holds."""
        number = self.ctx.module.declare((Type.I32, Type.I32))
        body = self.ctx.module.body(number, "alike pieces")
        value, form, at = 0, 1, body.local(Type.I32)
        body.get(form)
        body.i32(SMALL_SET)
        body.op(Op.I32_GE_U)
        with body.when():
            for word in range(self._words):
                body.i32(0)
                body.get(value)
                body.memory(Op.I64_LOAD32_U if self.layout.pieces <= SMALL_BITS else Op.I64_LOAD, 8 * word)
                body.i32(0)
                body.memory(Op.I64_LOAD, self.asked + 8 * word)
                body.op(Op.I64_AND)
                body.memory(Op.I64_STORE, self._left + 8 * word)
            body.call(self._rank_set)
            body.op(Op.RETURN)
        body.get(form)
        body.op(Op.I32_EQZ)
        with body.when():
            body.get(value)
            body.memory(Op.I32_LOAD)
            body.call(self._rank_one)
            body.op(Op.RETURN)
        body.get(value)
        body.get(value)
        body.memory(Op.I32_LOAD)
        body.i32(2)
        body.op(Op.I32_SHL, Op.I32_ADD)
        body.set(at)
        with body.block() as out, body.loop() as again:
            body.get(at)
            body.get(value)
            body.op(Op.I32_EQ)
            body.branch_if(out)
            body.get(at)
            body.memory(Op.I32_LOAD)
            body.call(self._rank_one)
            body.decrease(at, 4)
            body.branch(again)
        self.ctx.module.define(number, body)
        return number

    @cached_property
    def _rank_one(self) -> int:
        """Rank a piece, unless it is none."""
        number = self.ctx.module.declare((Type.I32,))
        body = self.ctx.module.body(number, "alike pieces")
        body.get(0)
        body.i32(0)
        body.op(Op.I32_GE_S)
        with body.when():
            self._lower(body)
            body.get(0)
            body.i32(2)
            body.op(Op.I32_SHL)
            body.i32(0)
            body.memory(Op.I32_LOAD, self._next)
            body.memory(Op.I32_STORE, self.ranks)
        self.ctx.module.define(number, body)
        return number

    def _lower(self, body: FunctionBody) -> None:
        """Go to the next lower rank."""
        body.i32(0)
        body.i32(0)
        body.memory(Op.I32_LOAD, self._next)
        body.i32(1)
        body.op(Op.I32_SUB)
        body.memory(Op.I32_STORE, self._next)

    @cached_property
    def _rank_set(self) -> int:
        """Rank the pieces that are left, those with the highest old rank first; those of one old rank get one new
        one."""
        number = self.ctx.module.declare(())
        body = self.ctx.module.body(number, "alike pieces")
        piece, highest = body.local(Type.I32), body.local(Type.I32)
        with body.loop() as again:
            body.i32(-1)
            body.set(highest)
            with self._members(body, self._left, piece):
                self._push_rank(body, piece)
                body.get(highest)
                self._push_rank(body, piece)
                body.get(highest)
                body.op(Op.I32_GT_S, Op.SELECT)
                body.set(highest)
            body.get(highest)
            body.i32(0)
            body.op(Op.I32_GE_S)
            with body.when():
                self._lower(body)
                with self._members(body, self._left, piece):
                    self._push_rank(body, piece)
                    body.get(highest)
                    body.op(Op.I32_EQ)
                    with body.when():
                        body.get(piece)
                        body.i32(2)
                        body.op(Op.I32_SHL)
                        body.i32(0)
                        body.memory(Op.I32_LOAD, self._next)
                        body.memory(Op.I32_STORE, self.ranks)
                        self._change(body, self._left, piece, Op.I64_XOR)
                body.branch(again)
        self.ctx.module.define(number, body)
        return number

    def _push_rank(self, body: FunctionBody, piece: int) -> None:
        body.get(piece)
        body.i32(2)
        body.op(Op.I32_SHL)
        body.memory(Op.I32_LOAD, self.ranks)

    # --------------------------------------------------------------------------------------------------- relations

    @cached_property
    def relate(self) -> int:
        """Find the pieces that fields relate to others."""
        number = self.ctx.module.declare(())
        body = self.ctx.module.body(number, "alike pieces")
        self._clear(body, self.related, 8 * self._words)
        initial = self.memory.constant(self.memory.initial) - self.memory.cells
        value, end, keys, piece = (body.local(Type.I32) for _ in range(4))
        for f in self.interchange.related:
            place = self.layout.fields[f.name]
            if f.ty.kind == "list":
                raise Unsupported("lists that relate pieces")
            size, at = cell_bytes(self.layout.widths[place.at]), self.memory.cell_at[place.at]
            rows = [
                [key for key, u in zip(self.layout.keys_of(row, f.index), f.index, strict=True) if u == "Piece"]
                for row in range(place.count)
            ]
            for local, known in ((value, at), (end, at + size * place.count), (keys, self._table(rows))):
                body.i32(known)
                body.set(local)
            with self._rows(body, value, end, size):
                with body.block() as same:
                    self._push_changed(body, value, size, initial)
                    body.op(Op.I32_EQZ)
                    body.branch_if(same)
                    for column in range(len(rows[0])):
                        body.get(keys)
                        body.memory(Op.I32_LOAD, 4 * column)
                        body.set(piece)
                        self._change(body, self.related, piece, Op.I64_OR)
                    self._mark_held(body, f.ty, value, piece)
                body.increase(keys, 4 * len(rows[0]))
        self.ctx.module.define(number, body)
        return number

    def _table(self, rows: list[list[int]]) -> int:
        return self.memory.numbers(number for row in rows for number in row)

    def _push_changed(self, body: FunctionBody, value: int, size: int, initial: int) -> None:
        """Push whether a value is not what it was when the game began."""
        for offset in range(0, size, 4):
            for base in (0, initial):
                body.get(value)
                body.memory(Op.I32_LOAD, base + offset)
            body.op(Op.I32_NE)
            if offset:
                body.op(Op.I32_OR)

    def _mark_held(self, body: FunctionBody, ty: m.Ty, value: int, piece: int) -> None:
        """Note that the pieces which a value holds are related."""
        if ty.universe != "Piece":
            return
        if ty.kind == "set":
            for word in range(self._words):
                body.i32(0)
                body.i32(0)
                body.memory(Op.I64_LOAD, self.related + 8 * word)
                body.get(value)
                body.memory(Op.I64_LOAD32_U if self.layout.pieces <= SMALL_BITS else Op.I64_LOAD, 8 * word)
                body.op(Op.I64_OR)
                body.memory(Op.I64_STORE, self.related + 8 * word)
            return
        body.get(value)
        body.memory(Op.I32_LOAD)
        body.tee(piece)
        body.i32(0)
        body.op(Op.I32_GE_S)
        with body.when():
            self._change(body, self.related, piece, Op.I64_OR)

    # -------------------------------------------------------------------------------------------------------- sets

    def _clear(self, body: FunctionBody, at: int, size: int) -> None:
        body.i32(at)
        body.i32(0)
        body.i32(size)
        body.raw(MEMORY_FILL)

    def _change(self, body: FunctionBody, at: int, piece: int, op: Op) -> None:
        """Combine the set at an address with that of one piece."""
        where = body.local(Type.I32)
        body.get(piece)
        body.i32(6)
        body.op(Op.I32_SHR_U)
        body.i32(3)
        body.op(Op.I32_SHL)
        body.tee(where)
        body.get(where)
        body.memory(Op.I64_LOAD, at)
        body.i64(1)
        body.get(piece)
        body.op(Op.I64_EXTEND_I32_U, Op.I64_SHL, op)
        body.memory(Op.I64_STORE, at)

    def _members(self, body: FunctionBody, at: int, piece: int) -> AbstractContextManager[None]:
        return members(body, at, self._words, piece)


@contextmanager
def members(body: FunctionBody, at: int, count: int, member: int) -> Iterator[None]:
    """A loop over the members of a set of so many words in memory, least first, as each word is when it is come to."""
    offset, left = body.local(Type.I32), body.local(Type.I64)
    body.i32(0)
    body.set(offset)
    with body.block() as out, body.loop() as again:
        body.get(offset)
        body.i32(8 * count)
        body.op(Op.I32_GE_U)
        body.branch_if(out)
        body.get(offset)
        body.memory(Op.I64_LOAD, at)
        body.set(left)
        with body.block() as empty, body.loop() as further:
            body.get(left)
            body.op(Op.I64_EQZ)
            body.branch_if(empty)
            body.get(left)
            body.op(Op.I64_CTZ, Op.I32_WRAP_I64)
            body.get(offset)
            body.i32(3)
            body.op(Op.I32_SHL, Op.I32_ADD)
            body.set(member)
            body.get(left)
            body.get(left)
            body.i64(1)
            body.op(Op.I64_SUB, Op.I64_AND)
            body.set(left)
            yield
            body.branch(further)
        body.increase(offset, 8)
        body.branch(again)
