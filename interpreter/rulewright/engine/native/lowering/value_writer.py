"""Writing values: numbers, truths and sets, in locals or in memory (A-normal form)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import reduce
from operator import add, or_, xor

from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import WORD_BITS, is_large, words
from rulewright.engine.native.values import ABSOLUTE, Value, constant_set, present
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import (
    I32,
    I64,
    Emitted,
    Local,
    Memory,
    Stacked,
    Term,
    const,
    mem64,
    select,
)
from rulewright.ir.model import NONE


class LargeSets:
    """Instructions about sets in memory."""

    def __init__(self, ctx: LoweringContext, body: FunctionBody) -> None:
        self.ctx, self.body = ctx, body

    def placed(self, v: Value, count: int) -> Value:
        """The set in memory with at least so many words; those beyond its own are 0."""
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


class ValueWriter:
    """Instructions about values in the body of a function."""

    def __init__(self, ctx: LoweringContext, body: FunctionBody) -> None:
        self.ctx, self.body = ctx, body
        self.sets = LargeSets(ctx, body)

    # ------------------------------------------------------------------------------------------------------ values

    def hold(self, value: Term, low: int, high: int, null: bool = False, living: bool = False) -> Value:
        """A number in a new local."""
        return Value((self.body.hold(value),), null=null, low=low, high=high, living=living)

    def as_set(self, v: Value) -> Value:
        """A value as a set: small constants, and one of two such, may be meant as sets."""
        if v.is_set:
            return v
        if not v.locals:
            return constant_set(v.known)
        return Value((self.body.hold(v.term.extend_u()),), is_set=True, bits=v.high.bit_length())

    def allocate_set(self, bits: int, living: bool = False) -> Value:
        """New locals, or memory, for a set, whose contents are unknown."""
        if is_large(bits):
            room = self.ctx.memory.reserve(8 * words(bits))
            return Value(is_set=True, bits=bits, living=living, base=ABSOLUTE, at=room)
        return Value(tuple(self.body.locals(*(I64,) * words(bits))), is_set=True, bits=bits, living=living)

    def new_set(self, bits: int, living: bool = False) -> Value:
        """A new set, empty."""
        made = self.allocate_set(bits, living)
        self.assign(made, constant_set(0))
        return made

    def assign(self, target: Value, v: Value) -> None:
        """Store a value where another one is."""
        if target.in_memory:
            self.sets.copy(self.as_set(v), target)
        elif target.is_set:
            v = self.as_set(v)
            for number, local in enumerate(target.locals):
                self.body.set(local, v.word(number))
        else:
            self.body.set(target.local, v.term)

    def loaded(self, v: Value) -> Value:
        """A set in locals, if it lies in memory."""
        if not v.in_memory or is_large(v.bits):
            return v
        made = self.allocate_set(v.bits, v.living)
        self.assign(made, v)
        return made

    def empty_list(self) -> Value:
        """A list without items."""
        return Value(known=self.ctx.memory.numbers((0,)), is_list=True)

    @contextmanager
    def unless_null(self, nulls: list[Value], result: Value) -> Iterator[None]:
        """Code that gives a result its value where none of some values is none; else it is none or empty."""
        if not nulls:
            yield
            return
        otherwise = self.empty_list() if result.is_list else Value(known=NONE)
        self.assign(result, constant_set(0) if result.is_set else otherwise)
        with self.body.when(present(nulls)):
            yield

    # -------------------------------------------------------------------------------------------------------- sets

    def size(self, v: Value) -> Term:
        """The number of members of a set."""
        if v.constant is not None:
            return const(v.known.bit_count())
        if is_large(v.bits):
            return self.sets.size(v)
        return reduce(add, (v.word(number).popcnt() for number in range(v.words))).wrap()

    def empty(self, v: Value) -> Term:
        """The truth of a set having no members."""
        if v.constant is not None:
            return const(int(not v.known))
        if is_large(v.bits):
            return self.sets.empty(v)
        return reduce(or_, map(v.word, range(v.words))).eqz()

    def contains(self, v: Value, item: Value) -> Term:
        """The truth of a number being in a set; none lies in nothing."""
        count, known = v.words, item.constant
        beyond = item.null or item.low < 0 or item.high >= WORD_BITS * count
        if count == 1:
            word = v.word(0)
        elif known is not None:
            word = v.word(max(known, 0) >> 6)
        elif v.in_memory or is_large(v.bits):
            word = Emitted(I64, lambda: _word_in_memory(self.sets.placed(v, count), item, beyond))
        else:
            word = _word_at(v, item)
        bit = (word >> item.term.extend_u()).wrap() & 1
        return item.term.lt_u(WORD_BITS * count) & bit if beyond else bit

    def insert(self, target: Value, item: Value) -> None:
        """Put a number that is not none into a set; stop if the set cannot hold it."""
        if item.low < 0 or item.high >= target.bits:
            self.body.trap_if(item.term.ge_u(target.bits))
        self._change(target, item, or_)

    def remove(self, target: Value, item: Value) -> None:
        """Take a member out of a set."""
        self._change(target, item, xor)

    def _change(self, target: Value, item: Value, combine: Callable[[Term, Term], Term]) -> None:
        """Set or change the bit of a number."""
        if target.in_memory:
            self.sets.change(target, item, combine)
            return
        bit = 1 << item.term.extend_u()
        for number, local in enumerate(target.locals):
            if len(target.locals) > 1:  # nothing, if the bit stands in another word
                here = select(bit, 0, (item.term >> 6).eq(number))
                self.body.set(local, combine(local, here))
            else:
                self.body.set(local, combine(local, bit))

    def first(self, v: Value) -> Term:
        """The least member of a set that is not empty."""
        return self.sets.first(v) if is_large(v.bits) else Emitted(I32, lambda: self._first(v))

    def _first(self, v: Value) -> Term:
        count = v.words
        found = v.word(count - 1).ctz() + WORD_BITS * (count - 1)
        for number in reversed(range(count - 1)):
            other = self.body.hold(found)
            # least of this word, if it has any, else that of those behind
            found = select(v.word(number).ctz() + WORD_BITS * number, other, v.word(number).nonzero())
        return found.wrap()

    def last(self, v: Value) -> Term:
        """The greatest member of a set that is not empty."""
        assert not is_large(v.bits), "nobody asks for it"
        return Emitted(I32, lambda: self._last(v))

    def _last(self, v: Value) -> Term:
        last = self.body.hold(v.word(0).clz())
        found = 63 - last
        for number in range(1, v.words):
            self.body.set(last, found)
            word = v.word(number)
            found = select(const(WORD_BITS * number + 63, I64) - word.clz(), last, word.nonzero())
        return found.wrap()

    # ------------------------------------------------------------------------------------------------------ memory

    def words_of(self, v: Value, bits: int) -> list[Term]:
        """A set as arguments or results of a function: its words, or its address."""
        if is_large(bits):
            return [Emitted(I32, lambda: self.sets.placed(v, words(bits)).address)]
        return [v.word(number) for number in range(words(bits))]

    def store_set(self, v: Value, address: int, base: Term = ABSOLUTE, count: int = 0) -> None:
        """Store a set, or so many words of it, at an address that is counted from another one."""
        count = count or v.words
        if is_large(WORD_BITS * count):
            self.sets.copy(v, Value(is_set=True, bits=WORD_BITS * count, base=base, at=address))
            return
        for number in range(count):
            self.body.set(mem64(base, address + 8 * number), v.word(number))

    def load_set(self, address: int, base: Term, bits: int) -> Value:
        """The set at an address, which does not change as long as it is used."""
        return self.loaded(Value(is_set=True, bits=bits, base=base, at=address))

    def wordwise(
        self,
        bits: int,
        operands: Sequence[Value],
        combine: Callable[..., Term],
        living: bool = False,
        into: Value | None = None,
    ) -> Value:
        """A set each word of which is made of those of some others."""
        target = into if into is not None else self.allocate_set(bits, living)
        if is_large(bits):
            self.sets.wordwise(target, operands, combine)
            return target
        for number, local in enumerate(target.locals):
            self.body.set(local, combine(*(v.word(number) for v in operands)))
        return target

    def without(self, bits: int, a: Value, b: Value, living: bool = False, into: Value | None = None) -> Value:
        """The members of a set that are not in another one."""
        return self.wordwise(bits, (a, b), lambda one, other: one & ~other, living, into)

    def include(self, target: Value, v: Value) -> None:
        """Put the members of another set into a set."""
        self.wordwise(target.bits, (target, v), or_, into=target)


def _word_at(v: Value, item: Value) -> Term:
    """The word in which the bit of a number stands; another one if it stands in none."""
    found = v.word(0)
    for number in range(1, v.words):
        found = select(found, v.word(number), (item.term >> 6).ne(number))
    return found


def _word_in_memory(v: Value, item: Value, beyond: bool) -> Term:
    """The word of a set in memory in which the bit of a number stands."""
    assert v.base is not None
    number = select(item.term, 0, item.term.lt_u(WORD_BITS * v.words)) if beyond else item.term
    return mem64(v.base + (number >> 6 << 3), v.at)
