"""Code for every expression, each kind known to one writer, and the writers for zones and positions."""

from __future__ import annotations

from rulewright.engine.cells.fingerprint import Fingerprint
from rulewright.engine.codegen.expressions.expression_writer import ExpressionWriter, Kinds
from rulewright.engine.codegen.expressions.map_code import MapCode
from rulewright.engine.codegen.expressions.scalar_code import ScalarCode
from rulewright.engine.codegen.expressions.set_code import SetCode
from rulewright.engine.codegen.statement_writer import Writer
from rulewright.engine.codegen.value_ranges import V, bits, listed, literal, number, truth
from rulewright.ir import model as m
from rulewright.ir.model import NONE


def offsets(slots: tuple[m.Slot, ...]) -> tuple[int, ...]:
    """The offset of each slot in the frame, and the size of all."""
    found = [0]
    for slot in slots:
        found.append(found[-1] + (1 + slot.ty.capacity if slot.ty.kind == "list" else 1))
    return tuple(found)


def frame_code(x: ExpressionWriter, name: str, args: tuple[m.Expr, ...], caller: str) -> str:
    """The code of the frame of a function that is called with some arguments."""
    number = x.ctx.functions[name]
    function = x.ctx.program.functions[number]
    at = offsets(function.slots)
    parts: list[str] = []
    for order, (arg, slot) in enumerate(zip(args, function.slots, strict=False)):
        v = x.value(arg)
        if v.null and not slot.ty.optional:
            x.ctx.expect_none("slot", name, order)
        if slot.ty.kind == "list":
            x.ctx.helper("padded")
            parts.append(f"*padded({v.code}, {slot.ty.capacity}, {slot.name!r})")
        else:
            parts.append(v.code)
    parts += ["0"] * (at[-1] - at[len(args)])
    return f"({number}, 0, {caller}, {''.join(p + ', ' for p in parts)})"


PACKED = 8
"""Pieces of a stack or row that become members of a set in one step."""

SEARCHED = 3
"""To search a stack or row of ``2 ** SEARCHED`` pieces costs one operation more than a short one."""


