"""The function that finds the option of a numbered action, and the mask of the actions that are legal."""

from __future__ import annotations

from collections.abc import Iterator
from struct import pack

from rulewright.engine.native.lowering.driver.answer_functions import AnswerFunctions
from rulewright.engine.native.lowering.driver.observed_cells import knows
from rulewright.engine.native.lowering.instructions.question_lowering import LISTED
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import EXTRAS, LEGAL, OPTIONS, QUESTION, STATUS, TOP, WHO
from rulewright.engine.native.observed import Observed
from rulewright.engine.native.statuses import ASK
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import (
    I32,
    I64,
    Local,
    Term,
    byte,
    call,
    const,
    mem32,
    mem64,
    select,
)
from rulewright.engine.native.word_sizes import WORD_BITS

COLUMN, FIRST, LOW, MEMBERS, WORDS, LOOKS = 0, 4, 8, 12, 16, 20
"""Within the entry of a question: see `ObservedQuestion`; the words of the set that is offered, or LISTED; the address
of its table of pieces, or 0."""
ENTRY_BYTES = 32


class ActionFunctions:
    """The function `option`, and what writes masks."""

    def __init__(self, ctx: LoweringContext, plan: Observed, answers: AnswerFunctions) -> None:
        self.ctx, self.plan, declare = ctx, plan, ctx.module.declare
        self._answers, self._table = answers, 0
        self._hides = bool(plan.faces)
        self._kinds = max(plan.kinds, default=0) + 1 + self._hides
        self._alike = ctx.memory.reserve(4 * self._kinds * max(1, len(ctx.layout.instances) + self._hides))
        """The address where the pieces offered are counted that lie in one zone and look the same; zeros otherwise."""
        self.option = declare((I32,), (I32,))
        """The function that finds the option of an action; -1 if it is not legal."""
        self._option_in = declare((I32, I32), (I32,), "option_in")

    def write(self, asked: list[tuple[int, int]]) -> None:
        """Write the functions, given the function and the instruction of each question."""
        self._table = self._questions(asked)
        self._write_option()
        with self.ctx.module.writing(self._option_in) as (body, [state, action]):
            body.copy(0, state, mem32(state, TOP))
            body.push(call(self.option, action))

    def _questions(self, asked: list[tuple[int, int]]) -> int:
        """The address of a table with an entry for each question."""
        known = {(one.function, one.pc): one for one in self.plan.questions}
        names = [function.name for function in self.ctx.program.functions]
        rows = b""
        for number, (function, pc) in enumerate(asked):
            one, offered = known.get((names[function], pc)), self.ctx.offered_words.get(number, 0)
            told = (0,) * 6
            if one is not None:
                looks = self.ctx.memory.numbers(one.looks) if one.looks else 0
                told = one.column, one.first, one.low, one.members, offered, looks
            rows += pack("<6i8x", *told)
        return self.ctx.memory.constant(rows)

    def entry(self) -> Term:
        """The address of the entry of the question that is asked."""
        return mem32(0, QUESTION) * ENTRY_BYTES + self._table

    def mark(self, body: FunctionBody, question: Local, mask: Local) -> None:
        """Mark the actions that are legal."""
        first, at, end, word, listed = body.locals(I32, I32, I32, I64, I32)
        body.set(first, mask + mem32(question, FIRST) - mem32(question, LOW))
        with body.block() as done:
            if self.plan.kinds:
                with body.when(mem32(question, LOOKS)):
                    for _, number in self._offered_pieces(body, question):
                        body.set(byte(first + number), 1)
                    body.branch(done)
            with body.when(end.tee(mem32(question, WORDS)).eq(LISTED)):
                body.set(listed, mem32(0, LEGAL))
                body.set(end, mem32(listed))
                with body.until(at.ge_u(end), (at, 1)):
                    body.set(byte(first + mem32(listed + (at << 2), 4)), 1)
                body.branch(done)
            with body.until(at.ge_u(end), (at, 1)):
                body.set(word, mem64(at << 3, LEGAL))
                with body.until(word.eqz()):
                    body.set(byte(first + (at << 6) + word.ctz().wrap()), 1)
                    body.set(word, word & (word - 1))
        body.set(first, mask + mem32(question, FIRST) + mem32(question, MEMBERS))
        body.set(word, mem64(0, EXTRAS))
        with body.until(word.eqz()):
            body.set(byte(first + word.ctz().wrap()), 1)
            body.set(word, word & (word - 1))

    def _offered_pieces(self, body: FunctionBody, question: Local) -> Iterator[tuple[Local, Local]]:
        """A loop over the pieces that are offered: for each the number of the option and of the piece. What is written
        between them stands inside of the loop."""
        ctx = self.ctx
        at, end, look, number = body.locals(I32, I32, I32, I32)
        zone, kind = body.locals(I32, I32)
        kinds, lying = ctx.memory.numbers(self.plan.kinds), ctx.memory.cell_at[ctx.layout.loc]

        def find() -> None:
            """Find the zone and the kind of a piece."""
            body.set(look, call(self._answers.member, at, mem32(question, WORDS)))
            if self._hides:
                self._find_hidden(body, look, zone, kind)
                body.set(look, zone * self._kinds + kind << 2)
                return
            body.set(look, look << 2)
            body.set(look, mem32(look, lying) * self._kinds + mem32(look, kinds) << 2)

        body.set(end, mem32(0, OPTIONS) - mem64(0, EXTRAS).popcnt().wrap())
        body.set(at, 0)
        with body.until(at.ge_u(end), (at, 1)):
            find()
            body.trap_if(number.tee(mem32(look + mem32(question, LOOKS))).lt_s(0))
            body.set(number, number + mem32(look, self._alike))
            body.set(mem32(look, self._alike), mem32(look, self._alike) + 1)
            yield at, number
        body.set(at, 0)
        with body.until(at.ge_u(end), (at, 1)):
            find()
            body.set(mem32(look, self._alike), 0)

    def _find_hidden(self, body: FunctionBody, piece: Local, zone: Local, kind: Local) -> None:
        """Find the zone and the kind of a piece, as far as an option tells them: in a row or stack a piece is told by
        its place where its face is not seen."""
        ctx, who = self.ctx, mem32(0, WHO)
        body.set(zone, mem32(piece << 2, ctx.memory.cell_at[ctx.layout.loc]))
        body.set(kind, mem32(piece << 2, ctx.memory.numbers(self.plan.kinds)))
        everyone = (1 << ctx.program.players) - 1
        faces = ctx.memory.numbers(self.plan.faces)
        told = zip(self.plan.faces, ctx.layout.instances, strict=True)
        named = ctx.memory.numbers(tuple(seers if zone.ordered else everyone for seers, zone in told))
        with body.when(mem32(zone << 2, faces).ne(everyone)):
            with body.when((mem32(zone << 2, named) >> who & 1).eqz() & knows(self.ctx, who, piece).eqz()):
                body.set(kind, self._kinds - 1)
            body.set(zone, len(ctx.layout.instances))

    def _write_option(self) -> None:
        """The number of the option of an action; -1 if it is not legal."""
        with self.ctx.module.writing(self.option) as (body, [action]):
            question, members, found, at, end, word = body.locals(I32, I32, I32, I32, I32, I64)
            listed, one = end, const(1, I64)
            with body.when(mem32(0, STATUS).ne(ASK)):
                body.give(-1)
            body.set(question, self.entry())
            body.set(action, action - mem32(question, FIRST))
            body.set(members, mem32(question, MEMBERS))
            with body.when(action.lt_s(0)):
                body.give(-1)
            with body.when(action.lt_s(members)):
                if self.plan.kinds:
                    with body.when(mem32(question, LOOKS)):
                        body.set(found, -1)
                        for option, number in self._offered_pieces(body, question):
                            body.set(found, select(option, found, number.eq(action)))
                        body.give(found)
                body.set(action, action + mem32(question, LOW))
                with body.when(mem32(question, WORDS).eq(LISTED)):
                    body.set(listed, mem32(0, LEGAL))
                    with (
                        body.until(found.ge_u(mem32(listed)), (found, 1)),
                        body.when(mem32(listed + (found << 2), 4).eq(action)),
                    ):
                        body.give(found)
                    body.give(-1)
                with body.when((action >> 6).ge_u(mem32(question, WORDS))):
                    body.give(-1)
                with body.until(at.eq(action >> 6), (at, 1)):
                    body.set(found, found + mem64(at << 3, LEGAL).popcnt().wrap())
                body.set(word, mem64(at << 3, LEGAL))
                bit = (action & WORD_BITS - 1).extend_u()
                with body.when((word >> bit & 1).eqz()):
                    body.give(-1)
                below = word & (one << bit) - 1
                body.give(found + below.popcnt().wrap())
            body.set(action, action - members)
            with body.when(action.ge_u(WORD_BITS)):
                body.give(-1)
            body.set(word, mem64(0, EXTRAS))
            with body.when((word >> action.extend_u() & 1).eqz()):
                body.give(-1)
            body.set(found, mem32(0, OPTIONS) - word.popcnt().wrap())
            body.push(found + (word & (one << action.extend_u()) - 1).popcnt().wrap())
