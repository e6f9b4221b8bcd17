"""Instructions that are no jumps: what they store, and what they ask."""

from __future__ import annotations

from rulewright.engine.native.lowering.expression_lowering import ExpressionLowering
from rulewright.engine.native.memory_map import CALLER, EXTRAS, FUNCTION, LEGAL, PC, QUESTION, RESULT, WHO
from rulewright.engine.native.statuses import ASK, DRAW, GO_ON, OVER
from rulewright.engine.native.value_sets import ValueSets
from rulewright.engine.native.values import Unsupported, Value, constant
from rulewright.engine.native.webassembly.encoding import MEMORY_COPY, MEMORY_FILL, Op, Type
from rulewright.engine.native.word_sizes import SMALL_BITS, cell_bytes, words
from rulewright.ir import model as m
from rulewright.ir.conditions import allowed
from rulewright.ir.model import NONE


class InstructionLowering:
    """Writes single instructions; `status` leaves the function."""

    def __init__(self, x: ExpressionLowering, ending: int) -> None:
        self.x, self.w, self.ctx, self.body = x, x.w, x.ctx, x.w.body
        self._ending = ending
        """The function that tells which end of the game is running."""

    def status(self, value: int) -> None:
        """Leave with a reason."""
        self.body.i32(value)
        self.body.op(Op.RETURN)

    def lower(self, i: m.Instr) -> None:
        """Write an instruction after which the next one follows, or that ends the game."""
        match i:
            case m.SetLocal():
                self.store(i.slot, self.x.value(i.value))
            case m.SetField():
                self._set_field(i)
            case m.Reset():
                self._reset(i)
            case m.Eliminate():
                self._eliminate(i)
            case m.Fired():
                self._fired(i)
            case m.Observe() | m.Tell():
                pass  # heard by those who play with the Python backend
            case m.Fail():
                self.body.op(Op.UNREACHABLE)
            case m.FinishWin():
                self._finish(i)
            case _:
                raise Unsupported(type(i).__name__)

    # ----------------------------------------------------------------------------------------------------- storing

    def store(self, slot: int, v: Value) -> None:
        """Store a value in a slot of the frame."""
        offset, declared = self.w.slots[slot]
        self.store_typed(declared.ty, v, self.w.frame, offset)

    def store_typed(self, ty: m.Ty, v: Value, base: int, offset: int) -> None:
        """Store a value of a type at an address."""
        if ty.kind == "list":
            raise Unsupported("lists")
        if ty.kind == "set":
            v = self.w.as_set(v)
            for number in range(words(self.ctx.layout.set_bits(ty))):
                self.body.get(base)
                self.w.push_word(v, number)
                self.body.memory(Op.I64_STORE, offset + 8 * number)
        else:
            self.body.get(base)
            self.w.push(v)
            self.body.memory(Op.I32_STORE, offset)

    def _set_field(self, i: m.SetField) -> None:
        declared = self.ctx.layout.field_of[i.field]
        place = self.ctx.layout.fields[i.field]
        if declared.ty.kind == "list":
            raise Unsupported("lists")
        address, width = self.x.cell(place.at, place.strides, declared.index, i.index)
        address.trap_unless_present()
        base = address.hold()
        v = self.x.value(i.value)
        if declared.ty.kind == "set":
            self._store_set(base, address.at, width, self.w.as_set(v))
            return
        self._check(declared.ty, v)
        if i.field in self.ctx.memory.value_sets:
            self._exchange_sets(self.ctx.memory.value_sets[i.field], base, address.at, v)
        self.body.get(base)
        self.w.push(v)
        self.body.memory(Op.I32_STORE, address.at)

    def _exchange_sets(self, sets: ValueSets, base: int, at: int, v: Value) -> None:
        """Take a key out of the set of the value that it has, and put it into that of another one."""
        body, first = self.body, self.ctx.memory.sets_at + sets.offset
        begin = self.ctx.memory.cell_at[self.ctx.layout.fields[sets.field].at]
        key, bit, word = body.local(Type.I32), body.local(Type.I64), body.local(Type.I32)
        body.get(base)
        body.i32(at - begin)
        body.op(Op.I32_ADD)
        body.i32(2)
        body.op(Op.I32_SHR_U)
        body.tee(key)
        body.i32(6)
        body.op(Op.I32_SHR_U)
        body.i32(3)
        body.op(Op.I32_SHL)
        body.set(word)
        body.i64(1)
        body.get(key)
        body.op(Op.I64_EXTEND_I32_U, Op.I64_SHL)
        body.set(bit)
        body.get(base)
        body.memory(Op.I32_LOAD, at)
        old = self.w.pop(sets.low, sets.high, null=True)
        for value in (old, v):
            address = body.local(Type.I32)
            if value.constant is not None:
                body.i32(sets.slot(value.known) * sets.span)
            else:
                self.w.push(value)
                body.i32(sets.low - 1)
                body.op(Op.I32_SUB)
                if value.null:
                    body.i32(0)
                    self.w.push_present([value])
                    body.op(Op.SELECT)
                body.i32(sets.span)
                body.op(Op.I32_MUL)
            body.get(word)
            body.op(Op.I32_ADD)
            body.tee(address)
            body.get(address)
            body.memory(Op.I64_LOAD, first)
            body.get(bit)
            # out of the old set, where it is, and into the new one, where it is not
            body.op(Op.I64_XOR)
            body.memory(Op.I64_STORE, first)

    def _store_set(self, base: int, at: int, width: int, v: Value) -> None:
        """Store a set in a cell, which must hold it."""
        for number in range(v.words):
            spare = width - 64 * number
            if v.bits > width and spare < 64:
                self.w.push_word(v, number)
                if spare > 0:
                    self.body.i64(spare)
                    self.body.op(Op.I64_SHR_U)
                self.body.op(Op.I64_EQZ, Op.I32_EQZ)
                self.w.trap_if()
        for number in range(words(width)):
            self.body.get(base)
            self.w.push_word(v, number)
            self.body.memory(Op.I64_STORE32 if width <= SMALL_BITS else Op.I64_STORE, at + 8 * number)

    def _check(self, ty: m.Ty, v: Value) -> None:
        """Stop if a number does not fit a field."""
        low, high = (0, 1) if ty.kind == "bool" else self.ctx.bounds(ty)
        if v.low >= low and v.high <= high and (not v.null or ty.optional):
            return
        self.w.push(v)
        self.body.i32(low)
        self.body.op(Op.I32_LT_S)
        self.w.push(v)
        self.body.i32(high)
        self.body.op(Op.I32_GT_S, Op.I32_OR)
        if v.null and ty.optional:
            self.w.push_present([v])
            self.body.op(Op.I32_AND)
        self.w.trap_if()

    def _reset(self, i: m.Reset) -> None:
        layout, memory = self.ctx.layout, self.ctx.memory
        content = memory.encode_cells(layout.initial)
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
        self.body.i32(begin)
        self.body.i32(self.ctx.memory.constant(content[at : at + size]))
        self.body.i32(size)
        self.body.raw(MEMORY_COPY)

    def _eliminate(self, i: m.Eliminate) -> None:
        out = self.ctx.layout.out
        player = self.x.value(i.player)
        if player.null:
            self.w.push_present([player])
            self.body.op(Op.I32_EQZ)
            self.w.trap_if()
        address, width = self.x.cell(out, (), (), ())
        v = address.load_set(self.ctx.layout.sizes["Player"], width <= SMALL_BITS)
        self.w.insert(v, player)
        self._store_set(address.hold(), address.at, width, v)

    def _fired(self, i: m.Fired) -> None:
        at = self.ctx.fired + 8 * self.ctx.rule_numbers[i.rule]
        self.body.i32(0)
        self.body.i32(0)
        self.body.memory(Op.I64_LOAD, at)
        self.body.i64(1)
        self.body.op(Op.I64_ADD)
        self.body.memory(Op.I64_STORE, at)

    # ----------------------------------------------------------------------------------------------------- the end

    def _finish(self, i: m.FinishWin) -> None:
        layout, memory = self.ctx.layout, self.ctx.memory
        winners = self.players(i.players)
        for player in range(layout.sizes["Player"]):
            self.body.i32(0)
            self.body.i32(2)
            self.w.push_contains(winners, constant(player))
            self.body.op(Op.I32_SUB)
            self.body.memory(Op.I32_STORE, memory.cell_at[layout.rank + player])
        self.body.i32(0)
        self.body.i32(1 + self.ctx.rule_numbers[i.rule])
        self.body.call(self._ending)
        self.body.memory(Op.I32_STORE, memory.cell_at[layout.rule])
        self.body.i32(0)
        self.body.set_global(self.ctx.frame)
        self.status(OVER)

    def players(self, e: m.Expr) -> Value:
        """A set of players; a single one as a set."""
        v = self.x.value(e)
        if v.is_set or isinstance(e, m.Const):
            return self.w.as_set(v)
        result = self.w.new_set(self.ctx.layout.sizes["Player"])
        if not v.null:
            self.w.insert(result, v)
            return result
        self.w.push_present([v])
        with self.body.when():
            self.w.insert(result, v)
        return result

    # ---------------------------------------------------------------------------------------------------- the stack

    def call(self, i: m.Call, pc: int) -> None:
        """Push a frame; the called function goes on."""
        called = self.ctx.functions[i.function]
        function, frame = self.ctx.program.functions[called], self.ctx.memory.frames[called]
        own = self.ctx.memory.frames[self.ctx.functions[self.w.function]]
        args = [self.x.value(arg) for arg in i.args]
        self._rest(pc)
        at = self.body.local(Type.I32)
        self.body.get(self.w.frame)
        self.body.i32(own.size)
        self.body.op(Op.I32_ADD)
        self.body.tee(at)
        self.body.i32(self.ctx.memory.stack_end - frame.size)
        self.body.op(Op.I32_GT_S)
        self.w.trap_if()
        self.body.get(at)
        self.body.i32(0)
        self.body.i32(frame.size)
        self.body.raw(MEMORY_FILL)
        self.body.get(at)
        self.body.i32(called)
        self.body.memory(Op.I32_STORE, FUNCTION)
        self.body.get(at)
        self.body.get(self.w.frame)
        self.body.memory(Op.I32_STORE, CALLER)
        for number, (arg, slot, offset) in enumerate(zip(args, function.slots, frame.offsets, strict=False)):
            if arg.null and not slot.ty.optional and ("slot", i.function, number) not in self.ctx.null:
                raise Unsupported("none where a function takes none of it")
            self.store_typed(slot.ty, arg, at, offset)
        self.body.get(at)
        self.body.set_global(self.ctx.frame)
        self.body.i32(0)
        self.body.set_global(self.ctx.entry)
        self.status(GO_ON)

    def _rest(self, pc: int) -> None:
        """Note the instruction at which the function rests."""
        self.body.get(self.w.frame)
        self.body.i32(pc)
        self.body.memory(Op.I32_STORE, PC)

    def take(self, i: m.Call) -> None:
        """Store what a called function has given."""
        if i.shared:
            raise Unsupported("parameters that are handed back")
        if i.into is None:
            return
        called = self.ctx.program.functions[self.ctx.functions[i.function]]
        ty = called.result or m.INT
        null = ty.optional or ("returned", i.function, 0) in self.ctx.null
        if ty.kind == "set":
            v = self.w.load_set(self.ctx.memory.result_words, None, self.ctx.layout.set_bits(ty))
        else:
            self.body.i32(0)
            self.body.memory(Op.I32_LOAD, RESULT)
            low, high = self.ctx.bounds(ty)
            v = self.w.pop(low, high, null)
        self.store(i.into, v)

    def back(self, function: m.Function, value: m.Expr | None) -> None:
        """Give the result and pop the frame."""
        result = function.result
        if result is not None:
            if result.kind == "list":
                raise Unsupported("lists")
            v = self.x.value(value) if value is not None else Value(known=0 if result.kind == "set" else NONE)
            if result.kind == "set":
                v = self.w.as_set(v)
                for number in range(words(self.ctx.layout.set_bits(result))):
                    self.body.i32(0)
                    self.w.push_word(v, number)
                    self.body.memory(Op.I64_STORE, self.ctx.memory.result_words + 8 * number)
            else:
                self.body.i32(0)
                self.w.push(v)
                self.body.memory(Op.I32_STORE, RESULT)
        self.body.get(self.w.frame)
        self.body.call(self.ctx.pop_frame)
        self.body.op(Op.RETURN)

    # --------------------------------------------------------------------------------------------------- questions

    def ask(self, i: m.Choose, pc: int, question: int, nobody: int | None) -> None:
        """Find what is offered and stop, or go to a label if it is nothing."""
        with self.body.block() as empty:
            self._seat(i, empty)
            legal = self._legal(i) if i.source is not None else Value(is_set=True)
            self._offer(legal, question)
            extras = self.body.local(Type.I64)
            self.body.i64(0)
            self.body.set(extras)
            for number, extra in enumerate(i.extras):
                with self.body.block() as refused:
                    if extra.guard is not None:
                        self.x.guard(extra.guard, refused)
                    for condition in allowed(extra.restrictions):
                        self.x.guard(condition, refused)
                    self.body.get(extras)
                    self.body.i64(1 << number)
                    self.body.op(Op.I64_OR)
                    self.body.set(extras)
            self.body.i32(0)
            self.body.get(extras)
            self.body.memory(Op.I64_STORE, EXTRAS)
            alone = sum(1 << number for number, extra in enumerate(i.extras) if not extra.aside)
            self.w.push_empty(legal)
            self.body.get(extras)
            self.body.i64(alone)
            self.body.op(Op.I64_AND, Op.I64_EQZ, Op.I32_AND)
            self.body.branch_if(empty)
            self._stop(pc, question, ASK)
        if nobody is None:
            self.body.op(Op.UNREACHABLE)
        else:
            self.body.branch(nobody)

    def draw(self, i: m.Chance, pc: int, question: int) -> None:
        """Stop for chance; where there is nothing to draw from, the slot becomes none and the rules go on."""
        if i.is_list or self.ctx.is_interchangeable(i.universe):
            raise Unsupported("chance over lists or alike pieces")
        legal = self.x.set(i.source)
        self.w.push_empty(legal)
        self.body.op(Op.I32_EQZ)
        with self.body.when():
            self._offer(legal, question)
            self.body.i32(0)
            self.body.i64(0)
            self.body.memory(Op.I64_STORE, EXTRAS)
            self._stop(pc, question, DRAW)
        self.store(i.into, Value(known=NONE, null=True))

    def _offer(self, legal: Value, question: int) -> None:
        """Store the members that are offered."""
        self.w.store_set(legal, LEGAL)
        self.ctx.offered_words[question] = legal.words

    def _stop(self, pc: int, question: int, reason: int) -> None:
        self._rest(pc)
        self.body.i32(0)
        self.body.i32(question)
        self.body.memory(Op.I32_STORE, QUESTION)
        self.status(reason)

    def _seat(self, i: m.Choose, nobody: int) -> None:
        """Note who is asked; leave if they are out of the game."""
        layout = self.ctx.layout
        v = self.x.value(i.who)
        address, width = self.x.cell(layout.out, (), (), ())
        out = address.load_set(layout.sizes["Player"], width <= SMALL_BITS)
        if v.is_set or i.who_is != "player":
            raise Unsupported("parties that are asked")
        if v.null:
            self.w.push_present([v])
            self.body.op(Op.I32_EQZ)
            self.w.trap_if()
        self.w.push_contains(out, v)
        self.body.branch_if(nobody)
        self.body.i32(0)
        self.w.push(v)
        self.body.memory(Op.I32_STORE, WHO)

    def _legal(self, i: m.Choose) -> Value:
        """The members that may be chosen."""
        if i.is_list or self.ctx.is_interchangeable(i.universe):
            raise Unsupported("choices from lists or among alike pieces")
        assert i.source is not None
        wheres = [*([i.where] if i.where is not None else []), *allowed(i.restrictions)]
        return self.x.set(m.Filter(i.source, i.var, m.And(tuple(wheres))) if wheres else i.source)
