"""Regions that grow together: what stands for each, its places, those beside it and ahead of it."""

from __future__ import annotations

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.values import Value
from rulewright.engine.native.webassembly.terms import I32, Local, Term, const, mem32
from rulewright.engine.native.word_sizes import SMALL_BITS, cell_bytes, words
from rulewright.ir import model as m


class RegionLowering:
    """Everything that asks which places belong together now."""

    def __init__(self, lower: ExpressionLowering) -> None:
        self.lower, self.writer, self.ctx, self.body = lower, lower.writer, lower.ctx, lower.writer.body

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
