"""Functions that play by policies, which choose among options as a query of the rules rates them.

They stand only in modules that are made for some rating queries. A state at rest is kept beside, an option is taken,
the rules run to the next question, to chance or to the end, and the query is evaluated there. What is tried and taken
then is a kernel (:mod:`rulewright.engine.kernels.policies`). Numbers are drawn as
:class:`rulewright.engine.random_numbers.Dice` draws them, so that choices are those of
:func:`rulewright.engine.policies.policy.pick` wherever nothing is hidden.
"""

from __future__ import annotations

from typing import NoReturn

from rulewright.engine.kernels import policies
from rulewright.engine.kernels.arithmetic import lead_of
from rulewright.engine.kernels.vocabulary import Dice
from rulewright.engine.native.lowering.driver.answer_functions import FLAGS, IN_SECRET, AnswerFunctions, entry_of
from rulewright.engine.native.lowering.driver.chance_functions import ChanceFunctions, StreamFunctions
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import ASK, FRAME_AT, OPTIONS, OVER, STATUS, TOP, WHO
from rulewright.engine.native.translation.operands import refused
from rulewright.engine.native.translation.record_layout import Layouts
from rulewright.engine.native.translation.translator import Translator
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.module import function
from rulewright.engine.native.webassembly.terms import (
    F64,
    I32,
    I64,
    IndirectCall,
    Local,
    Term,
    call,
    const,
    mem32,
    mem64,
    mem_real,
    real,
    select,
)
from rulewright.foundation.lazy_dataclass import dataclass

SEAT_BYTES = 16
LEADS, QUERY, LOOK, NOISE = 0, 4, 8, 12
"""Within the entry of a seat: how it decides (:data:`AT_RANDOM`, :data:`FOR_ITSELF` or :data:`AGAINST_OTHERS`), the
number of its query in the table of functions, so many options it tries, so often of a hundred times it tries none."""
AT_RANDOM, FOR_ITSELF, AGAINST_OTHERS = 0, 1, 2
MOST_OPTIONS = 1 << 12
"""So many options are tried at most."""


@dataclass(frozen=True, slots=True)
class PolicyMap:
    """Addresses of what the host writes and reads."""

    seats: int
    """The entries of the seats."""
    numbers: int
    """The numbers of the options that are tried, 8 bytes each."""
    worths: int
    """The worths of the options, floats."""
    saved: int
    """The state in which they are tried."""
    at: int
    """The place among them of the one that is tried now."""
    spent: int
    """The steps that the last tries have taken together, 8 bytes."""
    counted: int
    """The numbers of options of all decisions of the last game together, 8 bytes; behind it the number of decisions
    with one option."""


def _no_memory(body: FunctionBody, size: Term) -> NoReturn:
    refused("choices make no records")


class RatingFunctions:
    """The function `consider`, and what it needs."""

    def __init__(self, ctx: LoweringContext, answers: AnswerFunctions, chance: ChanceFunctions, run: int) -> None:
        self.ctx, self.module, declare, memory = ctx, ctx.module, ctx.module.declare, ctx.memory
        self._answers, self._run = answers, run
        self.ask = declare((I32, I32, I64), (I64,), "rating")
        """The function that gives the answer of a query about a player."""
        self.consider = declare((I32, I32, I32, I64), (), "consider")
        self._players = ctx.layout.sizes["Player"]
        self.total = ctx.module.add_global(I64)
        """The global variable with the steps that are left for all."""
        sizes = (SEAT_BYTES * self._players, 8 * MOST_OPTIONS, 8 * MOST_OPTIONS, memory.stack_end, 4, 8, 16)
        self.map = PolicyMap(*(memory.reserve(size) for size in sizes))
        self._rates = memory.reserve(8 * self._players)
        self.dice = StreamFunctions(chance, ctx.module.add_global(I64), ctx.module.add_global(I64))
        self.kernels = Translator(ctx.module, Layouts(), _no_memory, memory.constant, {}, {Dice: self.dice}, {})

    def write(self) -> None:
        """Write all."""
        self._write_ask()
        self._write_consider()

    def _write_ask(self) -> None:
        """The answer of a query, by its number in the table, about a player, with so many steps."""
        ctx = self.ctx
        with ctx.module.writing(self.ask) as (body, [query, player, steps]):
            found = body.local()
            body.set(ctx.budget, steps)
            body.set(found, IndirectCall(query, ctx.module.type_number((I32,), (I32,)), I32, player))
            self.account(body, steps)
            body.push(found.extend_s())

    @function("", I32, I32, I64, gives=F64)
    def _rate(self, body: FunctionBody, number: Local, who: Local, steps: Local) -> None:
        """The worth for a player of an option of the state at rest, by its number, with so many steps for each run."""
        ctx = self.ctx
        seat, status, standing = body.locals(I32, I32, F64)
        body.set(seat, self.seat(who))
        body.set(ctx.budget, steps)
        self.set_looking(body, 1)
        body.set(ctx.left, 0)
        self.answer(body, number)
        body.set(status, call(self._run))
        self.set_looking(body, 0)
        self.account(body, steps)
        with body.when(mem32(seat, LEADS).eq(AGAINST_OTHERS)):
            rates = self.rates(body, mem32(seat, QUERY), steps)
            body.set(standing, call(self.kernels.function(lead_of), rates, self._players, who, gives=F64))
        with body.otherwise():
            body.set(standing, self._rated(mem32(seat, QUERY), who, steps))
        rank = mem32(who << 2, ctx.memory.cell_at[ctx.layout.rank])
        outcome = select(
            select(real(policies.WON), real(-policies.WON), rank.eq(1), F64), real(0.0), status.eq(OVER), F64
        )
        body.push(outcome + standing)

    def rates(self, body: FunctionBody, query: Term, steps: Term) -> Term:
        """The address of the answers of a query about all players."""
        for player in range(self._players):
            body.set(mem_real(0, self._rates + 8 * player), self._rated(query, const(player), steps))
        return const(self._rates)

    def _rated(self, query: Term, player: Term, steps: Term) -> Term:
        """The answer of a query about a player: numbers of 32 bits are exact as floats."""
        return call(self.ask, query, player, steps, gives=I64).wrap().to_float()

    def _write_consider(self) -> None:
        """Rate options of the state that is kept: those from the first of their numbers up to so many.

        Arguments: the place of the first among the numbers, how many there are, the player, the steps for each run.
        """
        places = self.map
        with self.ctx.module.writing(self.consider) as (body, [at, count, who, steps]):
            before = body.local(I64)
            body.set(before, self.total)
            with body.until(at.ge_s(count), (at, 1)):
                body.set(mem32(0, places.at), at)
                self.put_back(body)
                number = mem32(at << 3, places.numbers)
                body.set(mem_real(at << 3, places.worths), call(self._rate, number, who, steps, gives=F64))
                body.set(mem64(0, places.spent), before - self.total)

    def put_back(self, body: FunctionBody) -> None:
        """Let the state be the one that is kept."""
        body.copy(0, self.map.saved, mem32(0, self.map.saved + TOP))
        self.ctx.memos.invalidate_all(body)

    # ------------------------------------------------------------------------------------------------------ parts

    def answer(self, body: FunctionBody, number: Local) -> None:
        """Take the option with a number as the answer."""
        body.set(self.ctx.frame, mem32(0, FRAME_AT))
        body.call(self._answers.answer, number)

    def account(self, body: FunctionBody, steps: Local) -> None:
        """Take what a run has spent from the steps that are left for all."""
        body.set(self.total, self.total - steps + self.ctx.budget)

    def set_looking(self, body: FunctionBody, value: int) -> None:
        """Let the rules stop where chance decides, or not."""
        assert self.ctx.looking is not None
        body.set(self.ctx.looking, value)

    def seat(self, who: Local) -> Term:
        """The address of the entry of a player."""
        return (who << SEAT_BYTES.bit_length() - 1) + self.map.seats


