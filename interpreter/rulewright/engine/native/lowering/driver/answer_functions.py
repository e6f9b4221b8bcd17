"""Functions about the question that is asked: how many options it has, and what follows from one of them."""

from __future__ import annotations

from rulewright.engine.native.lowering.instructions.question_lowering import LISTED
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import EXTRAS, LEGAL, QUESTION
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import I32, I64, Local, Term, call, mem32, mem64, without_lowest

QUESTION_BYTES = 32
"""The size of an entry of the table of questions."""
INTO, AFTER, WORDS, COUNTER, STREAM, TARGETS, FLAGS = 0, 4, 8, 12, 16, 24, 28
"""Within an entry: the offset of the slot for the answer, the basic block after the question, the words of the set
that is offered, the address of the stream's counter, the hash of its name (64 bits), the address of the blocks to which
the words lead that are offered beside the members, and :data:`IN_SECRET` and :data:`OF_PIECES`, if it is."""
IN_SECRET, OF_PIECES = 1, 2
"""A question that is answered in secret, and one that offers pieces to a player."""


def entry_of(questions: int, number: Term | None = None) -> Term:
    """The address of the entry of a question, or of the one that is asked."""
    asked = mem32(0, QUESTION) if number is None else number
    return (asked << QUESTION_BYTES.bit_length() - 1) + questions


def drop_lowest(body: FunctionBody, members: Local, number: Local) -> None:
    """Take so many members out of a set, the least first."""
    with body.until(number.eqz()):
        body.set(members, without_lowest(members))
        body.set(number, number - 1)


class AnswerFunctions:
    """The functions `size`, `member`, `resume` and `answer`."""

    def __init__(self, ctx: LoweringContext, left: int) -> None:
        self.ctx, declare = ctx, ctx.module.declare
        self.member = declare((I32, I32), (I32,))
        self.resume = declare((I32, I32))
        self.size = declare((), (I32,))
        self.answer = declare((I32,))
        self.passed = self._left = mem32(0, left)
        """So many words beside the members are to be passed over, as `member` says; less than 0 if it is a member."""

    def write(self, questions: int) -> None:
        """Write all, given the address of the table of questions."""
        self._write_member()
        self._write_resume()
        self._write_size(questions)
        self._write_answer(questions)

    def _write_size(self, questions: int) -> None:
        """The number of options."""
        with self.ctx.module.writing(self.size) as (body, []):
            at, end, count = body.locals(I32, I32, I64)
            body.set(count, mem64(0, EXTRAS).popcnt())
            with body.when(end.tee(mem32(entry_of(questions), WORDS)).eq(LISTED)):
                body.give(mem32(mem32(0, LEGAL)) + count.wrap())
            body.set(end, end << 3)
            with body.until(at.ge_u(end), (at, 8)):
                body.set(count, mem64(at, LEGAL).popcnt() + count)
            body.push(count.wrap())

    def _write_member(self) -> None:
        """The member with a number among those that are offered, which lie in so many words.

        It is noted how many words beside the members to pass over, if there are fewer; -1 if it is a member.
        """
        with self.ctx.module.writing(self.member) as (body, [number, count]):
            at, word, here = body.locals(I32, I64, I32)
            body.set(self._left, -1)
            with body.when(count.eq(LISTED)):
                body.set(count, 0)
                with body.when(here.tee(mem32(at.tee(mem32(0, LEGAL)))).gt_u(number)):
                    body.give(mem32(at + (number << 2), 4))
                body.set(number, number - here)
                body.set(at, 0)
            with body.until(at.ge_u(count), (at, 1)):
                with body.when(here.tee(word.tee(mem64(at << 3, LEGAL)).popcnt().wrap()).gt_s(number)):
                    drop_lowest(body, word, number)
                    body.give(word.ctz().wrap() + (at << 6))
                body.set(number, number - here)
            body.set(self._left, number)
            body.push(-1)

    def _write_resume(self) -> None:
        """Take a member as the answer to a question, of which the entry is given."""
        with self.ctx.module.writing(self.resume) as (body, [question, member]):
            body.set(mem32(self.ctx.frame + mem32(question, INTO)), member)
            body.set(self.ctx.entry, mem32(question, AFTER))

    def _write_answer(self, questions: int) -> None:
        """Take the option with a number as the answer: first come the members, then the words."""
        with self.ctx.module.writing(self.answer) as (body, [option]):
            question, member, extras, left = body.locals(I32, I32, I64, I32)
            body.set(question, entry_of(questions))
            body.set(member, call(self.member, option, mem32(question, WORDS)))
            with body.when(self._left.lt_s(0)):
                body.call(self.resume, question, member)
            with body.otherwise():
                body.set(extras, mem64(0, EXTRAS))
                body.set(left, self._left)
                drop_lowest(body, extras, left)
                body.set(self.ctx.entry, mem32(mem32(question, TARGETS) + (extras.ctz().wrap() << 2)))
