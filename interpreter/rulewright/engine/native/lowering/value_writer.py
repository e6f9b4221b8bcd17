"""Writing values: numbers, truths and sets in locals or in memory (A-normal form)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rulewright.engine.native.lowering.large_sets import LargeSets
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.values import ABSOLUTE, Value, constant_set
from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.word_sizes import WORD_BITS, is_large, words
from rulewright.ir.model import NONE

MASK = (1 << 64) - 1


class ValueWriter:
    """Instructions about values in the body of a function."""

    def __init__(self, ctx: LoweringContext, body: FunctionBody) -> None:
        self.ctx, self.body = ctx, body
        self.sets = LargeSets(ctx, body)

    # ------------------------------------------------------------------------------------------------------ values

    def push(self, v: Value) -> None:
        """Push a number."""
        if v.locals:
            self.body.get(v.locals[0])
        else:
            self.body.i32(v.known)

    def push_word(self, v: Value, number: int) -> None:
        """Push a word of a set."""
        if v.in_memory and number < v.words:
            self.push_base(v)
            self.body.memory(Op.I64_LOAD, v.at + 8 * number)
        elif not v.locals:
            self.body.i64(v.known >> 64 * number & MASK)
        elif number < len(v.locals):
            self.body.get(v.locals[number])
        else:
            self.body.i64(0)

    def as_set(self, v: Value) -> Value:
        """A value as a set: small constants, and one of two such, may be meant as sets."""
        if v.is_set:
            return v
        if not v.locals:
            return constant_set(v.known)
        self.push(v)
        self.body.op(Op.I64_EXTEND_I32_U)
        local = self.body.local(Type.I64)
        self.body.set(local)
        return Value((local,), is_set=True, bits=v.high.bit_length())

    def pop(self, low: int, high: int, null: bool = False, living: bool = False) -> Value:
        """The number on the top of the stack, in a new local."""
        local = self.body.local(Type.I32)
        self.body.set(local)
        return Value((local,), null=null, low=low, high=high, living=living)

    def allocate_set(self, bits: int, living: bool = False) -> Value:
        """New locals, or memory, for a set, whose contents are unknown."""
        if is_large(bits):
            room = self.ctx.memory.reserve(8 * words(bits))
            return Value(is_set=True, bits=bits, living=living, base=ABSOLUTE, at=room)
        locals_ = tuple(self.body.local(Type.I64) for _ in range(words(bits)))
        return Value(locals_, is_set=True, bits=bits, living=living)

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
                self.push_word(v, number)
                self.body.set(local)
        else:
            self.push(v)
            self.body.set(target.locals[0])

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

    def trap_if(self) -> None:
        """Stop if the top of the stack is not 0: the Python backend finds out what is wrong."""
        with self.body.when():
            self.body.op(Op.UNREACHABLE)

    # ----------------------------------------------------------------------------------------------------- numbers

    def push_present(self, nulls: list[Value]) -> None:
        """Push whether none of some values is none."""
        for number, v in enumerate(nulls):
            self.push(v)
            self.body.i32(NONE)
            self.body.op(Op.I32_NE)
            if number:
                self.body.op(Op.I32_AND)

    @contextmanager
    def unless_null(self, nulls: list[Value], result: Value) -> Iterator[None]:
        """Code that gives a result its value where none of some values is none; else it is none or empty."""
        if not nulls:
            yield
            return
        otherwise = self.empty_list() if result.is_list else Value(known=NONE)
        self.assign(result, constant_set(0) if result.is_set else otherwise)
        self.push_present(nulls)
        with self.body.when():
            yield

    def push_condition(self, v: Value) -> None:
        """Push whether a truth holds; none does not."""
        self.push(v)
        if v.null:
            self.body.i32(1)
            self.body.op(Op.I32_EQ)

    # -------------------------------------------------------------------------------------------------------- sets

    def push_size(self, v: Value) -> None:
        """Push the number of members of a set."""
        if v.constant is not None:
            self.body.i32(v.known.bit_count())
            return
        if is_large(v.bits):
            self.sets.push_size(v)
            return
        for number in range(v.words):
            self.push_word(v, number)
            self.body.op(Op.I64_POPCNT)
            if number:
                self.body.op(Op.I64_ADD)
        self.body.op(Op.I32_WRAP_I64)

    def push_empty(self, v: Value) -> None:
        """Push whether a set has no members."""
        if v.constant is not None:
            self.body.i32(int(not v.known))
            return
        if is_large(v.bits):
            self.sets.push_empty(v)
            return
        for number in range(v.words):
            self.push_word(v, number)
            if number:
                self.body.op(Op.I64_OR)
        self.body.op(Op.I64_EQZ)

    def push_contains(self, v: Value, item: Value) -> None:
        """Push whether a number lies in a set; none lies in nothing."""
        count = v.words
        beyond = item.null or item.low < 0 or item.high >= 64 * count
        if beyond:
            self.push(item)
            self.body.i32(64 * count)
            self.body.op(Op.I32_LT_U)
        known = item.constant
        if count == 1:
            self.push_word(v, 0)
        elif known is not None:
            self.push_word(v, max(known, 0) >> 6)
        elif v.in_memory or is_large(v.bits):
            self._push_word_in_memory(self.sets.placed(v, count), item, beyond)
        else:
            self._push_word_at(v, item)
        self._push_shift(item)
        self.body.op(Op.I64_SHR_U, Op.I32_WRAP_I64)
        self.body.i32(1)
        self.body.op(Op.I32_AND)
        if beyond:
            self.body.op(Op.I32_AND)

    def _push_word_at(self, v: Value, item: Value) -> None:
        """Push the word in which the bit of a number stands; another one if it stands in none."""
        self.push_word(v, 0)
        for number in range(1, v.words):
            self.push_word(v, number)
            self.push(item)
            self.body.i32(6)
            self.body.op(Op.I32_SHR_U)
            self.body.i32(number)
            self.body.op(Op.I32_NE, Op.SELECT)

    def _push_word_in_memory(self, v: Value, item: Value, beyond: bool) -> None:
        """The same for a set in memory."""
        self.push_base(v)
        self.push(item)
        if beyond:
            self.body.i32(0)
            self.push(item)
            self.body.i32(64 * v.words)
            self.body.op(Op.I32_LT_U, Op.SELECT)
        self.body.i32(6)
        self.body.op(Op.I32_SHR_U)
        self.body.i32(3)
        self.body.op(Op.I32_SHL, Op.I32_ADD)
        self.body.memory(Op.I64_LOAD, v.at)

    def _push_shift(self, item: Value) -> None:
        """Push the place of a number's bit in its word: shifts take it modulo 64."""
        self.push(item)
        self.body.op(Op.I64_EXTEND_I32_U)

    def insert(self, target: Value, item: Value) -> None:
        """Put a number that is not none into a set; stop if the set cannot hold it."""
        if item.low < 0 or item.high >= target.bits:
            self.push(item)
            self.body.i32(target.bits)
            self.body.op(Op.I32_GE_U)
            self.trap_if()
        self._change(target, item, Op.I64_OR)

    def _change(self, target: Value, item: Value, op: Op) -> None:
        """Set or change the bit of a number."""
        if target.in_memory:
            self.sets.change(target, item, op)
            return
        for number, local in enumerate(target.locals):
            self.body.get(local)
            self.body.i64(1)
            self._push_shift(item)
            self.body.op(Op.I64_SHL)
            if len(target.locals) > 1:  # nothing, if the bit stands in another word
                self.body.i64(0)
                self.push(item)
                self.body.i32(6)
                self.body.op(Op.I32_SHR_U)
                self.body.i32(number)
                self.body.op(Op.I32_EQ, Op.SELECT)
            self.body.op(op)
            self.body.set(local)

    def push_first(self, v: Value) -> None:
        """Push the least member of a set that is not empty."""
        if is_large(v.bits):
            self.sets.push_first(v)
            return
        count = v.words
        self.push_word(v, count - 1)
        self.body.op(Op.I64_CTZ)
        self.body.i64(64 * (count - 1))
        self.body.op(Op.I64_ADD)
        for number in reversed(range(count - 1)):
            # least of this word, if it has any, else what is on the stack
            other = self.body.local(Type.I64)
            self.body.set(other)
            self.push_word(v, number)
            self.body.op(Op.I64_CTZ)
            self.body.i64(64 * number)
            self.body.op(Op.I64_ADD)
            self.body.get(other)
            self.push_word(v, number)
            self.body.op(Op.I64_EQZ, Op.I32_EQZ, Op.SELECT)
        self.body.op(Op.I32_WRAP_I64)

    def push_last(self, v: Value) -> None:
        """Push the greatest member of a set that is not empty."""
        assert not is_large(v.bits), "nobody asks for it"
        self.push_word(v, 0)
        self.body.op(Op.I64_CLZ)
        last = self.body.local(Type.I64)
        self.body.set(last)
        self.body.i64(63)
        self.body.get(last)
        self.body.op(Op.I64_SUB)
        for number in range(1, v.words):
            self.body.set(last)
            self.body.i64(64 * number + 63)
            self.push_word(v, number)
            self.body.op(Op.I64_CLZ, Op.I64_SUB)
            self.body.get(last)
            self.push_word(v, number)
            self.body.op(Op.I64_EQZ, Op.I32_EQZ, Op.SELECT)
        self.body.op(Op.I32_WRAP_I64)

    def remove(self, target: Value, item: Value) -> None:
        """Take a member out of a set."""
        self._change(target, item, Op.I64_XOR)

    # ------------------------------------------------------------------------------------------------------ memory

    def push_base(self, v: Value) -> None:
        """Push what the addresses of a set in memory are counted from."""
        if v.base == ABSOLUTE:
            self.body.i32(0)
        else:
            self.body.get(v.base)

    def push_set(self, v: Value, bits: int) -> None:
        """Push a set as an argument or result of a function: its words, or its address."""
        if is_large(bits):
            self.sets.push_address(self.sets.placed(v, words(bits)))
            return
        for number in range(words(bits)):
            self.push_word(v, number)

    def store_set(self, v: Value, address: int, base: int | None = None, count: int = 0) -> None:
        """Store a set, or so many words of it, at an address, which is counted from a local if one is given."""
        count = count or v.words
        if is_large(WORD_BITS * count):
            there = ABSOLUTE if base is None else base
            self.sets.copy(v, Value(is_set=True, bits=WORD_BITS * count, base=there, at=address))
            return
        for number in range(count):
            if base is None:
                self.body.i32(0)
            else:
                self.body.get(base)
            self.push_word(v, number)
            self.body.memory(Op.I64_STORE, address + 8 * number)

    def load_set(self, address: int, base: int | None, bits: int) -> Value:
        """The set at an address, which does not change as long as it is used."""
        there = Value(is_set=True, bits=bits, base=ABSOLUTE if base is None else base, at=address)
        return self.loaded(there)

    def wordwise(
        self,
        bits: int,
        operands: Sequence[Value],
        combine: Callable[[], object],
        living: bool = False,
        into: Value | None = None,
    ) -> Value:
        """A set each word of which is made of those of some others, which `combine` finds on the stack, in order."""
        target = into if into is not None else self.allocate_set(bits, living)
        if is_large(bits):
            self.sets.wordwise(target, operands, combine)
            return target
        for number, local in enumerate(target.locals):
            for v in operands:
                self.push_word(v, number)
            combine()
            self.body.set(local)
        return target

    def without(self, bits: int, a: Value, b: Value, living: bool = False, into: Value | None = None) -> Value:
        """The members of a set that are not in another one."""

        def combine() -> None:
            self.body.i64(-1)
            self.body.op(Op.I64_XOR, Op.I64_AND)

        return self.wordwise(bits, (a, b), combine, living, into)

    def include(self, target: Value, v: Value) -> None:
        """Put the members of another set into a set."""
        self.wordwise(target.bits, (target, v), lambda: self.body.op(Op.I64_OR), into=target)
