"""Functions that play by policies: options are tried one after the other, and what comes of each is rated by a query.

They stand only in modules that are made for some rating queries. A state at rest is kept beside, an option is taken,
the rules run to the next question, to chance or to the end, and the query is asked there; then the state is put back.
Numbers are drawn as :class:`rulewright.engine.random_source.Dice` draws them, so that choices are those of
:func:`rulewright.engine.policies.policy.pick` wherever nothing is hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rulewright.engine.native.lowering.driver.answer_functions import SECRET, AnswerFunctions, load, push_question
from rulewright.engine.native.lowering.driver.chance_functions import ChanceFunctions
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import FRAME_AT, OPTIONS, STATUS, TOP, WHO
from rulewright.engine.native.statuses import ASK, OVER
from rulewright.engine.native.webassembly.encoding import MEMORY_COPY, Op, Type
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.lazy_dataclass import dataclass

SEAT_BYTES = 16
LEADS, QUERY, LOOK, NOISE = 0, 4, 8, 12
"""Within the entry of a seat: how it decides (:data:`AT_RANDOM`, :data:`FOR_ITSELF` or :data:`AGAINST_OTHERS`), the
number of its query in the table of functions, so many options it tries, so often of a hundred times it tries none."""
AT_RANDOM, FOR_ITSELF, AGAINST_OTHERS = 0, 1, 2
MOST_OPTIONS = 1 << 12
"""So many options are tried at most."""
OUTCOME_BIT = 40
"""A worth is the outcome (-1, 0 or 1: lost, open, won) shifted by so many bits, and the value of the query added."""


@dataclass(frozen=True, slots=True)
class PolicyMap:
    """Addresses of what the host says and reads."""

    seats: int
    """The entries of the seats."""
    numbers: int
    """The numbers of the options that are tried, 4 bytes each."""
    worths: int
    """Their worths, 8 bytes each."""
    saved: int
    """The state in which they are tried."""
    at: int
    """The place among them of the one that is tried now."""
    spent: int
    """The steps that the last tries have taken together, 8 bytes."""


class PolicyFunctions:
    """The functions `consider` and `play_policies`, and what they need."""

    def __init__(
        self, ctx: LoweringContext, answers: AnswerFunctions, chance: ChanceFunctions, run: int, settle: int
    ) -> None:
        self.ctx, declare, memory = ctx, ctx.module.declare, ctx.memory
        self._answers, self._chance, self._run, self._settle = answers, chance, run, settle
        self._ask = declare((Type.I32, Type.I32, Type.I64), (Type.I64,))
        self._rate = declare((Type.I32, Type.I32, Type.I64), (Type.I64,))
        self._consider = declare((Type.I32, Type.I32, Type.I32, Type.I64), (), "consider")
        self._below = declare((Type.I32,), (Type.I32,))
        self._try_some = declare((Type.I32, Type.I32), (Type.I32,))
        self._choose = declare((Type.I32, Type.I64), (Type.I32,))
        long = (Type.I32, Type.I64, Type.I64, Type.I64, Type.I64)
        self._play = declare(long, (Type.I32,), "play_policies")
        self._players = ctx.layout.sizes["Player"]
        self._dice, self._rolled, self._total = (ctx.module.add_global(Type.I64) for _ in range(3))
        """The stream of the dice, how often it was drawn from, and the steps that are left for all."""
        sizes = (SEAT_BYTES * self._players, 4 * MOST_OPTIONS, 8 * MOST_OPTIONS, memory.stack_end, 4, 8)
        self.map = PolicyMap(*(memory.reserve(size) for size in sizes))
        self._uses = memory.reserve(8 * len(ctx.rule_numbers))
        """The counters of the rules, kept while options are tried."""

    def write(self, questions: int) -> None:
        """Write all, given the address of the table of questions."""
        self._write_ask()
        self._write_rate()
        self._write_consider()
        self._write_below()
        self._write_try_some()
        self._write_choose(questions)
        self._write_play()

    # ---------------------------------------------------------------------------------------------------- rating

    def _write_ask(self) -> None:
        """The answer of a query, by its number in the table, about a player, with so many steps."""
        ctx, body = self.ctx, self.ctx.module.body(self._ask)
        query, player, steps = range(3)
        found = body.local(Type.I32)
        body.get(steps)
        body.set_global(ctx.budget)
        body.get(player)
        body.get(query)
        body.call_indirect(ctx.module.type_number((Type.I32,), (Type.I32,)))
        body.set(found)
        self._account(body, steps)
        body.get(found)
        body.op(Op.I64_EXTEND_I32_S)
        ctx.module.define(self._ask, body)

    def _write_rate(self) -> None:
        """The worth for a player of an option of the state at rest, by its number, with so many steps for each run."""
        ctx, body = self.ctx, self.ctx.module.body(self._rate)
        number, who, steps = range(3)
        seat, status, value = body.local(Type.I32), body.local(Type.I32), body.local(Type.I64)
        self._push_seat(body, who)
        body.set(seat)
        body.get(steps)
        body.set_global(ctx.budget)
        self._set_looking(body, 1)
        body.i32(0)
        body.set_global(ctx.left)
        self._answer(body, number)
        body.call(self._run)
        body.set(status)
        self._set_looking(body, 0)
        self._account(body, steps)
        self._push_asked(body, seat, steps, who)
        body.set(value)
        body.get(seat)
        body.memory(Op.I32_LOAD, LEADS)
        body.i32(AGAINST_OTHERS)
        body.op(Op.I32_EQ)
        with body.when():
            body.get(value)
            self._push_best_other(body, seat, who, steps)
            body.op(Op.I64_SUB)
            body.set(value)
        self._push_outcome(body, status, who)
        body.i64(OUTCOME_BIT)
        body.op(Op.I64_SHL)
        body.get(value)
        body.op(Op.I64_ADD)
        ctx.module.define(self._rate, body)

    def _push_asked(self, body: FunctionBody, seat: int, steps: int, player: int) -> None:
        body.get(seat)
        body.memory(Op.I32_LOAD, QUERY)
        body.get(player)
        body.get(steps)
        body.call(self._ask)

    def _push_best_other(self, body: FunctionBody, seat: int, who: int, steps: int) -> None:
        """Push the highest answer about another player; 0 if there is none."""
        best, other, found = body.local(Type.I64), body.local(Type.I32), body.local(Type.I64)
        body.i64(0 if self._players == 1 else -1 << OUTCOME_BIT)
        body.set(best)
        with self._counted(body, other, lambda: body.i32(self._players)), body.block() as same:
            body.get(other)
            body.get(who)
            body.op(Op.I32_EQ)
            body.branch_if(same)
            self._push_asked(body, seat, steps, other)
            body.set(found)
            for one in (found, best, found, best):
                body.get(one)
            body.op(Op.I64_GT_S, Op.SELECT)
            body.set(best)
        body.get(best)

    def _push_outcome(self, body: FunctionBody, status: int, who: int) -> None:
        """Push 1 if the player has won, -1 if the game is over and they have not, else 0."""
        memory, layout = self.ctx.memory, self.ctx.layout
        body.i64(1)
        body.i64(-1)
        self._scaled(body, who, 4)
        body.memory(Op.I32_LOAD, memory.cell_at[layout.rank])
        body.i32(1)
        body.op(Op.I32_EQ, Op.SELECT)
        body.i64(0)
        body.get(status)
        body.i32(OVER)
        body.op(Op.I32_EQ, Op.SELECT)

    def _write_consider(self) -> None:
        """Rate options of the state that is kept: those from the first of their numbers up to so many.

        Arguments: the place of the first among the numbers, how many there are, the player, the steps for each run.
        """
        ctx, body, places = self.ctx, self.ctx.module.body(self._consider), self.map
        at, count, who, steps = range(4)
        before = body.local(Type.I64)
        body.get_global(self._total)
        body.set(before)
        with self._counted(body, at, lambda: body.get(count)):
            body.i32(0)
            body.get(at)
            body.memory(Op.I32_STORE, places.at)
            self._put_back(body)
            self._scaled(body, at, 8)
            self._scaled(body, at, 4)
            body.memory(Op.I32_LOAD, places.numbers)
            body.get(who)
            body.get(steps)
            body.call(self._rate)
            body.memory(Op.I64_STORE, places.worths)
            body.i32(0)
            body.get(before)
            body.get_global(self._total)
            body.op(Op.I64_SUB)
            body.memory(Op.I64_STORE, places.spent)
        ctx.module.define(self._consider, body)

    def _put_back(self, body: FunctionBody) -> None:
        """Let the state be the one that is kept."""
        body.i32(0)
        body.i32(self.map.saved)
        load(body, self.map.saved + TOP)
        body.raw(MEMORY_COPY)
        self.ctx.answers.forget_all(body)

    # --------------------------------------------------------------------------------------------------- choosing

    def _write_below(self) -> None:
        """A number below a size, drawn with the dice; of one nothing is drawn."""
        body, size = self.ctx.module.body(self._below), 0
        body.get(size)
        body.i32(1)
        body.op(Op.I32_EQ)
        with body.when():
            body.i32(0)
            body.op(Op.RETURN)
        body.get_global(self._dice)
        body.get_global(self._rolled)
        body.get(size)
        body.call(self._chance.draw)
        body.set_global(self._rolled)
        load(body, self._chance.drawn)
        self.ctx.module.define(self._below, body)

    def _write_try_some(self) -> None:
        """Put at most so many different numbers below a size first among the numbers, in random order; how many."""
        body, numbers = self.ctx.module.body(self._try_some), self.map.numbers
        size, most = range(2)
        at, other, drawn, last = (body.local(Type.I32) for _ in range(4))
        body.get(size)
        body.i32(MOST_OPTIONS)
        body.op(Op.I32_GT_S)
        with body.when():
            body.op(Op.UNREACHABLE)
        with self._counted(body, at, lambda: body.get(size)):
            self._scaled(body, at, 4)
            body.get(at)
            body.memory(Op.I32_STORE, numbers)
        self._push_least(body, size, most)
        body.set(most)
        body.get(size)
        body.i32(1)
        body.op(Op.I32_SUB)
        body.set(last)
        body.i32(0)
        body.set(at)
        with self._counted(body, at, lambda: self._push_least(body, most, last)):
            body.get(size)
            body.get(at)
            body.op(Op.I32_SUB)
            body.call(self._below)
            body.get(at)
            body.op(Op.I32_ADD)
            body.set(other)
            self._scaled(body, other, 4)
            body.memory(Op.I32_LOAD, numbers)
            body.set(drawn)
            self._scaled(body, other, 4)
            self._scaled(body, at, 4)
            body.memory(Op.I32_LOAD, numbers)
            body.memory(Op.I32_STORE, numbers)
            self._scaled(body, at, 4)
            body.get(drawn)
            body.memory(Op.I32_STORE, numbers)
        body.get(most)
        self.ctx.module.define(self._try_some, body)

    def _write_choose(self, questions: int) -> None:
        """The number of the option that a player takes by their policy, with so many steps for each run."""
        ctx, body = self.ctx, self.ctx.module.body(self._choose)
        who, steps = range(2)
        size, seat, count = (body.local(Type.I32) for _ in range(3))
        load(body, OPTIONS)
        body.set(size)
        self._push_seat(body, who)
        body.set(seat)
        push_question(body, questions)
        body.memory(Op.I32_LOAD, SECRET)
        with body.when():
            body.get(size)
            body.call(self._below)
            body.op(Op.RETURN)
        body.i32(100)
        body.call(self._below)
        body.get(seat)
        body.memory(Op.I32_LOAD, NOISE)
        body.op(Op.I32_LT_S)
        with body.when():
            body.get(size)
            body.call(self._below)
            body.op(Op.RETURN)
        body.get(size)
        body.get(seat)
        body.memory(Op.I32_LOAD, LOOK)
        body.call(self._try_some)
        body.tee(count)
        body.i32(1)
        body.op(Op.I32_EQ)
        with body.when():
            load(body, self.map.numbers)
            body.op(Op.RETURN)
        body.get_global(self._rolled)  # the seed of a world that is dealt anew, of which nothing is drawn
        body.i64(1)
        body.op(Op.I64_ADD)
        body.set_global(self._rolled)
        body.i32(self.map.saved)
        body.i32(0)
        load(body, TOP)
        body.raw(MEMORY_COPY)
        self._copy_uses(body, self._uses, ctx.fired)
        body.i32(0)
        body.get(count)
        body.get(who)
        body.get(steps)
        body.call(self._consider)
        self._put_back(body)
        self._copy_uses(body, ctx.fired, self._uses)
        self._push_one_of_the_best(body, count)
        ctx.module.define(self._choose, body)

    def _copy_uses(self, body: FunctionBody, to: int, at: int) -> None:
        body.i32(to)
        body.i32(at)
        body.i32(8 * len(self.ctx.rule_numbers))
        body.raw(MEMORY_COPY)

    def _push_one_of_the_best(self, body: FunctionBody, count: int) -> None:
        """Push the number of one of the options of the highest worth, drawn with the dice."""
        at, best, most, worth = (body.local(kind) for kind in (Type.I32, Type.I32, Type.I64, Type.I64))
        numbers = self.map.numbers
        body.i64(-1 << 62)
        body.set(most)
        with self._counted(body, at, lambda: body.get(count)):
            self._scaled(body, at, 8)
            body.memory(Op.I64_LOAD, self.map.worths)
            body.tee(worth)
            body.get(most)
            body.op(Op.I64_GT_S)
            with body.when():
                body.get(worth)
                body.set(most)
                body.i32(0)
                body.set(best)
            body.get(worth)
            body.get(most)
            body.op(Op.I64_EQ)
            with body.when():
                self._scaled(body, best, 4)
                self._scaled(body, at, 4)
                body.memory(Op.I32_LOAD, numbers)
                body.memory(Op.I32_STORE, numbers)
                body.increase(best, 1)
        body.get(best)
        body.call(self._below)
        body.i32(2)
        body.op(Op.I32_SHL)
        body.memory(Op.I32_LOAD, numbers)

    # ---------------------------------------------------------------------------------------------------- playing

    def _write_play(self) -> None:
        """Play the game that has begun to its end, or so many answers; how often was answered.

        Arguments: the most answers, the keys of the streams of the seats that decide at random and of the dice of the
        others, the steps for each run and for all.
        """
        ctx, body = self.ctx, self.ctx.module.body(self._play)
        most, key, dice, steps, total = range(5)
        given, size, who, number = (body.local(Type.I32) for _ in range(4))
        counter = body.local(Type.I64)
        self._set_looking(body, 0)
        for variable, local in ((self._dice, dice), (self._total, total)):
            body.get(local)
            body.set_global(variable)
        body.i64(0)
        body.set_global(self._rolled)
        self._go_on(body, steps)
        with body.block() as out, body.loop() as again:
            load(body, STATUS)
            body.i32(ASK)
            body.op(Op.I32_NE)
            body.branch_if(out)
            body.get(given)
            body.get(most)
            body.op(Op.I32_GE_S)
            body.branch_if(out)
            body.increase(given, 1)
            body.i32(0)
            body.set(number)
            load(body, OPTIONS)
            body.tee(size)
            body.i32(1)
            body.op(Op.I32_GT_S)
            with body.when():
                load(body, WHO)
                body.set(who)
                self._push_seat(body, who)
                body.memory(Op.I32_LOAD, LEADS)
                with body.when():
                    body.get(who)
                    body.get(steps)
                    body.call(self._choose)
                    body.set(number)
                    body.otherwise()
                    body.get(key)
                    body.get(counter)
                    body.get(size)
                    body.call(self._chance.draw)
                    body.set(counter)
                    load(body, self._chance.drawn)
                    body.set(number)
            self._answer(body, number)
            self._go_on(body, steps)
            body.branch(again)
        body.get(given)
        ctx.module.define(self._play, body)

    def _go_on(self, body: FunctionBody, steps: int) -> None:
        """Run to the next question, as long as the steps for all suffice."""
        body.get(steps)
        body.call(self._settle)
        body.op(Op.DROP)
        self._account(body, steps)
        body.get_global(self._total)
        body.i64(0)
        body.op(Op.I64_LT_S)
        with body.when():
            body.op(Op.UNREACHABLE)

    # ------------------------------------------------------------------------------------------------------ parts

    def _answer(self, body: FunctionBody, number: int) -> None:
        """Take the option with a number as the answer."""
        load(body, FRAME_AT)
        body.set_global(self.ctx.frame)
        body.get(number)
        body.call(self._answers.answer)

    def _account(self, body: FunctionBody, steps: int) -> None:
        """Take what a run has spent from the steps that are left for all."""
        body.get_global(self._total)
        body.get(steps)
        body.op(Op.I64_SUB)
        body.get_global(self.ctx.budget)
        body.op(Op.I64_ADD)
        body.set_global(self._total)

    def _set_looking(self, body: FunctionBody, value: int) -> None:
        assert self.ctx.looking is not None
        body.i32(value)
        body.set_global(self.ctx.looking)

    def _push_seat(self, body: FunctionBody, who: int) -> None:
        self._scaled(body, who, SEAT_BYTES)
        body.i32(self.map.seats)
        body.op(Op.I32_ADD)

    @staticmethod
    def _scaled(body: FunctionBody, local: int, by: int) -> None:
        body.get(local)
        body.i32(by.bit_length() - 1)
        body.op(Op.I32_SHL)

    @staticmethod
    def _push_least(body: FunctionBody, one: int, other: int) -> None:
        for local in (one, other, one, other):
            body.get(local)
        body.op(Op.I32_LT_S, Op.SELECT)

    @staticmethod
    @contextmanager
    def _counted(body: FunctionBody, at: int, push_end: Callable[[], None]) -> Iterator[None]:
        """Code for each number from a local on, below what is pushed."""
        with body.block() as out, body.loop() as again:
            body.get(at)
            push_end()
            body.op(Op.I32_GE_S)
            body.branch_if(out)
            yield
            body.increase(at, 1)
            body.branch(again)
