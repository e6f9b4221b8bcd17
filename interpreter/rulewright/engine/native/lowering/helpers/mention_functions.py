"""Places where the rules hold pieces: fields and the live slots of frames.

The colour of a piece has a list of these places in canonical order (:mod:`rulewright.engine.cells.interchange`). The
lists need not be written down: they are compared by one number for each piece, its *rank*. The places are looked
through backwards, and each gives the pieces that it holds new ranks below all that have been given: in the order of
the old ones, as what comes behind in their lists. A piece that nothing holds has rank 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from operator import or_

from rulewright.engine.cells.interchange import Interchange
from rulewright.engine.native.lowering.helpers.common_functions import Parts
from rulewright.engine.native.memory_map import CALLER, FUNCTION, PC, SMALL_BITS, cell_bytes, words
from rulewright.engine.native.values import Unsupported
from rulewright.engine.native.webassembly.encoding import Op
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.module import function
from rulewright.engine.native.webassembly.terms import (
    I32,
    I64,
    Local,
    Memory,
    Term,
    mem32,
    mem64,
    select,
    without_lowest,
)
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import suspension_points

ONE, LISTED, SMALL_SET, LARGE_SET = range(4)
"""Forms in which a value holds pieces; sets of few pieces are smaller in fields than in slots."""
MOST_RANK = 1 << 30
PART = "alike pieces"


class MentionFunctions:
    """The numbers of the functions; each is written when it is first needed."""

    def __init__(self, parts: Parts, interchange: Interchange) -> None:
        self._program, self.memory, self.layout, self.module = parts.program, parts.memory, parts.layout, parts.module
        self._topmost, self.interchange = parts.frame, interchange
        self._words = words(self.layout.pieces)
        self._load = Op.I64_LOAD32_U if self.layout.pieces <= SMALL_BITS else Op.I64_LOAD
        self.offered = self.memory.reserve(8 * self._words)
        """The address of the set of pieces that are looked for."""
        self.ranks = self.memory.reserve(4 * self.layout.pieces)
        """The address of the ranks."""
        self.related = self.memory.reserve(8 * self._words)
        """The address of the set of pieces that a field relates to others."""
        self._left = self.memory.reserve(8 * self._words)
        self._next = mem32(0, self.memory.reserve(4))

    def _form(self, ty: m.Ty, in_field: bool) -> int:
        if ty.kind == "set":
            return SMALL_SET if in_field and self.layout.pieces <= SMALL_BITS else LARGE_SET
        return LISTED if ty.kind == "list" else ONE

    def _live_slots(self) -> int:
        """The address of a table: for each function that of one that has, for each place where the function can rest,
        where the slots begin and end that hold pieces and are live there, the last one first."""
        tables = []
        for number, called in enumerate(self._program.functions):
            rows = [(0, 0)] * (len(called.code) + 1)
            holds = any(slot.ty.universe == "Piece" for slot in called.slots)
            for pc in suspension_points(called) if holds else ():
                found: list[int] = []
                for slot in sorted(self.interchange.live(number, pc), reverse=True):
                    ty = called.slots[slot].ty
                    if ty.universe == "Piece":
                        found += (self.memory.frames[number].offsets[slot], self._form(ty, False))
                at = self.memory.numbers(found) if found else 0
                rows[pc] = (at, at + 4 * len(found))
            tables.append(self.memory.numbers(end for row in rows for end in row))
        return self.memory.numbers(tables)

    @function(PART)
    def rank(self, body: FunctionBody) -> None:
        """Rank the pieces that are looked at."""
        frame, at, end = body.locals(I32, I32, I32)
        body.fill(self.ranks, 0, 4 * self.layout.pieces)
        body.set(self._next, MOST_RANK)
        tables = self._live_slots()
        body.set(frame, self._topmost)
        with body.until(frame.eqz()):
            row = mem32(mem32(frame, FUNCTION) << 2, tables) + (mem32(frame, PC) << 3)
            body.set(at, mem32(row))
            body.set(end, mem32(row, 4))
            with body.until(at.ge_u(end), (at, 8)):
                body.call(self._visit, frame + mem32(at), mem32(at, 4))
            body.set(frame, mem32(frame, CALLER))
        holders = [(self.memory.cell_at[cell], self._form(ty, True)) for cell, ty in reversed(self.interchange.holders)]
        if holders:
            table = self.memory.numbers(number for holder in holders for number in holder)
            body.set(at, table)
            body.set(end, table + 8 * len(holders))
            with body.until(at.ge_u(end), (at, 8)):
                body.call(self._visit, mem32(at), mem32(at, 4))

    @function(PART, I32, I32)
    def _visit(self, body: FunctionBody, value: Local, form: Local) -> None:
        """Rank the pieces that a value (its address, its form) holds."""
        at = body.local()
        with body.when(form.ge_u(SMALL_SET)):
            for word in range(0, 8 * self._words, 8):
                held = mem64(value, word, self._load)
                body.set(mem64(0, self._left + word), held & mem64(0, self.offered + word))
            body.call(self._rank_set)
            body.give()
        with body.when(form.eqz()):
            body.call(self._rank_one, mem32(value))
            body.give()
        body.set(at, value + (mem32(value) << 2))
        with body.until(at.eq(value)):
            body.call(self._rank_one, mem32(at))
            body.set(at, at - 4)

    @function(PART, I32)
    def _rank_one(self, body: FunctionBody, piece: Local) -> None:
        """Rank a piece, unless it is none."""
        with body.when(piece.ge_s(0)):
            body.set(self._next, self._next - 1)
            body.set(self._rank(piece), self._next)

    def _rank(self, piece: Term) -> Memory:
        return mem32(piece << 2, self.ranks)

    @function(PART)
    def _rank_set(self, body: FunctionBody) -> None:
        """Rank the pieces that are left, those with the highest old rank first; those of one old rank get one new
        one."""
        piece, highest = body.locals(I32, I32)
        with body.loop() as again:
            body.set(highest, -1)
            with members(body, self._left, self._words, piece):
                body.set(highest, select(self._rank(piece), highest, self._rank(piece).gt_s(highest)))
            with body.when(highest.ge_s(0)):
                body.set(self._next, self._next - 1)
                with members(body, self._left, self._words, piece), body.when(self._rank(piece).eq(highest)):
                    body.set(self._rank(piece), self._next)
                    where = body.local()
                    ranked = mem64(where, self._left) ^ 1 << piece.extend_u()
                    body.set(mem64(where.tee(piece >> 6 << 3), self._left), ranked)
                body.branch(again)

    # --------------------------------------------------------------------------------------------------- relations

    @function(PART)
    def relate(self, body: FunctionBody) -> None:
        """Find the pieces that fields relate to others."""
        body.fill(self.related, 0, 8 * self._words)
        initial = self.memory.constant(self.memory.initial) - self.memory.cells
        value, end, keys, piece = body.locals(I32, I32, I32, I32)
        for f in self.interchange.related:
            place = self.layout.fields[f.name]
            if f.ty.kind == "list":
                raise Unsupported("lists that relate pieces")
            size, at = cell_bytes(self.layout.widths[place.at]), self.memory.cell_at[place.at]
            rows = [
                [key for key, u in zip(self.layout.keys_of(row, f.index), f.index, strict=True) if u == "Piece"]
                for row in range(place.count)
            ]
            table = self.memory.numbers(number for row in rows for number in row)
            for variable, known in ((value, at), (end, at + size * place.count), (keys, table)):
                body.set(variable, known)
            with body.until(value.ge_u(end), (value, size)):
                with body.block() as same:
                    body.branch_if(same, _is_changed(value, size, initial).eqz())
                    for column in range(len(rows[0])):
                        body.set(piece, mem32(keys, 4 * column))
                        self._relate(body, piece)
                    self._mark_held(body, f.ty, value, piece)
                body.set(keys, keys + 4 * len(rows[0]))

    def _mark_held(self, body: FunctionBody, ty: m.Ty, value: Local, piece: Local) -> None:
        """Note that the pieces which a value holds are related."""
        if ty.universe != "Piece":
            return
        if ty.kind == "set":
            for word in range(0, 8 * self._words, 8):
                related = mem64(0, self.related + word)
                body.set(related, related | mem64(value, word, self._load))
            return
        with body.when(piece.tee(mem32(value)).ge_s(0)):
            self._relate(body, piece)

    def _relate(self, body: FunctionBody, piece: Local) -> None:
        """Note that a piece is related."""
        where = body.local()
        body.set(mem64(where.tee(piece >> 6 << 3), self.related), mem64(where, self.related) | 1 << piece.extend_u())


def _is_changed(value: Term, size: int, initial: int) -> Term:
    """The truth of a value not being what it was when the game began."""
    return reduce(or_, (mem32(value, offset).ne(mem32(value, initial + offset)) for offset in range(0, size, 4)))


@contextmanager
def members(body: FunctionBody, at: int, count: int, member: Local) -> Iterator[None]:
    """A loop over the members of a set of so many words in memory, least first, as each word is when it is come to."""
    offset, left = body.locals(I32, I64)
    body.set(offset, 0)
    with body.until(offset.ge_u(8 * count), (offset, 8)):
        body.set(left, mem64(offset, at))
        with body.until(left.eqz()):
            body.set(member, left.ctz().wrap() + (offset << 3))
            body.set(left, without_lowest(left))
            yield
