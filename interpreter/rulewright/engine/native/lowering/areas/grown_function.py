"""The function for a growing map: the places that it has by now, as a set and as a list, until a piece lies elsewhere.

A growing map is large, and few of its places are there at a time. So whoever goes through them takes the list.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property

from rulewright.engine.native.lowering.expressions.expression_table import expressions
from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.values import ABSOLUTE, Value, constant
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import I32, I64, Local, mem32, mem64, without_lowest
from rulewright.engine.native.word_sizes import words
from rulewright.ir import model as m
from rulewright.ir.dataflow.memoized_queries import memo_name
from rulewright.ir.graphs import origin


def write_grown(ctx: LoweringContext, graph: m.Graph, earlier: bool) -> None:
    """Write the functions that :meth:`LoweringContext.grown` names."""
    _GrownWriter(ctx, graph, earlier).write()


class _GrownWriter:
    def __init__(self, ctx: LoweringContext, graph: m.Graph, earlier: bool) -> None:
        self.ctx, self.graph, self.earlier = ctx, graph, earlier
        self.found, self.table = ctx.grown(graph.name, earlier), ctx.memos.find(memo_name(graph), earlier)
        self.size, bits = len(graph.neighbours), 64 * words(len(graph.neighbours))
        self.members = Value(is_set=True, bits=bits, base=ABSOLUTE, at=self.found.members)
        self.covered = Value(is_set=True, bits=bits, base=ABSOLUTE, at=self.found.covered)
        self.count = mem32(0, self.found.covered + 8 * words(bits))
        """The number of places on which pieces lie."""

    def write(self) -> None:
        """Write both."""
        self._find(self._writer(self.found.find))
        self._put(self._writer(self.found.put))

    def _writer(self, number: int) -> FunctionWriter:
        body = self.ctx.rule_body(number)
        body.entered()
        writer = FunctionWriter(self.ctx, body)
        writer.earlier = self.earlier
        return writer

    def _place(self, local: Local) -> Value:
        return Value((local,), low=0, high=self.size - 1)

    # -------------------------------------------------------------------------------------------------- all places

    def _find(self, writer: FunctionWriter) -> None:
        """A look at each piece: the place where it lies, if it lies on one, and those beside it."""
        ctx, layout, body, table = self.ctx, self.ctx.layout, writer.body, self.table
        if table is not None:
            ctx.log.note("grown-maps")
            with table.when_valid(body) as row:
                body.give()
        for one in (self.members, self.covered):
            writer.assign(one, Value(is_set=True))
        ground = ctx.memory.numbers(layout.ground(self.graph.place, origin(self.graph)))
        at, place = body.locals(I32, I32)
        body.set(self.count, 0)
        first = expressions(writer).cell_at(layout.loc)
        body.set(at, first)
        with body.block() as out, body.loop() as again:
            body.branch_if(out, at.ge_u(first + 4 * layout.pieces))
            body.set(place, mem32(mem32(at) << 2, ground))
            body.set(at, at + 4)
            body.branch_if(again, place.lt_s(0))
            body.branch_if(again, writer.contains(self.covered, self._place(place)))
            self._cover(writer, place)
            with self._around(body, place) as beside:
                writer.insert(self.members, self._place(beside))
            body.branch(again)
        with body.when(self.count.eqz()):
            writer.insert(self.members, constant(origin(self.graph)))
        self._list(body)
        if table is not None:
            table.mark_valid(body, row)
        ctx.module.define(self.found.find, body)

    def _list(self, body: FunctionBody) -> None:
        """Write the list of the members."""
        end, at, word = body.locals(I32, I32, I64)
        body.set(end, self.found.items)
        with body.loop() as next_word:
            body.set(word, mem64(at, self.members.at))
            with body.until(word.eqz()):
                body.set(end, end + 4)
                body.set(mem32(end), word.ctz().wrap() + (at << 3))
                body.set(word, without_lowest(word))
            body.set(at, at + 8)
            body.branch_if(next_word, at.lt_u(8 * self.members.words))
        self._store_length(body, end)

    # --------------------------------------------------------------------------------------------- one place more

    def _put(self, writer: FunctionWriter) -> None:
        """A piece is put on a place (the argument): those beside it come, unless one lies there already. The first
        piece of all lets everything be found anew, as the origin may go."""
        ctx, body, table = self.ctx, writer.body, self.table
        (place,) = body.parameters()
        if table is None:
            ctx.module.define(self.found.put, body)
            return
        with body.block() as out:
            body.branch_if(out, table.is_valid(table.row(body)).eqz())
            body.branch_if(out, writer.contains(self.covered, self._place(place)))
            with body.when(self.count.eqz()):
                table.invalidate(body)
                body.branch(out)
            self._cover(writer, place)
            with self._around(body, place) as beside, body.block() as known:
                body.branch_if(known, writer.contains(self.members, self._place(beside)))
                writer.insert(self.members, self._place(beside))
                self._insert(body, beside)
        ctx.module.define(self.found.put, body)

    def _insert(self, body: FunctionBody, place: Local) -> None:
        """Put a place into the list, behind all smaller ones."""
        at, end = body.locals(I32, I32)
        items = self.found.items
        body.set(end, at.tee(items + (mem32(0, items) << 2)))
        with body.until(at.eq(items)) as found:
            body.branch_if(found, mem32(at).lt_s(place))
            body.set(mem32(at, 4), mem32(at))
            body.set(at, at - 4)
        body.set(mem32(at, 4), place)
        body.set(end, end + 4)
        self._store_length(body, end)

    # ------------------------------------------------------------------------------------------------------ shared

    def _cover(self, writer: FunctionWriter, place: Local) -> None:
        """Note that a piece lies on a place."""
        writer.insert(self.covered, self._place(place))
        writer.body.set(self.count, self.count + 1)

    @contextmanager
    def _around(self, body: FunctionBody, place: Local) -> Iterator[Local]:
        """A loop over a place and those beside it; gives the local with each."""
        table, capacity = self.ctx.memory.rows(self._closed)
        row, left, one = body.locals(I32, I32, I32)
        body.set(left, mem32(row.tee(place * (4 * (1 + capacity)) + table)))
        with body.until(left.eqz()):
            body.set(left, left - 1)
            body.set(row, row + 4)
            body.set(one, mem32(row))
            yield one

    @cached_property
    def _closed(self) -> tuple[int, ...]:
        """Each place with those beside it, a set."""
        return tuple(around | 1 << place for place, around in enumerate(self.graph.neighbours))

    def _store_length(self, body: FunctionBody, end: Local) -> None:
        """Note the length of the list, given the address of its last item."""
        body.set(mem32(0, self.found.items), end - self.found.items >> 2)


__all__ = ["write_grown"]
