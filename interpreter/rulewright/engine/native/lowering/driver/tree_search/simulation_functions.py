"""Functions that every simulation needs, whatever the tree: it begins, takes options, goes on at random."""

from __future__ import annotations

from rulewright.engine.cells.interchange import Interchange
from rulewright.engine.native.lowering.driver.answer_functions import FLAGS, OF_PIECES, WORDS, AnswerFunctions, entry_of
from rulewright.engine.native.lowering.driver.chance_functions import ChanceFunctions, StreamFunctions
from rulewright.engine.native.lowering.driver.policy_functions import RatingFunctions
from rulewright.engine.native.lowering.driver.tree_search.payoff_functions import PayoffFunctions, RatedPositions
from rulewright.engine.native.lowering.driver.tree_search.tree_map import (
    APPLYING,
    COUNTER,
    DOING,
    FREE,
    PLAYING,
    PROMISING,
    REST,
    SAVED,
    STREAM_KEY,
    TreeRegisters,
)
from rulewright.engine.native.lowering.instructions.question_lowering import LISTED
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import EXTRAS, FRAME_AT, LEGAL, OPTIONS, OVER, STATUS, TOP
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.module import function
from rulewright.engine.native.webassembly.terms import (
    I32,
    I64,
    Local,
    Memory,
    Term,
    call,
    const,
    mem32,
    mem64,
    without_lowest,
)
from rulewright.engine.random_numbers import PLAYERS
from rulewright.engine.search_arithmetic import (
    KIND,
    LONGEST_REST,
    PIECE,
    ZONE,
)
from rulewright.host.budgets import TOTAL


class OfferFunctions:
    """The functions `offer` and `number`, which leave what the options are in a table."""

    def __init__(self, ctx: LoweringContext, registers: TreeRegisters) -> None:
        self.ctx, self.module, self.questions = ctx, ctx.module, 0
        self.at = ctx.memory.reserve(8 * registers.options)
        """The address of the table."""

    def what(self, number: Term) -> Memory:
        """An option, by its number: what it is."""
        return mem64(number << 3, self.at)

    @function("")
    def number(self, body: FunctionBody) -> None:
        """Take each option for its number."""
        at = body.local()
        with body.until(at.ge_u(mem32(0, OPTIONS)), (at, 1)):
            body.set(self.what(at), at.extend_u())

    @function("", I32, I32)
    def _add(self, body: FunctionBody, piece: Local, count: Local) -> None:
        """Put a piece behind so many others."""
        ctx = self.ctx
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

    @function("")
    def offer(self, body: FunctionBody) -> None:
        """Describe each option."""
        words, pieces, count, at, end = body.locals(I32, I32, I32, I32, I32)
        word = body.local(I64)
        body.set(words, mem32(entry_of(self.questions), WORDS))
        body.set(pieces, mem32(entry_of(self.questions), FLAGS) & OF_PIECES)
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


class SimulationFunctions:
    """The functions `go_back` and `apply`, and code for the rest of a game."""

    def __init__(
        self,
        ctx: LoweringContext,
        answers: AnswerFunctions,
        chance: ChanceFunctions,
        rating: RatingFunctions | None,
        settle: int,
        play_on: int,
    ) -> None:
        self.ctx, self.module = ctx, ctx.module
        self._answers, self._chance, self._settle, self._play_on = answers, chance, settle, play_on
        self.registers = TreeRegisters(ctx)
        self.payoffs = PayoffFunctions(ctx, self.registers)
        self.dice = StreamFunctions(chance, *map(self.registers.word, (STREAM_KEY, COUNTER)))
        """The stream that decides."""
        self.offers = OfferFunctions(ctx, self.registers)
        self.ratings = RatedPositions(self.registers, rating) if rating is not None else None
        """Ratings by a query, in a module that is made for some."""
        self._kept = rating.map.saved if rating is not None else ctx.memory.reserve(ctx.memory.stack_end)
        """The address of the position in which options are looked at."""
        self.stream = StreamFunctions(chance, ctx.module.add_global(I64), ctx.module.add_global(I64))
        """The stream of a rollout."""

    @function("")
    def go_back(self, body: FunctionBody) -> None:
        """Let the state be the one that is searched."""
        saved = body.hold(self.registers.number(SAVED))
        body.copy(0, saved, mem32(saved, TOP))
        self.ctx.memos.invalidate_all(body)

    def keep_position(self, body: FunctionBody) -> None:
        """Keep the position; it is noted that options are looked at."""
        body.copy(self._kept, 0, mem32(0, TOP))
        body.set(self.registers.number(DOING), PROMISING)

    def put_back(self, body: FunctionBody) -> None:
        """Let the state be the one that is kept."""
        body.copy(0, self._kept, mem32(0, self._kept + TOP))
        self.ctx.memos.invalidate_all(body)

    @function("", I32, I64)
    def apply(self, body: FunctionBody, option: Local, steps: Local) -> None:
        """Take an option as the answer, and give all answers that follow by themselves."""
        left = body.local()
        body.set(left, LONGEST_REST)
        with body.loop() as again:
            self.answer(body, option, steps)
            body.set(option, 0)
            body.set(left, left - 1)
            body.branch_if(again, mem32(0, OPTIONS).eq(1) & left.nonzero())

    def answer(self, body: FunctionBody, option: Term, steps: Term) -> None:
        """Take an option as the answer."""
        body.set(self.ctx.frame, mem32(0, FRAME_AT))
        body.call(self._answers.answer, option)
        body.drop(call(self._settle, steps))

    def room(self, body: FunctionBody, size: Term | int) -> Local:
        """The address of so many bytes that was never used; there is room for what one simulation needs."""
        free, at = self.registers.number(FREE), body.local()
        body.set(at, free)
        body.set(free, at + size + 7 & -8)
        return at

    def take(self, body: FunctionBody, option: Term, steps: Term) -> None:
        """Take an option; it is noted that this is going on."""
        body.set(self.registers.number(DOING), APPLYING)
        body.call(self.apply, option, steps)

    def open_stream(self, body: FunctionBody, seed: Term) -> None:
        """Let a rollout draw from the stream of a seed; it is noted that it is going on."""
        rest, mix = self.registers.word(REST), self._chance.mix
        body.set(rest, seed)
        body.set(self.registers.number(DOING), PLAYING)
        body.set(self.stream.key, call(mix, call(mix, rest, gives=I64) ^ PLAYERS, gives=I64))
        body.set(self.stream.counter, 0)

    def play_on(self, body: FunctionBody, most: Term, steps: Term) -> Term:
        """Go on at random for so many answers; the truth of the game being over."""
        body.call(self._play_on, most, self.stream.key, steps, const(TOTAL, I64))
        return mem32(0, STATUS).eq(OVER)
