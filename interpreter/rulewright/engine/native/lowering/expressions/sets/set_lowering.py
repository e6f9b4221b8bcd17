"""Sets and lists: made, joined, searched, sorted, and what is counted or summed over their members.

The best by a printed value are those in the first of some known sets that has any, one set for each value (its level).
"""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from operator import and_, or_

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering, LoweringPart
from rulewright.engine.native.lowering.expressions.list_writer import Buffer
from rulewright.engine.native.lowering.expressions.sets.fold_lowering import Unrolling
from rulewright.engine.native.lowering.expressions.sets.mask_filters import MaskFilters, printed_members
from rulewright.engine.native.lowering.expressions.sets.sparse_sets import SparseSets
from rulewright.engine.native.lowering.expressions.state_lowering import length, occupant
from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import FEW, SMALL_BITS, WORD_BITS, is_large, words
from rulewright.engine.native.values import MASK, Value, absent, constant, constant_set, present
from rulewright.engine.native.webassembly.terms import I32, I64, Term, call, const, mem32, mem64, select
from rulewright.foundation import limits
from rulewright.ir import model as m
from rulewright.ir.model import INT_MAX, MAX_NUMBER_BITS, NONE
from rulewright.ir.set_operations import FORMULAS, all_have, width
from rulewright.ir.walk import conjuncts


def levels(ctx: LoweringContext, e: m.Best) -> list[int]:
    """The members with each of a few printed keys, the highest first; none if the keys are no such."""
    match e.key:
        case m.Attr(name, m.Var(var)) if var == e.var and ctx.tables[name].ty.kind not in ("set", "list"):
            found: dict[int, int] = {}
            for member, value in enumerate(ctx.tables[name].values):
                if isinstance(value, int) and value != NONE:
                    found[value] = found.get(value, 0) | 1 << member
            if len(found) <= FEW and ctx.log.makes("levels"):
                return [found[value] for value in sorted(found, reverse=True)]
    return []


def highest(writer: FunctionWriter, source: Value, ordered: list[int]) -> Value:
    """The members of a set that are in the first of some sets that has any."""
    writer.ctx.log.note("levels")
    falling = all(_lowest(high) > low.bit_length() - 1 for high, low in pairwise(ordered))
    rising = all(high.bit_length() - 1 < _lowest(low) for high, low in pairwise(ordered))
    if words(source.bits) == 1 and not is_large(source.bits) and (falling or rising):
        return _at_the_end(writer, source, ordered, falling)
    body, result = writer.body, writer.allocate_set(source.bits, source.living)
    with body.block() as done:
        for level in ordered:
            writer.wordwise(source.bits, (source, constant_set(level)), and_, into=result)
            body.branch_if(done, writer.empty(result).eqz())
    return result


def _at_the_end(writer: FunctionWriter, source: Value, ordered: list[int], falling: bool) -> Value:
    """The best members where members of higher levels come before all others, or behind: the first member, or the last
    one, gives the level."""
    body, every = writer.body, reduce(or_, ordered)
    members, result = body.local(I64), writer.allocate_set(source.bits, source.living)
    level = [next((one for one in ordered if one >> member & 1), 0) for member in range(WORD_BITS)]
    table = writer.ctx.memory.sets([0, *level] if falling else [*level, 0], 1)
    body.set(members, source.word(0) & every)
    row = WORD_BITS - members.clz().wrap() if falling else members.ctz().wrap()
    body.set(result.local, mem64(row << 3, table) & members)
    return result


def _lowest(members: int) -> int:
    """The least member of a set."""
    return (members & -members).bit_length() - 1


