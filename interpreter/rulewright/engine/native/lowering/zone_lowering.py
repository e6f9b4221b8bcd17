"""Where pieces lie."""

from __future__ import annotations

from dataclasses import replace

from rulewright.engine.native.lowering.expression_lowering import ExpressionLowering
from rulewright.engine.native.memory_map import SMALL_BITS
from rulewright.engine.native.values import Unsupported, Value, constant_set
from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.ir import model as m
from rulewright.ir.model import NONE


class ZoneLowering:
    """Everything that asks where pieces lie; of zones without an order."""

    def __init__(self, x: ExpressionLowering) -> None:
        self.x, self.w, self.ctx, self.body = x, x.w, x.ctx, x.w.body

    def _x_ZoneGet(self, e: m.ZoneGet) -> Value:
        place = self.ctx.layout.zones[e.zone]
        if place.ordered:
            raise Unsupported("stacks and rows")
        address, width = self.x.cell(place.at, place.strides, self.ctx.layout.zone_of[e.zone].index, e.index)
        return address.load_set(self.ctx.layout.pieces, width <= SMALL_BITS)

    def _location(self, piece: m.Expr, table: tuple[int, ...], high: int, null: bool) -> Value:
        """The entry of a table for the zone in which a piece lies."""
        address, _ = self.x.cell(self.ctx.layout.loc, (1,), ("Piece",), (piece,))
        lies = address.load_number(0, len(table) - 1)
        return self.x.table(self.ctx.memory.numbers(table), 4, lies).load_number(0, high, null)

    def _x_PlaceOf(self, e: m.PlaceOf) -> Value:
        keys = self.ctx.layout.keys_of_instances(e.universe)
        lies = self._location(e.piece, keys, self.ctx.layout.sizes[e.universe] - 1, NONE in keys)
        return replace(lies, living=e.universe in self.ctx.layout.merged)

    def _x_InZone(self, e: m.InZone) -> Value:
        lies = self._location(e.piece, self.ctx.layout.instances_of(e.zones), 1, False)
        if not lies.null:
            return lies
        self.w.push_condition(lies)
        return self.w.pop(0, 1)

    def _x_SideOf(self, e: m.SideOf) -> Value:
        layout = self.ctx.layout
        piece = self.x.value(e.piece)
        nulls = [piece] if piece.null else []
        result = Value((self.body.local(Type.I32),), null=piece.null, low=0, high=255)
        with self.w.unless_null(nulls, result):
            if layout.sided:
                self.w.push(self.x.table(self.ctx.memory.cell_at[layout.side], 4, piece).load_number(0, 255))
            if layout.faced:
                address, width = self.x.cell(layout.down, (), (), ())
                self.w.push_contains(address.load_set(layout.pieces, width <= SMALL_BITS), piece)
            if layout.sided and layout.faced:
                self.w.push_contains(constant_set(self.ctx.sided), piece)
                self.body.op(Op.SELECT)
            elif not layout.sided and not layout.faced:
                self.body.i32(0)
            self.body.set(result.locals[0])
        return result
