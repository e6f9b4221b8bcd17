"""Instructions that are no jumps: assignments, calls, the end of the game, the sets of a field kept up to date."""

from __future__ import annotations

from collections import Counter
from contextlib import nullcontext
from dataclasses import replace
from functools import cached_property

from rulewright.engine.native.lowering.area_functions import AreaChanges
from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering, LoweringPart
from rulewright.engine.native.lowering.expressions.expression_table import expressions
from rulewright.engine.native.lowering.expressions.state_lowering import CallFrames
from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.lowering.helpers.common_functions import KEYS, MEMBERS, PLACE, row_bytes
from rulewright.engine.native.lowering.instructions.condition_lowering import ConditionLowering
from rulewright.engine.native.lowering.instructions.invalidation import Invalidation, MoveInvalidation
from rulewright.engine.native.lowering.instructions.piece_lowering import PieceLowering
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.lowering.program_facts import known_within
from rulewright.engine.native.lowering.write_journal import Turned
from rulewright.engine.native.memory_map import (
    CALLED,
    CALLER,
    GO_ON,
    OVER,
    PC,
    RESULT,
    SMALL_BITS,
    WORD_BITS,
    ValueSets,
    cell_bytes,
    words,
)
from rulewright.engine.native.values import ABSOLUTE, Unsupported, Value, absent, constant, present
from rulewright.engine.native.webassembly.encoding import Op
from rulewright.engine.native.webassembly.terms import (
    I32,
    I64,
    Emitted,
    Local,
    Memory,
    Term,
    call,
    const,
    mem32,
    mem64,
    select,
)
from rulewright.ir import model as m
from rulewright.ir.model import NONE

MANY = 4
"""So many places are worth a function."""


class CallFunctions:
    """The numbers of the functions; each is written when it is first needed."""

    def __init__(self, ctx: LoweringContext) -> None:
        self.ctx = ctx
        self._numbers: dict[str, int] = {}

    def of(self, name: str) -> int | None:
        """The function that calls one of the rules: given the address of the new frame, that of the caller, and the
        arguments, it returns why that one has stopped. None if it is called in few places, or takes sets or lists."""
        if name not in self._numbers:
            ctx = self.ctx
            function = ctx.program.functions[ctx.functions[name]]
            params = function.slots[: self._params.get(name, 0)]
            if self._calls[name] < MANY or any(slot.ty.kind in ("set", "list") for slot in params):
                return None
            if ctx.calls.cycle(name) is not None:
                return None
            self._numbers[name] = ctx.module.declare((I32,) * (2 + len(params)), (I32,))
            self._write(name, params)
        return self._numbers[name]

    def _write(self, name: str, params: tuple[m.Slot, ...]) -> None:
        ctx = self.ctx
        with ctx.module.writing(self._numbers[name], "calls") as (body, [at, caller, *given]):
            status = body.local()
            writer = FunctionWriter(ctx, body)
            args = [ctx.typed((one,), slot.ty, False) for one, slot in zip(given, params, strict=True)]
            CallFrames(expressions(writer)).begin(name, args, at)
            body.set(mem32(at, CALLER), caller)
            body.set(ctx.frame, at)
            stopped = call(ctx.function_numbers[ctx.functions[name]], at, 0)
            if name in ctx.at_once:  # its frame has not been dropped, unless the game is over
                with body.when(status.tee(stopped).eqz()):
                    body.set(ctx.frame, caller)
                stopped = status
            body.push(stopped)

    @cached_property
    def _calls(self) -> Counter[str]:
        return Counter(i.function for i in self._all())

    @cached_property
    def _params(self) -> dict[str, int]:
        """For each function that is called the number of its arguments."""
        return {i.function: len(i.args) for i in self._all()}

    def _all(self) -> list[m.Call]:
        return [i for f in self.ctx.program.functions for i in f.code if isinstance(i, m.Call)]


