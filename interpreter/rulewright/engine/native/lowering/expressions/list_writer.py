"""Lists while a function is written: buffers, copies, items, loops.

Each place in the code that makes a list has a buffer of its own. That is enough: queries never call themselves, an
expression holds no list made in an earlier pass of a loop, and what a query gives is copied by who called it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.values import Value, absent, present
from rulewright.engine.native.webassembly.terms import I32, Term, Variable, call, const, mem32
from rulewright.ir.model import MAX_NUMBER_BITS, NONE


class Buffer:
    """A list that is being made."""

    def __init__(self, writer: FunctionWriter, capacity: int, like: Value, length: Variable | None = None) -> None:
        self.body, self.address = writer.body, writer.ctx.memory.reserve(4 * (1 + capacity))
        self.value = Value(
            known=self.address, is_list=True, capacity=capacity, null=like.null, low=like.low, high=like.high
        )
        self.length = self.body.hold(const(0)) if length is None else length

    def append(self, item: Value) -> None:
        """Add an item."""
        self.body.set(mem32(self.length << 2, self.address + 4), item.term)
        self.count()

    def count(self) -> None:
        """One item more."""
        self.body.set(self.length, self.length + 1)

    def finished(self) -> Value:
        """The list, with its length in memory."""
        self.body.set(mem32(0, self.address), self.length)
        return self.value


class ListWriter:
    """Writes what is done with lists."""

    def __init__(self, writer: FunctionWriter) -> None:
        self.writer, self.ctx, self.body = writer, writer.ctx, writer.body

    def new(self, capacity: int, like: Value, length: Variable | None = None) -> Buffer:
        """A new list, whose items are as those of another one, or as a number; with a `length` from before a loop it
        may be made in there."""
        return Buffer(self.writer, capacity, like, length)

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

    def joined(self, a: Value, b: Value, address: Term) -> Value:
        """One of two lists, which has an address."""
        low, high = min(a.low, b.low), max(a.high, b.high)
        capacity, null = max(a.capacity, b.capacity), a.null or b.null
        local = self.body.hold(address)
        return Value((local,), is_list=True, capacity=capacity, null=null, low=low, high=high)

    def length(self, v: Value) -> Term:
        """The number of items."""
        return mem32(v.term)

    def trap_if_longer(self, v: Value, capacity: int) -> None:
        """Stop if a list has more than so many items."""
        if v.capacity > capacity:
            self.body.trap_if(self.length(v).gt_u(capacity))

    def _size(self, v: Value) -> Term:
        """The bytes that a list takes."""
        return (self.length(v) << 2) + 4

    def copied(self, v: Value) -> Value:
        """A private copy."""
        result = self.new(v.capacity, v)
        self.body.trap_if(self.length(v).gt_u(v.capacity))
        self.body.copy(result.address, v.term, self._size(v))
        return result.value

    def concatenated(self, left: Value, right: Value) -> Value:
        """The items of one list, and behind them those of another one."""
        like = Value(null=left.null or right.null, low=min(left.low, right.low), high=max(left.high, right.high))
        result = self.new(left.capacity + right.capacity, like)
        for v in (left, right):
            self.body.copy(result.address + 4 + (result.length << 2), v.term + 4, self.length(v) << 2)
            self.body.set(result.length, result.length + self.length(v))
        return result.finished()

    def store(self, v: Value, base: Term, offset: int, capacity: int) -> None:
        """Store a list where it is kept, which has to be large enough; unused items are 0."""
        self.trap_if_longer(v, capacity)
        at, size = self.body.locals(I32, I32)
        self.body.set(at, base + offset)
        self.body.set(size, self._size(v))
        self.body.copy(at, v.term, size)
        self.body.fill(at + size, 0, 4 * (1 + capacity) - size)

    def extend(self, v: Value, base: Term, offset: int, capacity: int) -> None:
        """Put the items of a list behind those that are kept somewhere, which has to be large enough."""
        at, length, more = self.body.locals(I32, I32, I32)
        self.body.set(at, base + offset)
        self.body.set(more, self.length(v))
        self.body.set(length, mem32(at))
        self.body.trap_if((length + more).gt_u(capacity))
        self.body.copy(at + (length << 2) + 4, v.term + 4, more << 2)
        self.body.set(mem32(at), length + more)

    def item(self, v: Value, at: Value) -> Value:
        """The item at a position; none if there is none."""
        result = Value((self.body.local(),), null=True, low=v.low, high=v.high)
        self.writer.assign(result, Value(known=NONE))
        with self.body.when(at.term.lt_u(self.length(v))):
            self.body.set(result.local, mem32(v.term + (at.term << 2), 4))
        return result

    def contains(self, v: Value, item: Value) -> Term:
        """The truth of a number being in a list; none is in nothing."""
        found = call(self.ctx.lists.position, v.term, item.term).ge_s(0)
        return found & present([item]) if item.null else found

    def reversed(self, v: Value) -> Value:
        """The list with its last item first."""
        result = self.new(v.capacity, v)
        self.body.call(self.ctx.lists.reverse, result.address, v.term)
        return result.value

    def first(self, v: Value, count: Value) -> Value:
        """The first items, so many; all, if there are fewer."""
        result = self.new(v.capacity, v)
        left = self.body.hold(count.term)
        with self.loop(v, "*") as (item, _, leave):
            self.body.branch_if(leave, left.le_s(0))
            self.body.set(left, left - 1)
            result.append(item)
        return result.finished()

    def from_set(self, v: Value) -> Value:
        """A set as a list, least first."""
        result = self.new(v.bits, Value(low=0, high=max(0, v.bits - 1)))
        with self.writer.loop(v, "*") as (member, _, _):
            result.append(member)
        return result.finished()

    def as_set(self, v: Value) -> Value:
        """A list as a set, without none."""
        bits = max(0, min(v.high + 1, max(MAX_NUMBER_BITS, *self.ctx.layout.sizes.values())))
        result = self.writer.new_set(bits)
        with self.loop(v, "*") as (item, again, _):
            if item.null:
                self.body.branch_if(again, absent(item))
            self.writer.insert(result, item)
        return result

    def unique(self, v: Value) -> Value:
        """A list without what is in it a second time, and without none."""
        result = self.new(v.capacity, Value(low=v.low, high=v.high))
        result.finished()
        with self.loop(v, "*") as (item, again, _):
            if item.null:
                self.body.branch_if(again, absent(item))
            known = Value(item.locals, low=item.low, high=item.high)
            self.body.branch_if(again, self.contains(result.value, known))
            result.append(item)
            result.finished()
        return result.value

    @contextmanager
    def loop(self, source: Value, var: str) -> Iterator[tuple[Value, int, int]]:
        """A loop over the items with `var` bound; gives the item, and labels that go on and that leave."""
        body = self.body
        at, left = body.locals(I32, I32)
        item = Value((body.local(),), null=source.null, low=source.low, high=source.high)
        body.set(left, self.length(source))
        body.set(at, source.term)
        with body.block() as leave, body.loop() as again:
            body.branch_if(leave, left.eqz())
            body.set(left, left - 1)
            body.set(item.local, mem32(at.tee(at + 4)))
            with self.writer.binding(var, item):
                yield item, again, leave
            body.branch(again)
