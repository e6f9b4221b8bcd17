"""Functions about the question that is asked: how many options it has, and what follows from one of them."""

from __future__ import annotations

from rulewright.engine.native.lowering.instructions.question_lowering import LISTED
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import EXTRAS, LEGAL, QUESTION
from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.engine.native.webassembly.function_body import FunctionBody

QUESTION_BYTES = 32
"""The size of an entry of the table of questions."""
INTO, AFTER, WORDS, COUNTER, STREAM, TARGETS, SECRET = 0, 4, 8, 12, 16, 24, 28
"""Within an entry: the offset of the slot for the answer, the basic block after the question, the words of the set
that is offered, the address of the stream's counter, the hash of its name (64 bits), the address of the blocks to which
the words lead that are offered beside the members, and whether it is answered in secret."""


def load(body: FunctionBody, at: int, op: Op = Op.I32_LOAD) -> None:
    """Push what lies at a known address."""
    body.i32(0)
    body.memory(op, at)


def push_question(body: FunctionBody, questions: int) -> None:
    """Push the address of the entry of the question that is asked."""
    load(body, QUESTION)
    find_entry(body, questions)


def find_entry(body: FunctionBody, questions: int) -> None:
    """Put the address of its entry in the place of the number of a question on the stack."""
    body.i32(QUESTION_BYTES.bit_length() - 1)
    body.op(Op.I32_SHL)
    body.i32(questions)
    body.op(Op.I32_ADD)


def drop_lowest(body: FunctionBody, members: int, number: int) -> None:
    """Take so many members out of a set, the least first; both are locals."""
    with body.block() as reached, body.loop() as again:
        body.get(number)
        body.op(Op.I32_EQZ)
        body.branch_if(reached)
        body.get(members)
        body.get(members)
        body.i64(1)
        body.op(Op.I64_SUB, Op.I64_AND)
        body.set(members)
        body.decrease(number, 1)
        body.branch(again)


