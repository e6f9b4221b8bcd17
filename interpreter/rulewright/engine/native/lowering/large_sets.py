"""Sets of many words: they lie in memory, and whatever is done with each word is a loop.

Each place in the code that makes such a set has memory of its own, as with lists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.values import ABSOLUTE, Value
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import I32, I64, Emitted, Local, Memory, Stacked, Term, mem64
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
            self.body.copy(room.address, v.address, 8 * v.words)
        for number, local in enumerate(v.locals[:count]):
            self.body.set(mem64(0, room.at + 8 * number), local)
        return room

    def copy(self, v: Value, target: Value) -> None:
        """Store a set, as far as it fits, where another one lies."""
        if v.constant == 0:
            self.body.fill(target.address, 0, 8 * target.words)
        else:
            source = self.placed(v, target.words)
            self.body.copy(target.address, source.address, 8 * target.words)

    def wordwise(self, target: Value, operands: Sequence[Value], combine: Callable[..., Term]) -> None:
        """Make each word of a set of those of some others."""
        placed = [self.placed(v, target.words) for v in operands]
        with self._each(target.words) as (at, _):
            self.body.set(word_at(target, at), combine(*(word_at(v, at) for v in placed)))

    def size(self, v: Value) -> Term:
        """The number of members."""

        def counted() -> Term:
            there, size = self.placed(v, v.words), self.body.local(I64)
            self.body.set(size, 0)
            with self._each(v.words) as (at, _):
                self.body.set(size, size + word_at(there, at).popcnt())
            return size.wrap()

        return Emitted(I32, counted)

    def empty(self, v: Value) -> Term:
        """The truth of there being no members."""
        return Emitted(I64, lambda: self._find(v)[0]).eqz()

    def first(self, v: Value) -> Term:
        """The least member of a set that is not empty."""

        def found() -> Term:
            word, at = self._find(v)
            return word.ctz().wrap() + (at << 3)

        return Emitted(I32, found)

    def same(self, a: Value, b: Value, count: int) -> Term:
        """The truth of two sets having the same members."""

        def compared() -> Term:
            one, other = self.placed(a, count), self.placed(b, count)
            differs = self.body.local()
            self.body.set(differs, 0)
            with self._each(count) as (at, leave):
                self.body.branch_if(leave, differs.tee(word_at(one, at).ne(word_at(other, at))))
            return differs.eqz()

        return Emitted(I32, compared)

    def change(self, target: Value, item: Value, combine: Callable[[Term, Term], Term]) -> None:
        """Set or change the bit of a number."""
        at = self.body.hold(item.term >> 6 << 3)
        self.body.set(word_at(target, at), combine(word_at(target, at), 1 << item.term.extend_u()))

    def _find(self, v: Value) -> tuple[Local, Local]:
        """Find the first word that is not 0; it, or 0, and its offset."""
        v = self.placed(v, v.words)
        word, found = self.body.locals(I64, I32)
        with self._each(v.words) as (at, leave):
            self.body.push(word.tee(word_at(v, at)).nonzero())
            self.body.set(found, at)
            self.body.branch_if(leave, Stacked())
        return word, found

    @contextmanager
    def _each(self, count: int) -> Iterator[tuple[Local, int]]:
        """A loop with the offset of each word in a local; gives it, and a label that leaves."""
        at = self.body.local()
        self.body.set(at, 0)
        with self.body.block() as leave, self.body.loop() as again:
            yield at, leave
            self.body.set(at, at + 8)
            self.body.branch_if(again, at.lt_u(8 * count))


def word_at(v: Value, at: Local) -> Memory:
    """The word with an offset."""
    assert v.base is not None
    return mem64(at if v.base is ABSOLUTE else at + v.base, v.at)
