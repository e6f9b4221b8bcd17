"""The function for a growing map: the places that it has by now, as a set and as a list, until a piece lies elsewhere.

A growing map is large, and few of its places are there at a time. So whoever goes through them takes the list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property

from rulewright.engine.native.lowering.expressions.expression_table import expressions
from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.values import ABSOLUTE, Value, constant
from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.word_sizes import words
from rulewright.ir import model as m
from rulewright.ir.graphs import origin


def write_grown(ctx: LoweringContext, graph: m.Graph, earlier: bool) -> None:
    """Write the functions that :meth:`LoweringContext.grown` names."""
    _GrownWriter(ctx, graph, earlier).write()


class _GrownWriter:
    def __init__(self, ctx: LoweringContext, graph: m.Graph, earlier: bool) -> None:
        self.ctx, self.graph, self.earlier = ctx, graph, earlier
        self.found, self.table = ctx.grown(graph.name, earlier), ctx.answers.table(f"map {graph.name}", earlier)
        self.size, bits = len(graph.neighbours), 64 * words(len(graph.neighbours))
        self.members = Value(is_set=True, bits=bits, base=ABSOLUTE, at=self.found.members)
        self.covered = Value(is_set=True, bits=bits, base=ABSOLUTE, at=self.found.covered)
        self.count = self.found.covered + 8 * words(bits)
        """The address of the number of places on which pieces lie."""

    def write(self) -> None:
        """Write both."""
        self._find(self._writer(self.found.find))
        self._put(self._writer(self.found.put))

    def _writer(self, number: int) -> FunctionWriter:
        body = self.ctx.rule_body(number)
        body.entered()
        w = FunctionWriter(self.ctx, body)
        w.earlier = self.earlier
        return w

    # -------------------------------------------------------------------------------------------------- all places

    def _find(self, w: FunctionWriter) -> None:
        """A look at each piece: the place where it lies, if it lies on one, and those beside it."""
        ctx, layout, body, row = self.ctx, self.ctx.layout, w.body, 0
        if self.table is not None:
            ctx.log.note("grown-maps")
            row = ctx.answers.hold_row(body, self.table, ())
            ctx.answers.push_is_good(body, self.table, row)
            with body.when():
                body.op(Op.RETURN)
        w.charge(1 + layout.pieces)
        for one in (self.members, self.covered):
            w.assign(one, Value(is_set=True))
        ground = ctx.memory.numbers(layout.ground(self.graph.place, origin(self.graph)))
        at, place = body.local(Type.I32), body.local(Type.I32)
        self._store(body, self.count, lambda: body.i32(0))
        first = expressions(w).cell_at(layout.loc)
        body.i32(first)
        body.set(at)
        with body.block() as out, body.loop() as again:
            body.get(at)
            body.i32(first + 4 * layout.pieces)
            body.op(Op.I32_GE_U)
            body.branch_if(out)
            body.get(at)
            body.memory(Op.I32_LOAD)
            body.i32(2)
            body.op(Op.I32_SHL)
            body.memory(Op.I32_LOAD, ground)
            body.set(place)
            body.increase(at, 4)
            body.get(place)
            body.i32(0)
            body.op(Op.I32_LT_S)
            body.branch_if(again)
            here = Value((place,), low=0, high=self.size - 1)
            w.push_contains(self.covered, here)
            body.branch_if(again)
            self._cover(w, here)
            with self._around(body, place) as beside:
                w.insert(self.members, Value((beside,), low=0, high=self.size - 1))
            body.branch(again)
        self._push_count(body)
        body.op(Op.I32_EQZ)
        with body.when():
            w.insert(self.members, constant(origin(self.graph)))
        self._list(body)
        if self.table is not None:
            ctx.answers.mark_good(body, self.table, row)
        ctx.module.define(self.found.find, body)

    def _list(self, body: FunctionBody) -> None:
        """Write the list of the members."""
        end, at, word = body.local(Type.I32), body.local(Type.I32), body.local(Type.I64)
        body.i32(self.found.items)
        body.set(end)
        with body.loop() as next_word:
            body.get(at)
            body.memory(Op.I64_LOAD, self.members.at)
            body.set(word)
            with body.block() as empty, body.loop() as again:
                body.get(word)
                body.op(Op.I64_EQZ)
                body.branch_if(empty)
                body.increase(end, 4)
                body.get(end)
                body.get(word)
                body.op(Op.I64_CTZ, Op.I32_WRAP_I64)
                body.get(at)
                body.i32(3)
                body.op(Op.I32_SHL, Op.I32_ADD)
                body.memory(Op.I32_STORE)
                body.get(word)
                body.get(word)
                body.i64(1)
                body.op(Op.I64_SUB, Op.I64_AND)
                body.set(word)
                body.branch(again)
            body.increase(at, 8)
            body.get(at)
            body.i32(8 * self.members.words)
            body.op(Op.I32_LT_U)
            body.branch_if(next_word)
        self._store_length(body, end)

    # --------------------------------------------------------------------------------------------- one place more

    def _put(self, w: FunctionWriter) -> None:
        """A piece is put on a place (the argument): those beside it come, unless one lies there already. The first
        piece of all lets everything be found anew, as the origin may go."""
        ctx, body, place, table = self.ctx, w.body, 0, self.table
        if table is None:
            ctx.module.define(self.found.put, body)
            return
        row, here = ctx.answers.hold_row(body, table, ()), Value((place,), low=0, high=self.size - 1)
        with body.block() as out:
            ctx.answers.push_is_good(body, table, row)
            body.op(Op.I32_EQZ)
            body.branch_if(out)
            w.push_contains(self.covered, here)
            body.branch_if(out)
            self._push_count(body)
            body.op(Op.I32_EQZ)
            with body.when():
                ctx.answers.forget_answers(body, table)
                body.branch(out)
            self._cover(w, here)
            with self._around(body, place) as beside, body.block() as known:
                one = Value((beside,), low=0, high=self.size - 1)
                w.push_contains(self.members, one)
                body.branch_if(known)
                w.insert(self.members, one)
                self._insert(body, beside)
        ctx.module.define(self.found.put, body)

    def _insert(self, body: FunctionBody, place: int) -> None:
        """Put a place into the list, behind all smaller ones."""
        at, end, items = body.local(Type.I32), body.local(Type.I32), self.found.items
        body.i32(items)
        _load(body, items)
        body.i32(2)
        body.op(Op.I32_SHL, Op.I32_ADD)
        body.tee(at)
        body.set(end)
        with body.block() as found, body.loop() as again:
            body.get(at)
            body.i32(items)
            body.op(Op.I32_EQ)
            body.branch_if(found)
            body.get(at)
            body.memory(Op.I32_LOAD)
            body.get(place)
            body.op(Op.I32_LT_S)
            body.branch_if(found)
            body.get(at)
            body.get(at)
            body.memory(Op.I32_LOAD)
            body.memory(Op.I32_STORE, 4)
            body.decrease(at, 4)
            body.branch(again)
        body.get(at)
        body.get(place)
        body.memory(Op.I32_STORE, 4)
        body.increase(end, 4)
        self._store_length(body, end)

    # ------------------------------------------------------------------------------------------------------ shared

    def _cover(self, w: FunctionWriter, place: Value) -> None:
        """Note that a piece lies on a place."""
        body = w.body

        def push_more() -> None:
            self._push_count(body)
            body.i32(1)
            body.op(Op.I32_ADD)

        w.insert(self.covered, place)
        self._store(body, self.count, push_more)

    @contextmanager
    def _around(self, body: FunctionBody, place: int) -> Iterator[int]:
        """A loop over a place and those beside it; gives the local with each."""
        table, capacity = self.ctx.memory.rows(self._closed)
        row, left, one = (body.local(Type.I32) for _ in range(3))
        body.get(place)
        body.i32(4 * (1 + capacity))
        body.op(Op.I32_MUL)
        body.i32(table)
        body.op(Op.I32_ADD)
        body.tee(row)
        body.memory(Op.I32_LOAD)
        body.set(left)
        with body.block() as out, body.loop() as again:
            body.get(left)
            body.op(Op.I32_EQZ)
            body.branch_if(out)
            body.decrease(left, 1)
            body.increase(row, 4)
            body.get(row)
            body.memory(Op.I32_LOAD)
            body.set(one)
            yield one
            body.branch(again)

    @cached_property
    def _closed(self) -> tuple[int, ...]:
        """Each place with those beside it, a set."""
        return tuple(around | 1 << place for place, around in enumerate(self.graph.neighbours))

    def _push_count(self, body: FunctionBody) -> None:
        _load(body, self.count)

    def _store_length(self, body: FunctionBody, end: int) -> None:
        """Note the length of the list, given the address of its last item."""

        def push_length() -> None:
            body.get(end)
            body.i32(self.found.items)
            body.op(Op.I32_SUB)
            body.i32(2)
            body.op(Op.I32_SHR_U)

        self._store(body, self.found.items, push_length)

    def _store(self, body: FunctionBody, at: int, push: Callable[[], object]) -> None:
        body.i32(0)
        push()
        body.memory(Op.I32_STORE, at)


def _load(body: FunctionBody, at: int) -> None:
    """Push the number at an address."""
    body.i32(0)
    body.memory(Op.I32_LOAD, at)


__all__ = ["write_grown"]
