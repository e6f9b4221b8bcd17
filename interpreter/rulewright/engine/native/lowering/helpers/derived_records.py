"""Records beside the zones, kept while pieces are moved: the only piece of a zone, the places of growing maps."""

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
