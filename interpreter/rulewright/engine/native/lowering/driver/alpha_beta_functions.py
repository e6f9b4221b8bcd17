"""Alpha-beta search to the end of the game, and its memory: registers, a table of positions, the path to the leaf.

The same positions are searched in the same order as by the solver of the laboratory, which gives the algorithm
and its sources. Nothing recurses: the path stands in memory, so the search can be stopped anywhere and goes on when the
host has looked at the clock. The host lays the table behind everything else and free memory behind that. A node is a
position on the path, with the answers that are left to be searched, the state, and the states behind these answers.
"""

from __future__ import annotations

from rulewright.engine.native.lowering.driver.answer_functions import WORDS, AnswerFunctions, entry_of
from rulewright.engine.native.lowering.driver.tree_search.payoff_functions import PayoffFunctions
from rulewright.engine.native.lowering.driver.tree_search.tree_map import PAYOFFS, TreeRegisters
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import EXTRAS, FRAME_AT, OPTIONS, TOP, WHO
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import (
    I32,
    I64,
    Local,
    Memory,
    Term,
    call,
    greater,
    lesser,
    mem32,
    mem64,
    real,
    select,
)

LOWEST, HIGHEST = -(1 << 30), 1 << 30
"""In place of a bound that is not known."""
LABELS = 1 << 10
"""Answers that the history distinguishes."""

ENTRY_BYTES = 24
"""An entry of the table: a digest of 16 bytes, the least and the most that the position is worth."""
KEY_1, KEY_2 = 0, 8
"""Within the registers, nodes and answers: the digest of a position."""
PARENT, FIRST, BOUND, LEFT, LABEL, DEPTH, NODE_BYTES = 16, 20, 24, 28, 32, 36, 40
"""Within a node: the one before it on the way, whether the first seat decides, the best of its answers so far, how
many are left, the answer that is being searched, and how many answers more are looked ahead. Behind it stand these
answers, then the states."""
MOBILITY, TIMES, AFTER, AGAIN, KID_BYTES = 16, 20, 24, 28, 40
"""Within an answer (its label as in a node): by what it is ordered, the state behind it, whether that is on the way."""

GOES_ON, ENDED, SPENT, NO_ROOM, COMES_AGAIN, DIFFERS = range(6)
"""The states of a search: it goes on, an answer has a result, no more positions may be looked at, there is no room for
the way, a position comes again, payoffs have two sums."""
DONE = -1
"""The search is over, and its result is that of the position with which it began."""

(
    TABLE, MASK, FREE, LIMIT, NODE, STATE, RESULT, WANTED, FOUND_LOW, FOUND_HIGH, SUM_KNOWN, SUM, OTHER,
    HORIZON, BEYOND, AHEAD,
) = range(16, 80, 4)  # fmt: skip
POSITIONS, MOST, STOP, HISTORY = range(80, 112, 8)
"""Within the registers: the table and the number of its pairs of entries less one; free memory and its end; the last
node of the way, the state of the search, its result, the wanted value; the bounds that were found; whether
the sum of the payoffs is known, the sum, and another one; how many answers are looked ahead (0: to the end), what a
position beyond them is worth, and how many are left behind a position, for its digest; the positions that were looked
at, those at which the search stops for good, and those at which it stops to look at the clock; how often answers were
good."""


class AlphaBetaRegisters:
    """The registers of a search."""

    def __init__(self, ctx: LoweringContext) -> None:
        self.at = ctx.memory.reserve(HISTORY + 4 * 2 * LABELS)

    def number(self, register: int) -> Memory:
        """A register of 32 bits."""
        return mem32(0, self.at + register)

    def word(self, register: int) -> Memory:
        """A register of 64 bits."""
        return mem64(0, self.at + register)


_FACTORS = 0x9FB21C651E98DF25, 0xD6E8FEB86659FD93
"""Odd numbers with bits that look random."""