class ZoneCode:
    """Code for the places where pieces lie."""

    def __init__(self, x: ExpressionWriter) -> None:
        self.x, self.w, self.ctx = x, x.w, x.ctx

    def zone_cell(self, zone: str, index: tuple[m.Expr, ...]) -> tuple[V, list[str]]:
        """The cell where a zone begins, and the keys that may be none."""
        place = self.ctx.layout.zones[zone]
        address, nulls = self.x.address(place.at, place.strides, self.ctx.layout.zone_of[zone].index, index)
        return V(address), nulls

    def instance_code(self, zone: str, index: tuple[m.Expr, ...]) -> tuple[str, list[str]]:
        """The number of a zone with its keys, and the keys that may be none."""
        place = self.ctx.layout.zones[zone]
        strides = tuple(s // place.span for s in place.strides)
        return self.x.address(place.first, strides, self.ctx.layout.zone_of[zone].index, index)

    def _x_ZoneGet(self, e: m.ZoneGet) -> V:
        at, nulls = self.zone_cell(e.zone, e.index)
        if not self.ctx.layout.zones[e.zone].ordered:
            return bits(self.w.unless_null(f"{self.w.cells}[{at.code}]", nulls, "0"), self.ctx.layout.pieces)
        at = self.w.hold(at)
        self.ctx.helper("ordered_mask")
        code = self.w.unless_null(f"ordered_mask({self.w.cells}, {at.code})", nulls, "0")
        return self.w.hold(bits(code, self.ctx.layout.pieces))

    def _x_ZoneList(self, e: m.ZoneList) -> V:
        at, nulls = self.zone_cell(e.zone, e.index)
        C = self.w.cells
        if not self.ctx.layout.zones[e.zone].ordered:
            self.ctx.helper("listed")
            at = self.w.hold(at)
            return listed(self.w.unless_null(f"listed({C}[{at.code}])", nulls, "()"), self.ctx.layout.pieces)
        at = self.w.hold(at)
        if self.ctx.layout.zone_of[e.zone].order == "stack":
            code = f"tuple({C}[{at.code} + {C}[{at.code}]:{at.code}:-1])"
        else:
            code = f"tuple({C}[{at.code} + 1:{at.code} + 1 + {C}[{at.code}]])"
        size = self.ctx.layout.zone_of[e.zone].capacity
        return self.w.hold(listed(self.w.unless_null(code, nulls, "()"), size))

    def _x_Top(self, e: m.Top) -> V:
        items = self.w.hold(self._x_ZoneList(m.ZoneList(e.zone, e.index)))
        count = self.x.atom(e.count)
        return listed(f"({items.code}[:{count.code}] if {count.code} > 0 else ())", items.size)

    def _x_PlaceOf(self, e: m.PlaceOf) -> V:
        piece = self.x.value(e.piece)
        if piece.null:
            piece = self.w.hold(piece)
        layout = self.ctx.layout
        name = self.ctx.make(("place", e.universe), "P", lambda: layout.keys_of_instances(e.universe))
        known = NONE not in self.ctx.globals[name]
        code = f"{name}[{self.w.cells}[{layout.loc} + {piece.code}]]"
        code = self.w.unless_null(code, [piece.code] if piece.null else [])
        return V(
            code, "n", piece.null or not known, 0, layout.sizes[e.universe] - 1, living=e.universe in layout.merged
        )

    def _x_SlotOf(self, e: m.SlotOf) -> V:
        piece = self.x.atom(e.piece)
        self.ctx.helper("slot_of")
        code = self.w.unless_null(f"slot_of({self.w.cells}, {piece.code})", [piece.code] if piece.null else [])
        return number(code, 0, self.ctx.layout.pieces, True)

    def _x_InZone(self, e: m.InZone) -> V:
        piece = self.x.value(e.piece)
        if piece.null:
            piece = self.w.hold(piece)
        layout = self.ctx.layout
        name = self.ctx.make(("in", e.zones), "Z", lambda: layout.instances_of(e.zones))
        code = f"{name}[{self.w.cells}[{layout.loc} + {piece.code}]]"
        return truth(f"({piece.code} >= 0 and {code})" if piece.null else code)

    def _x_SideOf(self, e: m.SideOf) -> V:
        piece = self.x.value(e.piece)
        if piece.null:
            piece = self.w.hold(piece)
        layout, C = self.ctx.layout, self.w.cells
        codes = []
        if layout.sided:
            codes.append(f"{C}[{layout.side} + {piece.code}]")
        if layout.faced:
            codes.append(f"({C}[{layout.down}] >> {piece.code} & 1)")
        if len(codes) == 2:
            mask = self.ctx.support.sided_pieces
            codes = [f"({codes[0]} if {literal(mask)} >> {piece.code} & 1 else {codes[1]})"]
        code = self.w.unless_null(codes[0] if codes else "0", [piece.code] if piece.null else [])
        return number(code, 0, 255, piece.null)

    def _x_ClockwiseFrom(self, e: m.ClockwiseFrom) -> V:
        self.ctx.helper("clockwise")
        players = self.ctx.layout.sizes["Player"]
        return listed(f"clockwise({self.w.cells}, {self.x.value(e.player).code})", players)


class PositionCode:
    """Questions about a position as a whole."""

    def __init__(self, x: ExpressionWriter) -> None:
        self.x, self.w, self.ctx = x, x.w, x.ctx

    def _x_Fingerprint(self, e: m.Fingerprint) -> V:
        made = Fingerprint(self.ctx.layout, e.fields, e.zones)
        name = self.ctx.given(("fingerprint", e.fields, e.zones), "F", made)
        return self.w.hold(listed(f"{name}({self.w.cells})", m.FINGERPRINT))


class WhatIfCode:
    """Questions about the position after a function."""

    def __init__(self, x: ExpressionWriter) -> None:
        self.x, self.w, self.ctx = x, x.w, x.ctx

    def _x_After(self, e: m.After) -> V:
        cells, registers = self.w.temp(), self.w.temp()
        frame = frame_code(self.x, e.function, e.args, "0")
        entry = f"n{self.ctx.functions[e.function]}_0"
        self.w.line(f"{cells}, {registers} = what_if({self.w.cells}, R, {entry}, {frame})")
        found = self.x.outline(e.of, (cells, registers))
        self.w.line(f"R.budget = {registers}.budget")
        return found


WRITTEN: Kinds = {
    getattr(m, name.removeprefix("_x_")): (part, method)
    for part in (ScalarCode, SetCode, ZoneCode, MapCode, PositionCode, WhatIfCode)
    for name, method in vars(part).items()
    if name.startswith("_x_")
}
"""For each kind of expression who writes it, and by which method."""


def expressions(w: Writer) -> ExpressionWriter:
    """Writes any expression into a function."""
    return ExpressionWriter(w, WRITTEN)
