"""Evaluation of what looks at the state: fields, zones, pieces, regions, and positions as a whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulewright.engine.cells.fingerprint import Fingerprint
from rulewright.engine.evaluator.expressions import Expressions, nothing_of
from rulewright.engine.evaluator.scope import REGISTERS, Environment, Evaluate, Scope
from rulewright.ir import model as m
from rulewright.ir.model import NONE


def offsets(slots: tuple[m.Slot, ...]) -> tuple[int, ...]:
    """The offset of each slot in the frame, and the size of all."""
    found = [0]
    for slot in slots:
        found.append(found[-1] + (1 + slot.ty.capacity if slot.ty.kind == "list" else 1))
    return tuple(found)


def frame_of(
    x: Expressions, name: str, args: tuple[m.Expr, ...], s: Scope
) -> Callable[[list[int], Environment, int], list[int]]:
    """The frame of a function that is called with some arguments, given the base of the caller's frame."""
    number = x.ctx.functions[name]
    slots = x.ctx.program.functions[number].slots
    given, padded = list(zip(x.values(args, s), slots, strict=False)), x.ctx.support.padded
    at = offsets(slots)
    blank = [0] * (at[-1] - at[len(args)])

    def frame(C: list[int], E: Environment, caller: int) -> list[int]:
        found = [number, 0, caller]
        for arg, slot in given:
            if slot.ty.kind == "list":
                found += padded(arg(C, E), slot.ty.capacity, slot.name)
            else:
                found.append(arg(C, E))
        found += blank
        return found

    return frame