class EndingLowering(LoweringPart):
    """Writes instructions that end the game."""

    def win(self, i: m.FinishWin) -> None:
        """Give some players the first place, the others the second."""
        layout, body = self.ctx.layout, self.body
        winners = self.lower.members(i.players)
        for player in range(layout.sizes["Player"]):
            body.set(self._cell(layout.rank + player), 2 - self.writer.contains(winners, constant(player)))
        if i.parties is not None:
            parties = self.lower.members(i.parties)
            for number, (universe, member) in enumerate(
                layout.parties_without_players, layout.rank + layout.sizes["Player"]
            ):
                if universe == i.universe:
                    body.set(self._cell(number), self.writer.contains(parties, constant(member)))
        if i.drawn:
            body.set(self._cell(layout.ranks.stop - 1), 1)
        self._over(i.rule)

    def _cell(self, number: int) -> Memory:
        return mem32(0, self.ctx.memory.cell_at[number])

    def _over(self, rule: str) -> None:
        """Note the rule that ends the game, drop all frames and stop."""
        ended = call(self.ctx.ending, 1 + self.ctx.rule_numbers[rule])
        self.body.set(self._cell(self.ctx.layout.rule), ended)
        self.body.set(self.ctx.frame, 0)
        self.body.give(OVER)

    def rank(self, i: m.FinishRank) -> None:
        """Rank players or parties by their keys: a row for each, then the places."""
        layout, memory, body = self.ctx.layout, self.ctx.memory, self.body
        players, size = layout.sizes["Player"], row_bytes(len(i.keys))
        ranked = players + len(layout.parties_without_players)
        if ranked > WORD_BITS:
            raise Unsupported("rankings of so many players and parties")
        source = self.lower.collection(i.source)
        rows = memory.reserve(size * (source.capacity if source.is_list else source.bits))
        row, count = body.locals(I32, I32)
        body.set(row, rows)
        body.set(count, 0)
        with self.lower.loop(source, i.var) as (member, _, _):
            if member.null:
                body.trap_if(absent(member))
            for number, e in enumerate(i.keys):
                body.set(mem32(row, KEYS + 4 * number), self.lower.value(e).term)
            body.set(mem64(row, MEMBERS), Emitted(I64, lambda: self._players(i.universe, member)))
            body.set(row, row + size)
            body.set(count, count + 1)
        last = self.writer.hold(call(self.ctx.ranking.rank, rows, row, len(i.keys)), 0, players + 1)
        for player in range(players):
            body.set(self._cell(layout.rank + player), last.term)
        at, first = self.writer.hold(const(rows), 0, memory.end), body.local()
        body.set(first, 0)
        with body.until(at.term.ge_u(row), (at.local, size)):
            place = self.lower.table(PLACE, 1, at).load_number(0, ranked + 1)
            members = self.lower.table(MEMBERS, 1, at).load_set(ranked, False)
            body.set(first, place.term.eq(1) + first)
            for player in range(ranked):
                with body.when(self.writer.contains(members, constant(player))):
                    body.set(self._cell(layout.rank + player), place.term)
        body.set(self._cell(layout.ranks.stop - 1), first.gt_u(1))
        self._over(i.rule)

    def _players(self, universe: str, member: Value) -> Term:
        """The players for whom the place of a party, or of one player, is noted."""
        players = self.ctx.layout.sizes["Player"]
        if universe == "Player":
            one = self.writer.new_set(players)
            self.writer.insert(one, member)
            return one.word(0)
        layout = self.ctx.layout
        held = [v for v in self.ctx.tables[universe + ".members"].values if isinstance(v, int)]
        members, bits = layout.ranked(universe, held), players + len(layout.parties_without_players)
        return self.lower.table(self.ctx.memory.sets(members, 1), 8, member).load_set(bits, False).word(0)


