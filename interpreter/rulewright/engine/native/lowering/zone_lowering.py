"""Zones, and where pieces lie."""

from __future__ import annotations

from rulewright.engine.native.lowering.expression_lowering import ExpressionLowering
from rulewright.engine.native.values import Unsupported, Value
from rulewright.engine.native.webassembly.encoding import Op
from rulewright.engine.native.word_sizes import SMALL_BITS
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
        return self._location(e.piece, keys, self.ctx.layout.sizes[e.universe] - 1, NONE in keys)

    def _x_InZone(self, e: m.InZone) -> Value:
        lies = self._location(e.piece, self.ctx.layout.instances_of(e.zones), 1, False)
        if not lies.null:
            return lies
        self.w.push_condition(lies)
        return self.w.pop(0, 1)

    def _x_SideOf(self, e: m.SideOf) -> Value:
        layout = self.ctx.layout
        if layout.faced:
            raise Unsupported("pieces that lie face down")
        if not layout.sided:
            piece = self.x.value(e.piece)
            if not piece.null:
                return Value(known=0, low=0, high=0)
            self.w.push_present([piece])
            self.body.op(Op.I32_EQZ)
            self.body.i32(NONE)
            self.body.op(Op.I32_MUL)
            return self.w.pop(0, 0, True)
        address, _ = self.x.cell(layout.side, (1,), ("Piece",), (e.piece,))
        return address.load_number(0, 255)
