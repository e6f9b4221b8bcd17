"""Functions that take the leads of seats, as a query of the rules rates them, for payoffs.

The same as :class:`rulewright.agents.rollouts.Rollouts` does it. They stand only in modules that are made for some
rating queries.
"""

from __future__ import annotations

from rulewright.engine.native.lowering.driver.rating_functions import RatingFunctions
from rulewright.engine.native.lowering.driver.tree_search.tree_map import (
    HIGH,
    LEADS_MET,
    LOW,
    QUERY,
    RATINGS,
    TreeRegisters,
)
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import TOP
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import (
    F64,
    I64,
    Local,
    Memory,
    Term,
    call,
    mem32,
    mem_real,
    real,
    select,
)


class LeadFunctions:
    """The functions `measure` and `estimate`, and the position to which a search comes back when it has rated."""

    def __init__(self, ctx: LoweringContext, registers: TreeRegisters, rating: RatingFunctions) -> None:
        self.ctx, declare = ctx, ctx.module.declare
        self._registers, self._rating = registers, rating
        self._leads = ctx.memory.reserve(8 * registers.players)
        self.measure = declare((I64,))
        """The function that finds by how much each seat is better than the best of the others, given the steps."""
        self.estimate = declare((I64,))
        """The function that leaves the payoffs that leads are taken for in their registers, given the steps."""

    @property
    def rates(self) -> Term:
        """The truth of this being a search with ratings."""
        return self._registers.number(QUERY).nonzero()

    def lead(self, seat: Term) -> Memory:
        """The lead of a seat, as it was measured last."""
        return mem_real(seat << 3, self._leads)

    def keep(self, body: FunctionBody) -> None:
        """Keep the position, for :meth:`RatingFunctions.put_back`."""
        body.copy(self._rating.map.saved, 0, mem32(0, TOP))

    def put_back(self, body: FunctionBody) -> None:
        """Go back to the position that was kept."""
        self._rating.put_back(body)

    def write(self) -> None:
        """Write both."""
        self._write_measure()
        self._write_estimate()

    def _write_measure(self) -> None:
        """Numbers of 32 bits are exact as floats, and so are their differences."""
        players, ask = self._registers.players, self._rating.ask
        with self.ctx.module.writing(self.measure) as (body, [steps]):
            best, second, rate = body.locals(F64, F64, F64)
            leads = [mem_real(0, self._leads + 8 * seat) for seat in range(players)]
            body.set(best, real(float("-inf")))
            body.set(second, real(float("-inf")) if players > 1 else real(0.0))
            for seat, lead in enumerate(leads):
                rated = call(ask, self._registers.number(QUERY), seat, steps, gives=I64)
                body.set(rate, rated.wrap().to_float())
                body.set(lead, rate)
                if players > 1:
                    lower = select(best, rate, rate.gt(best), F64)
                    body.set(second, select(lower, second, lower.gt(second), F64))
                body.set(best, select(rate, best, rate.gt(best), F64))
            for lead in leads:
                body.set(lead, lead - select(second, best, lead.ge(best), F64))

    def _write_estimate(self) -> None:
        """The middle of all payoffs, and as much more as the lead is a part of itself and a usual one together."""
        registers = self._registers
        met, ratings = registers.real(LEADS_MET), registers.real(RATINGS)
        with self.ctx.module.writing(self.estimate) as (body, [steps]):
            usual, most, spread = body.locals(F64, F64, F64)
            body.call(self.measure, steps)
            body.set(usual, met.div(ratings))
            sizes = [self._size(body, mem_real(0, self._leads + 8 * seat)) for seat in range(registers.players)]
            for size in sizes:
                body.set(most, select(size, most, size.gt(most), F64))
            body.set(met, met + most)
            body.set(ratings, ratings + real(1.0))
            low, high = registers.real(LOW), registers.real(HIGH)
            body.set(spread, (high - low).div(real(2.0)))
            body.set(spread, select(spread, real(1.0), spread.gt(real(0.0)), F64))
            middle = body.hold((low + high).div(real(2.0)))
            for seat, size in enumerate(sizes):
                lead = mem_real(0, self._leads + 8 * seat)
                body.set(registers.payoff_of(seat), middle + (spread * lead).div(size + usual))

    def _size(self, body: FunctionBody, lead: Term) -> Local:
        """A lead without its sign."""
        return body.hold(select(lead, real(0.0) - lead, lead.gt(real(0.0)), F64))
