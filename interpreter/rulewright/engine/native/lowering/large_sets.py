"""Sets of many words: they lie in memory, and whatever is done with each word is a loop.

Each place in the code that makes such a set has memory of its own, as with lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.values import ABSOLUTE, Value
from rulewright.engine.native.webassembly.encoding import MEMORY_COPY, MEMORY_FILL, Op, Type
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.word_sizes import WORD_BITS


class LargeSets:
    """Instructions about sets in memory."""

    def __init__(self, ctx: LoweringContext, body: FunctionBody) -> None:
        self.ctx, self.body = ctx, body

    def placed(self, v: Value, count: int) -> Value:
        """The same set in memory with at least so many words; those beyond its own are 0."""
        if v.in_memory and v.words >= count:
            return v
        if v.constant is not None:
            at = self.ctx.memory.sets((v.known & (1 << WORD_BITS * count) - 1,), count)
            return Value(is_set=True, bits=v.bits, base=ABSOLUTE, at=at)
        room = Value(is_set=True, bits=WORD_BITS * count, base=ABSOLUTE, at=self.ctx.memory.reserve(8 * count))
        if v.in_memory:
            self._copy_words(v, room, v.words)
        for number, local in enumerate(v.locals[:count]):
            self.body.i32(0)
            self.body.get(local)
            self.body.memory(Op.I64_STORE, room.at + 8 * number)
        return room

    def copy(self, v: Value, target: Value) -> None:
        """Store a set, as far as it fits, where another one lies."""
        if v.constant == 0:
            self.push_address(target)
            self.body.i32(0)
            self.body.i32(8 * target.words)
            self.body.raw(MEMORY_FILL)
        else:
            self._copy_words(self.placed(v, target.words), target, target.words)

    def _copy_words(self, v: Value, target: Value, count: int) -> None:
        self.push_address(target)
        self.push_address(v)
        self.body.i32(8 * count)
        self.body.raw(MEMORY_COPY)

    def push_address(self, v: Value) -> None:
        """Push the address of a set in memory."""
        if v.base == ABSOLUTE:
            self.body.i32(v.at)
            return
        self.body.get(v.base)
        if v.at:
            self.body.i32(v.at)
            self.body.op(Op.I32_ADD)

    def wordwise(self, target: Value, operands: Sequence[Value], combine: Callable[[], object]) -> None:
        """Make each word of a set of those of some others, which `combine` finds on the stack, in order."""
        placed = [self.placed(v, target.words) for v in operands]
        with self._each(target.words) as (at, _):
            self._push(target, at)
            for v in placed:
                self.push_word(v, at)
            combine()
            self.body.memory(Op.I64_STORE, target.at)

    def push_size(self, v: Value) -> None:
        """Push the number of members."""
        v = self.placed(v, v.words)
        size = self.body.local(Type.I64)
        self.body.i64(0)
        self.body.set(size)
        with self._each(v.words) as (at, _):
            self.body.get(size)
            self.push_word(v, at)
            self.body.op(Op.I64_POPCNT, Op.I64_ADD)
            self.body.set(size)
        self.body.get(size)
        self.body.op(Op.I32_WRAP_I64)

    def push_empty(self, v: Value) -> None:
        """Push whether there are no members."""
        self._find(v)
        self.body.op(Op.I64_EQZ)

    def push_first(self, v: Value) -> None:
        """Push the least member of a set that is not empty."""
        at = self._find(v)
        self.body.op(Op.I64_CTZ, Op.I32_WRAP_I64)
        self.body.get(at)
        self.body.i32(3)
        self.body.op(Op.I32_SHL, Op.I32_ADD)

    def push_same(self, a: Value, b: Value, count: int) -> None:
        """Push whether two sets have the same members."""
        a, b = self.placed(a, count), self.placed(b, count)
        differs = self.body.local(Type.I32)
        self.body.i32(0)
        self.body.set(differs)
        with self._each(count) as (at, leave):
            self.push_word(a, at)
            self.push_word(b, at)
            self.body.op(Op.I64_NE)
            self.body.tee(differs)
            self.body.branch_if(leave)
        self.body.get(differs)
        self.body.op(Op.I32_EQZ)

    def change(self, target: Value, item: Value, op: Op) -> None:
        """Set or change the bit of a number."""
        at = self.body.local(Type.I32)
        self._push_number(item)
        self.body.i32(6)
        self.body.op(Op.I32_SHR_U)
        self.body.i32(3)
        self.body.op(Op.I32_SHL)
        self.body.set(at)
        self._push(target, at)
        self.push_word(target, at)
        self.body.i64(1)
        self._push_number(item)
        self.body.op(Op.I64_EXTEND_I32_U, Op.I64_SHL, op)
        self.body.memory(Op.I64_STORE, target.at)

    def _push_number(self, v: Value) -> None:
        if v.locals:
            self.body.get(v.locals[0])
        else:
            self.body.i32(v.known)

    def _find(self, v: Value) -> int:
        """Push the first word that is not 0, or 0; the local with its offset."""
        v = self.placed(v, v.words)
        word, found = self.body.local(Type.I64), self.body.local(Type.I32)
        with self._each(v.words) as (at, leave):
            self.push_word(v, at)
            self.body.tee(word)
            self.body.op(Op.I64_EQZ, Op.I32_EQZ)
            self.body.get(at)
            self.body.set(found)
            self.body.branch_if(leave)
        self.body.get(word)
        return found

    @contextmanager
    def _each(self, count: int) -> Iterator[tuple[int, int]]:
        """A loop with the offset of each word in a local; gives it, and a label that leaves."""
        at = self.body.local(Type.I32)
        self.body.i32(0)
        self.body.set(at)
        with self.body.block() as leave, self.body.loop() as again:
            yield at, leave
            self.body.increase(at, 8)
            self.body.get(at)
            self.body.i32(8 * count)
            self.body.op(Op.I32_LT_U)
            self.body.branch_if(again)

    def _push(self, v: Value, at: int) -> None:
        """Push the address of the word with an offset, from which that of the set is still to be counted."""
        self.body.get(at)
        if v.base != ABSOLUTE:
            self.body.get(v.base)
            self.body.op(Op.I32_ADD)

    def push_word(self, v: Value, at: int) -> None:
        """Push the word with an offset, which a local holds."""
        self._push(v, at)
        self.body.memory(Op.I64_LOAD, v.at)
