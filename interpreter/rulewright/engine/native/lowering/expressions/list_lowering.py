"""Lists: made, sorted, turned into sets and back."""

from __future__ import annotations

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.values import Value, present
from rulewright.engine.native.webassembly.terms import I32, I64, const, mem32, mem64, select
from rulewright.ir import model as m
from rulewright.ir.model import NONE

LAST = 1 << 40
"""The key of what has none: more than any number."""


class ListLowering:
    """Everything that makes lists of other things than pieces in zones."""

    def __init__(self, lower: ExpressionLowering) -> None:
        self.lower, self.writer, self.ctx, self.body = lower, lower.writer, lower.ctx, lower.writer.body

    def _x_ListConst(self, e: m.ListConst) -> Value:
        return self.lower.lists.constant(e.values)

    def _x_MakeList(self, e: m.MakeList) -> Value:
        items = [self.lower.value(item) for item in e.items]
        low, high = min((v.low for v in items), default=0), max((v.high for v in items), default=0)
        result = self.lower.lists.new(len(items), Value(null=any(v.null for v in items), low=low, high=high))
        for item in items:
            result.append(item)
        return result.finished()

    def _x_Joined(self, e: m.Joined) -> Value:
        return self.lower.lists.concatenated(self.lower.collection(e.left), self.lower.collection(e.right))

    def _x_Occurrences(self, e: m.Occurrences) -> Value:
        """Two items at once are compared as one word; most blocks differ in the first."""
        blocks, item = self.lower.collection(e.blocks), self.lower.collection(e.item)
        body, lists, size = self.body, self.lower.lists, 4 * e.width
        times = body.hold(const(0))
        wanted = [
            (at, body.local(I64 if at + 4 < size else I32), mem64 if at + 4 < size else mem32)
            for at in range(0, size, 8)
        ]
        with body.block() as out:
            body.branch_if(out, lists.length(item).lt_u(e.width))
            for at in range(0, size, 4) if item.null else ():
                body.branch_if(out, mem32(item.term, 4 + at).eq(NONE))
            for at, local, load in wanted:
                body.set(local, load(item.term, 4 + at))
            block, end = body.locals(I32, I32)
            count = body.hold(lists.length(blocks).div_s(e.width))
            body.set(block, blocks.term)
            body.set(end, block + count * size)
            with body.loop() as again:
                body.branch_if(out, block.ge_u(end))
                with body.block() as differs:
                    for at, local, load in wanted:
                        body.branch_if(differs, load(block, 4 + at).ne(local))
                    body.set(times, times + 1)
                body.set(block, block + size)
                body.branch(again)
        return Value((times,), low=0, high=blocks.capacity // e.width)

    def _x_Item(self, e: m.Item) -> Value:
        return self.lower.lists.item(self.lower.value(e.list), self.lower.value(e.at))

    def _x_ToList(self, e: m.ToList) -> Value:
        v = self.lower.collection(e.of)
        return v if v.is_list else self.lower.lists.from_set(v)

    def _x_ToSet(self, e: m.ToSet) -> Value:
        v = self.lower.collection(e.of)
        return self.lower.lists.as_set(v) if v.is_list else v

    def _x_Sort(self, e: m.Sort) -> Value:
        """Insertion behind all whose key is not larger, so that what has equal keys stays in order."""
        source = self.lower.collection(e.source)
        capacity = source.capacity if source.is_list else source.bits
        like = source if source.is_list else Value(low=0, high=max(0, source.bits - 1))
        result, keys = self.lower.lists.new(capacity, like), self.ctx.memory.reserve(8 * (1 + capacity))
        with self.lower.loop(source, e.var) as (member, _, _):
            key = self.lower.value(e.key)
            number = 0 - key.term.extend_s() if e.descending else key.term.extend_s()
            wide = self.body.hold(select(number, LAST, present([key])) if key.null else number)
            self.body.call(self.ctx.lists.insert_sorted, keys, result.address, result.length, wide, member.term)
            result.count()
        return result.finished()
