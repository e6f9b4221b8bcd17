"""The game as alpha-beta search (:mod:`rulewright.engine.kernels.alpha_beta`, a kernel) needs it in machine code.

The registers, the table of known positions, and the states on the way. The host lays the table behind everything else
and free memory behind that: the nodes of the way, and the states that are kept, of which the last ones are released
with their node.
"""

from __future__ import annotations

from rulewright.engine.kernels import alpha_beta
from rulewright.engine.kernels.alpha_beta import HIGHEST, LABELS, LOWEST
from rulewright.engine.native.lowering.driver.answer_functions import WORDS, AnswerFunctions, entry_of
from rulewright.engine.native.lowering.driver.tree_search.payoff_functions import PayoffFunctions
from rulewright.engine.native.lowering.driver.tree_search.tree_map import TreeRegisters
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import EXTRAS, FRAME_AT, OPTIONS, TOP, WHO
from rulewright.engine.native.translation.record_layout import Layouts
from rulewright.engine.native.translation.translator import Translator
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.module import function
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

ENTRY_BYTES = 24
"""An entry of the table: a digest of 16 bytes, the least and the most that the position is worth."""
KEY_1, KEY_2 = 0, 8
TABLE, MASK, FREE, LIMIT, FOUND_LOW, FOUND_HIGH, SUM_KNOWN, SUM, OTHER, TWO_SUMS = range(16, 56, 4)
POSITIONS, MOST, STOP, HISTORY = range(56, 88, 8)
"""Within the registers: the digest that was found last; the table and the number of its pairs of entries less one; free
memory and its end; the bounds that were found; whether the sum of the payoffs is known, the sum, another one, and
whether there is any; the positions that were looked at, those at which the search stops for good, and those at which it
stops to look at the clock; how often answers were good, 8 bytes each."""
SEARCH = HISTORY + 8 * 2 * LABELS
"""The search itself: see :class:`rulewright.engine.kernels.alpha_beta.AlphaBeta`."""
LAYOUTS = Layouts()
_ROOM = LAYOUTS.of(alpha_beta.Answer).size
"""The bytes of an answer; a node has room for twice as many as it needs, as it grows."""


class AlphaBetaRegisters:
    """The registers of a search."""

    def __init__(self, ctx: LoweringContext) -> None:
        self.at = ctx.memory.reserve(SEARCH + LAYOUTS.of(alpha_beta.AlphaBeta).size)

    def number(self, register: int) -> Memory:
        """A register of 32 bits."""
        return mem32(0, self.at + register)

    def word(self, register: int) -> Memory:
        """A register of 64 bits."""
        return mem64(0, self.at + register)


_FACTORS = 0x9FB21C651E98DF25, 0xD6E8FEB86659FD93
"""Odd numbers with bits that look random."""