class AnswerFunctions:
    """The functions `size`, `member`, `resume` and `answer`."""

    def __init__(self, ctx: LoweringContext, left: int) -> None:
        self.ctx, declare = ctx, ctx.module.declare
        self.member = declare((Type.I32, Type.I32), (Type.I32,))
        self.resume = declare((Type.I32, Type.I32))
        self.size = declare((), (Type.I32,))
        self.answer = declare((Type.I32,))
        self._left = left
        """The address where `member` leaves how many words beside the members to pass over."""

    def write(self, questions: int) -> None:
        """Write all, given the address of the table of questions."""
        self._write_member()
        self._write_resume()
        self._write_size(questions)
        self._write_answer(questions)

    def _write_size(self, questions: int) -> None:
        """The number of options."""
        body = self.ctx.module.body(self.size)
        at, end, count = body.local(Type.I32), body.local(Type.I32), body.local(Type.I64)
        load(body, EXTRAS, Op.I64_LOAD)
        body.op(Op.I64_POPCNT)
        body.set(count)
        push_question(body, questions)
        body.memory(Op.I32_LOAD, WORDS)
        body.tee(end)
        body.i32(LISTED)
        body.op(Op.I32_EQ)
        with body.when():
            load(body, LEGAL)
            body.memory(Op.I32_LOAD)
            body.get(count)
            body.op(Op.I32_WRAP_I64, Op.I32_ADD, Op.RETURN)
        body.get(end)
        body.i32(3)
        body.op(Op.I32_SHL)
        body.set(end)
        with body.block() as out, body.loop() as again:
            body.get(at)
            body.get(end)
            body.op(Op.I32_GE_U)
            body.branch_if(out)
            body.get(at)
            body.memory(Op.I64_LOAD, LEGAL)
            body.op(Op.I64_POPCNT)
            body.get(count)
            body.op(Op.I64_ADD)
            body.set(count)
            body.increase(at, 8)
            body.branch(again)
        body.get(count)
        body.op(Op.I32_WRAP_I64)
        self.ctx.module.define(self.size, body)

    def _write_member(self) -> None:
        """The member with a number among those that are offered, which lie in so many words.

        It is noted how many words beside the members to pass over, if there are fewer; -1 if it is a member.
        """
        body = self.ctx.module.body(self.member)
        number, count = 0, 1
        at, word, here = body.local(Type.I32), body.local(Type.I64), body.local(Type.I32)
        body.i32(0)
        body.i32(-1)
        body.memory(Op.I32_STORE, self._left)
        body.get(count)
        body.i32(LISTED)
        body.op(Op.I32_EQ)
        with body.when():
            body.i32(0)
            body.set(count)
            load(body, LEGAL)
            body.tee(at)
            body.memory(Op.I32_LOAD)
            body.tee(here)
            body.get(number)
            body.op(Op.I32_GT_U)
            with body.when():
                body.get(at)
                body.get(number)
                body.i32(2)
                body.op(Op.I32_SHL, Op.I32_ADD)
                body.memory(Op.I32_LOAD, 4)
                body.op(Op.RETURN)
            body.get(number)
            body.get(here)
            body.op(Op.I32_SUB)
            body.set(number)
            body.i32(0)
            body.set(at)
        with body.block() as out, body.loop() as again:
            body.get(at)
            body.get(count)
            body.op(Op.I32_GE_U)
            body.branch_if(out)
            body.get(at)
            body.i32(3)
            body.op(Op.I32_SHL)
            body.memory(Op.I64_LOAD, LEGAL)
            body.tee(word)
            body.op(Op.I64_POPCNT, Op.I32_WRAP_I64)
            body.tee(here)
            body.get(number)
            body.op(Op.I32_GT_S)
            with body.when():
                drop_lowest(body, word, number)
                body.get(word)
                body.op(Op.I64_CTZ, Op.I32_WRAP_I64)
                body.get(at)
                body.i32(6)
                body.op(Op.I32_SHL, Op.I32_ADD, Op.RETURN)
            body.get(number)
            body.get(here)
            body.op(Op.I32_SUB)
            body.set(number)
            body.increase(at, 1)
            body.branch(again)
        body.i32(0)
        body.get(number)
        body.memory(Op.I32_STORE, self._left)
        body.i32(-1)
        self.ctx.module.define(self.member, body)

    def _write_resume(self) -> None:
        """Take a member as the answer to a question, of which the entry is given."""
        body = self.ctx.module.body(self.resume)
        question, member = 0, 1
        body.get_global(self.ctx.frame)
        body.get(question)
        body.memory(Op.I32_LOAD, INTO)
        body.op(Op.I32_ADD)
        body.get(member)
        body.memory(Op.I32_STORE)
        body.get(question)
        body.memory(Op.I32_LOAD, AFTER)
        body.set_global(self.ctx.entry)
        self.ctx.module.define(self.resume, body)

    def _write_answer(self, questions: int) -> None:
        """Take the option with a number as the answer: first come the members, then the words."""
        body = self.ctx.module.body(self.answer)
        question, member = body.local(Type.I32), body.local(Type.I32)
        extras, left = body.local(Type.I64), body.local(Type.I32)
        push_question(body, questions)
        body.set(question)
        body.get(0)
        body.get(question)
        body.memory(Op.I32_LOAD, WORDS)
        body.call(self.member)
        body.set(member)
        load(body, self._left)
        body.i32(0)
        body.op(Op.I32_LT_S)
        with body.when():
            body.get(question)
            body.get(member)
            body.call(self.resume)
            body.otherwise()
            load(body, EXTRAS, Op.I64_LOAD)
            body.set(extras)
            load(body, self._left)
            body.set(left)
            drop_lowest(body, extras, left)
            body.get(question)
            body.memory(Op.I32_LOAD, TARGETS)
            body.get(extras)
            body.op(Op.I64_CTZ, Op.I32_WRAP_I64)
            body.i32(2)
            body.op(Op.I32_SHL, Op.I32_ADD)
            body.memory(Op.I32_LOAD)
            body.set_global(self.ctx.entry)
        self.ctx.module.define(self.answer, body)
