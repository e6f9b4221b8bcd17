"""Instructions that move pieces, turn them, and join the regions in which they lie."""

from __future__ import annotations

from rulewright.engine.native.lowering.expressions.expression_lowering import Address, LoweringPart
from rulewright.engine.native.lowering.instructions.invalidation import MoveInvalidation
from rulewright.engine.native.memory_map import SMALL_BITS, cell_bytes, words
from rulewright.engine.native.values import Value, absent, constant_set
from rulewright.engine.native.webassembly.encoding import Op
from rulewright.engine.native.webassembly.terms import const, greater, lesser, mem32, mem64
from rulewright.ir import model as m


class PieceLowering(LoweringPart):
    """Writes them. What players remember of pieces that they saw is not kept here, as no rule can ask for it, but for
    what they were shown, in programs whose seats observe what they know."""

    def _instance(self, zone: str, index: tuple[m.Expr, ...]) -> Value:
        """The number of a zone; stop if a key is none."""
        place = self.ctx.layout.zones[zone]
        strides = tuple(stride // place.span for stride in place.strides)
        address = self.lower.address(place.first, 1, index, strides, self.ctx.layout.zone_of[zone].index)
        address.trap_unless_present()
        return self._number(address, len(self.ctx.layout.instances) - 1)

    def _number(self, address: Address, high: int) -> Value:
        """The whole address as a number."""
        return self.writer.hold(address.base + address.at, 0, high)

    def move(self, i: m.Move, moved: MoveInvalidation | None) -> None:
        """Take each piece out of its zone and put it into another one."""
        to = self._instance(i.zone, i.index)
        what = self.lower.collection(i.what)
        if what.is_list:
            what = self.lower.lists.copied(what)
        with self.lower.loop(what, "*") as (piece, _, _):
            if piece.null:
                self.body.trap_if(absent(piece))
            if moved is not None:
                moved.note(piece)
            self._transfer(piece, to, i.at == "bottom", -1 if i.face is None else i.face)
        self.body.call(self.ctx.pieces.check, to.term)

    def _transfer(self, piece: Value, to: Value, bottom: bool, face: int) -> None:
        self.body.call(self.ctx.pieces.take_out, piece.term)
        self.body.call(self.ctx.pieces.put, piece.term, to.term, int(bottom))
        self._turn(piece, to, face)

    def _turn(self, piece: Value, zone: Value, face: int) -> None:
        """Lay a piece face up (0), down (1), or as it lies (-1) in a zone."""
        if self.ctx.layout.faced:
            self.body.call(self.ctx.pieces.turn, piece.term, zone.term, face)

    def flip(self, i: m.Flip) -> None:
        """Turn pieces: those with sides to this side, others face up or down."""
        what, sided, layout, body = self.lower.members(i.what), constant_set(self.ctx.sided), self.ctx.layout, self.body
        if not layout.sided and not layout.faced:
            return
        sides = self.ctx.memory.cell_at[layout.side] if layout.sided else 0
        with self.lower.loop(what, "*") as (piece, _, _):
            with body.when(self.writer.contains(sided, piece)):
                body.set(mem32(piece.term << 2, sides), i.side)
            with body.otherwise():
                here = self.lower.table(self.ctx.memory.cell_at[layout.loc], 4, piece)
                self._turn(piece, here.load_number(0, len(layout.instances) - 1), int(i.side != 0))

    def show(self, i: m.Show) -> None:
        """Let players remember pieces that they do not see where these lie."""
        what, to = (self.lower.members(e) for e in (i.what, i.to))  # no player observes it, but it may be an error
        if self.ctx.observed is None or not self.ctx.observed.faces:
            return
        layout, memory, body = self.ctx.layout, self.ctx.memory, self.body
        faces, sets = memory.numbers(self.ctx.observed.faces), memory.numbers(self._sets())
        known = [memory.cell_at[cell] for cell in range(layout.known, layout.known + layout.sizes["Player"])]
        size = cell_bytes(layout.widths[layout.known])
        zone, content, at, bits = (body.local() for _ in range(4))
        for marks in (False, True):
            with self.lower.loop(to, "*") as (player, _, _), self.lower.loop(what, "*") as (piece, _, _):
                body.set(zone, mem32(piece.term << 2, memory.cell_at[layout.loc]))
                with body.when((mem32(zone << 2, faces) >> player.term & 1).eqz()):
                    body.set(at, player.term * (known[1] - known[0] if len(known) > 1 else 0) + known[0])
                    if marks:
                        body.set(at, at + (piece.term >> 5 << 2))
                        body.set(bits, mem32(at))
                        body.set(mem32(at), bits | const(1) << (piece.term & 31))
                        continue
                    # Among pieces that are known already the ones that are meant are found by the Python backend.
                    with body.when(content.tee(mem32(zone << 2, sets))):
                        for word in range(0, size, 4):
                            body.trap_if(mem32(content, word) & mem32(at, word))

    def _sets(self) -> tuple[int, ...]:
        """The addresses of what lies in each zone that has no order; 0 for others."""
        cells = self.ctx.memory.cell_at
        return tuple(0 if one.ordered else cells[one.at] for one in self.ctx.layout.instances)

    def swap_items(self, i: m.SwapItems) -> None:
        """Exchange two positions of a stack, row or list."""
        layout = self.ctx.layout
        place = layout.zones[i.zone] if i.zone else layout.fields[i.field]
        index = layout.zone_of[i.zone].index if i.zone else layout.field_of[i.field].index
        address, _ = self.lower.cell(place.at, place.strides, index, i.index)
        address.trap_unless_present()
        at = self._number(address, self.ctx.memory.stack)
        first, second = self.lower.value(i.first), self.lower.value(i.second)
        is_stack = bool(i.zone) and layout.zone_of[i.zone].order == "stack"
        self.body.call(self.ctx.pieces.swap, at.term, first.term, second.term, int(is_stack))

    # ----------------------------------------------------------------------------------------------------- merging

    def merge(self, i: m.Merge) -> None:
        """Join two regions: that of least index stands for both, and gets the pieces of the other one."""
        layout, memory, body = self.ctx.layout, self.ctx.memory, self.body
        place = layout.merged[i.merged]
        left, right = self.lower.value(i.left), self.lower.value(i.right)
        for v in (left, right):
            if v.null:
                body.trap_if(absent(v))
        a, b = (self.lower.canonical(i.merged, Value(v.locals, v.known, low=v.low, high=v.high)) for v in (left, right))
        width, high = layout.widths[place.members], place.size - 1
        span, small = cell_bytes(width), width <= SMALL_BITS
        load = Op.I64_LOAD32_U if small else Op.I64_LOAD
        with body.block() as out:
            body.branch_if(out, a.term.eq(b.term))
            keep = self.writer.hold(lesser(a.term, b.term), 0, high)
            gone = self.writer.hold(greater(a.term, b.term), 0, high)
            members = memory.cell_at[place.members]
            lost = self.lower.table(members, span, gone).load_set(place.size, small)
            kept = self.lower.table(members, span, keep).load_set(place.size, small)
            with self.lower.loop(lost, "*") as (member, _, _):
                body.set(mem32(member.term << 2, memory.cell_at[place.rep]), keep.term)
            for region, joined in ((keep, (kept, lost)), (gone, (constant_set(0), constant_set(0)))):
                base = body.hold(self.lower.table(members, span, region).base)
                for number in range(words(place.size)):
                    one, other = (v.word(number) for v in joined)
                    body.set(mem64(base, members + 8 * number, load), one | other)
            alive = self.lower.cell(place.alive, (), (), ())[0].load_set(place.size, small)
            self.writer.remove(alive, gone)
            for number in range(words(place.size)):
                body.set(mem64(0, memory.cell_at[place.alive] + 8 * number, load), alive.word(number))
            self._move_keyed(i.merged, place.size, keep, gone)

    def _move_keyed(self, merged: str, size: int, keep: Value, gone: Value) -> None:
        """Move what lies in each zone of a region that is gone: a table has the zones, and how far their keys lie
        apart."""
        layout, memory, body = self.ctx.layout, self.ctx.memory, self.body
        keyed = layout.keyed.get(merged, [])
        if not keyed:
            return
        rows: list[list[int]] = [[] for _ in range(size)]
        for number, position in keyed:
            instance = layout.instances[number]
            place = layout.zones[layout.program.zones[instance.zone].name]
            rows[instance.keys[position]] += (number, place.strides[position] // place.span)
        begin = memory.numbers(number for row in rows for number in row)
        ends = [begin]
        for row in rows:
            ends.append(ends[-1] + 4 * len(row))
        table = memory.numbers(ends)
        capacity = max(layout.pieces, max(layout.instances[number].capacity for number, _ in keyed))
        content = Value(
            known=memory.reserve(4 * (1 + capacity)), is_list=True, capacity=capacity, low=0, high=layout.pieces - 1
        )
        at, end = (self.lower.table(table + offset, 4, gone).load_number(0, memory.end) for offset in (0, 4))
        with body.until(at.term.ge_u(end.term), (at.local, 8)):
            source = self.lower.table(0, 1, at).load_number(0, len(layout.instances))
            stride = self.lower.table(4, 1, at).load_number(0, len(layout.instances))
            to = self.writer.hold(source.term - (gone.term - keep.term) * stride.term, 0, len(layout.instances))
            body.call(self.ctx.pieces.content, source.term, content.term)
            with self.lower.loop(content, "*") as (piece, _, _):
                self._transfer(piece, to, False, -1)
            body.call(self.ctx.pieces.check, to.term)