class PositionsCode:
    """The game that is searched, for the kernel: code for the methods of :class:`alpha_beta.Positions`."""

    def __init__(
        self, ctx: LoweringContext, answers: AnswerFunctions, settle: int, payoffs: PayoffFunctions, tree: TreeRegisters
    ) -> None:
        self.ctx, self.module, self.questions = ctx, ctx.module, 0
        self._answers, self._settle, self._payoffs, self._tree = answers, settle, payoffs, tree
        self.registers = registers = AlphaBetaRegisters(ctx)
        self.options, self.is_first = mem32(0, OPTIONS), mem32(0, WHO).eqz()
        self.key, self.more = registers.word(KEY_1), registers.word(KEY_2)
        self.low, self.high = registers.number(FOUND_LOW), registers.number(FOUND_HIGH)
        self.has_two_sums = registers.number(TWO_SUMS)
        self.looks = registers.word(POSITIONS).ge_u(registers.word(STOP))
        self.times = registers.at + HISTORY
        self.steps = ctx.module.add_global(I64)
        """The global variable with the steps for each answer."""

    # ----------------------------------------------------------------------------------------------- for the kernel

    def take(self, body: FunctionBody, size: Term) -> Local:
        """The address of so many free bytes."""
        free = self.registers.number(FREE)
        at = body.hold(free)
        body.set(free, at + size + 7 & -8)
        return at

    def release(self, body: FunctionBody, node: Term) -> None:
        """Let all from a node on be free."""
        body.set(self.registers.number(FREE), node)

    def has_room(self, body: FunctionBody, answers: Term) -> Term:
        """The truth of there being room for the state and a node."""
        room = answers * (2 * _ROOM) + mem32(0, TOP) + (8 * _ROOM + 128)
        return (self.registers.number(FREE) + room).gt_u(self.registers.number(LIMIT)).eqz()

    def find_key(self, body: FunctionBody, ahead: Term) -> None:
        """Find the digest of the state."""
        body.call(self._key, ahead)

    def look_up(self, body: FunctionBody, key: Term, more: Term) -> None:
        """Find the bounds of a position."""
        body.call(self._find, key, more)

    def note(self, body: FunctionBody, key: Term, more: Term, low: Term, high: Term) -> None:
        """Note bounds of a position."""
        body.call(self._note, key, more, low, high)

    def count(self, body: FunctionBody, positions: Term) -> Term:
        """Count positions."""
        counted = self.registers.word(POSITIONS)
        body.set(counted, counted + positions.extend_u())
        return counted.ge_u(self.registers.word(MOST))

    def label(self, body: FunctionBody, option: Term) -> Term:
        """The label of an option of the state."""
        members = mem32(0, OPTIONS) - mem64(0, EXTRAS).popcnt().wrap()
        return call(self._label, option, members)

    def apply(self, body: FunctionBody, option: Term) -> Term:
        """Take an option."""
        body.set(self.ctx.frame, mem32(0, FRAME_AT))
        body.call(self._answers.answer, option)
        body.drop(call(self._settle, self.steps))
        return self.options

    def end(self, body: FunctionBody) -> Term:
        """The payoff of the first seat."""
        return call(self._end)

    def keep(self, body: FunctionBody) -> Term:
        """The address of a copy of the state."""
        kept = self.take(body, mem32(0, TOP))
        body.copy(kept, 0, mem32(0, TOP))
        return kept

    def go_to(self, body: FunctionBody, kept: Term) -> None:
        """Let the state be one that was kept."""
        body.call(self._go_to, kept)

    # -------------------------------------------------------------------------------------------------- functions

    @function("", I32)
    def _key(self, body: FunctionBody, ahead: Local) -> None:
        """The digest of the state, behind which so many answers are looked ahead, in two registers."""
        registers = self.registers
        at, top = body.locals(I32, I32)
        one, two = body.locals(I64, I64)
        body.set(one, ahead.extend_u())
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

    @function("", I64, I64)
    def _find(self, body: FunctionBody, one: Local, two: Local) -> None:
        """The bounds of a position, in two registers."""
        registers = self.registers
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

    @function("", I64, I64, I32, I32)
    def _note(self, body: FunctionBody, one: Local, two: Local, low: Local, high: Local) -> None:
        """Note bounds of a position, beside those that are known. A new one takes the first of two places, and what
        stood there the second: so what was noted lately stays longest."""
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

    @function("", I32)
    def _go_to(self, body: FunctionBody, kept: Local) -> None:
        """Let the state be one that was kept."""
        body.copy(0, kept, mem32(kept, TOP))
        self.ctx.memos.invalidate_all(body)

    @function("", gives=I32)
    def _end(self, body: FunctionBody) -> None:
        """The payoff of the first seat in a game that is over; the search stops if the sum is not what it was."""
        registers = self.registers
        one, two = (body.hold(payoff) for payoff in self._ends(body))
        total = body.hold(one + two)
        with body.when(registers.number(SUM_KNOWN)), body.when(total.ne(registers.number(SUM))):
            body.set(registers.number(OTHER), total)
            body.set(registers.number(TWO_SUMS), 1)
        with body.otherwise():
            body.set(registers.number(SUM_KNOWN), 1)
            body.set(registers.number(SUM), total)
        body.push(one)

    def _ends(self, body: FunctionBody) -> list[Term]:
        """The payoffs of both seats: what they were paid, or 1, 0 or -1."""
        if not self._payoffs.by_place:
            return [mem32(0, at) for at in self.ctx.memory.cell_at[self.ctx.layout.paid]]
        body.call(self._payoffs.find)
        found = map(self._tree.payoff_of, range(2))
        return [payoff.gt(real(0.0)) - payoff.lt(real(0.0)) for payoff in found]

    @function("", I32, I32, gives=I32)
    def _label(self, body: FunctionBody, option: Local, members: Local) -> None:
        """The number of an option in every position with this question: a member, or less than 0 a word beside them."""
        left = self._answers.passed
        member = body.hold(call(self._answers.member, option, mem32(entry_of(self.questions), WORDS)))
        body.push(select(member, option - members ^ -1, left.lt_s(0)))


class AlphaBetaFunctions:
    """The functions `ask` and `prove`."""

    def __init__(
        self, ctx: LoweringContext, answers: AnswerFunctions, settle: int, payoffs: PayoffFunctions, tree: TreeRegisters
    ) -> None:
        self.ctx = ctx
        self._positions = positions = PositionsCode(ctx, answers, settle, payoffs, tree)
        self.registers = positions.registers
        self._kernels = Translator(
            ctx.module,
            LAYOUTS,
            positions.take,
            ctx.memory.constant,
            {alpha_beta.AlphaBeta: self.registers.at + SEARCH},
            {alpha_beta.Positions: positions},
            {},
        )

    def write(self, questions: int) -> None:
        """Write all, given the address of the table of questions."""
        self._positions.questions = questions
        module, steps_of = self.ctx.module, self._positions.steps
        with module.writing(module.declare((I64,), (), "ask")) as (body, [steps]):
            body.set(steps_of, steps)
            body.call(self._kernels.function(alpha_beta.AlphaBeta.ask))
        with module.writing(module.declare((I64,), (I32,), "prove")) as (body, [steps]):
            body.set(steps_of, steps)
            body.push(call(self._kernels.function(alpha_beta.AlphaBeta.prove)))
        self._kernels.write()
