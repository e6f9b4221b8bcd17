"""The map: neighbours, paths, distances, edges; rays; regions that grow together."""

from __future__ import annotations

from operator import and_

from rulewright.engine.native.lowering.expressions.expression_lowering import Address, ExpressionLowering, LoweringPart
from rulewright.engine.native.memory_map import SMALL_BITS, cell_bytes, is_large, words
from rulewright.engine.native.values import Value, absent, present
from rulewright.engine.native.webassembly.terms import I32, Local, Term, const, mem32, select
from rulewright.ir import model as m
from rulewright.ir.graphs import against, rays, rising, walks
from rulewright.ir.model import NONE

FAR = 12
"""Ways of fewer steps are looked up."""


class MapLowering(LoweringPart):
    """Code for expressions over maps of which no part changes."""

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


class RayLowering(LoweringPart):
    """Code for the places in a direction."""

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


class RegionLowering(LoweringPart):
    """Code for regions, places that belong together now."""

    def _x_Canon(self, e: m.Canon) -> Value:
        return self.lower.canonical(e.merged, self.lower.value(e.of))

    def _x_PlacesOf(self, e: m.PlacesOf) -> Value:
        return self._places(e.merged, self.lower.value(e.region))

    def _places(self, merged: str, region: Value) -> Value:
        """The places of a region; none has no places."""
        place = self.ctx.layout.merged[merged]
        width = self.ctx.layout.widths[place.members]
        at = self.lower.cell_at(place.members)
        address = self.lower.table(at, cell_bytes(width), self.lower.canonical(merged, region))
        return address.load_set(place.size, width <= SMALL_BITS)

    def _x_RegionsBeside(self, e: m.RegionsBeside) -> Value:
        place = self.ctx.layout.merged[e.merged]
        declared = next(one for one in self.ctx.program.merged if one.name == e.merged)
        neighbours = next(g.neighbours for g in self.ctx.graphs.values() if g.place == declared.place)
        count = words(place.size)
        table = self.ctx.memory.sets(neighbours, count)
        members = self._places(e.merged, self.lower.value(e.region))
        around, result = self.writer.new_set(place.size), self.writer.new_set(place.size, True)
        with self.writer.loop(members, "*") as (member, _, _):
            beside = self.lower.table(table, 8 * count, member).load_set(place.size, False)
            self.writer.include(around, self.writer.without(place.size, beside, members))
        with self.writer.loop(around, "*") as (member, _, _):
            self.writer.insert(result, self.lower.canonical(e.merged, member))
        return result

    def _x_Ahead(self, e: m.Ahead) -> Value:
        start, steps = self.lower.value(e.start), self.lower.value(e.steps)
        size = len(self.ctx.graphs[e.graph].neighbours)
        nulls = [v for v in (start, steps) if v.null]
        living = bool(e.merged)
        result = Value((self.body.local(),), null=bool(nulls), low=0, high=size - 1, living=living)
        with self.writer.unless_null(nulls, result):
            if e.merged:
                self._find_region_ahead(e.merged, size, start, steps, result.local)
            else:
                ahead = start.term + _remainder(steps.term, const(size))
                self.body.set(result.local, ahead.rem_s(size))
        return result

    def _find_region_ahead(self, merged: str, size: int, start: Value, steps: Value, result: Local) -> None:
        """Find the region so many regions ahead: those on the ring are written down once, in order."""
        body, memory = self.body, self.ctx.memory
        rep, ring = self.lower.cell_at(self.ctx.layout.merged[merged].rep), memory.reserve(4 * size)
        region = self.lower.canonical(merged, start)
        found = self.writer.new_set(size)
        offset, length, there = body.locals(I32, I32, I32)
        body.set(length, 0)
        body.set(offset, 0)
        with body.loop() as again:
            body.set(there, mem32((region.term + offset).rem_s(size) << 2, rep))
            other = Value((there,), low=0, high=size - 1)
            with body.when(self.writer.contains(found, other).eqz()):
                self.writer.insert(found, other)
                body.set(mem32(length << 2, ring), there)
                body.set(length, length + 1)
            body.branch_if(again, offset.tee(offset + 1).lt_s(size))
        body.set(result, mem32(_remainder(steps.term, length) << 2, ring))


def _remainder(one: Term, other: Term) -> Term:
    """The remainder of a division by a number above 0: never below 0."""
    return (one.rem_s(other) + other).rem_s(other)
