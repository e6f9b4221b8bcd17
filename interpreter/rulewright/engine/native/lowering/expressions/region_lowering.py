"""Regions that grow together: what stands for each, its places, those beside it and ahead of it."""

from __future__ import annotations

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.values import Value, constant
from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.engine.native.word_sizes import SMALL_BITS, cell_bytes, words
from rulewright.ir import model as m


class RegionLowering:
    """Everything that asks which places belong together now."""

    def __init__(self, x: ExpressionLowering) -> None:
        self.x, self.w, self.ctx, self.body = x, x.w, x.ctx, x.w.body

    def _x_Canon(self, e: m.Canon) -> Value:
        return self.x.canonical(e.merged, self.x.value(e.of))

    def _x_PlacesOf(self, e: m.PlacesOf) -> Value:
        return self._places(e.merged, self.x.value(e.region))

    def _places(self, merged: str, region: Value) -> Value:
        """The places of a region; none has no places."""
        place = self.ctx.layout.merged[merged]
        width = self.ctx.layout.widths[place.members]
        at = self.x.cell_at(place.members)
        address = self.x.table(at, cell_bytes(width), self.x.canonical(merged, region))
        return address.load_set(place.size, width <= SMALL_BITS)

    def _x_RegionsBeside(self, e: m.RegionsBeside) -> Value:
        place = self.ctx.layout.merged[e.merged]
        declared = next(one for one in self.ctx.program.merged if one.name == e.merged)
        neighbours = next(g.neighbours for g in self.ctx.graphs.values() if g.place == declared.place)
        count = words(place.size)
        table = self.ctx.memory.sets(neighbours, count)
        members = self._places(e.merged, self.x.value(e.region))
        around, result = self.w.new_set(place.size), self.w.new_set(place.size, True)
        with self.w.loop(members, "*") as (member, _, _):
            beside = self.x.table(table, 8 * count, member).load_set(place.size, False)
            self.w.include(around, self.w.without(place.size, beside, members))
        with self.w.loop(around, "*") as (member, _, _):
            self.w.insert(result, self.x.canonical(e.merged, member))
        return result

    def _x_Ahead(self, e: m.Ahead) -> Value:
        start, steps = self.x.value(e.start), self.x.value(e.steps)
        size = len(self.ctx.graphs[e.graph].neighbours)
        nulls = [v for v in (start, steps) if v.null]
        living = bool(e.merged)
        result = Value((self.body.local(Type.I32),), null=bool(nulls), low=0, high=size - 1, living=living)
        with self.w.unless_null(nulls, result):
            if e.merged:
                self._push_region_ahead(e.merged, size, start, steps)
            else:
                self.w.push(start)
                self._push_remainder(steps, constant(size))
                self.body.op(Op.I32_ADD)
                self.body.i32(size)
                self.body.op(Op.I32_REM_S)
            self.body.set(result.locals[0])
        return result

    def _push_remainder(self, a: Value, b: Value) -> None:
        """Push what is left over when a number is divided by one above 0: never below 0."""
        self.w.push(a)
        self.w.push(b)
        self.body.op(Op.I32_REM_S)
        self.w.push(b)
        self.body.op(Op.I32_ADD)
        self.w.push(b)
        self.body.op(Op.I32_REM_S)

    def _push_region_ahead(self, merged: str, size: int, start: Value, steps: Value) -> None:
        """Push the region so many regions ahead: those on the ring are written down once, in order."""
        body, memory = self.body, self.ctx.memory
        rep, ring = self.x.cell_at(self.ctx.layout.merged[merged].rep), memory.reserve(4 * size)
        region = self.x.canonical(merged, start)
        found = self.w.new_set(size)
        offset, length, there = (body.local(Type.I32) for _ in range(3))
        body.i32(0)
        body.set(length)
        body.i32(0)
        body.set(offset)
        self.w.charge(size)
        with body.loop() as again:
            self.w.push(region)
            body.get(offset)
            body.op(Op.I32_ADD)
            body.i32(size)
            body.op(Op.I32_REM_S)
            body.i32(2)
            body.op(Op.I32_SHL)
            body.memory(Op.I32_LOAD, rep)
            body.set(there)
            other = Value((there,), low=0, high=size - 1)
            self.w.push_contains(found, other)
            body.op(Op.I32_EQZ)
            with body.when():
                self.w.insert(found, other)
                body.get(length)
                body.i32(2)
                body.op(Op.I32_SHL)
                body.get(there)
                body.memory(Op.I32_STORE, ring)
                body.increase(length, 1)
            body.get(offset)
            body.i32(1)
            body.op(Op.I32_ADD)
            body.tee(offset)
            body.i32(size)
            body.op(Op.I32_LT_S)
            body.branch_if(again)
        self._push_remainder(steps, Value((length,)))
        body.i32(2)
        body.op(Op.I32_SHL)
        body.memory(Op.I32_LOAD, ring)