def exchange(writer: FunctionWriter, sets: ValueSets, base: Term, at: int, v: Value) -> Turned:
    """Take a key out of the set of the value that it has, and put it into that of another one; what was turned."""
    body, first = writer.body, writer.ctx.memory.sets_at + sets.offset
    begin = writer.ctx.memory.cell_at[writer.ctx.layout.fields[sets.field].at]
    key, bit, word = body.locals(I32, I64, I32)
    body.set(word, key.tee(base + (at - begin) >> 2) >> 6 << 3)
    body.set(bit, 1 << key.extend_u())
    old = writer.hold(mem32(base, at), sets.low, sets.high, null=True)
    turned: list[Local] = []
    for value in (old, v):
        address = body.local()
        if value.constant is not None:
            row = const(sets.slot(value.known) * sets.span)
        else:
            slot = value.term - (sets.low - 1)
            row = (select(slot, 0, present([value])) if value.null else slot) * sets.span
        # out of the old set, where it is, and into the new one, where it is not
        body.set(mem64(address.tee(row + word), first), mem64(address, first) ^ bit)
        turned.append(address)
    out, into = turned
    return out + first, into + first, bit


class InstructionLowering:
    """Writes single instructions; `status` leaves the function."""

    def __init__(self, lower: ExpressionLowering, calls: CallFunctions, area_changes: AreaChanges) -> None:
        self.lower, self.writer, self.ctx, self.body, self._calls = (
            lower,
            lower.writer,
            lower.ctx,
            lower.writer.body,
            calls,
        )
        self._invalidation = Invalidation(lower, area_changes)
        self._pieces, self._endings, self._frames = PieceLowering(lower), EndingLowering(lower), CallFrames(lower)
        self._conditions = ConditionLowering(lower, self.store)

    def status(self, value: int) -> None:
        """Leave with a reason."""
        self.body.give(value)

    def write(self, i: m.Instr) -> None:
        """Write an instruction after which the next one follows, or that ends the game."""
        with self._invalidation.around(i) as moved:
            self._write(i, moved)

    def _write(self, i: m.Instr, moved: MoveInvalidation | None) -> None:
        match i:
            case m.SetLocal(slot, m.SetOp("minus", m.Local(of), m.MakeSet((m.Local(gone),)))) if (
                of == slot and self._bits(slot) > WORD_BITS
            ):
                self._take_out(slot, gone)
            case m.SetLocal():
                if not self._conditions.write(i):
                    self.store(i.slot, self.lower.value(i.value))
            case m.SetField():
                self._set_field(i)
            case m.Reset():
                self._reset(i)
            case m.Eliminate():
                self._eliminate(i)
            case m.Fired():
                self._fired(i)
            case m.Observe(block, leaving):
                if self.ctx.assertions is not None:
                    self.ctx.assertions.observe(self.body, block, leaving)
            case m.Tell():
                pass  # announced by the Python backend only
            case m.Turn():
                pass  # turns are taken in their order
            case m.Fail():
                self.body.trap()
            case m.FinishWin():
                self._endings.win(i)
            case m.FinishRank():
                self._endings.rank(i)
            case m.Append():
                self._append(i)
            case m.Show():
                self._pieces.show(i)
            case m.Move():
                self._pieces.move(i, moved)
            case m.Flip():
                self._pieces.flip(i)
            case m.SwapItems():
                self._pieces.swap_items(i)
            case m.Merge():
                self._pieces.merge(i)
            case _:
                raise Unsupported(type(i).__name__)

    # ----------------------------------------------------------------------------------------------------- storing

    def store(self, slot: int, v: Value) -> None:
        """Store a value in a slot of the frame."""
        offset, declared = self.writer.slots[slot]
        self._frames.store(declared.ty, v, self.writer.frame, offset)

    def _bits(self, slot: int) -> int:
        """The size of a set in a slot."""
        return self.ctx.layout.set_bits(self.writer.slots[slot][1].ty)

    def _take_out(self, slot: int, gone: int) -> None:
        """Take a member out of a set in a slot, where it lies."""
        offset, _ = self.writer.slots[slot]
        key = self.lower.value(m.Local(gone)).term
        with self.body.when(key.lt_u(self._bits(slot))):  # none is no member
            word = mem64(self.body.hold(self.writer.frame + (key >> 6 << 3)), offset)
            self.body.set(word, word & (1 << key.extend_u() ^ -1))

    def _set_field(self, i: m.SetField) -> None:
        declared = self.ctx.layout.field_of[i.field]
        place = self.ctx.layout.fields[i.field]
        address, width = self.lower.cell(place.at, place.strides, declared.index, i.index)
        address.trap_unless_present()
        base = self.body.hold(address.base)
        longer = isinstance(i.value, m.Joined) and i.value.left == m.FieldGet(i.field, i.index)
        v = self.lower.value(i.value.right if longer and isinstance(i.value, m.Joined) else i.value)
        if declared.ty.kind == "list":
            if v.null and ("field", i.field, 0) not in self.ctx.null:
                raise Unsupported("none in a list where no analysis expects it")
            if longer:
                self.lower.lists.extend(v, base, address.at, declared.ty.capacity)
                return
            self.lower.lists.store(v, base, address.at, declared.ty.capacity)
            return
        if declared.ty.kind == "set":
            self._store_set(base, address.at, width, self.writer.as_set(v))
            return
        self._check(declared.ty, v)
        kept, turned = self.ctx.memory.value_sets.get(i.field), None
        if kept is not None:
            turned = exchange(self.writer, kept, base, address.at, v)
        if self.ctx.coverage is not None:
            self.ctx.coverage.stored(self.body, v.term)
        self.ctx.journal.note(self.body, self.writer.function, base + address.at, turned)
        self.body.set(mem32(base, address.at), v.term)

    def _append(self, i: m.Append) -> None:
        offset, slot = self.writer.slots[i.slot]
        v, frame = self.lower.value(i.value), self.writer.frame
        length = self.body.local()
        with self.body.when(present([v])) if v.null and not i.keeps_none else nullcontext():
            self.body.trap_if(length.tee(mem32(frame, offset)).ge_u(slot.ty.capacity))
            self.body.set(mem32(frame + (length << 2), offset + 4), v.term)
            self.body.set(mem32(frame, offset), length + 1)

    def _store_set(self, base: Term, at: int, width: int, v: Value) -> None:
        """Store a set in a cell, which must hold it."""
        for number in range(v.words):
            spare = width - WORD_BITS * number
            if v.bits > width and spare < WORD_BITS:
                self.body.trap_if((v.word(number) >> spare if spare > 0 else v.word(number)).nonzero())
        if width > SMALL_BITS:
            self.writer.store_set(v, at, base, words(width))
        else:
            self.body.set(mem64(base, at, Op.I64_LOAD32_U), v.word(0))

    def _check(self, ty: m.Ty, v: Value) -> None:
        """Stop if a number does not fit a field."""
        low, high = (0, 1) if ty.kind == "bool" else self.ctx.bounds(ty)
        if (not v.null or ty.optional) and known_within(self.ctx.log, v, low, high):
            return
        beyond = v.term.lt_s(low) | v.term.gt_s(high)
        self.body.trap_if(beyond & present([v]) if v.null and ty.optional else beyond)

    def _reset(self, i: m.Reset) -> None:
        layout, memory = self.ctx.layout, self.ctx.memory
        content = memory.initial
        for name in i.fields:
            place = layout.fields[name]
            if (sets := memory.value_sets.get(name)) is not None:
                self._copy(content, memory.sets_at + sets.offset, sets.size)
            first, last = place.at, place.at + place.span * place.count - 1
            begin = memory.cell_at[first]
            end = memory.cell_at[last] + cell_bytes(layout.widths[last])
            self._copy(content, begin, end - begin)

    def _copy(self, content: bytes, begin: int, size: int) -> None:
        """Give a part of the state the bytes that it has among those of all cells."""
        at = begin - self.ctx.memory.cells
        self.body.copy(begin, self.ctx.memory.constant(content[at : at + size]), size)

    def _eliminate(self, i: m.Eliminate) -> None:
        out = self.ctx.layout.out
        player = self.lower.value(i.player)
        if player.null:
            self.body.trap_if(absent(player))
        address, width = self.lower.cell(out, (), (), ())
        v = address.load_set(self.ctx.layout.sizes["Player"], width <= SMALL_BITS)
        self.writer.insert(v, player)
        self._store_set(self.body.hold(address.base), address.at, width, v)

    def _fired(self, i: m.Fired) -> None:
        count = mem64(0, self.ctx.fired + 8 * self.ctx.rule_numbers[i.rule])
        growth = self.ctx.journal.counted(self.writer.function)
        self.body.set(count, count + growth)
        if self.ctx.coverage is not None:
            self.ctx.coverage.fired(self.body, i.rule, growth)

    # ---------------------------------------------------------------------------------------------------- the stack

    def call(self, i: m.Call, pc: int) -> None:
        """Push a frame, and call the function. If it stops at a question, so does this one; resuming goes
        on from frame to frame. Functions that may call themselves are left to them: the machine's stack is short."""
        called = self.ctx.functions[i.function]
        own = self.ctx.memory.frames[self.ctx.functions[self.writer.function]]
        args = [self.lower.value(arg) for arg in i.args]
        self.rest(pc)
        body, frame, shared = self.body, self.writer.frame, self._calls.of(i.function)
        if shared is not None:
            self._frames.check(i.function, args)
            self._leave_unless_done(call(shared, frame + own.size, frame, *(arg.term for arg in args)))
            return
        at = body.hold(frame + own.size)
        self._frames.begin(i.function, args, at)
        body.set(mem32(at, CALLER), frame)
        body.set(self.ctx.frame, at)
        if self.ctx.calls.cycle(i.function) is not None:
            body.set(self.ctx.entry, 0)
            self.status(CALLED)
            return
        self._leave_unless_done(call(self.ctx.function_numbers[called], at, 0))
        if i.function in self.ctx.at_once:  # its frame has not been dropped
            body.set(self.ctx.frame, frame)

    def _leave_unless_done(self, why: Term) -> None:
        """Leave for a reason, unless it is 0."""
        status = self.body.local()
        with self.body.when(status.tee(why)):
            self.body.give(status)

    def rest(self, pc: int) -> None:
        """Note the instruction at which the function rests."""
        self.body.set(mem32(self.writer.frame, PC), pc)

    def take(self, i: m.Call) -> None:
        """Store what a called function has given."""
        if i.into is not None:
            self._take_result(i, i.into)
        # What the called function had in its frame is still there, behind this one.
        frame = self.ctx.memory.frames[self.ctx.functions[i.function]]
        own = self.ctx.memory.frames[self.ctx.functions[self.writer.function]]
        for param, slot in enumerate(i.shared):
            offset, declared = self.writer.slots[slot]
            size = self.ctx.memory.slot_bytes(declared.ty)
            if size != self.ctx.memory.slot_bytes(
                self.ctx.program.functions[self.ctx.functions[i.function]].slots[param].ty
            ):
                raise Unsupported("parameters that are handed back as another type")
            self.body.copy(self.writer.frame + offset, self.writer.frame + (own.size + frame.offsets[param]), size)

    def _take_result(self, i: m.Call, into: int) -> None:
        called = self.ctx.program.functions[self.ctx.functions[i.function]]
        ty = called.result or m.INT
        null = ty.optional or ("returned", i.function, 0) in self.ctx.null
        if ty.kind == "list":
            v = replace(self.ctx.typed((), ty, null), known=self.ctx.list_result(i.function, ty.capacity))
        elif ty.kind == "set":
            v = self.writer.load_set(self.ctx.memory.result_words, ABSOLUTE, self.ctx.layout.set_bits(ty))
        else:
            v = self.writer.hold(mem32(0, RESULT), *self.ctx.bounds(ty), null)
        self.store(into, v)

    def back(self, function: m.Function, value: m.Expr | None) -> None:
        """Give the result and pop the frame."""
        result = function.result
        if result is not None:
            v = self.lower.value(value) if value is not None else Value(known=0 if result.kind == "set" else NONE)
            if result.kind == "list":
                at = self.ctx.list_result(function.name, result.capacity)
                self.lower.lists.store(v if v.is_list else self.writer.empty_list(), ABSOLUTE, at, result.capacity)
            elif result.kind == "set":
                count = words(self.ctx.layout.set_bits(result))
                self.writer.store_set(self.writer.as_set(v), self.ctx.memory.result_words, count=count)
            else:
                self.body.set(mem32(0, RESULT), v.term)
        if function.name in self.ctx.at_once:
            self.status(GO_ON)
            return
        self.body.give(call(self.ctx.pop_frame, self.writer.frame))
