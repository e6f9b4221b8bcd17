"""Functions that rate options: each is taken, and a query of the rules is asked about what comes of it.

They stand only in modules that are made for some rating queries. A state at rest is kept beside, an option is taken,
the rules run to the next question, to chance or to the end, and the query is asked there.
"""

from __future__ import annotations

from rulewright.engine.native.lowering.driver.answer_functions import AnswerFunctions
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import FRAME_AT, TOP
from rulewright.engine.native.statuses import OVER
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import (
    I32,
    I64,
    Emitted,
    IndirectCall,
    Local,
    Term,
    call,
    mem32,
    mem64,
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
    counted: int
    """The numbers of options of all decisions of the last game together, 8 bytes; behind it the number of decisions
    with one option."""


class RatingFunctions:
    """The function `consider`, and what it needs."""

    def __init__(self, ctx: LoweringContext, answers: AnswerFunctions, run: int) -> None:
        self.ctx, declare, memory = ctx, ctx.module.declare, ctx.memory
        self._answers, self._run = answers, run
        self.ask = declare((I32, I32, I64), (I64,), "rating")
        """The function that gives the answer of a query about a player."""
        self._rate = declare((I32, I32, I64), (I64,))
        self.consider = declare((I32, I32, I32, I64), (), "consider")
        self._players = ctx.layout.sizes["Player"]
        self.total = ctx.module.add_global(I64)
        """The global variable with the steps that are left for all."""
        sizes = (SEAT_BYTES * self._players, 4 * MOST_OPTIONS, 8 * MOST_OPTIONS, memory.stack_end, 4, 8, 16)
        self.map = PolicyMap(*(memory.reserve(size) for size in sizes))

    def write(self) -> None:
        """Write all."""
        self._write_ask()
        self._write_rate()
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

    def _write_rate(self) -> None:
        """The worth for a player of an option of the state at rest, by its number, with so many steps for each run."""
        ctx = self.ctx
        with ctx.module.writing(self._rate) as (body, [number, who, steps]):
            seat, status, value = body.locals(I32, I32, I64)
            body.set(seat, self.seat(who))
            body.set(ctx.budget, steps)
            self.set_looking(body, 1)
            body.set(ctx.left, 0)
            self.answer(body, number)
            body.set(status, call(self._run))
            self.set_looking(body, 0)
            self.account(body, steps)
            body.set(value, self._asked(seat, steps, who))
            with body.when(mem32(seat, LEADS).eq(AGAINST_OTHERS)):
                body.set(value, value - Emitted(I64, lambda: self._best_other(body, seat, who, steps)))
            body.push((self._outcome(status, who) << OUTCOME_BIT) + value)

    def _asked(self, seat: Local, steps: Local, player: Local) -> Term:
        """The answer of the query of a seat about a player."""
        return call(self.ask, mem32(seat, QUERY), player, steps, gives=I64)

    def _best_other(self, body: FunctionBody, seat: Local, who: Local, steps: Local) -> Term:
        """The highest answer about another player; 0 if there is none."""
        best, other, found = body.locals(I64, I32, I64)
        body.set(best, 0 if self._players == 1 else -1 << OUTCOME_BIT)
        with body.until(other.ge_s(self._players), (other, 1)), body.block() as same:
            body.branch_if(same, other.eq(who))
            body.set(found, self._asked(seat, steps, other))
            body.set(best, select(found, best, found.gt_s(best)))
        return best

    def _outcome(self, status: Local, who: Local) -> Term:
        """1 if the player has won, -1 if the game is over and they have not, else 0."""
        rank = mem32(who << 2, self.ctx.memory.cell_at[self.ctx.layout.rank])
        return select(select(1, -1, rank.eq(1), I64), 0, status.eq(OVER))

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
                number = mem32(at << 2, places.numbers)
                body.set(mem64(at << 3, places.worths), call(self._rate, number, who, steps, gives=I64))
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
        """Let the rules stop where chance is asked, or not."""
        assert self.ctx.looking is not None
        body.set(self.ctx.looking, value)

    def seat(self, who: Local) -> Term:
        """The address of the entry of a player."""
        return (who << SEAT_BYTES.bit_length() - 1) + self.map.seats
