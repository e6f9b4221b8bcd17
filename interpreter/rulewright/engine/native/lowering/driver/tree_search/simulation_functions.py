"""Functions that every simulation needs, whatever the tree: it begins, takes options, plays a rollout.

Rollouts are at random or prefer moves with high averages (:mod:`rulewright.search.rollouts`): the moves of a
rollout and a hash table of averages, with open addressing and linear probing, lie where the host has laid them, before
everything else of a tree.
"""

from __future__ import annotations

from rulewright.engine.cells.interchange import Interchange
from rulewright.engine.native.lowering.driver.answer_functions import FLAGS, OF_PIECES, WORDS, AnswerFunctions, entry_of
from rulewright.engine.native.lowering.driver.chance_functions import ChanceFunctions
from rulewright.engine.native.lowering.driver.policy_functions import RatingFunctions
from rulewright.engine.native.lowering.driver.tree_search.node_functions import NodeFunctions
from rulewright.engine.native.lowering.driver.tree_search.payoff_functions import LeadFunctions, PayoffFunctions
from rulewright.engine.native.lowering.driver.tree_search.tree_map import (
    APPLYING,
    AVERAGE_BYTES,
    AVERAGE_KEY,
    AVERAGES,
    CUT,
    DOING,
    ESTIMATING,
    FACTOR,
    MADE,
    MADE_BYTES,
    MOVES,
    PLAYING,
    REST,
    SAVED,
    SUM,
    TABLE_OF_MOVES,
    TIMES_MADE,
    TreeRegisters,
)
from rulewright.engine.native.lowering.instructions.question_lowering import LISTED
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import EXTRAS, FRAME_AT, LEGAL, OPTIONS, OVER, QUESTION, STATUS, TOP, WHO
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.module import function
from rulewright.engine.native.webassembly.terms import (
    F64,
    I32,
    I64,
    Local,
    Memory,
    Term,
    call,
    const,
    mem32,
    mem64,
    mem_real,
    real,
    select,
    without_lowest,
)
from rulewright.engine.random_numbers import PLAYERS
from rulewright.engine.search_arithmetic import (
    KIND,
    LONGEST_REST,
    MAST_BEST,
    MAST_OF,
    MOST_MOVES,
    MOVE_PLACES,
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


class MoveAverageFunctions:
    """The functions `play` and `note`, and what they need."""

    def __init__(
        self,
        ctx: LoweringContext,
        registers: TreeRegisters,
        offers: OfferFunctions,
        answers: AnswerFunctions,
        chance: ChanceFunctions,
        settle: int,
    ) -> None:
        self.ctx, self.module = ctx, ctx.module
        self._registers, self._offers, self._answers = registers, offers, answers
        self._chance, self._settle = chance, settle

    @property
    def wanted(self) -> Term:
        """The truth of rollouts going by averages: their address."""
        return self._registers.number(AVERAGES)

    def _move(self, context: Term, option: Term) -> Term:
        """The key of a move: a hash of who decides what, and of the option; not 0, which is that of no move."""
        return call(self._chance.mix, context * FACTOR + option, gives=I64)

    @function("", I64, gives=I32)
    def _place(self, body: FunctionBody, move: Local) -> None:
        """The address of the averages of a move, or of the free place for them."""
        at, found, table = body.locals(I32, I32, I32)
        body.set(table, self._registers.number(AVERAGES) + TABLE_OF_MOVES)
        body.set(at, move.wrap())
        with body.loop() as again:
            body.set(found, (at & MOVE_PLACES - 1) * AVERAGE_BYTES + table)
            with body.when(mem32(found, TIMES_MADE).nonzero() & mem64(found, AVERAGE_KEY).ne(move)):
                body.set(at, at + 1)
                body.branch(again)
        body.push(found)

    @function("", I64, gives=I32)
    def _best(self, body: FunctionBody, context: Local) -> None:
        """The number of the option with the highest mean among those that are offered; -1 if nothing is known."""
        at, size, chosen, place, times = body.locals(I32, I32, I32, I32, I32)
        value, most = body.locals(F64, F64)
        body.set(size, mem32(0, OPTIONS))
        body.set(chosen, -1)
        body.set(most, real(float("-inf")))
        with body.until(at.ge_u(size), (at, 1)):
            body.set(place, call(self._place, self._move(context, self._offers.what(at))))
            with body.when(times.tee(mem32(place, TIMES_MADE))):
                body.set(value, mem_real(place, SUM).div(times.to_float()))
                with body.when(value.gt(most)):
                    body.set(most, value)
                    body.set(chosen, at)
        body.push(chosen)

    @function("", I32, I64, I64)
    def play(self, body: FunctionBody, most: Local, key: Local, steps: Local) -> None:
        """Go on for so many answers at most, from the stream with a key, each with some steps."""
        ctx, made, drawn = self.ctx, self._registers.number(MADE), self._chance.drawn
        number, size, at = body.locals(I32, I32, I32)
        counter, context = body.locals(I64, I64)
        body.set(made, 0)
        with body.until(size.tee(mem32(0, OPTIONS)).eqz() | most.eqz(), (most, -1)):
            body.set(at, made * MADE_BYTES + self._registers.number(AVERAGES))
            body.set(mem64(at), 0)
            body.set(number, 0)
            with body.when(size.ne(1)):
                body.call(self._offers.offer)
                question = mem32(0, QUESTION).extend_u() + (mem32(0, WHO).extend_u() + 1 << 32)
                body.set(context, call(self._chance.mix, question, gives=I64))
                body.set(counter, call(self._chance.draw, key, counter, MAST_OF, gives=I64))
                body.set(number, -1)
                with body.when(drawn.lt_u(MAST_BEST)):
                    body.set(number, call(self._best, context))
                with body.when(number.lt_s(0)):
                    body.set(counter, call(self._chance.draw, key, counter, size, gives=I64))
                    body.set(number, drawn)
                body.set(mem64(at), self._move(context, self._offers.what(number)))
            body.set(mem32(at, 8), mem32(0, WHO))
            body.set(mem32(at, 12), number)
            body.set(made, made + 1)
            body.set(ctx.frame, mem32(0, FRAME_AT))
            body.call(self._answers.answer, number)
            body.drop(call(self._settle, steps))

    @function("")
    def note(self, body: FunctionBody) -> None:
        """Note what the moves of the game that was played last have led to."""
        registers = self._registers
        moves = registers.number(MOVES)
        at, end, place, times = body.locals(I32, I32, I32, I32)
        move = body.local(I64)
        body.set(at, registers.number(AVERAGES))
        body.set(end, registers.number(MADE) * MADE_BYTES + at)
        with body.until(at.ge_u(end), (at, MADE_BYTES)), body.when(move.tee(mem64(at)).nonzero()):
            body.set(place, call(self._place, move))
            body.set(times, mem32(place, TIMES_MADE))
            with body.when(times.nonzero() | moves.lt_s(MOST_MOVES)):
                body.set(moves, moves + times.eqz())
                body.set(mem64(place, AVERAGE_KEY), move)
                body.set(mem32(place, TIMES_MADE), times + 1)
                total = mem_real(place, SUM)
                body.set(total, total + registers.payoff(mem32(at, 8)))


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
        self.nodes = NodeFunctions(ctx, self.registers, chance)
        self.offers = OfferFunctions(ctx, self.registers)
        self._averages = MoveAverageFunctions(ctx, self.registers, self.offers, answers, chance, settle)
        self.leads = LeadFunctions(ctx, self.registers, rating) if rating is not None else None
        """Ratings by a query, in a module that is made for some."""

    @function("")
    def go_back(self, body: FunctionBody) -> None:
        """Let the state be the one that is searched."""
        saved = body.hold(self.registers.number(SAVED))
        body.copy(0, saved, mem32(saved, TOP))
        self.ctx.memos.invalidate_all(body)

    @function("", I32, I64)
    def apply(self, body: FunctionBody, option: Local, steps: Local) -> None:
        """Take an option as the answer, and give all answers that follow by themselves."""
        left = body.local()
        body.set(left, LONGEST_REST)
        with body.loop() as again:
            body.set(self.ctx.frame, mem32(0, FRAME_AT))
            body.call(self._answers.answer, option)
            body.drop(call(self._settle, steps))
            body.set(option, 0)
            body.set(left, left - 1)
            body.branch_if(again, mem32(0, OPTIONS).eq(1) & left.nonzero())

    def take(self, body: FunctionBody, option: Term, steps: Term) -> None:
        """Take an option; it is noted that this is going on."""
        body.set(self.registers.number(DOING), APPLYING)
        body.call(self.apply, option, steps)

    def play_rest(self, body: FunctionBody, steps: Term) -> None:
        """Play the rest of the game at random, and find its payoffs, or rate the position in which it is cut."""
        registers, mix, seed = self.registers, self._chance.mix, body.local(I64)
        body.set(seed, self.nodes.random_word(body))
        body.set(registers.word(REST), seed)
        body.set(registers.number(DOING), PLAYING)
        key = call(mix, call(mix, seed, gives=I64) ^ PLAYERS, gives=I64)
        if self.leads is None:
            self._go_on(body, const(LONGEST_REST), key, steps)
            body.call(self.payoffs.find)
            self._note(body)
            return
        rates, most = body.hold(self.leads.rates), body.local()
        body.set(most, select(registers.number(CUT), LONGEST_REST, rates))
        with body.when(most):
            self._go_on(body, most, key, steps)
        with body.when(rates & mem32(0, STATUS).ne(OVER)):
            body.set(registers.number(DOING), ESTIMATING)
            body.call(self.leads.estimate, steps)
        with body.otherwise():
            body.call(self.payoffs.find)
        self._note(body)

    def _go_on(self, body: FunctionBody, most: Term, key: Term, steps: Term) -> None:
        """Go on for so many answers, at random or by the averages of moves."""
        with body.when(self._averages.wanted):
            body.call(self._averages.play, most, key, steps)
        with body.otherwise():
            body.call(self._play_on, most, key, steps, const(TOTAL, I64))

    def _note(self, body: FunctionBody) -> None:
        """Note the payoffs for the moves, if there are averages of them."""
        with body.when(self._averages.wanted):
            body.call(self._averages.note)
