"""Functions that draw numbers, those of :mod:`rulewright.engine.chance_streams`, and members of sets with them."""

from __future__ import annotations

from functools import cache

from rulewright.engine.cells.support import bits_of
from rulewright.engine.chance_streams import GAMMA
from rulewright.engine.native.lowering.driver.answer_functions import (
    COUNTER,
    STREAM,
    WORDS,
    AnswerFunctions,
    drop_lowest,
    find_entry,
    load,
)
from rulewright.engine.native.lowering.helpers.position_functions import push_mixed
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import EXTRAS, QUESTION
from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.word_sizes import WORD_BITS

HALF = 8
"""The members of one half of a short set."""


class ChanceFunctions:
    """The functions `mix` and `draw`, the address of the number that was drawn last, and functions that draw a member
    of the set that chance is asked about."""

    def __init__(self, ctx: LoweringContext) -> None:
        self.ctx, declare = ctx, ctx.module.declare
        self.mix = declare((Type.I64,), (Type.I64,))
        self.draw = declare((Type.I64, Type.I64, Type.I32), (Type.I64,))
        self.drawn = ctx.memory.reserve(8)

    def write(self, answers: AnswerFunctions, questions: int) -> None:
        """Write all, given the address of the table of questions."""
        self._write_mix()
        self._write_draw()
        self._write_draw_of_few(questions)
        self._write_draw_of_many(answers, questions)
        self._write_draw_below(questions)

    def push_drawn(self, body: FunctionBody, key: int, counter: int, members: int) -> None:
        """Push a member of a set in a local, drawn from a stream of which key and counter are locals, too."""
        size, number, word = body.local(Type.I32), body.local(Type.I32), body.local(Type.I64)
        body.get(members)
        body.op(Op.I64_POPCNT, Op.I32_WRAP_I64)
        body.set(size)
        self._push_word(body, key, counter)
        body.tee(word)
        body.i64(-WORD_BITS)
        body.op(Op.I64_GE_U)
        with body.when():  # perhaps of the last, incomplete run
            body.get(key)
            body.get(counter)
            body.get(size)
            body.call(self.draw)
            body.set(counter)
            load(body, self.drawn)
            body.set(number)
            body.otherwise()
            body.get(counter)
            body.i64(1)
            body.op(Op.I64_ADD)
            body.set(counter)
            body.get(word)
            body.get(size)
            body.op(Op.I64_EXTEND_I32_U, Op.I64_REM_U, Op.I32_WRAP_I64)
            body.set(number)
        self._push_member(body, members, number)

    def _push_member(self, body: FunctionBody, members: int, number: int) -> None:
        """Push the member with a number: by a table for each half of a short set, without branches."""
        table = self.ctx.memory.constant(_members_of_halves())
        half, count, is_high = (body.local(Type.I32) for _ in range(3))
        body.get(members)
        body.i64(1 << 2 * HALF)
        body.op(Op.I64_LT_U)
        with body.when():
            body.get(members)
            body.op(Op.I32_WRAP_I64)
            body.i32((1 << HALF) - 1)
            body.op(Op.I32_AND)
            body.tee(half)
            body.op(Op.I32_POPCNT)
            body.set(count)
            body.get(number)
            body.get(count)
            body.op(Op.I32_GE_U)
            body.set(is_high)
            # the row of the half, in it the number less those of the lower half
            body.get(members)
            body.op(Op.I32_WRAP_I64)
            body.i32(HALF)
            body.op(Op.I32_SHR_U)
            body.get(half)
            body.get(is_high)
            body.op(Op.SELECT)
            body.i32(HALF.bit_length() - 1)
            body.op(Op.I32_SHL)
            body.get(number)
            body.get(count)
            body.i32(0)
            body.get(is_high)
            body.op(Op.SELECT, Op.I32_SUB, Op.I32_ADD)
            body.memory(Op.I32_LOAD8_U, table)
            body.get(is_high)
            body.i32(HALF.bit_length() - 1)
            body.op(Op.I32_SHL, Op.I32_ADD)
            body.set(number)
            body.otherwise()
            drop_lowest(body, members, number)
            body.get(members)
            body.op(Op.I64_CTZ, Op.I32_WRAP_I64)
            body.set(number)
        body.get(number)

    def _write_draw_of_few(self, questions: int) -> None:
        """A member of a set of one word, drawn from the stream of a question."""
        body = self.ctx.module.body(self.ctx.draw_of_few)
        members, question = 0, 1
        key, counter = body.local(Type.I64), body.local(Type.I64)
        self._open_stream(body, questions, question, key, counter)
        self.push_drawn(body, key, counter, members)
        self._close_stream(body, question, counter)
        self.ctx.module.define(self.ctx.draw_of_few, body)

    def _write_draw_of_many(self, answers: AnswerFunctions, questions: int) -> None:
        """A member of the set or list that lies where offers lie, drawn from the stream of a question."""
        body = self.ctx.module.body(self.ctx.draw_of_many)
        question, key, counter = 0, body.local(Type.I64), body.local(Type.I64)
        body.i32(0)
        body.get(question)
        body.memory(Op.I32_STORE, QUESTION)
        body.i32(0)
        body.i64(0)
        body.memory(Op.I64_STORE, EXTRAS)
        self._open_stream(body, questions, question, key, counter)
        body.get(key)
        body.get(counter)
        body.call(answers.size)
        body.call(self.draw)
        body.set(counter)
        load(body, self.drawn)
        body.get(question)
        body.memory(Op.I32_LOAD, WORDS)
        body.call(answers.member)
        self._close_stream(body, question, counter)
        self.ctx.module.define(self.ctx.draw_of_many, body)

    def _write_draw_below(self, questions: int) -> None:
        """A number below another one, drawn from the stream of a question."""
        body = self.ctx.module.body(self.ctx.draw_below)
        size, question, key, counter = 0, 1, body.local(Type.I64), body.local(Type.I64)
        self._open_stream(body, questions, question, key, counter)
        body.get(key)
        body.get(counter)
        body.get(size)
        body.call(self.draw)
        body.set(counter)
        self._close_stream(body, question, counter)
        load(body, self.drawn)
        self.ctx.module.define(self.ctx.draw_below, body)

    def _open_stream(self, body: FunctionBody, questions: int, question: int, key: int, counter: int) -> None:
        """Put the address of its entry in the place of a question's number; find the key and counter of its stream.

        The key is ``mix(mix(seed) ^ hash of its name)``.
        """
        body.get(question)
        find_entry(body, questions)
        body.set(question)
        load(body, self.ctx.memory.cell_at[self.ctx.layout.seed], Op.I64_LOAD)
        body.call(self.mix)
        body.get(question)
        body.memory(Op.I64_LOAD, STREAM)
        body.op(Op.I64_XOR)
        body.call(self.mix)
        body.set(key)
        body.get(question)
        body.memory(Op.I32_LOAD, COUNTER)
        body.memory(Op.I64_LOAD)
        body.set(counter)

    def _close_stream(self, body: FunctionBody, question: int, counter: int) -> None:
        """Note the counter of the stream; what lies on the stack stays there."""
        body.get(question)
        body.memory(Op.I32_LOAD, COUNTER)
        body.get(counter)
        body.memory(Op.I64_STORE)

    def _write_mix(self) -> None:
        """The finaliser of SplitMix64."""
        body = self.ctx.module.body(self.mix)
        push_mixed(body, 0)
        self.ctx.module.define(self.mix, body)

    def _push_word(self, body: FunctionBody, key: int, counter: int) -> None:
        """Push 64 random bits, given a stream's key and counter in locals."""
        word = body.local(Type.I64)
        body.get(key)
        body.get(counter)
        body.i64(GAMMA)
        body.op(Op.I64_MUL, Op.I64_ADD)
        body.set(word)
        push_mixed(body, word)

    def _write_draw(self) -> None:
        """A number below the third argument, given a stream's key and counter; it is left in memory, the counter given.

        Numbers from the last, incomplete run are thrown away.
        """
        body = self.ctx.module.body(self.draw)
        key, counter, size = 0, 1, 2
        below, word, spare = body.local(Type.I64), body.local(Type.I64), body.local(Type.I64)
        body.get(size)
        body.op(Op.I64_EXTEND_I32_U)
        body.set(below)
        with body.loop() as again:
            self._push_word(body, key, counter)
            body.set(word)
            body.get(counter)
            body.i64(1)
            body.op(Op.I64_ADD)
            body.set(counter)
            body.get(word)
            body.i64(0)
            body.get(below)
            body.op(Op.I64_SUB, Op.I64_GE_U)
            with body.when():  # the last run, complete or not
                body.i64(0)
                body.get(below)
                body.op(Op.I64_SUB)
                body.get(below)
                body.op(Op.I64_REM_U)  # 2**64 modulo `below`
                body.set(spare)
                # thrown away: word >= 2**64 - spare, unless nothing is spare
                body.get(word)
                body.i64(0)
                body.get(spare)
                body.op(Op.I64_SUB, Op.I64_GE_U)
                body.get(spare)
                body.op(Op.I64_EQZ, Op.I32_EQZ, Op.I32_AND)
                body.branch_if(again)
        body.i32(0)
        body.get(word)
        body.get(below)
        body.op(Op.I64_REM_U, Op.I32_WRAP_I64)
        body.memory(Op.I32_STORE, self.drawn)
        body.get(counter)
        self.ctx.module.define(self.draw, body)


@cache
def _members_of_halves() -> bytes:
    """A row for each half of a short set: its members, and zeros."""
    rows = (bits_of(members) for members in range(1 << HALF))
    return bytes(member for row in rows for member in (*row, *[0] * (HALF - len(row))))
