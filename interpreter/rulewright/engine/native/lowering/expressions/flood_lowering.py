"""Places that can be come to: floods over steps, over edges for which a condition holds, and growing maps."""

from __future__ import annotations

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.values import Value, constant, constant_set
from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.engine.native.word_sizes import words
from rulewright.ir import model as m
from rulewright.ir.graphs import origin
from rulewright.ir.model import NONE


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
        self.w.push(place)
        self.body.call(self.ctx.area_number(name, self.w.earlier))

    def _x_ReachFrom(self, e: m.ReachFrom) -> Value:
        graph = self.ctx.graphs[e.graph]
        start = self.x.value(e.start)
        within = self.x.set(e.within) if e.within is not None else None
        if e.across is not None and e.var is not None and graph.edges:
            return self.over_edges(graph, start, within, e.var, e.across)
        return self._over_steps(graph, start, within)

    def _begin(self, graph: m.Graph, start: Value) -> tuple[Value, Value]:
        """The places that are found, and those of them from which nobody has gone on: the start."""
        size = len(graph.neighbours)
        found, wave = self.w.new_set(size), self.w.new_set(size)
        if start.null:
            self.w.push_present([start])
            with self.body.when():
                self.w.insert(found, start)
        else:
            self.w.insert(found, start)
        self.w.assign(wave, found)
        return found, wave

    def _next(self, wave: Value, out: int) -> Value:
        """Take the last place of the wave; leave if it is empty."""
        self.w.push_empty(wave)
        self.body.branch_if(out)
        self.w.charge(1)
        self.w.push_last(wave)
        here = self.w.pop(0, wave.bits - 1)
        self.w.remove(wave, here)
        return here

    def _over_steps(self, graph: m.Graph, start: Value, within: Value | None) -> Value:
        size = len(graph.neighbours)
        count = words(size)
        table = self.ctx.memory.sets(graph.neighbours, count)
        found, wave = self._begin(graph, start)
        with self.body.block() as out, self.body.loop() as again:
            here = self._next(wave, out)
            around = self.x.table(table, 8 * count, here).load_set(size, False)
            for number in range(count):
                self.w.push_word(around, number)
                self.w.push_word(found, number)
                self.body.i64(-1)
                self.body.op(Op.I64_XOR, Op.I64_AND)
                if within is not None:
                    self.w.push_word(within, number)
                    self.body.op(Op.I64_AND)
                self.body.set(around.locals[number])
                for target in (found, wave):
                    self.body.get(target.locals[number])
                    self.body.get(around.locals[number])
                    self.body.op(Op.I64_OR)
                    self.body.set(target.locals[number])
            self.body.branch(again)
        return found

    def over_edges(self, graph: m.Graph, start: Value, within: Value | None, var: str, across: m.Expr) -> Value:
        """A flood over edges for which a condition holds."""
        body, memory, size = self.body, self.ctx.memory, len(graph.neighbours)
        beside: list[list[int]] = [[] for _ in range(size)]
        for edge, (a, b) in enumerate(graph.edges):
            beside[a] += (edge, b)
            beside[b] += (edge, a)
        incidences = memory.numbers(number for row in beside for number in row)
        ends, total = [incidences], incidences
        for row in beside:
            total += 4 * len(row)
            ends.append(total)
        table = memory.numbers(ends)
        found, wave = self._begin(graph, start)
        at, end = body.local(Type.I32), body.local(Type.I32)
        edge_is = Value((body.local(Type.I32),), low=0, high=max(0, len(graph.edges) - 1))
        other = Value((body.local(Type.I32),), low=0, high=size - 1)
        with body.block() as out, body.loop() as again:
            here = self._next(wave, out)
            for local, offset in ((at, 0), (end, 4)):
                self.w.push(here)
                body.i32(2)
                body.op(Op.I32_SHL)
                body.memory(Op.I32_LOAD, table + offset)
                body.set(local)
            with body.loop() as further:
                body.get(at)
                body.get(end)
                body.op(Op.I32_GE_U)
                body.branch_if(again)
                self.w.charge(1)
                for v, offset in ((edge_is, 0), (other, 4)):
                    body.get(at)
                    body.memory(Op.I32_LOAD, offset)
                    body.set(v.locals[0])
                body.increase(at, 8)
                self.w.push_contains(found, other)
                body.branch_if(further)
                if within is not None:
                    self.w.push_contains(within, other)
                    body.op(Op.I32_EQZ)
                    body.branch_if(further)
                with self.w.binding(var, edge_is):
                    self.x.guard(across, further)
                self.w.insert(found, other)
                self.w.insert(wave, other)
                body.branch(further)
        return found

    def _x_Grown(self, e: m.Grown) -> Value:
        """A look at each piece: the place where it lies, if it lies on one, and those beside it."""
        graph, layout, memory = self.ctx.graphs[e.graph], self.ctx.layout, self.ctx.memory
        size = len(graph.neighbours)
        count, first = words(size), origin(graph)
        near = memory.sets((1 << place | around for place, around in enumerate(graph.neighbours)), count)
        ground = memory.numbers(layout.ground(graph.place, first))
        result = self.w.new_set(size)
        with self.w.loop(constant_set((1 << layout.pieces) - 1), "*") as (piece, again, _):
            lies = self.x.table(self.x.cell_at(layout.loc), 4, piece).load_number(0, len(layout.instances) - 1)
            place = self.x.table(ground, 4, lies).load_number(0, size - 1, True)
            self.w.push(place)
            self.body.i32(NONE)
            self.body.op(Op.I32_EQ)
            self.body.branch_if(again)
            around = self.x.table(near, 8 * count, Value(place.locals, low=0, high=size - 1)).load_set(size, False)
            for number, local in enumerate(result.locals):
                self.body.get(local)
                self.w.push_word(around, number)
                self.body.op(Op.I64_OR)
                self.body.set(local)
        self.w.push_empty(result)
        with self.body.when():
            self.w.insert(result, constant(first))
        return result
