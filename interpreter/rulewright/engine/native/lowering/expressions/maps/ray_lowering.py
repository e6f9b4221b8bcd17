"""Rays: the places in a direction as a set, and the nearest of some of them."""

from __future__ import annotations

from operator import and_

from rulewright.engine.native.lowering.expressions.expression_lowering import Address, ExpressionLowering
from rulewright.engine.native.values import Value, absent
from rulewright.engine.native.webassembly.terms import mem32
from rulewright.engine.native.word_sizes import words
from rulewright.ir import model as m
from rulewright.ir.graphs import rays, rising
from rulewright.ir.model import NONE


class RayLowering:
    """Everything that asks for the places in a direction."""

    def __init__(self, lower: ExpressionLowering) -> None:
        self.lower, self.writer, self.ctx, self.body = lower, lower.writer, lower.ctx, lower.writer.body

    def _x_Ray(self, e: m.Ray) -> Value:
        graph = self.ctx.graphs[e.graph]
        place, direction = self.lower.value(e.place), self.lower.value(e.direction)
        found = self._ray(graph, place, direction)
        if e.before is None:
            return found
        size = len(graph.neighbours)
        stops = self.writer.wordwise(size, (found, self.lower.set(e.before)), and_)
        result = self.writer.allocate_set(size)
        self.writer.assign(result, found)
        with self.body.when(self.writer.empty(stops).eqz()):
            first = self._nearest(graph, direction, stops)
            beyond = self._ray(graph, first, direction)
            self.writer.without(size, result, beyond, into=result)
            self.writer.remove(result, first)
        return result

    def _x_Nearest(self, e: m.Nearest) -> Value:
        graph = self.ctx.graphs[e.graph]
        direction, of = self.lower.value(e.direction), self.lower.set(e.of)
        result = Value((self.body.local(),), null=True, low=0, high=len(graph.neighbours) - 1)
        self.writer.assign(result, Value(known=NONE))
        with self.body.block() as nothing:
            if direction.null:
                self.body.branch_if(nothing, absent(direction))
            self.body.branch_if(nothing, self.writer.empty(of))
            self.body.set(result.local, self._nearest(graph, direction, of).term)
        return result

    def _ray(self, graph: m.Graph, place: Value, direction: Value) -> Value:
        """The set of places in a direction; empty from nowhere."""
        size, count = len(graph.neighbours), words(len(graph.neighbours))
        tables = [row for one in range(len(graph.towards)) for row in rays(graph, one)]
        at, parts = self.ctx.memory.sets(tables, count), list[tuple[Value, int]]()
        for key, stride in ((direction, 8 * count * size), (place, 8 * count)):
            if key.constant is not None and key.constant != NONE:
                at += key.constant * stride
            else:
                parts.append((key, stride))
        nulls = [key for key, _ in parts if key.null]
        return Address(self.writer, at, parts, nulls).load_set(size, False)

    def _nearest(self, graph: m.Graph, direction: Value, of: Value) -> Value:
        """The nearest of some places in a direction, of which there are some: the least or the greatest."""
        ups, known = rising(graph), direction.constant
        if known is not None and known != NONE:
            found = self.writer.first(of) if ups[known] else self.writer.last(of)
            return self.writer.hold(found, 0, len(graph.neighbours) - 1)
        table = self.ctx.memory.numbers(map(int, map(bool, ups)))
        result = Value((self.body.local(),), low=0, high=len(graph.neighbours) - 1)
        with self.body.when(mem32(direction.term << 2, table)):
            self.body.set(result.local, self.writer.first(of))
        with self.body.otherwise():
            self.body.set(result.local, self.writer.last(of))
        return result


__all__ = ["RayLowering"]
