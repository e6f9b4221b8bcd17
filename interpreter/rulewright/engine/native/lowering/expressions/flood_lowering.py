"""Places that can be come to: floods over steps, over edges for which a condition holds, and growing maps."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulewright.engine.cells.support import bits_of
from rulewright.engine.native.lowering.answer_tables import ANSWER
from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.lowering.expressions.worklists import (
    QueueWorklist,
    SetWorklist,
    StackWorklist,
    Worklist,
)
from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.values import ABSOLUTE, Value
from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.engine.native.word_sizes import is_large, words
from rulewright.ir import model as m


def push_area(w: FunctionWriter, name: str, place: Value) -> None:
    """Push the address of the set of places that hang together with a place."""
    w.push(place)
    w.body.call(w.ctx.area_number(name, w.earlier))


def push_known_area(w: FunctionWriter, name: str, place: Value) -> None:
    """The same where it is asked often: whether it is kept is looked for here."""
    table = w.ctx.answers.table(f"area {name}", w.earlier)
    if table is None:
        push_area(w, name, place)
        return
    body, found = w.body, w.body.local(Type.I32)
    row = w.ctx.answers.hold_row(body, table, (place,))
    w.ctx.answers.push_is_good(body, table, row)
    with body.when():
        body.get(row)
        body.memory(Op.I32_LOAD, ANSWER)
        body.set(found)
        body.op_else()
        push_area(w, name, place)
        body.set(found)
    body.get(found)


class FloodLowering:
    """Everything that asks which places hang together."""

    def __init__(self, x: ExpressionLowering) -> None:
        self.x, self.w, self.ctx, self.body = x, x.w, x.ctx, x.w.body

    def _x_Component(self, e: m.Component) -> Value:
        place = self.x.value(e.place)
        size = self.ctx.layout.sizes[self.ctx.areas[e.area].place]
        base = self.body.local(Type.I32)
        if place.null:
            self.body.i32(self.ctx.memory.sets((0,), words(size)))
            self.body.set(base)
            self.w.push_present([place])
            with self.body.when():
                self._push_area(e.area, place)
                self.body.set(base)
        else:
            self._push_area(e.area, place)
            self.body.set(base)
        return Value(is_set=True, bits=size, base=base)

    def _push_area(self, name: str, place: Value) -> None:
        """Push the address of the set of places that hang together with a place."""
        if self.w.depth:
            push_known_area(self.w, name, place)
        else:
            push_area(self.w, name, place)

    def _x_ReachFrom(self, e: m.ReachFrom) -> Value:
        graph = self.ctx.graphs[e.graph]
        start = self.x.value(e.start)
        within = self.x.set(e.within) if e.within is not None else None
        if e.across is not None and e.var is not None and graph.edges:
            return self.over_edges(graph, start, within, e.var, e.across)
        return self._over_steps(graph, start, within)

    def _x_Closure(self, e: m.Closure) -> Value:
        size = self.ctx.layout.sizes[e.universe]
        start = self.x.value(e.start)
        within = self.x.set(e.within) if e.within is not None else None
        found = self.w.new_set(size)
        wave: Worklist = StackWorklist(self.w, size) if is_large(size) else SetWorklist(self.w, self.w.new_set(size))
        self._begin(found, wave, start)
        with self.body.block() as out, self.body.loop() as again:
            with self.w.binding(e.var, wave.take(out)):
                step = self.x.collection(e.step)
            with self.x.loop(step, "*") as (other, further, _):
                self.w.push_contains(found, other)
                self.body.branch_if(further)
                if within is not None:
                    self.w.push_contains(within, other)
                    self.body.op(Op.I32_EQZ)
                    self.body.branch_if(further)
                self.w.insert(found, other)
                wave.add(other)
            self.body.branch(again)
        return found

    def _begin(self, found: Value, wave: Worklist | None, start: Value) -> None:
        """Find the start."""
        with self.w.body.block() as nowhere:
            if start.null:
                self.w.push_present([start])
                self.body.op(Op.I32_EQZ)
                self.body.branch_if(nowhere)
            self.w.insert(found, start)
            if wave is not None:
                wave.add(start)

    def _over_steps(self, graph: m.Graph, start: Value, within: Value | None) -> Value:
        size = len(graph.neighbours)
        if is_large(size):
            rows = [tuple(bits_of(around)) for around in graph.neighbours]
            return self._over_rows(rows, 1, size, start, within, lambda _, __: None)
        table = self.ctx.memory.sets(graph.neighbours, words(size))
        found, waiting = self.w.new_set(size), self.w.new_set(size)
        wave = SetWorklist(self.w, waiting)
        self._begin(found, wave, start)
        with self.body.block() as out, self.body.loop() as again:
            here = wave.take(out)
            around = self.x.table(table, 8 * words(size), here).load_set(size, False)
            self.w.without(size, around, found, into=around)
            if within is not None:
                self.w.wordwise(size, (around, within), lambda: self.body.op(Op.I64_AND), into=around)
            self.w.include(found, around)
            self.w.include(waiting, around)
            self.body.branch(again)
        return found

    def over_edges(
        self,
        graph: m.Graph,
        start: Value,
        within: Value | None,
        var: str,
        across: m.Expr,
        goal: tuple[Value, int] | None = None,
    ) -> Value:
        """A flood over edges for which a condition holds; with a `goal` it goes to a label when it comes to a place."""
        size = len(graph.neighbours)
        beside: list[list[int]] = [[] for _ in range(size)]
        for edge, (a, b) in enumerate(graph.edges):
            beside[a] += (edge, b)
            beside[b] += (edge, a)

        def guard(row: int, further: int) -> None:
            self.body.get(row)
            self.body.memory(Op.I32_LOAD)
            with self.w.binding(var, self.w.pop(0, max(0, len(graph.edges) - 1))):
                self.x.guard(across, further)

        return self._over_rows(beside, 2, size, start, within, guard, goal)

    def _over_rows(
        self,
        rows: Sequence[Sequence[int]],
        width: int,
        size: int,
        start: Value,
        within: Value | None,
        guard: Callable[[int, int], None],
        goal: tuple[Value, int] | None = None,
    ) -> Value:
        """A flood to the places that a row names for each place, the last number of `width` each.

        `guard` gets the local with the address of such numbers, and a label to go to if that place is not come to.
        """
        body, memory = self.body, self.ctx.memory
        first = memory.numbers(number for row in rows for number in row)
        ends, total = [first], first
        for row in rows:
            total += 4 * len(row)
            ends.append(total)
        table = memory.numbers(ends)
        left = self.w.new_set(size)  # the places that are not found yet; all others, if any place may be come to
        if within is not None:
            self.w.assign(left, within)
        wave: Worklist = StackWorklist(self.w, size) if is_large(size) else SetWorklist(self.w, self.w.new_set(size))
        if goal is not None:
            wave = QueueWorklist(self.w, size)
        find = self.w.insert if within is None else self.w.remove
        self._begin(left, wave, start)
        if within is not None:
            self.w.push_contains(left, start)
            with body.when():
                find(left, start)
        at, next_, end = (body.local(Type.I32) for _ in range(3))
        other = Value((body.local(Type.I32),), low=0, high=size - 1)
        with body.block() as out, body.loop() as again:
            here = wave.take(out)
            for local, offset in ((next_, 0), (end, 4)):
                self.w.push(here)
                body.i32(2)
                body.op(Op.I32_SHL)
                body.memory(Op.I32_LOAD, table + offset)
                body.set(local)
            with body.loop() as further:
                body.get(next_)
                body.get(end)
                body.op(Op.I32_GE_U)
                body.branch_if(again)
                self.w.charge(1)
                body.get(next_)
                body.set(at)
                body.increase(next_, 4 * width)
                body.get(at)
                body.memory(Op.I32_LOAD, 4 * (width - 1))
                body.set(other.locals[0])
                self.w.push_contains(left, other)
                if within is not None:
                    body.op(Op.I32_EQZ)
                body.branch_if(further)
                guard(at, further)
                if goal is not None:
                    self.w.push(other)
                    self.w.push(goal[0])
                    body.op(Op.I32_EQ)
                    body.branch_if(goal[1])
                find(left, other)
                wave.add(other)
                body.branch(further)
        if within is None:
            return left
        found = self.w.without(size, within, left)
        self._begin(found, None, start)
        return found

    def _x_Grown(self, e: m.Grown) -> Value:
        """The set of places; a copy where it may change while it is used."""
        found = self.ctx.grown(e.graph, self.w.earlier)
        self.body.call(found.find)
        there = Value(is_set=True, bits=len(self.ctx.graphs[e.graph].neighbours), base=ABSOLUTE, at=found.members)
        if not self.ctx.imagines:
            return self.w.loaded(there)
        made = self.w.allocate_set(there.bits)
        self.w.assign(made, there)
        return made
