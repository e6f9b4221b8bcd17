"""Functions that draw numbers, those of :mod:`rulewright.engine.random_numbers`, and members of sets with them."""

from __future__ import annotations

from functools import cache

from rulewright.engine.native.lowering.driver.answer_functions import (
    COUNTER,
    STREAM,
    WORDS,
    AnswerFunctions,
    drop_lowest,
    entry_of,
)
from rulewright.engine.native.lowering.helpers.position_functions import mix
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import EXTRAS, QUESTION, WORD_BITS
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.module import function
from rulewright.engine.native.webassembly.terms import I32, I64, Local, Term, Variable, byte, call, mem32, mem64, select
from rulewright.engine.random_numbers import GAMMA
from rulewright.foundation.bit_sets import bits_of

HALF = 8
"""The members of one half of a short set."""


class ChanceFunctions:
    """The functions `mix` and `draw`, the number that was drawn last, and functions that draw a member of the set that
    chance is drawn for."""

    def __init__(self, ctx: LoweringContext) -> None:
        self.ctx, self.module = ctx, ctx.module
        self.drawn_at = ctx.memory.reserve(8)
        self.drawn = mem32(0, self.drawn_at)

    def write(self, answers: AnswerFunctions, questions: int) -> None:
        """Write all, given the address of the table of questions."""
        self._write_draw_of_few(questions)
        self._write_draw_of_many(answers, questions)
        self._write_draw_below(questions)

    def drawn_of(self, body: FunctionBody, key: Local, counter: Local, members: Local) -> Term:
        """A member of a set, drawn from a stream with a key and a counter."""
        size, number, word = body.locals(I32, I32, I64)
        body.set(size, members.popcnt().wrap())
        with body.when(word.tee(random_word(body, key, counter)).ge_u(-WORD_BITS)):  # perhaps of the incomplete run
            body.set(counter, call(self.draw, key, counter, size, gives=I64))
            body.set(number, self.drawn)
        with body.otherwise():
            body.set(counter, counter + 1)
            body.set(number, word.rem_u(size.extend_u()).wrap())
        return self.member_of(body, members, number)

    def member_of(self, body: FunctionBody, members: Local, number: Term) -> Term:
        """The member of a set of one word that has a number."""
        found = body.hold(number)
        self._find_member(body, members, found)
        return found

    def _find_member(self, body: FunctionBody, members: Local, number: Local) -> None:
        """Find the member with a number: by a table for each half of a short set, without branches."""
        table = self.ctx.memory.constant(_members_of_halves())
        half, count, is_high = body.locals(I32, I32, I32)
        with body.when(members.lt_u(1 << 2 * HALF)):
            body.set(count, half.tee(members.wrap() & (1 << HALF) - 1).popcnt())
            body.set(is_high, number.ge_u(count))
            # the row of the half, in it the number less those of the lower half
            row = select(members.wrap() >> HALF, half, is_high) << HALF.bit_length() - 1
            found = byte(row + (number - select(count, 0, is_high)), table)
            body.set(number, found + (is_high << HALF.bit_length() - 1))
        with body.otherwise():
            drop_lowest(body, members, number)
            body.set(number, members.ctz().wrap())

    def _write_draw_of_few(self, questions: int) -> None:
        """A member of a set of one word, drawn from the stream of a question."""
        with self.ctx.module.writing(self.ctx.draw_of_few) as (body, [members, question]):
            key, counter = body.locals(I64, I64)
            self._open_stream(body, questions, question, key, counter)
            body.push(self.drawn_of(body, key, counter, members))
            _close_stream(body, question, counter)

    def _write_draw_of_many(self, answers: AnswerFunctions, questions: int) -> None:
        """A member of the set or list that lies where offers lie, drawn from the stream of a question."""
        with self.ctx.module.writing(self.ctx.draw_of_many) as (body, [question]):
            key, counter = body.locals(I64, I64)
            body.set(mem32(0, QUESTION), question)
            body.set(mem64(0, EXTRAS), 0)
            self._open_stream(body, questions, question, key, counter)
            body.set(counter, call(self.draw, key, counter, call(answers.size), gives=I64))
            body.push(call(answers.member, self.drawn, mem32(question, WORDS)))
            _close_stream(body, question, counter)

    def _write_draw_below(self, questions: int) -> None:
        """A number below another one, drawn from the stream of a question."""
        with self.ctx.module.writing(self.ctx.draw_below) as (body, [size, question]):
            key, counter = body.locals(I64, I64)
            self._open_stream(body, questions, question, key, counter)
            body.set(counter, call(self.draw, key, counter, size, gives=I64))
            _close_stream(body, question, counter)
            body.push(self.drawn)

    def _open_stream(self, body: FunctionBody, questions: int, question: Local, key: Local, counter: Local) -> None:
        """Put the address of its entry in the place of a question's number; find the key and counter of its stream.

        The key is ``mix(mix(seed) ^ hash of its name)``.
        """
        body.set(question, entry_of(questions, question))
        seed = mem64(0, self.ctx.memory.cell_at[self.ctx.layout.seed])
        body.set(key, call(self.mix, call(self.mix, seed, gives=I64) ^ mem64(question, STREAM), gives=I64))
        body.set(counter, mem64(mem32(question, COUNTER)))

    @function("", I64, gives=I64)
    def mix(self, body: FunctionBody, word: Local) -> None:
        """The finaliser of SplitMix64."""
        body.push(mix(body, word))

    @function("", I64, I64, I32, gives=I64)
    def draw(self, body: FunctionBody, key: Local, counter: Local, size: Local) -> None:
        """A number below the third argument, given a stream's key and counter; it is left in memory, the counter given.

        Numbers from the last, incomplete run are thrown away.
        """
        below, word, spare = body.locals(I64, I64, I64)
        body.set(below, size.extend_u())
        with body.loop() as again:
            body.set(word, random_word(body, key, counter))
            body.set(counter, counter + 1)
            with body.when(word.ge_u(0 - below)):  # the last run, complete or not
                body.set(spare, (0 - below).rem_u(below))  # 2**64 modulo `below`
                # thrown away: word >= 2**64 - spare, unless nothing is spare
                body.branch_if(again, word.ge_u(0 - spare) & spare.nonzero())
        body.set(self.drawn, word.rem_u(below).wrap())
        body.push(counter)


