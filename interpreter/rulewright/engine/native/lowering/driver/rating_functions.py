"""Functions that rate options: each is taken, and a query of the rules is asked about what comes of it.

They stand only in modules that are made for some rating queries. A state at rest is kept beside, an option is taken,
the rules run to the next question, to chance or to the end, and the query is asked there.
"""

from __future__ import annotations

from rulewright.engine.native.lowering.driver.answer_functions import AnswerFunctions, load
from rulewright.engine.native.lowering.driver.loops import counted, give_work, push_scaled
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import FRAME_AT, TOP
from rulewright.engine.native.statuses import OVER
from rulewright.engine.native.webassembly.encoding import MEMORY_COPY, Op, Type
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.foundation.lazy_dataclass import dataclass

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


class RatingFunctions:
    """The function `consider`, and what it needs."""

    def __init__(self, ctx: LoweringContext, answers: AnswerFunctions, run: int) -> None:
        self.ctx, declare, memory = ctx, ctx.module.declare, ctx.memory
        self._answers, self._run = answers, run
        self._ask = declare((Type.I32, Type.I32, Type.I64), (Type.I64,))
        self._rate = declare((Type.I32, Type.I32, Type.I64), (Type.I64,))
        self.consider = declare((Type.I32, Type.I32, Type.I32, Type.I64), (), "consider")
        self._players = ctx.layout.sizes["Player"]
        self.total = ctx.module.add_global(Type.I64)
        """The global variable with the steps that are left for all."""
        sizes = (SEAT_BYTES * self._players, 4 * MOST_OPTIONS, 8 * MOST_OPTIONS, memory.stack_end, 4, 8)
        self.map = PolicyMap(*(memory.reserve(size) for size in sizes))

    def write(self) -> None:
        """Write all."""
        self._write_ask()
        self._write_rate()
        self._write_consider()

    def _write_ask(self) -> None:
        """The answer of a query, by its number in the table, about a player, with so many steps."""
        ctx, body = self.ctx, self.ctx.module.body(self._ask)
        query, player, steps = range(3)
        found = body.local(Type.I32)
        body.get(steps)
        body.set_global(ctx.budget)
        body.get(steps)
        give_work(body, ctx)
        body.get(player)
        body.get(query)
        body.call_indirect(ctx.module.type_number((Type.I32,), (Type.I32,)))
        body.set(found)
        self.account(body, steps)
        body.get(found)
        body.op(Op.I64_EXTEND_I32_S)
        ctx.module.define(self._ask, body)

    def _write_rate(self) -> None:
        """The worth for a player of an option of the state at rest, by its number, with so many steps for each run."""
        ctx, body = self.ctx, self.ctx.module.body(self._rate)
        number, who, steps = range(3)
        seat, status, value = body.local(Type.I32), body.local(Type.I32), body.local(Type.I64)
        self.push_seat(body, who)
        body.set(seat)
        body.get(steps)
        body.set_global(ctx.budget)
        body.get(steps)
        give_work(body, ctx)
        self.set_looking(body, 1)
        body.i32(0)
        body.set_global(ctx.left)
        self.answer(body, number)
        body.call(self._run)
        body.set(status)
        self.set_looking(body, 0)
        self.account(body, steps)
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
        with counted(body, other, lambda: body.i32(self._players)), body.block() as same:
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
        push_scaled(body, who, 4)
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
        ctx, body, places = self.ctx, self.ctx.module.body(self.consider), self.map
        at, count, who, steps = range(4)
        before = body.local(Type.I64)
        body.get_global(self.total)
        body.set(before)
        with counted(body, at, lambda: body.get(count)):
            body.i32(0)
            body.get(at)
            body.memory(Op.I32_STORE, places.at)
            self.put_back(body)
            push_scaled(body, at, 8)
            push_scaled(body, at, 4)
            body.memory(Op.I32_LOAD, places.numbers)
            body.get(who)
            body.get(steps)
            body.call(self._rate)
            body.memory(Op.I64_STORE, places.worths)
            body.i32(0)
            body.get(before)
            body.get_global(self.total)
            body.op(Op.I64_SUB)
            body.memory(Op.I64_STORE, places.spent)
        ctx.module.define(self.consider, body)

    def put_back(self, body: FunctionBody) -> None:
        """Let the state be the one that is kept."""
        body.i32(0)
        body.i32(self.map.saved)
        load(body, self.map.saved + TOP)
        body.raw(MEMORY_COPY)
        self.ctx.answers.forget_all(body)

    # ------------------------------------------------------------------------------------------------------ parts

    def answer(self, body: FunctionBody, number: int) -> None:
        """Take the option with a number as the answer."""
        load(body, FRAME_AT)
        body.set_global(self.ctx.frame)
        body.get(number)
        body.call(self._answers.answer)

    def account(self, body: FunctionBody, steps: int) -> None:
        """Take what a run has spent from the steps that are left for all."""
        body.get_global(self.total)
        body.get(steps)
        body.op(Op.I64_SUB)
        body.get_global(self.ctx.budget)
        body.op(Op.I64_ADD)
        body.set_global(self.total)

    def set_looking(self, body: FunctionBody, value: int) -> None:
        """Let the rules stop where chance is asked, or not."""
        assert self.ctx.looking is not None
        body.i32(value)
        body.set_global(self.ctx.looking)

    def push_seat(self, body: FunctionBody, who: int) -> None:
        """Push the address of the entry of a player."""
        push_scaled(body, who, SEAT_BYTES)
        body.i32(self.map.seats)
        body.op(Op.I32_ADD)