class PolicyFunctions:
    """The function `play_policies`, and what it needs."""

    def __init__(self, ctx: LoweringContext, rating: RatingFunctions, chance: ChanceFunctions, settle: int) -> None:
        self.ctx, self.module, self.questions = ctx, ctx.module, 0
        self._chance, self._settle, self._rating = chance, settle, rating
        self.map = self._rating.map
        self._play = ctx.module.declare((I32, I64, I64, I64, I64), (I32,), "play_policies")
        self._uses = ctx.memory.reserve(8 * len(ctx.rule_numbers))
        """The counters of the rules, kept while options are tried."""

    def write(self, questions: int) -> None:
        """Write all, given the address of the table of questions."""
        self.questions = questions
        self._write_play()
        self._rating.kernels.write()

    # --------------------------------------------------------------------------------------------------- choosing

    @function("", I32, I64, gives=I32)
    def _choose(self, body: FunctionBody, who: Local, steps: Local) -> None:
        """The number of the option that a player takes by their policy, with so many steps for each run."""
        ctx, dice, kernels = self.ctx, self._rating.dice, self._rating.kernels
        size, seat, count = body.locals(I32, I32, I32)
        numbers, worths = const(self.map.numbers), const(self.map.worths)
        body.set(size, mem32(0, OPTIONS))
        body.set(seat, self._rating.seat(who))
        with body.when(mem32(entry_of(self.questions), FLAGS) & IN_SECRET):
            body.give(dice.below(body, size))
        with body.when(dice.below(body, 100).lt_s(mem32(seat, NOISE))):
            body.give(dice.below(body, size))
        body.trap_if(size.gt_s(MOST_OPTIONS))
        body.set(count, call(kernels.function(policies.try_some), numbers, size, mem32(seat, LOOK)))
        with body.when(count.eq(1)):
            body.give(mem32(0, self.map.numbers))
        body.set(dice.counter, dice.counter + 1)  # the seed of a world that is dealt anew, of which nothing is drawn
        body.copy(self.map.saved, 0, mem32(0, TOP))
        uses = 8 * len(ctx.rule_numbers)
        body.copy(self._uses, ctx.fired, uses)
        body.call(self._rating.consider, 0, count, who, steps)
        self._rating.put_back(body)
        body.copy(ctx.fired, self._uses, uses)
        body.push(call(kernels.function(policies.one_of_the_best), numbers, worths, count))

    # ---------------------------------------------------------------------------------------------------- playing

    def _write_play(self) -> None:
        """Play the game that has begun to its end, or so many answers; how often was answered.

        Arguments: the most answers, the keys of the streams of the seats that decide at random and of the dice of the
        others, the steps for each run and for all.
        """
        with self.ctx.module.writing(self._play) as (body, [most, key, dice, steps, total]):
            given, size, who, number, counter = body.locals(I32, I32, I32, I32, I64)
            self._rating.set_looking(body, 0)
            body.set(self._rating.dice.key, dice)
            body.set(self._rating.total, total)
            body.set(self._rating.dice.counter, 0)
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