class StreamFunctions:
    """A stream whose key and counter stand in two variables: the dice of kernels."""

    def __init__(self, chance: ChanceFunctions, key: Variable, counter: Variable) -> None:
        self.module, self._chance, self.key, self.counter = chance.module, chance, key, counter

    @function("", I32, gives=I32)
    def _below(self, body: FunctionBody, size: Local) -> None:
        """A number below a size; of one nothing is drawn."""
        with body.when(size.eq(1)):
            body.give(0)
        body.set(self.counter, call(self._chance.draw, self.key, self.counter, size, gives=I64))
        body.push(self._chance.drawn)

    def below(self, body: FunctionBody, size: Term | int) -> Term:
        """Code for :meth:`rulewright.engine.kernels.vocabulary.Dice.below`."""
        return call(self._below, size)

    def word(self, body: FunctionBody) -> Term:
        """Code for 64 random bits."""
        word = random_word(body, body.hold(self.key), body.hold(self.counter))
        body.set(self.counter, self.counter + 1)
        return word


def random_word(body: FunctionBody, key: Local, counter: Local) -> Term:
    """64 random bits from a stream with a key and a counter."""
    word = body.local(I64)
    body.set(word, key + counter * GAMMA)
    return mix(body, word)


def _close_stream(body: FunctionBody, question: Local, counter: Local) -> None:
    """Note the counter of the stream; what lies on the stack stays there."""
    body.set(mem64(mem32(question, COUNTER)), counter)


@cache
def _members_of_halves() -> bytes:
    """A row for each half of a short set: its members, and zeros."""
    rows = (bits_of(members) for members in range(1 << HALF))
    return bytes(member for row in rows for member in (*row, *[0] * (HALF - len(row))))