class AlphaBetaFunctions:
    """The functions `ask` and `prove`, and what they need."""

    def __init__(
        self, ctx: LoweringContext, answers: AnswerFunctions, settle: int, payoffs: PayoffFunctions, tree: TreeRegisters
    ) -> None:
        self.ctx, declare = ctx, ctx.module.declare
        self._answers, self._settle, self._payoffs, self._tree = answers, settle, payoffs, tree
        self.registers = AlphaBetaRegisters(ctx)
        self._key = declare(())
        self._find = declare((I64, I64))
        self._note = declare((I64, I64, I32, I32))
        self._learn = declare((I32, I32), (I32,))
        self._leave = declare((I32,))
        self._go_to = declare((I32,))
        self._end = declare((), (I32,))
        self._label = declare((I32, I32), (I32,))
        self._enter = declare((I64, I64, I64))
        self._next = declare((I32, I64))
        self._ask = declare((I64,), (), "ask")
        self._prove = declare((I64,), (I32,), "prove")

    def write(self, questions: int) -> None:
        """Write all, given the address of the table of questions."""
        self._write_key()
        self._write_find()
        self._write_note()
        self._write_learn()
        self._write_leave()
        self._write_go_to()
        self._write_end()
        self._write_label(questions)
        self._write_enter()
        self._write_next()
        self._write_ask()
        self._write_prove()

    # ------------------------------------------------------------------------------------------------------- table

    def _write_key(self) -> None:
        """The digest of the state, in two registers."""
        registers = self.registers
        with self.ctx.module.writing(self._key) as (body, []):
            at, top = body.locals(I32, I32)
            one, two = body.locals(I64, I64)
            body.set(one, registers.number(AHEAD).extend_u())
            body.set(two, one)
            body.set(at, self.ctx.memory.cells)
            body.set(top, mem32(0, TOP))
            with body.until((at + 8).gt_u(top), (at, 8)):
                self._add(body, one, two, mem64(at))
            with body.when(at.lt_u(top)):
                self._add(body, one, two, mem32(at).extend_u())
            body.set(registers.word(KEY_1), one)
            body.set(registers.word(KEY_2), two | 1)  # so that no key is 0, as an unwritten entry

    @staticmethod
    def _add(body: FunctionBody, one: Local, two: Local, word: Term) -> None:
        """Take a word into both parts of a digest."""
        body.set(one, (one ^ word) * _FACTORS[0])
        body.set(one, one ^ one >> 29)
        body.set(two, (two ^ word) * _FACTORS[1])
        body.set(two, two ^ two >> 32)

    def _entry(self, key: Local) -> Term:
        """The address of the first of the two entries in which a position may stand."""
        number = (key.wrap() & self.registers.number(MASK)) * (2 * ENTRY_BYTES)
        return number + self.registers.number(TABLE)

    def _write_find(self) -> None:
        """The bounds of a position, in two registers."""
        registers = self.registers
        with self.ctx.module.writing(self._find) as (body, [one, two]):
            at, left = body.locals(I32, I32)
            body.set(at, self._entry(one))
            with body.until(left.eq(2), (left, 1)):
                with body.when(mem64(at).eq(one) & mem64(at, 8).eq(two)):
                    body.set(registers.number(FOUND_LOW), mem32(at, 16))
                    body.set(registers.number(FOUND_HIGH), mem32(at, 20))
                    body.give()
                body.set(at, at + ENTRY_BYTES)
            body.set(registers.number(FOUND_LOW), LOWEST)
            body.set(registers.number(FOUND_HIGH), HIGHEST)

    def _write_note(self) -> None:
        """Note bounds of a position, beside those that are known. A new one takes the first of two places, and what
        stood there the second: so what was noted lately stays longest."""
        with self.ctx.module.writing(self._note) as (body, [one, two, low, high]):
            at, other = body.locals(I32, I32)
            body.set(at, self._entry(one))
            with body.when((mem64(at).eq(one) & mem64(at, 8).eq(two)).eqz()):
                body.set(other, at + ENTRY_BYTES)
                with body.when(mem64(other).eq(one) & mem64(other, 8).eq(two)):
                    body.set(at, other)
                with body.otherwise():
                    body.copy(other, at, ENTRY_BYTES)
                    body.set(mem64(at), one)
                    body.set(mem64(at, 8), two)
                    body.set(mem32(at, 16), LOWEST)
                    body.set(mem32(at, 20), HIGHEST)
            body.set(mem32(at, 16), greater(mem32(at, 16), low))
            body.set(mem32(at, 20), lesser(mem32(at, 20), high))

    # ------------------------------------------------------------------------------------------------------- nodes

    def _write_learn(self) -> None:
        """Note what an answer of a node is worth; 1 if the question is answered by it."""
        registers = self.registers
        with self.ctx.module.writing(self._learn) as (body, [node, result]):
            at, good, first = body.locals(I32, I32, I32)
            wanted, bound = registers.number(WANTED), mem32(node, BOUND)
            with body.when(first.tee(mem32(node, FIRST))):
                body.set(mem32(node, BOUND), greater(bound, result))
                body.set(good, result.ge_s(wanted))
            with body.otherwise():
                body.set(mem32(node, BOUND), lesser(bound, result))
                body.set(good, result.lt_s(wanted))
            with body.when(good):
                body.set(at, self._times(first, mem32(node, LABEL)))
                body.set(mem32(at), mem32(at) + 1)
            body.push(good)

    def _times(self, first: Term, label: Term) -> Term:
        """The address of how often an answer was good for a seat."""
        return ((first * LABELS + (label & LABELS - 1)) << 2) + (self.registers.at + HISTORY)

    def _write_leave(self) -> None:
        """Note what a node is worth, which is the last on the way."""
        registers = self.registers
        with self.ctx.module.writing(self._leave) as (body, [node]):
            bound = body.hold(mem32(node, BOUND))
            proved = body.hold(bound.ge_s(registers.number(WANTED)))
            low, high = select(bound, LOWEST, proved), select(HIGHEST, bound, proved)
            body.call(self._note, mem64(node, KEY_1), mem64(node, KEY_2), low, high)
            self._give(body, bound)
            body.set(registers.number(NODE), mem32(node, PARENT))
            body.set(registers.number(FREE), node)

    def _give(self, body: FunctionBody, result: Term) -> None:
        """Let something be the result."""
        body.set(self.registers.number(RESULT), result)
        body.set(self.registers.number(STATE), ENDED)

    def _write_go_to(self) -> None:
        """Let the state be one that was kept."""
        with self.ctx.module.writing(self._go_to) as (body, [kept]):
            body.copy(0, kept, mem32(kept, TOP))
            self.ctx.memos.invalidate_all(body)

    def _write_end(self) -> None:
        """The payoff of the first seat in a game that is over; the search stops if the sum is not what it was."""
        registers = self.registers
        with self.ctx.module.writing(self._end) as (body, []):
            one, two = (body.hold(payoff) for payoff in self._ends(body))
            total = body.hold(one + two)
            with body.when(registers.number(SUM_KNOWN)), body.when(total.ne(registers.number(SUM))):
                body.set(registers.number(OTHER), total)
                body.set(registers.number(STATE), DIFFERS)
            with body.otherwise():
                body.set(registers.number(SUM_KNOWN), 1)
                body.set(registers.number(SUM), total)
            body.push(one)

    def _ends(self, body: FunctionBody) -> list[Term]:
        """The payoffs of both seats: what they were paid, or 1, 0 or -1."""
        if not self._payoffs.by_place:
            return [mem32(0, at) for at in self.ctx.memory.cell_at[self.ctx.layout.paid]]
        body.call(self._payoffs.find)
        found = (self._tree.real(PAYOFFS + 8 * seat) for seat in range(2))
        return [payoff.gt(real(0.0)) - payoff.lt(real(0.0)) for payoff in found]

    def _write_label(self, questions: int) -> None:
        """The number of an option in every position with this question: a member, or less than 0 a word beside them."""
        left = self._answers.passed
        with self.ctx.module.writing(self._label) as (body, [option, members]):
            member = body.hold(call(self._answers.member, option, mem32(entry_of(questions), WORDS)))
            body.push(select(member, option - members ^ -1, left.lt_s(0)))

    def _write_enter(self) -> None:
        """Make a node of the state, and give all answers to its question; or the result, if one of them decides it."""
        registers = self.registers
        with self.ctx.module.writing(self._enter) as (body, [one, two, steps]):
            node, first, size, members, kept, kid, option, result, again = body.locals(*([I32] * 9))
            low, high, more, way, depth = body.locals(I32, I32, I32, I32, I32)
            key_1, key_2 = body.locals(I64, I64)
            body.set(depth, registers.number(HORIZON))
            with body.when(depth.nonzero() & registers.number(NODE).nonzero()):
                body.set(depth, mem32(registers.number(NODE), DEPTH) - 1)
            body.set(node, registers.number(FREE))
            body.set(size, mem32(0, OPTIONS))
            kids = node + NODE_BYTES
            body.set(kept, kids + size * KID_BYTES)
            with body.when((kept + mem32(0, TOP) + 8).gt_u(registers.number(LIMIT))):
                body.set(registers.number(STATE), NO_ROOM)
                body.give()
            body.set(first, mem32(0, WHO).eqz())
            body.set(members, size - mem64(0, EXTRAS).popcnt().wrap())
            for at, value in (
                (PARENT, registers.number(NODE)),
                (FIRST, first),
                (BOUND, select(LOWEST, HIGHEST, first)),
                (LEFT, 0),
                (DEPTH, depth),
            ):
                body.set(mem32(node, at), value)
            body.set(registers.number(AHEAD), select(depth - 1, 0, depth))
            body.set(mem64(node, KEY_1), one)
            body.set(mem64(node, KEY_2), two)
            body.copy(kept, 0, mem32(0, TOP))
            body.set(registers.number(FREE), kept + mem32(0, TOP) + 7 & -8)
            body.set(registers.number(NODE), node)
            positions = registers.word(POSITIONS)
            body.set(positions, positions + size.extend_u())
            with body.when(positions.ge_u(registers.word(MOST))):
                body.set(registers.number(STATE), SPENT)
                body.give()
            body.set(kid, kids)
            with body.until(option.ge_u(size), (option, 1)):
                with body.when(option):
                    body.call(self._go_to, kept)
                body.set(mem32(node, LABEL), call(self._label, option, members))
                body.set(self.ctx.frame, mem32(0, FRAME_AT))
                body.call(self._answers.answer, option)
                body.drop(call(self._settle, steps))
                with body.block() as known:
                    with body.when(more.tee(mem32(0, OPTIONS)).eqz()):
                        body.set(result, call(self._end))
                        with body.when(registers.number(STATE)):
                            body.give()
                        body.branch(known)
                    with body.when(depth.eq(1)):
                        body.set(result, registers.number(BEYOND))
                        body.branch(known)
                    body.call(self._key)
                    body.set(key_1, registers.word(KEY_1))
                    body.set(key_2, registers.word(KEY_2))
                    body.call(self._find, key_1, key_2)
                    body.set(low, registers.number(FOUND_LOW))
                    body.set(high, registers.number(FOUND_HIGH))
                    body.set(result, select(low, high, low.ge_s(registers.number(WANTED))))
                    body.branch_if(known, low.ge_s(registers.number(WANTED)) | high.lt_s(registers.number(WANTED)))
                    body.set(again, 0)
                    body.set(way, node)
                    with body.until(way.eqz() | again):
                        body.set(again, mem64(way, KEY_1).eq(key_1) & mem64(way, KEY_2).eq(key_2))
                        body.set(way, mem32(way, PARENT))
                    same = mem32(0, WHO).eqz().eq(first)
                    mobility = select(LOWEST, select(more, 0 - more, same), again)
                    for at, value in (
                        (MOBILITY, mobility),
                        (TIMES, mem32(self._times(first, mem32(node, LABEL)))),
                        (AFTER, registers.number(FREE)),
                        (LABEL, mem32(node, LABEL)),
                        (AGAIN, again),
                    ):
                        body.set(mem32(kid, at), value)
                    body.set(mem64(kid, KEY_1), key_1)
                    body.set(mem64(kid, KEY_2), key_2)
                    after = registers.number(FREE)
                    with body.when((after + mem32(0, TOP) + 8).gt_u(registers.number(LIMIT))):
                        body.set(registers.number(STATE), NO_ROOM)
                        body.give()
                    body.copy(after, 0, mem32(0, TOP))
                    body.set(after, after + mem32(0, TOP) + 7 & -8)
                    body.set(kid, kid + KID_BYTES)
                    body.set(mem32(node, LEFT), mem32(node, LEFT) + 1)
                    body.set(result, LOWEST - 1)
                with body.when(result.ge_s(LOWEST)), body.when(call(self._learn, node, result)):
                    body.call(self._leave, node)
                    body.give()

    def _write_next(self) -> None:
        """Go on with the best of the answers that are left to a node."""
        registers = self.registers
        with self.ctx.module.writing(self._next) as (body, [node, steps]):
            at, end, best, low, high, way = body.locals(I32, I32, I32, I32, I32, I32)
            key_1, key_2 = body.locals(I64, I64)
            body.set(best, at.tee(node + NODE_BYTES))
            body.set(end, at + mem32(node, LEFT) * KID_BYTES)
            with body.until(at.ge_u(end), (at, KID_BYTES)):
                more = mem32(at, MOBILITY).gt_s(mem32(best, MOBILITY))
                as_many = mem32(at, MOBILITY).eq(mem32(best, MOBILITY))
                body.set(best, select(at, best, more | as_many & mem32(at, TIMES).ge_s(mem32(best, TIMES))))
            body.set(mem32(node, LABEL), mem32(best, LABEL))
            body.set(key_1, mem64(best, KEY_1))
            body.set(key_2, mem64(best, KEY_2))
            body.set(at, mem32(best, AFTER))
            # the others keep their order, as the last of those that are as good comes first
            body.copy(best, best + KID_BYTES, end - best - KID_BYTES)
            body.set(mem32(node, LEFT), mem32(node, LEFT) - 1)
            body.call(self._find, key_1, key_2)
            body.set(low, registers.number(FOUND_LOW))
            body.set(high, registers.number(FOUND_HIGH))
            wanted = registers.number(WANTED)
            with body.when(low.ge_s(wanted) | high.lt_s(wanted)):
                self._give(body, select(low, high, low.ge_s(wanted)))
                body.give()
            body.set(way, node)
            with body.until(way.eqz()):
                with body.when(mem64(way, KEY_1).eq(key_1) & mem64(way, KEY_2).eq(key_2)):
                    body.set(registers.number(STATE), COMES_AGAIN)
                    body.give()
                body.set(way, mem32(way, PARENT))
            body.call(self._go_to, at)
            body.call(self._enter, key_1, key_2, steps)

    # ------------------------------------------------------------------------------------------------------ search

    def _write_ask(self) -> None:
        """Begin a search from the state, with so many steps for each answer."""
        registers = self.registers
        with self.ctx.module.writing(self._ask) as (body, [steps]):
            low, high = registers.number(FOUND_LOW), registers.number(FOUND_HIGH)
            wanted = registers.number(WANTED)
            body.set(registers.number(NODE), 0)
            body.set(registers.number(STATE), GOES_ON)
            body.set(registers.number(AHEAD), registers.number(HORIZON))
            body.call(self._key)
            body.call(self._find, registers.word(KEY_1), registers.word(KEY_2))
            with body.when(low.ge_s(wanted) | high.lt_s(wanted)):
                self._give(body, select(low, high, low.ge_s(wanted)))
            with body.otherwise():
                body.call(self._enter, registers.word(KEY_1), registers.word(KEY_2), steps)

    def _write_prove(self) -> None:
        """Go on with the search until it is over, or so many positions were looked at; why it has stopped."""
        registers = self.registers
        with self.ctx.module.writing(self._prove) as (body, [steps]):
            node, state = body.locals(I32, I32)
            with body.loop() as again:
                body.set(node, registers.number(NODE))
                body.set(state, registers.number(STATE))
                with body.when(state.gt_s(ENDED)):
                    body.give(state)
                with body.when(node.eqz()):
                    body.give(DONE)
                with body.when(registers.word(POSITIONS).ge_u(registers.word(STOP))):
                    body.give(GOES_ON)
                with body.when(state.eq(ENDED)):
                    body.set(registers.number(STATE), GOES_ON)
                    with body.when(call(self._learn, node, registers.number(RESULT))):
                        body.call(self._leave, node)
                        body.branch(again)
                with body.when(mem32(node, LEFT).eqz()):
                    body.call(self._leave, node)
                with body.otherwise():
                    body.call(self._next, node, steps)
                body.branch(again)
            body.trap()
