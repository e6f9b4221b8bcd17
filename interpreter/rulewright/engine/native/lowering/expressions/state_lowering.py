"""Expressions about the state: zones, positions of pieces, fingerprints, call frames, hypothetical positions.

A hypothetical effect runs in place, and what it has written is put back: what it stores into fields is noted while it
runs (:mod:`rulewright.engine.native.lowering.write_journal`). For all else each place in the code has a buffer of its
own, which is enough, as no effect contains a hypothetical one. Fingerprints are those of
:mod:`rulewright.engine.cells.fingerprint`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from rulewright.engine.cells.fingerprint import LANES, Fingerprint
from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering, LoweringPart
from rulewright.engine.native.memory_map import FUNCTION, SMALL_BITS, Range, ranges_of, words
from rulewright.engine.native.values import Unsupported, Value, absent, constant, constant_set, present
from rulewright.engine.native.webassembly.terms import I32, I64, Local, Stacked, Term, call, const, mem32, mem64, select
from rulewright.ir import model as m
from rulewright.ir.control_flow.control_flow_graph import with_callees
from rulewright.ir.dataflow.effects import EffectAnalysis
from rulewright.ir.model import NONE
from rulewright.ir.types import INT_MAX

SHORT = 128
"""So many bytes are set to 0 by instructions of their own: to call the host for it takes longer."""


class CallFrames(LoweringPart):
    """Writes frames."""

    def begin(self, name: str, args: list[Value], at: Local) -> None:
        """Write the frame of a function at an address, without its caller; stop if there is no room."""
        number = self.ctx.functions[name]
        function, frame = self.ctx.program.functions[number], self.ctx.memory.frames[number]
        self.body.trap_if(at.gt_s(self.ctx.memory.stack_end - frame.size))
        self._clear(at, frame.size)
        self.body.set(mem32(at, FUNCTION), number)
        self.check(name, args)
        for arg, slot, offset in zip(args, function.slots, frame.offsets, strict=False):
            self.store(slot.ty, arg, at, offset)

    def check(self, name: str, args: list[Value]) -> None:
        """:class:`Unsupported` if an argument may be none where no analysis expects it."""
        slots = self.ctx.program.functions[self.ctx.functions[name]].slots
        for order, (arg, slot) in enumerate(zip(args, slots, strict=False)):
            if arg.null and not slot.ty.optional and ("slot", name, order) not in self.ctx.null:
                raise Unsupported("none where a function takes none of it")

    def store(self, ty: m.Ty, v: Value, base: Term, offset: int) -> None:
        """Store a value of a type at an address."""
        if ty.kind == "list":
            self.lower.lists.store(v, base, offset, ty.capacity)
        elif ty.kind == "set":
            self.writer.store_set(self.writer.as_set(v), offset, base, words(self.ctx.layout.set_bits(ty)))
        else:
            self.body.set(mem32(base, offset), v.term)

    def _clear(self, at: Local, size: int) -> None:
        """Set bytes to 0."""
        if size > SHORT:
            self.body.fill(at, 0, size)
            return
        for offset in range(0, size, 8):
            self.body.set(mem64(at, offset) if size - offset >= 8 else mem32(at, offset), 0)


class WhatIfLowering(LoweringPart):
    """Writes such questions."""

    def _x_After(self, e: m.After) -> Value:
        if self.writer.earlier:
            raise Unsupported("an effect in an earlier position")
        if e.function not in self.ctx.at_once:
            raise Unsupported("a hypothetical effect that calls itself")
        functions = with_callees(self.ctx.program.functions, (e.function,))
        run = [i for function in functions.values() for i in function.code]
        if self.ctx.assertions is not None and any(isinstance(i, m.Observe) for i in run):
            raise Unsupported("properties of a hypothetical block")
        effects = EffectAnalysis.of(self.ctx.program)
        written = frozenset[str]().union(*(effects.writes(i) for i in run))
        journal, ranges = self.ctx.journal, self.ctx.journal.left(e.function)
        noted = ranges is not None
        if ranges is None:
            ranges = ranges_of(self.ctx.memory, written)
            if any(isinstance(i, m.Fired) for i in run):
                ranges.append((self.ctx.fired, 8 * len(self.ctx.rule_numbers)))
        else:
            self.ctx.log.note("journal")
        kept = self.ctx.memory.reserve(sum(size for _, size in ranges))
        args = [self.lower.value(arg) for arg in e.args]
        with self._own_variables(self.ctx.facts.free(e.of)):
            self._copy(ranges, kept, keep=True)
            begun = journal.begin(self.body) if noted else None
            self._run(e.function, args)
            floor, self.writer.floor = self.writer.floor, self.writer.depth
            found = self._copied(self.lower.value(e.of))
            self.writer.floor = floor
        if begun is not None:
            journal.end(self.body, begun)
        self._copy(ranges, kept, keep=False)
        self.ctx.memos.invalidate_readers(self.body, written)
        return found

    @contextmanager
    def _own_variables(self, names: frozenset[str]) -> Iterator[None]:
        """Variables that the effect does not change; regions that live now may be parts of others then."""
        before = self.writer.env
        self.writer.env = before | {name: self._copied(before[name]) for name in names if name in before}
        yield
        self.writer.env = before

    def _copied(self, v: Value) -> Value:
        """A value that no longer lies in the state."""
        v = replace(v, living=False)
        if v.is_list:
            return replace(self.lower.lists.copied(v), is_sparse=v.is_sparse)
        if not v.in_memory:
            return v
        made = self.writer.allocate_set(v.bits)
        self.writer.assign(made, v)
        return made

    def _copy(self, ranges: list[Range], kept: int, keep: bool) -> None:
        """Keep what the effect may write, or put it back."""
        for at, size in ranges:
            to, source = (kept, at) if keep else (at, kept)
            self.body.copy(to, source, size)
            kept += size

    def _run(self, name: str, args: list[Value]) -> None:
        """Run a function on the first free place of the stack."""
        ctx, body = self.ctx, self.body
        top, at = body.locals(I32, I32)
        sizes = ctx.memory.numbers(one.size for one in ctx.memory.frames)
        behind = ctx.frame + mem32(mem32(ctx.frame, FUNCTION) << 2, sizes)
        body.set(at, select(ctx.memory.stack, behind, top.tee(ctx.frame).eqz()))
        CallFrames(self.lower).begin(name, args, at)
        body.set(ctx.frame, at)
        body.trap_if(call(ctx.function_numbers[ctx.functions[name]], at, 0))
        self.writer.stop_if_spent()
        body.set(ctx.frame, top)


class PositionLowering(LoweringPart):
    """Questions about a position as a whole."""

    def _x_Fingerprint(self, e: m.Fingerprint) -> Value:
        made = Fingerprint(self.ctx.layout, e.fields, e.zones)
        lanes = self.body.locals(*(I64 for _ in LANES))
        known = self.ctx.positions.of_fields(made, self.writer.behind)
        self.body.call(known.update)
        for number, lane in enumerate(lanes):
            self.body.set(lane, mem64(0, known.lanes + 8 * number))
        if made.instances:
            self._add_pieces(made, lanes, self.body.local(I64))
        result = self.lower.lists.new(2 * len(lanes), Value(low=0, high=INT_MAX))
        for lane in lanes:
            for shift in (0, 32):
                result.append(self.writer.hold((lane >> shift).wrap() & INT_MAX, 0, INT_MAX))
        return result.finished()

    def _add_pieces(self, made: Fingerprint, lanes: list[Local], word: Local) -> None:
        """Add a word for each piece that lies in one of the zones."""
        body, memory, layout = self.body, self.ctx.memory, self.ctx.layout
        places = range(len(layout.instances))
        first = memory.numbers(made.instances.get(number, -1) for number in places)
        ordered = [number in made.instances and layout.instances[number].ordered for number in places]
        rows = memory.numbers(
            self.lower.cell_at(i.at) if row else 0 for i, row in zip(layout.instances, ordered, strict=True)
        )
        alike = memory.numbers(number << 8 for number in layout.program.alike)
        number = body.local(I32)
        with self.writer.loop(constant_set((1 << layout.pieces) - 1), "*") as (piece, further, _):
            lies = self.lower.table(self.lower.cell_at(layout.loc), 4, piece).load_number(0, len(places) - 1)
            at = self.lower.table(first, 4, lies).load_number(-1, made.size)
            body.branch_if(further, at.term.lt_s(0))
            if any(ordered):
                row = self.lower.table(rows, 4, lies).load_number(0, INT_MAX)
                with body.when(row.term):
                    position = call(self.ctx.lists.position, row.term, piece.term)
                    body.set(at.local, at.term + (1 + position))
            body.set(number, at.term)
            body.push(self.lower.table(alike, 4, piece).load_number(0, INT_MAX).term)
            colour: Term = Stacked()
            if layout.sided:
                body.push(self.lower.table(self.lower.cell_at(layout.side), 4, piece).load_number(0, 255).term)
                colour = colour | Stacked()
            body.set(word, colour.extend_u())
            for lane, key in zip(lanes, self.ctx.positions.keys(made.size, number), strict=True):
                body.set(lane, call(self.ctx.positions.added, lane, word, key, gives=I64))


def occupant(lower: ExpressionLowering, e: m.ZoneGet) -> Value:
    """The piece that lies in a zone whose occupants are kept; none if it is empty."""
    layout, memory = lower.ctx.layout, lower.ctx.memory
    kept, place = memory.occupants[e.zone], layout.zones[e.zone]
    lower.ctx.log.note("occupants")
    at = memory.occupants_at + kept.offset + lower.writer.behind
    found = lower.address(at, 4, e.index, place.strides, layout.zone_of[e.zone].index)
    return found.load_number(0, layout.pieces - 1, True)


def length(lower: ExpressionLowering, e: m.Expr) -> Value | None:
    """The number of pieces in a stack or row; None of anything else."""
    layout = lower.ctx.layout
    if not isinstance(e, m.ZoneGet) or not layout.zones[e.zone].ordered:
        return None
    place, declared = layout.zones[e.zone], layout.zone_of[e.zone]
    found = lower.cell(place.at, place.strides, declared.index, e.index)[0].load_number(0, declared.capacity)
    if not found.null:
        return found
    return lower.writer.hold(select(found.term, 0, present([found])), 0, declared.capacity)


class ZoneLowering(LoweringPart):
    """Code for the places of pieces, and of players."""

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
        with body.block() as no_seat:
            if player.null:
                body.branch_if(no_seat, absent(player))
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
