"""Zones, and where pieces lie."""

from __future__ import annotations

from dataclasses import replace

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.values import Value, constant, constant_set
from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.engine.native.word_sizes import SMALL_BITS
from rulewright.ir import model as m
from rulewright.ir.model import NONE


class ZoneLowering:
    """Everything that asks where pieces lie, and who sits where."""

    def __init__(self, x: ExpressionLowering) -> None:
        self.x, self.w, self.ctx, self.body = x, x.w, x.ctx, x.w.body

    def _x_ZoneGet(self, e: m.ZoneGet) -> Value:
        place = self.ctx.layout.zones[e.zone]
        if place.ordered:
            return self.x.lists.as_set(self._row(e.zone, e.index))
        address, width = self.x.cell(place.at, place.strides, self.ctx.layout.zone_of[e.zone].index, e.index)
        return address.load_set(self.ctx.layout.pieces, width <= SMALL_BITS)

    def _row(self, zone: str, index: tuple[m.Expr, ...]) -> Value:
        """The pieces of a stack or row as they lie in memory: from the bottom, or the first slot."""
        layout = self.ctx.layout
        place, declared = layout.zones[zone], layout.zone_of[zone]
        address, _ = self.x.cell(place.at, place.strides, declared.index, index)
        size, high = declared.capacity, layout.pieces - 1
        return address.load_address(Value((self.body.local(Type.I32),), is_list=True, capacity=size, low=0, high=high))

    def _x_ZoneList(self, e: m.ZoneList) -> Value:
        if not self.ctx.layout.zones[e.zone].ordered:
            return self.x.lists.from_set(self._x_ZoneGet(m.ZoneGet(e.zone, e.index)))
        items = self._row(e.zone, e.index)
        return self.x.lists.reversed(items) if self.ctx.layout.zone_of[e.zone].order == "stack" else items

    def _x_Top(self, e: m.Top) -> Value:
        items = self._x_ZoneList(m.ZoneList(e.zone, e.index))
        return self.x.lists.first(items, self.x.value(e.count))

    def _x_SlotOf(self, e: m.SlotOf) -> Value:
        layout, body, memory = self.ctx.layout, self.body, self.ctx.memory
        result = Value((body.local(Type.I32),), null=True, low=0, high=layout.pieces)
        if not layout.ordered:
            self.x.value(e.piece)
            return constant(NONE)
        piece = self.x.value(e.piece)
        self.w.assign(result, constant(NONE))
        lies = self.x.table(self.x.cell_at(layout.loc), 4, piece).load_number(0, len(layout.instances) - 1)
        row = self.x.table(memory.zone_lists(self.w.behind), 4, lies).load_number(0, m.INT_MAX)
        with body.block() as out:
            if row.null:
                self.w.push_present([row])
                body.op(Op.I32_EQZ)
                body.branch_if(out)
            self.w.push(row)
            body.op(Op.I32_EQZ)
            body.branch_if(out)
            self.w.push(row)
            self.w.push(piece)
            body.call(self.ctx.lists.position)
            body.set(result.locals[0])
            stack = self.x.table(memory.zone_is_stack, 4, lies).load_number(0, 1)
            self.w.push_condition(stack)
            with body.when():  # counted from the top
                self.x.lists.push_length(row)
                body.i32(1)
                self.w.push(result)
                body.op(Op.I32_ADD, Op.I32_SUB)
                body.set(result.locals[0])
        return result

    def _x_ClockwiseFrom(self, e: m.ClockwiseFrom) -> Value:
        layout, body = self.ctx.layout, self.body
        player, players = self.x.value(e.player), layout.sizes["Player"]
        address, width = self.x.cell(layout.out, (), (), ())
        out = address.load_set(players, width <= SMALL_BITS)
        result = self.x.lists.new(players, Value(low=0, high=players - 1))
        with body.block() as nobody:
            if player.null:
                self.w.push_present([player])
                body.op(Op.I32_EQZ)
                body.branch_if(nobody)
            for further in range(players):
                self.w.push(player)
                body.i32(further)
                body.op(Op.I32_ADD)
                body.i32(players)
                body.op(Op.I32_REM_S)
                seat = self.w.pop(0, players - 1)
                self.w.push_contains(out, seat)
                body.op(Op.I32_EQZ)
                with body.when():
                    result.append(seat)
        return result.finished()

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
        wanted = self.ctx.layout.instances_of(e.zones)
        first, count = wanted.index(1) if 1 in wanted else 0, sum(wanted)
        if all(wanted[first : first + count]):  # zones that are declared one after the other
            return self._is_between(e.piece, first, count)
        lies = self._location(e.piece, wanted, 1, False)
        if not lies.null:
            return lies
        self.w.push_condition(lies)
        return self.w.pop(0, 1)

    def _is_between(self, piece: m.Expr, first: int, count: int) -> Value:
        """The truth of a piece lying in one of so many zones in a row."""
        address, _ = self.x.cell(self.ctx.layout.loc, (1,), ("Piece",), (piece,))
        lies = address.load_number(0, len(self.ctx.layout.instances) - 1)
        self.w.push(lies)
        if first:
            self.body.i32(first)
            self.body.op(Op.I32_SUB)
        self.body.i32(count)
        self.body.op(Op.I32_LT_U)
        if lies.null:
            self.w.push_present([lies])
            self.body.op(Op.I32_AND)
        return self.w.pop(0, 1)

    def _x_SideOf(self, e: m.SideOf) -> Value:
        layout = self.ctx.layout
        piece = self.x.value(e.piece)
        nulls = [piece] if piece.null else []
        result = Value((self.body.local(Type.I32),), null=piece.null, low=0, high=255)
        with self.w.unless_null(nulls, result):
            if layout.sided:
                self.w.push(self.x.table(self.x.cell_at(layout.side), 4, piece).load_number(0, 255))
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
