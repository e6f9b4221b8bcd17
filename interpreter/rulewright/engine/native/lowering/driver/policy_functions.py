"""Functions that play by policies, which choose among options as they are rated.

Numbers are drawn as :class:`rulewright.engine.random_source.Dice` draws them, so that choices are those of
:func:`rulewright.engine.policies.policy.pick` wherever nothing is hidden.
"""

from __future__ import annotations

from rulewright.engine.native.lowering.driver.answer_functions import FLAGS, IN_SECRET, entry_of
from rulewright.engine.native.lowering.driver.chance_functions import ChanceFunctions
from rulewright.engine.native.lowering.driver.rating_functions import LEADS, LOOK, MOST_OPTIONS, NOISE, RatingFunctions
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import OPTIONS, STATUS, TOP, WHO
from rulewright.engine.native.statuses import ASK
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import I32, I64, Local, Memory, Term, call, lesser, mem32, mem64


class PolicyFunctions:
    """The function `play_policies`, and what it needs."""

    def __init__(self, ctx: LoweringContext, rating: RatingFunctions, chance: ChanceFunctions, settle: int) -> None:
        self.ctx, declare = ctx, ctx.module.declare
        self._chance, self._settle, self._rating = chance, settle, rating
        self.map = self._rating.map
        self._below = declare((I32,), (I32,))
        self._try_some = declare((I32, I32), (I32,))
        self._choose = declare((I32, I64), (I32,))
        self._play = declare((I32, I64, I64, I64, I64), (I32,), "play_policies")
        self._dice, self._rolled = ctx.module.add_global(I64), ctx.module.add_global(I64)
        """The stream of the dice, and how often it was drawn from."""
        self._uses = ctx.memory.reserve(8 * len(ctx.rule_numbers))
        """The counters of the rules, kept while options are tried."""

    def write(self, questions: int) -> None:
        """Write all, given the address of the table of questions."""
        self._write_below()
        self._write_try_some()
        self._write_choose(questions)
        self._write_play()

    # --------------------------------------------------------------------------------------------------- choosing

    def _number(self, at: Term) -> Memory:
        """The number of an option, by its place among those that are tried."""
        return mem32(at << 2, self.map.numbers)

    def _write_below(self) -> None:
        """A number below a size, drawn with the dice; of one nothing is drawn."""
        with self.ctx.module.writing(self._below) as (body, [size]):
            with body.when(size.eq(1)):
                body.give(0)
            body.set(self._rolled, call(self._chance.draw, self._dice, self._rolled, size, gives=I64))
            body.push(self._chance.drawn)

    def _write_try_some(self) -> None:
        """Put at most so many different numbers below a size first among the numbers, in random order; how many."""
        with self.ctx.module.writing(self._try_some) as (body, [size, most]):
            at, other, drawn, last = body.locals(I32, I32, I32, I32)
            body.trap_if(size.gt_s(MOST_OPTIONS))
            with body.until(at.ge_s(size), (at, 1)):
                body.set(self._number(at), at)
            body.set(most, lesser(size, most))
            body.set(last, size - 1)
            body.set(at, 0)
            with body.until(at.ge_s(lesser(most, last)), (at, 1)):
                body.set(other, call(self._below, size - at) + at)
                body.set(drawn, self._number(other))
                body.set(self._number(other), self._number(at))
                body.set(self._number(at), drawn)
            body.push(most)

    def _write_choose(self, questions: int) -> None:
        """The number of the option that a player takes by their policy, with so many steps for each run."""
        ctx = self.ctx
        with ctx.module.writing(self._choose) as (body, [who, steps]):
            size, seat, count = body.locals(I32, I32, I32)
            body.set(size, mem32(0, OPTIONS))
            body.set(seat, self._rating.seat(who))
            with body.when(mem32(entry_of(questions), FLAGS) & IN_SECRET):
                body.give(call(self._below, size))
            with body.when(call(self._below, 100).lt_s(mem32(seat, NOISE))):
                body.give(call(self._below, size))
            with body.when(count.tee(call(self._try_some, size, mem32(seat, LOOK))).eq(1)):
                body.give(mem32(0, self.map.numbers))
            body.set(
                self._rolled, self._rolled + 1
            )  # the seed of a world that is dealt anew, of which nothing is drawn
            body.copy(self.map.saved, 0, mem32(0, TOP))
            uses = 8 * len(ctx.rule_numbers)
            body.copy(self._uses, ctx.fired, uses)
            body.call(self._rating.consider, 0, count, who, steps)
            self._rating.put_back(body)
            body.copy(ctx.fired, self._uses, uses)
            body.push(self._one_of_the_best(body, count))

    def _one_of_the_best(self, body: FunctionBody, count: Local) -> Term:
        """The number of one of the options of the highest worth, drawn with the dice."""
        at, best, most, worth = body.locals(I32, I32, I64, I64)
        body.set(most, -1 << 62)
        with body.until(at.ge_s(count), (at, 1)):
            with body.when(worth.tee(mem64(at << 3, self.map.worths)).gt_s(most)):
                body.set(most, worth)
                body.set(best, 0)
            with body.when(worth.eq(most)):
                body.set(self._number(best), self._number(at))
                body.set(best, best + 1)
        return self._number(call(self._below, best))

    # ---------------------------------------------------------------------------------------------------- playing

    def _write_play(self) -> None:
        """Play the game that has begun to its end, or so many answers; how often was answered.

        Arguments: the most answers, the keys of the streams of the seats that decide at random and of the dice of the
        others, the steps for each run and for all.
        """
        with self.ctx.module.writing(self._play) as (body, [most, key, dice, steps, total]):
            given, size, who, number, counter = body.locals(I32, I32, I32, I32, I64)
            self._rating.set_looking(body, 0)
            body.set(self._dice, dice)
            body.set(self._rating.total, total)
            body.set(self._rolled, 0)
            options, forced = mem64(0, self.map.counted), mem32(0, self.map.counted + 8)
            body.set(options, 0)
            body.set(forced, 0)
            self._go_on(body, steps)
            with body.until(mem32(0, STATUS).ne(ASK)) as out:
                body.branch_if(out, given.ge_s(most))
                body.set(given, given + 1)
                body.set(number, 0)
                body.set(size, mem32(0, OPTIONS))
                body.set(options, options + size.extend_u())
                body.set(forced, forced + size.eq(1))
                with body.when(size.gt_s(1)):
                    body.set(who, mem32(0, WHO))
                    with body.when(mem32(self._rating.seat(who), LEADS)):
                        body.set(number, call(self._choose, who, steps))
                    with body.otherwise():
                        body.set(counter, call(self._chance.draw, key, counter, size, gives=I64))
                        body.set(number, self._chance.drawn)
                self._rating.answer(body, number)
                self._go_on(body, steps)
            body.push(given)

    def _go_on(self, body: FunctionBody, steps: Local) -> None:
        """Run to the next question, as long as the steps for all suffice."""
        body.drop(call(self._settle, steps))
        self._rating.account(body, steps)
        body.trap_if(self._rating.total.lt_s(0))
