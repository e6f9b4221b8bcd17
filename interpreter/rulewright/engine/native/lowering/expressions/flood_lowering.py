"""Reachable places: floods over steps, over edges for which a condition holds, and growing maps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import and_

from rulewright.engine.native.lowering.expressions.expression_lowering import LoweringPart
from rulewright.engine.native.lowering.expressions.flood_goals import (
    Condition,
    Goal,
    KeptPaths,
    OnePlace,
    QueueWorklist,
    SetWorklist,
    StackWorklist,
    Worklist,
    are_kept,
)
from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.lowering.memo_tables import RESULT
from rulewright.engine.native.memory_map import is_large, words
from rulewright.engine.native.values import ABSOLUTE, Value, absent, present
from rulewright.engine.native.webassembly.terms import I32, Local, Term, call, const, mem32
from rulewright.foundation.bit_sets import bits_of
from rulewright.ir import model as m


def area_of(writer: FunctionWriter, name: str, place: Value) -> Term:
    """The address of the set of places that hang together with a place."""
    return call(writer.ctx.area_number(name, writer.earlier), place.term)


def known_area(writer: FunctionWriter, name: str, place: Value) -> Term:
    """The truth of a goal being reached, looked up among the kept answers first."""
    table = writer.ctx.memos.find(f"area {name}", writer.earlier)
    if table is None:
        return area_of(writer, name, place)
    body, found = writer.body, writer.body.local()
    with table.when_valid(body, place) as row:
        body.set(found, mem32(row, RESULT))
    with body.otherwise():
        body.set(found, area_of(writer, name, place))
    return found


class FloodLowering(LoweringPart):
    """Code for expressions about reachability."""

    def _x_Component(self, e: m.Component) -> Value:
        place = self.lower.value(e.place)
        size = self.ctx.layout.sizes[self.ctx.areas[e.area].place]
        base = self.body.local()
        if place.null:
            self.body.set(base, self.ctx.memory.sets((0,), words(size)))
            with self.body.when(present([place])):
                self.body.set(base, self._area(e.area, place))
        else:
            self.body.set(base, self._area(e.area, place))
        return Value(is_set=True, bits=size, base=base)

    def _area(self, name: str, place: Value) -> Term:
        """The address of the set of places that hang together with a place."""
        return known_area(self.writer, name, place) if self.writer.depth else area_of(self.writer, name, place)

    def _x_ReachFrom(self, e: m.ReachFrom) -> Value:
        return self._flood(e, *self._where(e))

    def _x_Closure(self, e: m.Closure) -> Value:
        return self._closure(e, *self._where(e))

    def _x_Reaches(self, e: m.Reaches) -> Value:
        """A flood that leaves a block where it finds its goal; it goes towards it, as far as that is known."""
        flood, body = e.source, self.body
        assert isinstance(flood, m.ReachFrom | m.Closure)
        size = self.ctx.layout.sizes[
            flood.universe if isinstance(flood, m.Closure) else self.ctx.graphs[flood.graph].place
        ]
        truth, kept = body.hold(const(1)), self.lower.components
        kept = kept if kept is not None and kept.question is e else None
        with body.block() as hit:
            start, within = self._where(flood)
            goal = Condition(self.lower, e.var, e.where, size, hit)
            if kept is not None:
                goal.widen(kept.reached)
            with body.block() as out:
                goal.begin(start, within, out)
                if isinstance(flood, m.Closure):
                    self._closure(flood, start, within, goal)
                elif are_kept(self.lower, flood):
                    self._kept(flood, start, goal, hit, out)
                else:
                    self._towards(flood, start, within, goal, out, found=kept.found if kept is not None else None)
            body.set(truth, 0)
        if kept is not None:
            kept.keep(truth, within)
        return Value((truth,), low=0, high=1)

    def _kept(self, e: m.ReachFrom, start: Value, goal: Condition, hit: int, out: int) -> None:
        """A flood that first looks at the way of the one before, and keeps its own."""
        paths, found = KeptPaths(self.lower, e, start), self.body.local()
        paths.follow(goal)
        with self.body.block() as there:
            goal.store(found, there)
            self._towards(e, start, None, goal, out, paths)
            self.body.branch(out)
        paths.keep(found)
        self.body.branch(hit)

    def _towards(
        self,
        e: m.ReachFrom,
        start: Value,
        within: Value | None,
        goal: Condition,
        out: int,
        paths: KeptPaths | None = None,
        found: Value | None = None,
    ) -> None:
        """A flood that goes where its goal lies, if that is known."""
        if (below := goal.lies_below(start)) is not None:
            with self.body.when(below):
                self._flood(e, start, within, goal, True, paths, found)
                self.body.branch(out)
        self._flood(e, start, within, goal, False, paths, found)

    def _where(self, e: m.ReachFrom | m.Closure) -> tuple[Value, Value | None]:
        """The start of a flood, and where it may go."""
        start = self.lower.value(e.start)
        return start, self.lower.set(e.within) if e.within is not None else None

    def _flood(
        self,
        e: m.ReachFrom,
        start: Value,
        within: Value | None,
        goal: Goal | None = None,
        lowest: bool = False,
        paths: KeptPaths | None = None,
        found: Value | None = None,
    ) -> Value:
        """A flood over edges or steps; with `lowest` it goes on from the least place that waits."""
        graph = self.ctx.graphs[e.graph]
        if e.across is not None and e.var is not None and graph.edges:
            return self.over_edges(graph, start, within, e.var, e.across, goal, lowest, paths)
        return self._over_steps(graph, start, within, goal, lowest, found)

    def _closure(self, e: m.Closure, start: Value, within: Value | None, goal: Goal | None = None) -> Value:
        """A flood over steps that an expression gives."""
        size = self.ctx.layout.sizes[e.universe]
        found = self.writer.new_set(size)
        wave: Worklist = (
            StackWorklist(self.writer, size) if is_large(size) else SetWorklist(self.writer, self.writer.new_set(size))
        )
        self._begin(found, wave, start)
        with self.body.block() as out, self.body.loop() as again:
            with self.writer.binding(e.var, wave.take(out)):
                step = self.lower.collection(e.step)
            with self.lower.loop(step, "*") as (other, further, _):
                self.body.branch_if(further, self.writer.contains(found, other))
                if within is not None:
                    self.body.branch_if(further, self.writer.contains(within, other).eqz())
                if goal is not None:
                    goal.stop_at(other)
                self.writer.insert(found, other)
                wave.add(other)
            self.body.branch(again)
        return found

    def _begin(self, found: Value, wave: Worklist | None, start: Value) -> None:
        """Find the start."""
        with self.body.block() as nowhere:
            if start.null:
                self.body.branch_if(nowhere, absent(start))
            self.writer.insert(found, start)
            if wave is not None:
                wave.add(start)

    def _over_steps(
        self,
        graph: m.Graph,
        start: Value,
        within: Value | None,
        goal: Goal | None = None,
        lowest: bool = False,
        found: Value | None = None,
    ) -> Value:
        """A flood over steps; `found` is an empty set for the places to which it comes."""
        size = len(graph.neighbours)
        if is_large(size):
            rows = [tuple(bits_of(around)) for around in graph.neighbours]
            return self._over_rows(rows, 1, size, start, within, lambda *_: None, goal)
        table = self.ctx.memory.sets(graph.neighbours, words(size))
        found, waiting = found or self.writer.new_set(size), self.writer.new_set(size)
        wave = SetWorklist(self.writer, waiting, lowest)
        self._begin(found, wave, start)
        with self.body.block() as out, self.body.loop() as again:
            here = wave.take(out)
            around = self.lower.table(table, 8 * words(size), here).load_set(size, False)
            self.writer.without(size, around, found, into=around)
            if within is not None:
                self.writer.wordwise(size, (around, within), and_, into=around)
            if goal is not None:
                goal.stop_among(around)
            self.writer.include(found, around)
            self.writer.include(waiting, around)
            self.body.branch(again)
        return found

    def over_edges(
        self,
        graph: m.Graph,
        start: Value,
        within: Value | None,
        var: str,
        across: m.Expr,
        goal: Goal | None = None,
        lowest: bool = False,
        paths: KeptPaths | None = None,
    ) -> Value:
        """A flood over edges for which a condition holds; it stops at a `goal`, and the way there may be kept."""
        size = len(graph.neighbours)
        beside: list[list[int]] = [[] for _ in range(size)]
        for edge, (a, b) in enumerate(graph.edges):
            beside[a] += (edge, b)
            beside[b] += (edge, a)

        def guard(row: Local, further: int, other: Value) -> None:
            with self.writer.binding(var, self.writer.hold(mem32(row), 0, max(0, len(graph.edges) - 1))):
                self.lower.guard(across, further)
            if paths is not None:
                paths.step(mem32(row), other)

        return self._over_rows(beside, 2, size, start, within, guard, goal, lowest)

    def _over_rows(
        self,
        rows: Sequence[Sequence[int]],
        width: int,
        size: int,
        start: Value,
        within: Value | None,
        guard: Callable[[Local, int, Value], None],
        goal: Goal | None = None,
        lowest: bool = False,
    ) -> Value:
        """A flood to the places that a row names for each place, the last number of `width` each.

        `guard` gets the local with the address of such numbers, a label to go to if that place is not come to, and it.
        """
        body, memory = self.body, self.ctx.memory
        first = memory.numbers(number for row in rows for number in row)
        ends, total = [first], first
        for row in rows:
            total += 4 * len(row)
            ends.append(total)
        table = memory.numbers(ends)
        left = self.writer.new_set(size)  # the places that are not found yet; all others, if any place may be come to
        if within is not None:
            self.writer.assign(left, within)
        wave: Worklist = (
            StackWorklist(self.writer, size)
            if is_large(size)
            else SetWorklist(self.writer, self.writer.new_set(size), lowest)
        )
        if isinstance(goal, OnePlace):
            wave = QueueWorklist(self.writer, size)
        find = self.writer.insert if within is None else self.writer.remove
        self._begin(left, wave, start)
        if within is not None:
            with body.when(self.writer.contains(left, start)):
                find(left, start)
        at, next_, end = body.locals(I32, I32, I32)
        other = Value((body.local(),), low=0, high=size - 1)
        with body.block() as out, body.loop() as again:
            here = wave.take(out)
            body.set(next_, mem32(here.term << 2, table))
            body.set(end, mem32(here.term << 2, table + 4))
            with body.loop() as further:
                body.branch_if(again, next_.ge_u(end))
                body.set(at, next_)
                body.set(next_, next_ + 4 * width)
                body.set(other.local, mem32(at, 4 * (width - 1)))
                is_left = self.writer.contains(left, other)
                body.branch_if(further, is_left if within is None else is_left.eqz())
                guard(at, further, other)
                if goal is not None:
                    goal.stop_at(other)
                find(left, other)
                wave.add(other)
                body.branch(further)
        if within is None:
            return left
        found = self.writer.without(size, within, left)
        self._begin(found, None, start)
        return found

    def _x_Grown(self, e: m.Grown) -> Value:
        """The set of places; a copy where it may change while it is used."""
        found = self.ctx.grown(e.graph, self.writer.earlier)
        self.body.call(found.find)
        there = Value(is_set=True, bits=len(self.ctx.graphs[e.graph].neighbours), base=ABSOLUTE, at=found.members)
        if not self.ctx.imagines:
            return self.writer.loaded(there)
        made = self.writer.allocate_set(there.bits)
        self.writer.assign(made, there)
        return made
