"""Functions that play by policies, which choose among options as they are rated.

Numbers are drawn as :class:`rulewright.engine.random_source.Dice` draws them, so that choices are those of
:func:`rulewright.engine.policies.policy.pick` wherever nothing is hidden.
"""

from __future__ import annotations

from rulewright.engine.native.lowering.driver.answer_functions import SECRET, AnswerFunctions, load, push_question
from rulewright.engine.native.lowering.driver.chance_functions import ChanceFunctions
from rulewright.engine.native.lowering.driver.loops import counted, push_least, push_scaled
from rulewright.engine.native.lowering.driver.rating_functions import LEADS, LOOK, MOST_OPTIONS, NOISE, RatingFunctions
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import OPTIONS, STATUS, TOP, WHO
from rulewright.engine.native.statuses import ASK
from rulewright.engine.native.webassembly.encoding import MEMORY_COPY, Op, Type
from rulewright.engine.native.webassembly.function_body import FunctionBody


class PolicyFunctions:
    """The function `play_policies`, and what it needs."""

    def __init__(
        self, ctx: LoweringContext, answers: AnswerFunctions, chance: ChanceFunctions, run: int, settle: int
    ) -> None:
        self.ctx, declare = ctx, ctx.module.declare
        self._chance, self._settle = chance, settle
        self._rating = RatingFunctions(ctx, answers, run)
        self.map = self._rating.map
        self._below = declare((Type.I32,), (Type.I32,))
        self._try_some = declare((Type.I32, Type.I32), (Type.I32,))
        self._choose = declare((Type.I32, Type.I64), (Type.I32,))
        long = (Type.I32, Type.I64, Type.I64, Type.I64, Type.I64)
        self._play = declare(long, (Type.I32,), "play_policies")
        self._dice, self._rolled = ctx.module.add_global(Type.I64), ctx.module.add_global(Type.I64)
        """The stream of the dice, and how often it was drawn from."""
        self._uses = ctx.memory.reserve(8 * len(ctx.rule_numbers))
        """The counters of the rules, kept while options are tried."""

    def write(self, questions: int) -> None:
        """Write all, given the address of the table of questions."""
        self._rating.write()
        self._write_below()
        self._write_try_some()
        self._write_choose(questions)
        self._write_play()

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
        with counted(body, at, lambda: body.get(size)):
            push_scaled(body, at, 4)
            body.get(at)
            body.memory(Op.I32_STORE, numbers)
        push_least(body, size, most)
        body.set(most)
        body.get(size)
        body.i32(1)
        body.op(Op.I32_SUB)
        body.set(last)
        body.i32(0)
        body.set(at)
        with counted(body, at, lambda: push_least(body, most, last)):
            body.get(size)
            body.get(at)
            body.op(Op.I32_SUB)
            body.call(self._below)
            body.get(at)
            body.op(Op.I32_ADD)
            body.set(other)
            push_scaled(body, other, 4)
            body.memory(Op.I32_LOAD, numbers)
            body.set(drawn)
            push_scaled(body, other, 4)
            push_scaled(body, at, 4)
            body.memory(Op.I32_LOAD, numbers)
            body.memory(Op.I32_STORE, numbers)
            push_scaled(body, at, 4)
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
        self._rating.push_seat(body, who)
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
        body.call(self._rating.consider)
        self._rating.put_back(body)
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
        with counted(body, at, lambda: body.get(count)):
            push_scaled(body, at, 8)
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
                push_scaled(body, best, 4)
                push_scaled(body, at, 4)
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
        self._rating.set_looking(body, 0)
        for variable, local in ((self._dice, dice), (self._rating.total, total)):
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
                self._rating.push_seat(body, who)
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
            self._rating.answer(body, number)
            self._go_on(body, steps)
            body.branch(again)
        body.get(given)
        ctx.module.define(self._play, body)

    def _go_on(self, body: FunctionBody, steps: int) -> None:
        """Run to the next question, as long as the steps for all suffice."""
        body.get(steps)
        body.call(self._settle)
        body.op(Op.DROP)
        self._rating.account(body, steps)
        body.get_global(self._rating.total)
        body.i64(0)
        body.op(Op.I64_LT_S)
        with body.when():
            body.op(Op.UNREACHABLE)