class StateReads:
    """Expressions that look at the cells."""

    def __init__(self, x: Expressions) -> None:
        self.x, self.ctx, self.layout, self.support = x, x.ctx, x.ctx.layout, x.ctx.support

    def _x_Alive(self, e: m.Alive, s: Scope) -> Evaluate:
        layout = self.layout
        if e.universe in layout.merged:
            alive = layout.merged[e.universe].alive
            return lambda C, E: C[alive]
        everybody = (1 << (2 if e.universe == "Bool" else layout.sizes[e.universe])) - 1
        if e.universe == "Player":
            out = layout.out
            return lambda C, E: everybody & ~C[out]
        return lambda C, E: everybody

    def _x_FieldGet(self, e: m.FieldGet, s: Scope) -> Evaluate:
        declared, place = self.layout.field_of[e.field], self.layout.fields[e.field]
        if declared.ty.kind == "list":
            address = self._address(place.at, place.strides, declared.index, e.index, s)

            def items(C: list[int], E: Environment) -> tuple[int, ...]:
                at = address(C, E)
                return tuple(C[at + 1 : at + 1 + C[at]]) if at >= 0 else ()

            return items
        return self._cell(place.at, place.strides, declared.index, e.index, s, nothing_of(declared.ty.kind))

    def _t_FieldGet(self, e: m.FieldGet, s: Scope) -> Evaluate:
        declared, place = self.layout.field_of[e.field], self.layout.fields[e.field]
        return self._cell(place.at, place.strides, declared.index, e.index, s, 0)

    def _address(
        self, at: int, strides: tuple[int, ...], universes: tuple[str, ...], index: tuple[m.Expr, ...], s: Scope
    ) -> Evaluate:
        """The number of a cell, negative if a key is none."""
        found = self.x.address(at, strides, universes, index, s)
        return found if not isinstance(found, int) else lambda C, E: found

    def _cell(
        self,
        at: int,
        strides: tuple[int, ...],
        universes: tuple[str, ...],
        index: tuple[m.Expr, ...],
        s: Scope,
        nothing: Any,
    ) -> Evaluate:
        """The content of a cell; if a key is none, the value in place of none."""
        if len(index) == 1 and isinstance(index[0], m.Var) and self._is_plain(index[0], universes[0], s):
            variable, stride = s.variables[index[0].name].at, strides[0]
            if stride == 1:
                return lambda C, E: C[at + E[variable]] if E[variable] >= 0 else nothing
            return lambda C, E: C[at + E[variable] * stride] if E[variable] >= 0 else nothing
        address = self.x.address(at, strides, universes, index, s)
        if isinstance(address, int):
            return lambda C, E: C[address]

        def cell(C: list[int], E: Environment) -> Any:
            at = address(C, E)
            return C[at] if at >= 0 else nothing

        return cell

    def _is_plain(self, key: m.Expr, universe: str, s: Scope) -> bool:
        """True of a key by which a cell is found as it is: of a region that has merged the cell is that of another."""
        return universe not in self.layout.merged or self.x.is_living(key, s)

    # ------------------------------------------------------------------------------------------ zones and pieces

    def zone_cell(self, zone: str, index: tuple[m.Expr, ...], s: Scope) -> Evaluate:
        """The cell where a zone begins, negative if a key is none."""
        place = self.layout.zones[zone]
        return self._address(place.at, place.strides, self.layout.zone_of[zone].index, index, s)

    def instance(self, zone: str, index: tuple[m.Expr, ...], s: Scope) -> Evaluate:
        """The number of a zone with its keys, negative if one is none."""
        place = self.layout.zones[zone]
        strides = tuple(stride // place.span for stride in place.strides)
        return self._address(place.first, strides, self.layout.zone_of[zone].index, index, s)

    def _x_ZoneGet(self, e: m.ZoneGet, s: Scope) -> Evaluate:
        place = self.layout.zones[e.zone]
        if not place.ordered:
            return self._cell(place.at, place.strides, self.layout.zone_of[e.zone].index, e.index, s, 0)
        address, ordered_mask = self.zone_cell(e.zone, e.index, s), self.support.ordered_mask

        def zone(C: list[int], E: Environment) -> int:
            at = address(C, E)
            return ordered_mask(C, at) if at >= 0 else 0

        return zone

    def _x_ZoneList(self, e: m.ZoneList, s: Scope) -> Evaluate:
        address, listed = self.zone_cell(e.zone, e.index, s), self.support.listed
        ordered, stack = self.layout.zones[e.zone].ordered, self.layout.zone_of[e.zone].order == "stack"

        def pieces(C: list[int], E: Environment) -> tuple[int, ...]:
            at = address(C, E)
            if at < 0:
                return ()
            if not ordered:
                return listed(C[at])
            return tuple(C[at + C[at] : at : -1] if stack else C[at + 1 : at + 1 + C[at]])

        return pieces

    def _x_Top(self, e: m.Top, s: Scope) -> Evaluate:
        pieces, count = self._x_ZoneList(m.ZoneList(e.zone, e.index), s), self.x.value(e.count, s)
        return lambda C, E: pieces(C, E)[: max(0, count(C, E))]

    def _of_piece(self, piece: m.Expr, s: Scope, found: Callable[[list[int], int], int]) -> Evaluate:
        value = self.x.value(piece, s)

        def of_piece(C: list[int], E: Environment) -> int:
            one = value(C, E)
            return found(C, one) if one >= 0 else NONE

        return of_piece

    def _x_PlaceOf(self, e: m.PlaceOf, s: Scope) -> Evaluate:
        keys, loc, piece = self.layout.keys_of_instances(e.universe), self.layout.loc, self.x.value(e.piece, s)
        if isinstance(e.piece, m.Var):
            variable = s.variables[e.piece.name].at
            return lambda C, E: keys[C[loc + E[variable]]] if E[variable] >= 0 else NONE

        def place(C: list[int], E: Environment) -> int:
            one = piece(C, E)
            return keys[C[loc + one]] if one >= 0 else NONE

        return place

    def _x_SlotOf(self, e: m.SlotOf, s: Scope) -> Evaluate:
        return self._of_piece(e.piece, s, self.support.slot_of)

    def _x_SideOf(self, e: m.SideOf, s: Scope) -> Evaluate:
        layout, sided = self.layout, self.support.sided_pieces if self.layout.sided else 0

        def side(C: list[int], piece: int) -> int:
            if sided >> piece & 1:
                return C[layout.side + piece]
            return C[layout.down] >> piece & 1 if layout.faced else 0

        return self._of_piece(e.piece, s, side)

    def _x_InZone(self, e: m.InZone, s: Scope) -> Evaluate:
        piece, zones, loc = self.x.value(e.piece, s), self.layout.instances_of(e.zones), self.layout.loc

        def lies_there(C: list[int], E: Environment) -> Any:
            one = piece(C, E)
            return one >= 0 and zones[C[loc + one]]

        return lies_there

    def _x_ClockwiseFrom(self, e: m.ClockwiseFrom, s: Scope) -> Evaluate:
        player, clockwise = self.x.value(e.player, s), self.support.clockwise
        return lambda C, E: clockwise(C, player(C, E))

    # ------------------------------------------------------------------------------------------ regions

    def _x_Canon(self, e: m.Canon, s: Scope) -> Evaluate:
        rep, of = self.layout.merged[e.merged].rep, self.x.value(e.of, s)
        if self.x.is_living(e.of, s):
            return of

        def canon(C: list[int], E: Environment) -> int:
            one = of(C, E)
            return C[rep + one] if one >= 0 else NONE

        return canon

    def _x_PlacesOf(self, e: m.PlacesOf, s: Scope) -> Evaluate:
        place, region = self.layout.merged[e.merged], self.x.value(e.region, s)
        rep, members = place.rep, place.members
        if self.x.is_living(e.region, s):

            def places_of_living(C: list[int], E: Environment) -> int:
                one = region(C, E)
                return C[members + one] if one >= 0 else 0

            return places_of_living

        def places(C: list[int], E: Environment) -> int:
            one = region(C, E)
            return C[members + C[rep + one]] if one >= 0 else 0

        return places

    def _x_RegionsBeside(self, e: m.RegionsBeside, s: Scope) -> Evaluate:
        beside, merged, region = self.support.beside, e.merged, self.x.value(e.region, s)

        def regions(C: list[int], E: Environment) -> int:
            one = region(C, E)
            return beside(C, merged, one) if one >= 0 else 0

        return regions

    def _x_Ahead(self, e: m.Ahead, s: Scope) -> Evaluate:
        size, merged, ahead = len(self.ctx.graphs[e.graph].neighbours), e.merged, self.support.ahead
        start, steps = self.x.value(e.start, s), self.x.value(e.steps, s)

        def there(C: list[int], E: Environment) -> int:
            here, far = start(C, E), steps(C, E)
            return ahead(C, merged, size, here, far) if here != NONE and far != NONE else NONE

        return there

    # ------------------------------------------------------------------------------------------ positions

    def _x_After(self, e: m.After, s: Scope) -> Evaluate:
        frame, of = frame_of(self.x, e.function, e.args, s), self.x.value(e.of, s.elsewhere())
        number, what_if = self.ctx.functions[e.function], self.x.what_if

        def after(C: list[int], E: Environment) -> Any:
            R = E[REGISTERS]
            cells, registers = what_if(C, R, number, frame(C, E, 0))
            found = of(cells, [registers, *E[1:]])
            R.budget = registers.budget
            return found

        return after

    def _x_Fingerprint(self, e: m.Fingerprint, s: Scope) -> Evaluate:
        made: Callable[[Sequence[int]], Any] = Fingerprint(self.layout, e.fields, e.zones)
        return lambda C, E: made(C)
