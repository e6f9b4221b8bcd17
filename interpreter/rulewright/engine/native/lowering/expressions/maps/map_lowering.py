"""The printed map: neighbours, ways, distances, edges."""

from __future__ import annotations

from rulewright.engine.native.lowering.expressions.expression_lowering import Address, ExpressionLowering
from rulewright.engine.native.values import Value, absent, present
from rulewright.engine.native.webassembly.terms import I32, mem32, select
from rulewright.engine.native.word_sizes import is_large, words
from rulewright.ir import model as m
from rulewright.ir.graphs import against, walks
from rulewright.ir.model import NONE

FAR = 12
"""Ways of fewer steps are looked up."""


class MapLowering:
    """Everything that asks a map of which no part changes."""

    def __init__(self, lower: ExpressionLowering) -> None:
        self.lower, self.writer, self.ctx, self.body = lower, lower.writer, lower.ctx, lower.writer.body

    def _sets(self, values: tuple[int, ...], size: int, key: Value) -> Value:
        """A set looked up by a place."""
        if is_large(size):
            return self.lower.lists.as_set(_row(self.lower, values, size, key))
        count = words(size)
        return self.lower.table(self.ctx.memory.sets(values, count), 8 * count, key).load_set(size, False)

    def _x_NeighboursOf(self, e: m.NeighboursOf) -> Value:
        graph = self.ctx.graphs[e.graph]
        return self._sets(graph.neighbours, len(graph.neighbours), self.lower.value(e.place))

    def _x_EdgesOf(self, e: m.EdgesOf) -> Value:
        graph = self.ctx.graphs[e.graph]
        found = [0] * len(graph.neighbours)
        for edge, ends in enumerate(graph.edges):
            for place in ends:
                found[place] |= 1 << edge
        return self._sets(tuple(found), len(graph.edges), self.lower.value(e.place))

    def _x_Towards(self, e: m.Towards) -> Value:
        graph = self.ctx.graphs[e.graph]
        place, direction, steps = self.lower.value(e.place), self.lower.value(e.direction), self.lower.value(e.steps)
        if steps.low <= -FAR or steps.high >= FAR:
            return self._far(graph, place, direction, steps)
        size, directions = len(graph.neighbours), len(graph.towards)
        on, back = walks(graph.towards, 1 + steps.high), walks(against(graph.towards), 1 - steps.low)
        ways = [on[number] if number >= 0 else back[-number] for number in range(steps.low, steps.high + 1)]
        at = self.ctx.memory.numbers(reached for way in ways for row in way for reached in row)
        at -= 4 * steps.low * directions * size
        parts = []
        for key, stride in ((steps, directions * size), (direction, size), (place, 1)):
            if key.constant is not None and key.constant != NONE:
                at += 4 * stride * key.constant
            else:
                parts.append((key, 4 * stride))
        nulls = [key for key, _ in parts if key.null]
        if at < 0:
            return self._far(graph, place, direction, steps)
        return Address(self.writer, at, parts, nulls).load_number(0, size - 1, True)

    def _far(self, graph: m.Graph, place: Value, direction: Value, steps: Value) -> Value:
        """The place so many steps away, however many they are: step by step, until there is none."""
        size, body = len(graph.neighbours), self.body
        forth, back = (
            self.ctx.memory.numbers(reached for row in ways for reached in row)
            for ways in (graph.towards, against(graph.towards))
        )
        result = Value((body.local(),), null=True, low=0, high=size - 1)
        row, left = body.locals(I32, I32)
        self.writer.assign(result, Value(known=NONE))
        with body.block() as out:
            for v in (place, direction, steps):
                if v.null:
                    body.branch_if(out, absent(v))
            is_forth = steps.term.ge_s(0)
            body.set(row, select(forth, back, is_forth) + direction.term * (4 * size))
            body.set(left, select(steps.term, 0 - steps.term, is_forth))
            self.writer.assign(result, place)
            with body.loop() as again:
                body.branch_if(out, left.eqz())
                body.set(result.local, mem32(row + (result.term << 2)))
                body.set(left, left - 1)
                body.branch_if(again, result.term.ge_s(0))
        return result

    def _pairs(self, rows: tuple[tuple[int, ...], ...], first: m.Expr, second: m.Expr, high: int) -> Value:
        """A number looked up by two places."""
        a, b = self.lower.value(first), self.lower.value(second)
        at = self.ctx.memory.numbers(value for row in rows for value in row)
        parts = [(a, 4 * len(rows)), (b, 4)]
        return Address(self.writer, at, parts, [key for key in (a, b) if key.null]).load_number(0, high, True)

    def _x_DistanceOf(self, e: m.DistanceOf) -> Value:
        graph = self.ctx.graphs[e.graph]
        return self._pairs(graph.distance, e.start, e.end, len(graph.neighbours))

    def _x_EdgeBetween(self, e: m.EdgeBetween) -> Value:
        graph = self.ctx.graphs[e.graph]
        size = len(graph.neighbours)
        rows = [[NONE] * size for _ in range(size)]
        for edge, (a, b) in reversed(list(enumerate(graph.edges))):
            rows[a][b] = rows[b][a] = edge
        return self._pairs(tuple(map(tuple, rows)), e.start, e.end, max(len(graph.edges) - 1, 0))


def neighbour_row(lower: ExpressionLowering, graph: m.Graph, place: Value) -> Value:
    """The neighbours of a place as a list, least first; none has no neighbours."""
    return _row(lower, graph.neighbours, len(graph.neighbours), place)


def _row(lower: ExpressionLowering, sets: tuple[int, ...], size: int, key: Value) -> Value:
    """A set that is looked up, as a list of its members, least first."""
    table, capacity = lower.ctx.memory.rows(sets)
    if key.null:
        key = lower.writer.hold(select(key.term, len(sets), present([key])), 0, len(sets))
    address, local = lower.table(table, 4 * (1 + capacity), key), lower.writer.body.local()
    return address.load_address(Value((local,), is_list=True, capacity=capacity, low=0, high=max(0, size - 1)))
