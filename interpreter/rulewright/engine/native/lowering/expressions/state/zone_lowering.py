"""Zones, and where pieces lie."""

from __future__ import annotations

from dataclasses import replace

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.values import Value, absent, constant, constant_set, present
from rulewright.engine.native.webassembly.terms import Stacked, Term, call, const, select
from rulewright.engine.native.word_sizes import SMALL_BITS
from rulewright.ir import model as m
from rulewright.ir.model import NONE


class ZoneLowering:
    """Everything that asks where pieces lie, and who sits where."""

    def __init__(self, lower: ExpressionLowering) -> None:
        self.lower, self.writer, self.ctx, self.body = lower, lower.writer, lower.ctx, lower.writer.body

    def _x_ZoneGet(self, e: m.ZoneGet) -> Value:
        place = self.ctx.layout.zones[e.zone]
        if place.ordered:
            return self.lower.lists.as_set(self._row(e.zone, e.index))
        address, width = self.lower.cell(place.at, place.strides, self.ctx.layout.zone_of[e.zone].index, e.index)
        return address.load_set(self.ctx.layout.pieces, width <= SMALL_BITS)

    def _row(self, zone: str, index: tuple[m.Expr, ...]) -> Value:
        """The pieces of a stack or row as they lie in memory: from the bottom, or the first slot."""
        layout = self.ctx.layout
        place, declared = layout.zones[zone], layout.zone_of[zone]
        address, _ = self.lower.cell(place.at, place.strides, declared.index, index)
        size, high = declared.capacity, layout.pieces - 1
        return address.load_address(Value((self.body.local(),), is_list=True, capacity=size, low=0, high=high))

    def _x_ZoneList(self, e: m.ZoneList) -> Value:
        if not self.ctx.layout.zones[e.zone].ordered:
            return self.lower.lists.from_set(self._x_ZoneGet(m.ZoneGet(e.zone, e.index)))
        items = self._row(e.zone, e.index)
        return self.lower.lists.reversed(items) if self.ctx.layout.zone_of[e.zone].order == "stack" else items

    def _x_Top(self, e: m.Top) -> Value:
        items = self._x_ZoneList(m.ZoneList(e.zone, e.index))
        return self.lower.lists.first(items, self.lower.value(e.count))

    def _x_SlotOf(self, e: m.SlotOf) -> Value:
        layout, body, memory = self.ctx.layout, self.body, self.ctx.memory
        result = Value((body.local(),), null=True, low=0, high=layout.pieces)
        if not layout.ordered:
            self.lower.value(e.piece)
            return constant(NONE)
        piece = self.lower.value(e.piece)
        self.writer.assign(result, constant(NONE))
        lies = self.lower.table(self.lower.cell_at(layout.loc), 4, piece).load_number(0, len(layout.instances) - 1)
        row = self.lower.table(memory.zone_lists(self.writer.behind), 4, lies).load_number(0, m.INT_MAX)
        with body.block() as out:
            if row.null:
                body.branch_if(out, absent(row))
            body.branch_if(out, row.term.eqz())
            body.set(result.local, call(self.ctx.lists.position, row.term, piece.term))
            stack = self.lower.table(memory.zone_is_stack, 4, lies).load_number(0, 1)
            with body.when(stack.holds):  # counted from the top
                body.set(result.local, self.lower.lists.length(row) - (1 + result.term))
        return result

    def _x_ClockwiseFrom(self, e: m.ClockwiseFrom) -> Value:
        layout, body = self.ctx.layout, self.body
        player, players = self.lower.value(e.player), layout.sizes["Player"]
        address, width = self.lower.cell(layout.out, (), (), ())
        out = address.load_set(players, width <= SMALL_BITS)
        result = self.lower.lists.new(players, Value(low=0, high=players - 1))
        with body.block() as nobody:
            if player.null:
                body.branch_if(nobody, absent(player))
            for further in range(players):
                seat = self.writer.hold((player.term + further).rem_s(players), 0, players - 1)
                with body.when(self.writer.contains(out, seat).eqz()):
                    result.append(seat)
        return result.finished()

    def _location(self, piece: m.Expr, table: tuple[int, ...], high: int, null: bool) -> Value:
        """The entry of a table for the zone in which a piece lies."""
        address, _ = self.lower.cell(self.ctx.layout.loc, (1,), ("Piece",), (piece,))
        lies = address.load_number(0, len(table) - 1)
        return self.lower.table(self.ctx.memory.numbers(table), 4, lies).load_number(0, high, null)

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
        return self.writer.hold(lies.holds, 0, 1)

    def _is_between(self, piece: m.Expr, first: int, count: int) -> Value:
        """The truth of a piece lying in one of so many zones in a row."""
        address, _ = self.lower.cell(self.ctx.layout.loc, (1,), ("Piece",), (piece,))
        lies = address.load_number(0, len(self.ctx.layout.instances) - 1)
        found = (lies.term - first if first else lies.term).lt_u(count)
        return self.writer.hold(found & present([lies]) if lies.null else found, 0, 1)

    def _x_SideOf(self, e: m.SideOf) -> Value:
        layout = self.ctx.layout
        piece = self.lower.value(e.piece)
        result = Value((self.body.local(),), null=piece.null, low=0, high=255)
        with self.writer.unless_null([piece] if piece.null else [], result):
            if layout.sided:
                self.body.push(self.lower.table(self.lower.cell_at(layout.side), 4, piece).load_number(0, 255).term)
            if layout.faced:
                address, width = self.lower.cell(layout.down, (), (), ())
                self.body.push(self.writer.contains(address.load_set(layout.pieces, width <= SMALL_BITS), piece))
            found: Term = Stacked() if layout.sided or layout.faced else const(0)
            if layout.sided and layout.faced:
                found = select(Stacked(), Stacked(), self.writer.contains(constant_set(self.ctx.sided), piece))
            self.body.set(result.local, found)
        return result