class SetLowering(LoweringPart):
    """Code for sets that need neither zones nor the map."""

    def __init__(self, lower: ExpressionLowering) -> None:
        super().__init__(lower)
        self.filters, self.sparse = MaskFilters(lower), SparseSets(lower)
        self.unrolling = Unrolling(lower, self.filters)

    def _x_Alive(self, e: m.Alive) -> Value:
        layout = self.ctx.layout
        if e.universe in layout.merged:
            place = layout.merged[e.universe]
            address, width = self.lower.cell(place.alive, (), (), ())
            return address.load_set(place.size, width <= SMALL_BITS, living=True)
        size = layout.sizes[e.universe] if e.universe != "Bool" else 2
        everybody = constant_set((1 << size) - 1)
        if e.universe != "Player":
            return everybody
        address, width = self.lower.cell(layout.out, (), (), ())
        out = address.load_set(size, width <= SMALL_BITS)
        return self.writer.without(everybody.bits, everybody, out, everybody.living)

    def _x_Kind(self, e: m.Kind) -> Value:
        return constant_set(self.ctx.kinds[e.name].members)

    def _x_SetOp(self, e: m.SetOp) -> Value:
        a, b = self.lower.set(e.left), self.lower.set(e.right)
        bits, living = width(e.op, a.bits, b.bits), all_have(e.op, a.living, b.living)
        return self.writer.wordwise(bits, (a, b), FORMULAS[e.op], living)

    def _x_SetEq(self, e: m.SetEq) -> Value:
        a, b = self.lower.collection(e.left), self.lower.collection(e.right)
        if a.is_list:
            same = call(self.ctx.lists.equal, a.term, b.term)
        elif is_large(max(a.bits, b.bits)):
            same = self.writer.sets.same(a, b, max(a.words, b.words))
        else:
            same = reduce(and_, (a.word(n).eq(b.word(n)) for n in range(words(max(a.bits, b.bits)))))
        return self.writer.hold(same, 0, 1)

    def _x_Contains(self, e: m.Contains) -> Value:
        source, item = self.sparse.collection(e.collection), self.lower.value(e.item)
        found = self.lower.lists.contains(source, item) if source.is_list else self.writer.contains(source, item)
        return self.writer.hold(found, 0, 1)

    def _x_MakeSet(self, e: m.MakeSet) -> Value:
        items = [self.lower.value(item) for item in e.items]
        known = sum({1 << v.known for v in items if v.constant is not None and v.known >= 0})
        if any(v.constant is not None and v.known < 0 and v.known != NONE for v in items):
            self.body.trap()
        if all(v.constant is not None for v in items):
            return constant_set(known)
        bits = max(known.bit_length(), *map(self._bits_for, items))
        result = self.writer.new_set(bits)
        self.writer.assign(result, constant_set(known))
        for v in items:
            if v.constant is None:
                self._insert(result, v)
        return result

    @property
    def _limit(self) -> int:
        """The size of the largest set."""
        return max(MAX_NUMBER_BITS, *self.ctx.layout.sizes.values())

    def _bits_for(self, v: Value) -> int:
        """The bits of a set that takes all such numbers which a set can hold."""
        return max(0, min(v.high + 1, self._limit))

    def _insert(self, target: Value, v: Value) -> None:
        """Put a number into a set, unless it is none."""
        if not v.null:
            self.writer.insert(target, v)
            return
        with self.body.when(present([v])):
            self.writer.insert(target, v)

    def _x_IntRange(self, e: m.IntRange) -> Value:
        a, b = self.lower.value(e.low), self.lower.value(e.high)
        if a.constant is not None and b.constant is not None and a.known >= 0 and b.known < MAX_NUMBER_BITS:
            return constant_set((2 << b.known) - (1 << a.known) if a.known <= b.known else 0)
        bits = max(0, min(MAX_NUMBER_BITS, b.high + 1))
        result = self.writer.new_set(bits)
        with self.body.block() as out:
            for v in (a, b):
                if v.null:
                    self.body.branch_if(out, absent(v))
            if words(bits) > 1 or result.in_memory:
                self._insert_range(result, a, b, out)
                return result
            self.body.branch_if(out, a.term.gt_s(b.term))
            if a.low < 0:
                self.body.trap_if(a.term.lt_s(0))
            # all up to b, without all below a
            every = const(MASK, I64)
            self.body.set(result.local, every >> (63 - b.term.extend_u()) & every << a.term.extend_u())
        return result

    def _insert_range(self, result: Value, a: Value, b: Value, out: int) -> None:
        """Put all numbers of a range into a set, one by one, and go to a label."""
        number = self.writer.hold(a.term, -INT_MAX, INT_MAX)
        with self.body.loop() as again:
            self.body.branch_if(out, number.term.gt_s(b.term))
            self.writer.insert(result, number)
            self.body.set(number.local, number.term + 1)
            self.body.branch(again)

    def _x_Lowest(self, e: m.Lowest) -> Value:
        source, count = self.lower.set(e.of), self.lower.value(e.count)
        result, left = self.writer.new_set(source.bits, source.living), self.body.hold(count.term)
        with self.lower.loop(source, "*") as (member, _, leave):
            self.body.branch_if(leave, left.le_s(0))
            self.body.set(left, left - 1)
            self.writer.insert(result, member)
        return result

    def _x_Size(self, e: m.Size) -> Value:
        if isinstance(e.of, m.ListConst):
            return constant(len(e.of.values))
        if (count := length(self.lower, e.of)) is not None:
            return count
        source = self.lower.collection(e.of)
        if source.is_list:
            return self.writer.hold(self.lower.lists.length(source), 0, source.capacity)
        return self.writer.hold(self.writer.size(source), 0, source.bits)

    def _x_Single(self, e: m.Single) -> Value:
        if isinstance(e.of, m.ZoneGet) and e.of.zone in self.ctx.memory.occupants:
            return occupant(self.lower, e.of)
        source = self.lower.set(e.of)
        return self._first_if(source, self.writer.size(source).eq(1))

    def _x_First(self, e: m.First) -> Value:
        source = self.lower.collection(e.of)
        if source.is_list:
            return self.lower.lists.item(source, constant(0))
        return self._first_if(source, self.writer.empty(source).eqz())

    def _first_if(self, source: Value, condition: Term) -> Value:
        """The least member of a set if a condition holds, else none."""
        wanted = self.body.hold(condition)
        high = max(source.bits - 1, 0)
        result = Value((self.body.local(),), null=True, low=0, high=high, living=source.living)
        self.writer.assign(result, Value(known=NONE))
        with self.body.when(wanted):
            self.body.set(result.local, self.writer.first(source))
        return result

    # ------------------------------------------------------------------------------------------------------- loops

    def _x_Filter(self, e: m.Filter) -> Value:
        if self.sparse.is_sparse(e):
            return self.lower.lists.as_set(self.sparse.collection(e))
        source = self.lower.collection(e.source)
        if source.is_list:
            return self.sparse.filtered(e, source)
        source, rest = self.filters.narrow(source, e.var, conjuncts(e.where))
        if not rest:
            return source
        result = self.writer.new_set(source.bits, source.living)
        if self.unrolling.fits(source, e.var, rest):
            self.unrolling.filter(source, e.var, rest, result)
            return result
        with self.lower.loop(source, e.var) as (member, again, _):
            for part in rest:
                self.lower.guard(part, again)
            self.writer.insert(result, member)
        return result

    def _x_Preimage(self, e: m.Preimage) -> Value:
        return printed_members(self.lower, e.table, self.lower.value(e.value), e.nothing)

    def _x_Leading(self, e: m.Leading) -> Value:
        source = self.lower.collection(e.source)
        result = self.lower.lists.new(source.capacity, source)
        with self.lower.loop(source, e.var) as (item, _, done):
            self.lower.guard(e.where, done)
            result.append(item)
        return result.finished()

    def _x_Collect(self, e: m.Collect) -> Value:
        source = self.lower.collection(e.source)
        begin = self.body.mark()
        with self.lower.loop(source, e.var):
            v = self.lower.value(e.element)
            v = self.writer.as_set(v) if e.flat else v
            bits = v.bits if e.flat else self._bits_for(v)
            result = self.writer.allocate_set(bits, v.living)
            if e.flat:
                self.writer.include(result, v)
            else:
                self._insert(result, v)
        self.body.insert(begin, lambda: self.writer.assign(result, constant_set(0)))
        return result

    def _x_Best(self, e: m.Best) -> Value:
        source = self.lower.collection(e.source)
        ordered = levels(self.ctx, e)
        if ordered and not source.is_list:
            return highest(self.writer, source, ordered)
        bits = self._bits_for(source) if source.is_list else source.bits
        result, best = self.writer.new_set(bits, source.living), self.body.hold(const(NONE))
        with self.lower.loop(source, e.var) as (member, again, _):
            key = self.lower.value(e.key)
            self.body.branch_if(again, key.term.lt_s(best))
            if key.null:
                self.body.branch_if(again, absent(key))
            with self.body.when(key.term.gt_s(best)):
                self.writer.assign(result, constant_set(0))
                self.body.set(best, key.term)
            self._insert(result, member)
        return result


LAST = 1 << 40
"""The key of what has none: more than any number."""


class ListLowering(LoweringPart):
    """Code for lists of other things than pieces in zones."""

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

    def _x_Mapped(self, e: m.Mapped) -> Value:
        source, length = self.lower.collection(e.source), self.body.hold(const(0))
        most = source.capacity if source.is_list else source.bits
        with self.lower.loop(source, e.var):
            v = self.lower.collection(e.element) if e.flat else self.lower.value(e.element)
            room = most * (v.capacity if e.flat else 1)
            if room > limits.LISTED:  # lists of lists seldom have all that they have room for
                room = limits.LISTED
                self.body.trap_if((length + (self.lower.lists.length(v) if e.flat else 1)).gt_u(room))
            result = self.lower.lists.new(room, Value(low=v.low, high=v.high), length)
            if e.flat:
                with self.lower.loop(v, "*") as (item, _, _):
                    self._append(result, item)
            else:
                self._append(result, v)
        return result.finished()

    def _append(self, target: Buffer, v: Value) -> None:
        """Put an item behind a list, unless it is none."""
        if not v.null:
            target.append(v)
            return
        with self.body.when(present([v])):
            target.append(v)

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
