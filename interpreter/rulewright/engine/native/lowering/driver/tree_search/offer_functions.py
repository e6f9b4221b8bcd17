"""Functions that describe options as what they are in any world, as :meth:`Stepper.offered` does."""

from __future__ import annotations

from rulewright.engine.cells.interchange import Interchange
from rulewright.engine.native.lowering.driver.answer_functions import FLAGS, OF_PIECES, WORDS, entry_of
from rulewright.engine.native.lowering.driver.tree_search.tree_map import (
    TreeRegisters,
)
from rulewright.engine.native.lowering.instructions.question_lowering import LISTED
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import EXTRAS, LEGAL, OPTIONS
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import (
    I32,
    I64,
    Local,
    Memory,
    Term,
    const,
    mem32,
    mem64,
    without_lowest,
)
from rulewright.engine.search_arithmetic import KIND, PIECE, ZONE


class OfferFunctions:
    """The functions `offer` and `number`, which leave what the options are in a table."""

    def __init__(self, ctx: LoweringContext, registers: TreeRegisters) -> None:
        self.ctx = ctx
        self.at = ctx.memory.reserve(8 * registers.options)
        """The address of the table."""
        self._add = ctx.module.declare((I32, I32))
        self.offer = ctx.module.declare(())
        """The function that describes each option."""
        self.number = ctx.module.declare(())
        """The function that takes each option for its number."""

    def what(self, number: Term) -> Memory:
        """An option, by its number: what it is."""
        return mem64(number << 3, self.at)

    def write(self, questions: int) -> None:
        """Write all, given the address of the table of questions."""
        self._write_add()
        self._write_offer(questions)
        with self.ctx.module.writing(self.number) as (body, []):
            at = body.local()
            with body.until(at.ge_u(mem32(0, OPTIONS)), (at, 1)):
                body.set(self.what(at), at.extend_u())

    def _write_add(self) -> None:
        """Put a piece behind so many others."""
        ctx = self.ctx
        with ctx.module.writing(self._add) as (body, [piece, count]):
            at, found = body.locals(I32, I64)
            if not ctx.layout.pieces:
                return
            kinds = ctx.memory.numbers(Interchange(ctx.layout, []).kind)
            kind = mem32(piece << 2, kinds).extend_u() << KIND
            zone = mem32(piece << 2, ctx.memory.cell_at[ctx.layout.loc]).extend_u() << ZONE
            body.set(found, kind + zone + const(PIECE, I64))
            with body.until(at.ge_u(count), (at, 1)), body.when((self.what(at) >> ZONE).eq(found >> ZONE)):
                body.set(found, found + 1)
            body.set(self.what(count), found)

    def _write_offer(self, questions: int) -> None:
        with self.ctx.module.writing(self.offer) as (body, []):
            words, pieces, count, at, end = body.locals(I32, I32, I32, I32, I32)
            word = body.local(I64)
            body.set(words, mem32(entry_of(questions), WORDS))
            body.set(pieces, mem32(entry_of(questions), FLAGS) & OF_PIECES)
            with body.when(words.eq(LISTED)):
                body.set(at, mem32(0, LEGAL) + 4)
                body.set(end, at + (mem32(at - 4) << 2))
                with body.until(at.ge_u(end), (at, 4)):
                    self._put(body, mem32(at), pieces, count)
            with body.otherwise(), body.until(at.ge_u(words), (at, 1)):
                body.set(word, mem64(at << 3, LEGAL))
                with body.until(word.eqz()):
                    self._put(body, word.ctz().wrap() + (at << 6), pieces, count)
                    body.set(word, without_lowest(word))
            body.set(word, mem64(0, EXTRAS))
            with body.until(word.eqz(), (count, 1)):
                body.set(self.what(count), -1 - word.ctz())
                body.set(word, without_lowest(word))

    def _put(self, body: FunctionBody, member: Term, pieces: Local, count: Local) -> None:
        """Put a member behind the others."""
        with body.when(pieces):
            body.call(self._add, member, count)
        with body.otherwise():
            body.set(self.what(count), member.extend_s())
        body.set(count, count + 1)
