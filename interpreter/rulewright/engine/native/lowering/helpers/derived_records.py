"""Records beside the zones, kept while pieces are moved: the only piece of a zone, all pieces in some zones, the places
of growing maps."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.ir.graphs import origin
from rulewright.ir.model import NONE

if TYPE_CHECKING:
    from rulewright.engine.native.lowering.lowering_context import LoweringContext


class DerivedRecords:
    """Writes what is to be done when a piece comes to a zone, or leaves it."""

    def __init__(self, ctx: LoweringContext) -> None:
        self.ctx, self.memory, self.layout = ctx, ctx.memory, ctx.layout

    @cached_property
    def _occupants(self) -> int:
        """The address of a table: for each zone the address where its only piece is kept, or 0."""
        found = [0] * len(self.layout.instances)
        for one in self.memory.occupants.values():
            begin = self.memory.occupants_at + one.offset
            found[one.first : one.first + one.count] = range(begin, begin + one.size, 4)
        return self.memory.numbers(found)

    def occupy(self, body: FunctionBody, zone: int, piece: int | None) -> None:
        """Note that a piece lies alone in a zone, or none, if its only piece is kept."""
        if not self.memory.occupants:
            return
        at = body.local(Type.I32)
        body.get(zone)
        body.i32(2)
        body.op(Op.I32_SHL)
        body.memory(Op.I32_LOAD, self._occupants)
        body.tee(at)
        with body.when():
            body.get(at)
            if piece is None:
                body.i32(NONE)
            else:
                body.get(piece)
            body.memory(Op.I32_STORE)

    def locate(self, body: FunctionBody, zone: int, piece: int) -> None:
        """Note in which of the sets that are kept of some zones a piece is, when it comes to a zone."""
        sets = self.memory.zone_sets
        if not sets.asked:
            return
        where, flags, bit = body.local(Type.I32), body.local(Type.I32), body.local(Type.I64)
        body.get(piece)
        body.i32(6)
        body.op(Op.I32_SHR_U)
        body.i32(3)
        body.op(Op.I32_SHL)
        body.set(where)
        body.get(zone)
        body.i32(2)
        body.op(Op.I32_SHL)
        body.memory(Op.I32_LOAD, self.memory.numbers(sets.flags))
        body.set(flags)
        body.i64(1)
        body.get(piece)
        body.op(Op.I64_EXTEND_I32_U, Op.I64_SHL)
        body.set(bit)
        for number in range(len(sets.asked)):
            at = self.memory.zone_sets_at + number * sets.span
            body.get(where)
            body.get(where)
            body.memory(Op.I64_LOAD, at)
            body.get(bit)
            body.op(Op.I64_OR)
            body.get(bit)
            body.i64(0)
            body.get(flags)
            body.i32(1 << number)
            body.op(Op.I32_AND, Op.I32_EQZ, Op.SELECT)
            body.op(Op.I64_XOR)
            body.memory(Op.I64_STORE, at)

    def tell_maps(self, body: FunctionBody, zone: int, comes: bool) -> None:
        """Tell the growing maps that a piece comes to a zone, or leaves it."""
        for graph, table in self.ctx.kept_maps:
            ground = self.memory.numbers(self.layout.ground(graph.place, origin(graph)))
            place = body.local(Type.I32)
            body.get(zone)
            body.i32(2)
            body.op(Op.I32_SHL)
            body.memory(Op.I32_LOAD, ground)
            body.tee(place)
            body.i32(0)
            body.op(Op.I32_GE_S)
            with body.when():
                if comes:
                    body.get(place)
                    body.call(self.ctx.grown(graph.name).put)
                else:
                    self.ctx.answers.forget_answers(body, table)
