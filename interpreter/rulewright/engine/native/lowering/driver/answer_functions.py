"""Functions about the pending question: its number of options, numbered actions, and the effect of an answer."""

from __future__ import annotations

from collections.abc import Iterator
from struct import pack

from rulewright.engine.native.lowering.instructions.question_lowering import LISTED
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import ASK, EXTRAS, LEGAL, OPTIONS, QUESTION, STATUS, TOP, WHO, WORD_BITS
from rulewright.engine.native.observation_plan import Observed
from rulewright.engine.native.values import Unsupported
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.module import function
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
    without_lowest,
)

QUESTION_BYTES = 32
"""The size of an entry of the table of questions."""
INTO, AFTER, WORDS, COUNTER, STREAM, TARGETS, FLAGS = 0, 4, 8, 12, 16, 24, 28
"""Within an entry: the offset of the slot for the answer, the basic block after the question, the words of the set
that is offered, the address of the stream's counter, the hash of its name (64 bits), the address of the blocks to which
the words lead that are offered beside the members, and :data:`IN_SECRET` and :data:`OF_PIECES`, if it is."""
IN_SECRET, OF_PIECES = 1, 2
"""A question that is answered in secret, and one that offers pieces to a player."""


def entry_of(questions: int, number: Term | None = None) -> Term:
    """The address of the entry of a question, or of the pending one."""
    question = mem32(0, QUESTION) if number is None else number
    return (question << QUESTION_BYTES.bit_length() - 1) + questions


def drop_lowest(body: FunctionBody, members: Local, number: Local) -> None:
    """Take so many members out of a set, the least first."""
    with body.until(number.eqz()):
        body.set(members, without_lowest(members))
        body.set(number, number - 1)


class AnswerFunctions:
    """The functions `size`, `member`, `resume` and `answer`."""

    def __init__(self, ctx: LoweringContext, left: int) -> None:
        self.ctx, self.module, self.questions = ctx, ctx.module, 0
        self.passed = self._left = mem32(0, left)
        """So many words beside the members are to be passed over, by `member`; less than 0 if it is a member."""

    @function("", gives=I32)
    def size(self, body: FunctionBody) -> None:
        """The number of options."""
        at, end, count = body.locals(I32, I32, I64)
        body.set(count, mem64(0, EXTRAS).popcnt())
        with body.when(end.tee(mem32(entry_of(self.questions), WORDS)).eq(LISTED)):
            body.give(mem32(mem32(0, LEGAL)) + count.wrap())
        body.set(end, end << 3)
        with body.until(at.ge_u(end), (at, 8)):
            body.set(count, mem64(at, LEGAL).popcnt() + count)
        body.push(count.wrap())

    @function("", I32, I32, gives=I32)
    def member(self, body: FunctionBody, number: Local, count: Local) -> None:
        """The member with a number among those that are offered, which lie in so many words.

        It is noted how many words beside the members to pass over, if there are fewer; -1 if it is a member.
        """
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

    @function("", I32, I32)
    def resume(self, body: FunctionBody, question: Local, member: Local) -> None:
        """Take a member as the answer to a question, of which the entry is given."""
        body.set(mem32(self.ctx.frame + mem32(question, INTO)), member)
        body.set(self.ctx.entry, mem32(question, AFTER))

    @function("", I32)
    def answer(self, body: FunctionBody, option: Local) -> None:
        """Take the option with a number as the answer: first come the members, then the words."""
        question, member, extras, left = body.locals(I32, I32, I64, I32)
        body.set(question, entry_of(self.questions))
        body.set(member, call(self.member, option, mem32(question, WORDS)))
        with body.when(self._left.lt_s(0)):
            body.call(self.resume, question, member)
            if self.ctx.coverage is not None:
                self.ctx.coverage.taken(body, mem32(0, QUESTION), member)
        with body.otherwise():
            body.set(extras, mem64(0, EXTRAS))
            body.set(left, self._left)
            drop_lowest(body, extras, left)
            if self.ctx.coverage is not None:
                self.ctx.coverage.word_taken(body, extras.ctz().wrap())
            body.set(self.ctx.entry, mem32(mem32(question, TARGETS) + (extras.ctz().wrap() << 2)))


def rows_of_cells(ctx: LoweringContext, first: int, count: int, span: int) -> tuple[int, int]:
    """The address of the first of some rows of cells, and the bytes from one to the next."""
    memory, places = ctx.memory, range(first, first + count * span, span)
    found = [memory.cell_at[place] for place in places]
    step = found[1] - found[0] if count > 1 else 0
    if any(one != found[0] + number * step for number, one in enumerate(found)):
        raise Unsupported("observations of such fields")
    return found[0], step


def knows(ctx: LoweringContext, player: Term, piece: Term) -> Term:
    """1 if a player remembers a piece, else 0."""
    first, step = rows_of_cells(ctx, ctx.layout.known, ctx.program.players, 1)
    return mem32(player * step + (piece >> 5 << 2), first) >> (piece & 31) & 1


COLUMN, FIRST, LOW, MEMBERS, ACTION_WORDS, LOOKS = 0, 4, 8, 12, 16, 20
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

    def write(self, places: list[tuple[int, int]]) -> None:
        """Write the functions, given the function and the instruction of each question."""
        self._table = self._questions(places)
        self._write_option()
        with self.ctx.module.writing(self._option_in) as (body, [state, action]):
            body.copy(0, state, mem32(state, TOP))
            body.push(call(self.option, action))

    def _questions(self, places: list[tuple[int, int]]) -> int:
        """The address of a table with an entry for each question."""
        known = {(one.function, one.pc): one for one in self.plan.questions}
        names = [one.name for one in self.ctx.program.functions]
        rows = b""
        for number, (place, pc) in enumerate(places):
            one, offered = known.get((names[place], pc)), self.ctx.offered_words.get(number, 0)
            row = (0,) * 6
            if one is not None:
                looks = self.ctx.memory.numbers(one.looks) if one.looks else 0
                row = one.column, one.first, one.low, one.members, offered, looks
            rows += pack("<6i8x", *row)
        return self.ctx.memory.constant(rows)

    def entry(self) -> Term:
        """The address of the entry of the pending question."""
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
            with body.when(end.tee(mem32(question, ACTION_WORDS)).eq(LISTED)):
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
            body.set(look, call(self._answers.member, at, mem32(question, ACTION_WORDS)))
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
        """Find the zone and the kind of a piece, as far as an option has them: in a row or stack a piece is identified
        by its place where its face is not seen."""
        ctx, who = self.ctx, mem32(0, WHO)
        body.set(zone, mem32(piece << 2, ctx.memory.cell_at[ctx.layout.loc]))
        body.set(kind, mem32(piece << 2, ctx.memory.numbers(self.plan.kinds)))
        everyone = (1 << ctx.program.players) - 1
        faces = ctx.memory.numbers(self.plan.faces)
        visible = zip(self.plan.faces, ctx.layout.instances, strict=True)
        named = ctx.memory.numbers(tuple(seers if zone.ordered else everyone for seers, zone in visible))
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
                with body.when(mem32(question, ACTION_WORDS).eq(LISTED)):
                    body.set(listed, mem32(0, LEGAL))
                    with (
                        body.until(found.ge_u(mem32(listed)), (found, 1)),
                        body.when(mem32(listed + (found << 2), 4).eq(action)),
                    ):
                        body.give(found)
                    body.give(-1)
                with body.when((action >> 6).ge_u(mem32(question, ACTION_WORDS))):
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
