"""Lists while a function is written: buffers, copies, items, loops.

Each place in the code that makes a list has a buffer of its own. That is enough: queries never call themselves, an
expression holds no list made in an earlier pass of a loop, and what a query gives is copied by who called it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.values import Value
from rulewright.engine.native.webassembly.encoding import MEMORY_COPY, MEMORY_FILL, Op, Type
from rulewright.engine.native.webassembly.terms import Term, mem32
from rulewright.ir.model import MAX_NUMBER_BITS, NONE


class Buffer:
    """A list that is being made."""

    def __init__(self, w: FunctionWriter, capacity: int, like: Value) -> None:
        self.w, self.address = w, w.ctx.memory.reserve(4 * (1 + capacity))
        self.value = Value(
            known=self.address, is_list=True, capacity=capacity, null=like.null, low=like.low, high=like.high
        )
        self.length = w.body.local(Type.I32)
        w.body.i32(0)
        w.body.set(self.length)

    def push_end(self) -> None:
        """Push 4 for each item so far."""
        self.w.body.get(self.length)
        self.w.body.i32(2)
        self.w.body.op(Op.I32_SHL)

    def append(self, item: Value) -> None:
        """Add an item."""
        self.push_end()
        self.w.push(item)
        self.w.body.memory(Op.I32_STORE, self.address + 4)
        self.count()

    def count(self) -> None:
        """One item more."""
        self.w.body.get(self.length)
        self.w.body.i32(1)
        self.w.body.op(Op.I32_ADD)
        self.w.body.set(self.length)

    def finished(self) -> Value:
        """The list, with its length in memory."""
        self.w.body.i32(0)
        self.w.body.get(self.length)
        self.w.body.memory(Op.I32_STORE, self.address)
        return self.value


class ListWriter:
    """Writes what is done with lists."""

    def __init__(self, w: FunctionWriter) -> None:
        self.w, self.ctx, self.body = w, w.ctx, w.body

    def new(self, capacity: int, like: Value) -> Buffer:
        """A new list, whose items are as those of another one, or as a number."""
        return Buffer(self.w, capacity, like)

    def constant(self, values: tuple[int, ...]) -> Value:
        """A list that is known."""
        known = [v for v in values if v != NONE]
        return Value(
            known=self.ctx.memory.numbers((len(values), *values)),
            is_list=True,
            capacity=len(values),
            null=NONE in values,
            low=min(known, default=0),
            high=max(known, default=0),
        )

    def joined(self, a: Value, b: Value) -> Value:
        """One of two lists, the address of which lies on the stack."""
        local = self.body.local(Type.I32)
        self.body.set(local)
        low, high = min(a.low, b.low), max(a.high, b.high)
        capacity, null = max(a.capacity, b.capacity), a.null or b.null
        return Value((local,), is_list=True, capacity=capacity, null=null, low=low, high=high)

    def length(self, v: Value) -> Term:
        """The number of items."""
        return mem32(v.term)

    def push_length(self, v: Value) -> None:
        """Old."""
        self.body.push(self.length(v))

    def trap_if_longer(self, v: Value, capacity: int) -> None:
        """Stop if a list has more than so many items."""
        if v.capacity > capacity:
            self.push_length(v)
            self.body.i32(capacity)
            self.body.op(Op.I32_GT_U)
            self.w.trap_if()

    def _push_bytes(self, v: Value) -> None:
        """Push the bytes that a list takes."""
        self.push_length(v)
        self.body.i32(2)
        self.body.op(Op.I32_SHL)
        self.body.i32(4)
        self.body.op(Op.I32_ADD)

    def copied(self, v: Value) -> Value:
        """A copy, which nobody else changes."""
        result = self.new(v.capacity, v)
        self.push_length(v)
        self.body.i32(v.capacity)
        self.body.op(Op.I32_GT_U)
        self.w.trap_if()
        self.body.i32(result.address)
        self.w.push(v)
        self._push_bytes(v)
        self.body.raw(MEMORY_COPY)
        return result.value

    def concatenated(self, left: Value, right: Value) -> Value:
        """The items of one list, and behind them those of another one."""
        like = Value(null=left.null or right.null, low=min(left.low, right.low), high=max(left.high, right.high))
        result = self.new(left.capacity + right.capacity, like)
        for v in (left, right):
            self.body.i32(result.address + 4)
            result.push_end()
            self.body.op(Op.I32_ADD)
            self.w.push(v)
            self.body.i32(4)
            self.body.op(Op.I32_ADD)
            self.push_length(v)
            self.body.i32(2)
            self.body.op(Op.I32_SHL)
            self.body.raw(MEMORY_COPY)
            self.body.get(result.length)
            self.push_length(v)
            self.body.op(Op.I32_ADD)
            self.body.set(result.length)
        return result.finished()

    def store(self, v: Value, base: Term, offset: int, capacity: int) -> None:
        """Store a list where it is kept, which has to be large enough; unused items are 0."""
        self.trap_if_longer(v, capacity)
        at, length = self.body.local(Type.I32), self.body.local(Type.I32)
        self.body.push(base)
        self.body.i32(offset)
        self.body.op(Op.I32_ADD)
        self.body.set(at)
        self._push_bytes(v)
        self.body.set(length)
        self.body.get(at)
        self.w.push(v)
        self.body.get(length)
        self.body.raw(MEMORY_COPY)
        self.body.get(at)
        self.body.get(length)
        self.body.op(Op.I32_ADD)
        self.body.i32(0)
        self.body.i32(4 * (1 + capacity))
        self.body.get(length)
        self.body.op(Op.I32_SUB)
        self.body.raw(MEMORY_FILL)

    def item(self, v: Value, at: Value) -> Value:
        """The item at a position; none if there is none."""
        result = Value((self.body.local(Type.I32),), null=True, low=v.low, high=v.high)
        self.w.assign(result, Value(known=NONE))
        self.w.push(at)
        self.push_length(v)
        self.body.op(Op.I32_LT_U)
        with self.body.when():
            self.w.push(v)
            self.w.push(at)
            self.body.i32(2)
            self.body.op(Op.I32_SHL, Op.I32_ADD)
            self.body.memory(Op.I32_LOAD, 4)
            self.body.set(result.locals[0])
        return result

    def push_contains(self, v: Value, item: Value) -> None:
        """Push whether a number is in a list; none is in nothing."""
        self.w.push(v)
        self.w.push(item)
        self.body.call(self.ctx.lists.position)
        self.body.i32(0)
        self.body.op(Op.I32_GE_S)
        if item.null:
            self.w.push_present([item])
            self.body.op(Op.I32_AND)

    def reversed(self, v: Value) -> Value:
        """The list with its last item first."""
        result = self.new(v.capacity, v)
        self.body.i32(result.address)
        self.w.push(v)
        self.body.call(self.ctx.lists.reverse)
        return result.value

    def first(self, v: Value, count: Value) -> Value:
        """The first items, so many; all, if there are fewer."""
        result, left = self.new(v.capacity, v), self.body.local(Type.I32)
        self.w.push(count)
        self.body.set(left)
        with self.loop(v, "*") as (item, _, leave):
            self.body.get(left)
            self.body.i32(0)
            self.body.op(Op.I32_LE_S)
            self.body.branch_if(leave)
            self.body.decrease(left, 1)
            result.append(item)
        return result.finished()

    def from_set(self, v: Value) -> Value:
        """A set as a list, least first."""
        result = self.new(v.bits, Value(low=0, high=max(0, v.bits - 1)))
        with self.w.loop(v, "*") as (member, _, _):
            result.append(member)
        return result.finished()

    def as_set(self, v: Value) -> Value:
        """A list as a set, without none."""
        bits = max(0, min(v.high + 1, max(MAX_NUMBER_BITS, *self.ctx.layout.sizes.values())))
        result = self.w.new_set(bits)
        with self.loop(v, "*") as (item, again, _):
            if item.null:
                self.w.push_present([item])
                self.body.op(Op.I32_EQZ)
                self.body.branch_if(again)
            self.w.insert(result, item)
        return result

    def once(self, v: Value) -> Value:
        """A list without what is in it a second time, and without none."""
        result = self.new(v.capacity, Value(low=v.low, high=v.high))
        result.finished()
        with self.loop(v, "*") as (item, again, _):
            if item.null:
                self.w.push_present([item])
                self.body.op(Op.I32_EQZ)
                self.body.branch_if(again)
            self.push_contains(result.value, Value(item.locals, low=item.low, high=item.high))
            self.body.branch_if(again)
            result.append(item)
            result.finished()
        return result.value

    @contextmanager
    def loop(self, source: Value, var: str) -> Iterator[tuple[Value, int, int]]:
        """A loop over the items with `var` bound; gives the item, and labels that go on and that leave."""
        body = self.body
        at, left = body.local(Type.I32), body.local(Type.I32)
        item = Value((body.local(Type.I32),), null=source.null, low=source.low, high=source.high)
        self.push_length(source)
        body.tee(left)
        self.w.charge_top(1)
        self.w.push(source)
        body.set(at)
        with body.block() as leave, body.loop() as again:
            body.get(left)
            body.op(Op.I32_EQZ)
            body.branch_if(leave)
            body.decrease(left, 1)
            body.get(at)
            body.i32(4)
            body.op(Op.I32_ADD)
            body.tee(at)
            body.memory(Op.I32_LOAD)
            body.set(item.locals[0])
            with self.w.binding(var, item):
                yield item, again, leave
            body.branch(again)
