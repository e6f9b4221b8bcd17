"""Instructions that move pieces, turn them, exchange them, and join the regions in which they lie."""

from __future__ import annotations

from rulewright.engine.native.lowering.expressions.expression_lowering import Address, ExpressionLowering
from rulewright.engine.native.lowering.instructions.moved_answers import MovedAnswers
from rulewright.engine.native.values import Value, constant_set
from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.engine.native.word_sizes import SMALL_BITS, cell_bytes, words
from rulewright.ir import model as m


class PieceLowering:
    """Writes them. What players remember of pieces that they saw is not kept here: no rule can ask for it."""

    def __init__(self, x: ExpressionLowering) -> None:
        self.x, self.w, self.ctx, self.body = x, x.w, x.ctx, x.w.body

    def _instance(self, zone: str, index: tuple[m.Expr, ...]) -> Value:
        """The number of a zone; stop if a key is none."""
        place = self.ctx.layout.zones[zone]
        strides = tuple(stride // place.span for stride in place.strides)
        address = self.x.address(place.first, 1, index, strides, self.ctx.layout.zone_of[zone].index)
        address.trap_unless_present()
        return self._pushed(address, len(self.ctx.layout.instances) - 1)

    def _pushed(self, address: Address, high: int) -> Value:
        """The whole address as a number."""
        address.push()
        self.body.i32(address.at)
        self.body.op(Op.I32_ADD)
        return self.w.pop(0, high)

    def move(self, i: m.Move) -> None:
        """Take each piece out of its zone and put it into another one."""
        to = self._instance(i.zone, i.index)
        what = self.x.collection(i.what)
        if what.is_list:
            what = self.x.lists.copied(what)
        told = MovedAnswers.of(self.x, i)
        if told is not None:
            told.begin()
        with self.x.loop(what, "*") as (piece, _, _):
            self._trap_if_none(piece)
            if told is not None:
                told.note(piece)
            self._transfer(piece, to, i.at == "bottom", -1 if i.face is None else i.face)
        self.w.push(to)
        self.body.call(self.ctx.pieces.check)
        if told is not None:
            told.forget()
        else:
            self.ctx.answers.forget(self.body, self.w.function, i)

    def _trap_if_none(self, v: Value) -> None:
        if v.null:
            self.w.push_present([v])
            self.body.op(Op.I32_EQZ)
            self.w.trap_if()

    def _transfer(self, piece: Value, to: Value, bottom: bool, face: int) -> None:
        self.w.push(piece)
        self.body.call(self.ctx.pieces.take_out)
        self.w.push(piece)
        self.w.push(to)
        self.body.i32(int(bottom))
        self.body.call(self.ctx.pieces.put)
        self._turn(piece, to, face)

    def _turn(self, piece: Value, zone: Value, face: int) -> None:
        """Lay a piece face up (0), down (1), or as it lies (-1) in a zone."""
        if self.ctx.layout.faced:
            self.w.push(piece)
            self.w.push(zone)
            self.body.i32(face)
            self.body.call(self.ctx.pieces.turn)

    def flip(self, i: m.Flip) -> None:
        """Turn pieces: those with sides to this side, others face up or down."""
        what, sided, layout, body = self.x.members(i.what), constant_set(self.ctx.sided), self.ctx.layout, self.body
        if not layout.sided and not layout.faced:
            return
        with self.x.loop(what, "*") as (piece, _, _):
            self.w.push_contains(sided, piece)
            with body.when():
                self.w.push(piece)
                body.i32(2)
                body.op(Op.I32_SHL)
                body.i32(i.side)
                body.memory(Op.I32_STORE, self.ctx.memory.cell_at[layout.side] if layout.sided else 0)
                body.op_else()
                here = self.x.table(self.ctx.memory.cell_at[layout.loc], 4, piece)
                self._turn(piece, here.load_number(0, len(layout.instances) - 1), int(i.side != 0))

    def swap_items(self, i: m.SwapItems) -> None:
        """Exchange two positions of a stack, row or list."""
        layout = self.ctx.layout
        place = layout.zones[i.zone] if i.zone else layout.fields[i.field]
        index = layout.zone_of[i.zone].index if i.zone else layout.field_of[i.field].index
        address, _ = self.x.cell(place.at, place.strides, index, i.index)
        address.trap_unless_present()
        at = self._pushed(address, self.ctx.memory.stack)
        first, second = self.x.value(i.first), self.x.value(i.second)
        for v in (at, first, second):
            self.w.push(v)
        self.body.i32(int(bool(i.zone) and layout.zone_of[i.zone].order == "stack"))
        self.body.call(self.ctx.pieces.swap)

    # -------------------------------------------------------------------------------------------------- exchanging

    def exchange(self, i: m.Exchange) -> None:
        """Let two pieces, or all in two zones, take each other's place."""
        if isinstance(i.left, m.ZoneGet) and isinstance(i.right, m.ZoneGet) and i.whole:
            self._exchange_zones(self._instance(i.left.zone, i.left.index), self._instance(i.right.zone, i.right.index))
        else:
            self._exchange_pieces(self.x.value(i.left), self.x.value(i.right))

    def _exchange_pieces(self, left: Value, right: Value) -> None:
        body, memory, layout = self.body, self.ctx.memory, self.ctx.layout
        with body.block() as out:
            self.w.push(left)
            self.w.push(right)
            body.op(Op.I32_EQ)
            body.branch_if(out)
            for v in (left, right):
                self.w.push(v)
                body.i32(0)
                body.op(Op.I32_LT_S)
                body.branch_if(out)
            zones, slots = [], []
            for v in (left, right):
                here = self.x.table(memory.cell_at[layout.loc], 4, Value(v.locals, v.known, high=layout.pieces))
                zones.append(here.load_number(0, len(layout.instances)))
                slots.append(self._slot(v, zones[-1]))
            self.w.push(zones[0])
            self.w.push(zones[1])
            body.op(Op.I32_EQ)
            self.w.push(self.x.table(self.ctx.pieces.rows + 4, 16, zones[0]).load_number(0, 2))
            body.op(Op.I32_EQZ, Op.I32_AND)
            body.branch_if(out)
            for come, gone, zone, slot in ((right, left, zones[0], slots[0]), (left, right, zones[1], slots[1])):
                for v in (come, gone, zone, slot):
                    self.w.push(v)
                body.call(self.ctx.pieces.exchange)
                self._turn(come, zone, -1)

    def _slot(self, piece: Value, zone: Value) -> Value:
        """The position of a piece in a stack or row, as it lies in memory; elsewhere 0."""
        slot = Value((self.body.local(Type.I32),), low=0, high=self.ctx.layout.pieces)
        self.w.assign(slot, Value(known=0))
        self.w.push(self.x.table(self.ctx.pieces.rows + 4, 16, zone).load_number(0, 2))
        with self.body.when():
            self.w.push(self.x.table(self.ctx.pieces.rows, 16, zone).load_number(0, self.ctx.memory.stack))
            self.w.push(piece)
            self.body.call(self.ctx.lists.position)
            self.body.set(slot.locals[0])
        return slot

    def _exchange_zones(self, left: Value, right: Value) -> None:
        body, layout = self.body, self.ctx.layout
        size = max(layout.pieces, max((i.capacity for i in layout.instances), default=0))
        with body.block() as out:
            self.w.push(left)
            self.w.push(right)
            body.op(Op.I32_EQ)
            body.branch_if(out)
            contents = []
            for zone in (left, right):
                at = self.ctx.memory.reserve(4 * (1 + size))
                self.w.push(zone)
                body.i32(at)
                body.call(self.ctx.pieces.content)
                contents.append(Value(known=at, is_list=True, capacity=size, low=0, high=layout.pieces - 1))
            for content in contents:
                with self.x.loop(content, "*") as (piece, _, _):
                    self.w.push(piece)
                    body.call(self.ctx.pieces.take_out)
            for zone, source, content in ((left, right, contents[1]), (right, left, contents[0])):
                self._fill(zone, source, content)
                self.w.push(zone)
                body.call(self.ctx.pieces.check)

    def _fill(self, zone: Value, source: Value, content: Value) -> None:
        """Put pieces into an empty zone in the order of where they lay: a stack counts from its top."""
        body = self.body
        upside = []
        for one in (zone, source):
            self.w.push(self.x.table(self.ctx.pieces.rows + 4, 16, one).load_number(0, 2))
            body.i32(2)
            body.op(Op.I32_EQ)
            upside.append(self.w.pop(0, 1))
        # Both count from the same end, or one is put down upside down.
        for v in upside:
            self.w.push(v)
        body.op(Op.I32_NE)
        flipped = self.w.pop(0, 1)
        with self.x.loop(content, "*") as (piece, _, _):
            self.w.push(piece)
            self.w.push(zone)
            self.w.push(flipped)
            body.call(self.ctx.pieces.put)
            self._turn(piece, zone, -1)

    # ----------------------------------------------------------------------------------------------------- merging

    def merge(self, i: m.Merge) -> None:
        """Join two regions: that of least index stands for both, and gets the pieces of the other one."""
        layout, memory, body = self.ctx.layout, self.ctx.memory, self.body
        place = layout.merged[i.merged]
        left, right = self.x.value(i.left), self.x.value(i.right)
        for v in (left, right):
            self._trap_if_none(v)
        a, b = (self.x.canonical(i.merged, Value(v.locals, v.known, low=v.low, high=v.high)) for v in (left, right))
        width, high = layout.widths[place.members], place.size - 1
        span, small = cell_bytes(width), width <= SMALL_BITS
        with body.block() as out:
            self.w.push(a)
            self.w.push(b)
            body.op(Op.I32_EQ)
            body.branch_if(out)
            sides = []
            for op in (Op.I32_LT_S, Op.I32_GT_S):
                for v in (a, b, a, b):
                    self.w.push(v)
                body.op(op, Op.SELECT)
                sides.append(self.w.pop(0, high))
            keep, gone = sides
            members = memory.cell_at[place.members]
            lost = self.x.table(members, span, gone).load_set(place.size, small)
            kept = self.x.table(members, span, keep).load_set(place.size, small)
            with self.x.loop(lost, "*") as (member, _, _):
                self.w.push(member)
                body.i32(2)
                body.op(Op.I32_SHL)
                self.w.push(keep)
                body.memory(Op.I32_STORE, memory.cell_at[place.rep])
            store = Op.I64_STORE32 if small else Op.I64_STORE
            for region, joined in ((keep, True), (gone, False)):
                base = self.x.table(members, span, region).hold()
                for number in range(words(place.size)):
                    body.get(base)
                    self.w.push_word(kept if joined else constant_set(0), number)
                    self.w.push_word(lost if joined else constant_set(0), number)
                    body.op(Op.I64_OR)
                    body.memory(store, members + 8 * number)
            alive = self.x.cell(place.alive, (), (), ())[0].load_set(place.size, small)
            self.w.remove(alive, gone)
            for number in range(words(place.size)):
                body.i32(0)
                self.w.push_word(alive, number)
                body.memory(store, memory.cell_at[place.alive] + 8 * number)
            self._move_keyed(i.merged, place.size, keep, gone)

    def _move_keyed(self, merged: str, size: int, keep: Value, gone: Value) -> None:
        """Move what lies in each zone of a region that is gone: a table tells the zones, and how far their keys lie
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
        at, end = (self.x.table(table + offset, 4, gone).load_number(0, memory.end) for offset in (0, 4))
        with body.block() as out, body.loop() as again:
            self.w.push(at)
            self.w.push(end)
            body.op(Op.I32_GE_U)
            body.branch_if(out)
            source = self.x.table(0, 1, at).load_number(0, len(layout.instances))
            stride = self.x.table(4, 1, at).load_number(0, len(layout.instances))
            self.w.push(source)
            self.w.push(gone)
            self.w.push(keep)
            body.op(Op.I32_SUB)
            self.w.push(stride)
            body.op(Op.I32_MUL, Op.I32_SUB)
            to = self.w.pop(0, len(layout.instances))
            self.w.push(source)
            self.w.push(content)
            body.call(self.ctx.pieces.content)
            with self.x.loop(content, "*") as (piece, _, _):
                self._transfer(piece, to, False, -1)
            self.w.push(to)
            body.call(self.ctx.pieces.check)
            self.w.push(at)
            body.i32(8)
            body.op(Op.I32_ADD)
            body.set(at.locals[0])
            body.branch(again)
