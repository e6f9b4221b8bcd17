"""Payoffs of a game as floats, as in :mod:`rulewright.engine.runtime.records`, and leads of seats before the end.

A lead is rated by a query of the rules, as by :class:`rulewright.search.rollouts.Rollouts`; its functions stand only in
modules that are made for some rating queries.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.engine.native.lowering.driver.policy_functions import RatingFunctions
from rulewright.engine.native.lowering.driver.tree_search.tree_map import (
    HIGH,
    LEADS_MET,
    LOW,
    PAYOFFS,
    QUERY,
    RATINGS,
    TreeRegisters,
)
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import TOP
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.module import function
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
from rulewright.engine.runtime.records import PayoffRule


class PayoffFunctions:
    """The function `find`, which leaves the payoffs of the state in their registers."""

    def __init__(self, ctx: LoweringContext, registers: TreeRegisters) -> None:
        self.ctx, self.module, self._registers = ctx, ctx.module, registers
        self._rule = PayoffRule.of(ctx.program)
        self.by_place = not self._rule.pays
        """True if payoffs follow from places alone: then they are from -1 to 1."""

    @function("")
    def find(self, body: FunctionBody) -> None:
        """Leave the payoffs of the state in their registers."""
        if self.by_place:
            self._write_by_place(body)
        else:
            self._write_paid(body)

    def _write_paid(self, body: FunctionBody) -> None:
        """The payments, and the lowest and highest of it that was met."""
        registers, paid = self._registers, self.ctx.memory.cell_at[self.ctx.layout.paid]
        value = body.local(F64)
        for seat, at in enumerate(paid):
            body.set(value, mem32(0, at).to_float())
            body.set(registers.real(PAYOFFS + 8 * seat), value)
            low, high = registers.real(LOW), registers.real(HIGH)
            body.set(low, select(value, low, value.lt(low), F64))
            body.set(high, select(value, high, value.gt(high), F64))

    def _write_by_place(self, body: FunctionBody) -> None:
        """The others whom one has beaten, less those who have beaten one, in parts of all; if no one has beaten
        anybody, the payoff of all together."""
        players, ranks = self._rule.players, self.ctx.layout.ranks
        places = [mem32(0, at) for at in self.ctx.memory.cell_at[ranks]]
        drawn, places = places[-1], places[:players]
        alike = body.local()
        body.set(alike, 1)
        for place in places[1:]:
            body.set(alike, alike & place.eq(places[0]))
        with body.when(alike):
            everybody = select(real(1.0), real(-1.0), places[0].eq(1), F64)
            drawn_by_all = places[0].eqz() | self._is_drawn(drawn, places)
            self._give_all(body, body.hold(select(real(0.0), everybody, drawn_by_all, F64)))
        with body.otherwise():
            for seat, mine in enumerate(places):
                beaten = body.local()
                body.set(beaten, 0)
                for other in (*places[:seat], *places[seat + 1 :]):
                    body.set(beaten, beaten + other.gt_s(mine) - other.lt_s(mine))
                share = beaten.to_float().div(real(players - 1))
                body.set(self._registers.real(PAYOFFS + 8 * seat), share)

    def _is_drawn(self, drawn: Term, places: Sequence[Term]) -> Term:
        """True if the first have beaten no other: all players of a party have won together."""
        if not self._rule.parties:
            return drawn
        first: Term = places[0].eq(1)
        for seat, place in enumerate(places[1:], 1):
            first = first | (place.eq(1) << seat)
        one_party = None
        for members in sorted(self._rule.parties):
            same = first.eq(members)
            one_party = same if one_party is None else one_party | same
        return drawn if one_party is None else drawn & one_party.eqz()

    def _give_all(self, body: FunctionBody, value: Local) -> None:
        for seat in range(self._rule.players):
            body.set(self._registers.real(PAYOFFS + 8 * seat), value)


class LeadFunctions:
    """The functions `measure` and `estimate`, and the position to which a search comes back when it has rated."""

    def __init__(self, ctx: LoweringContext, registers: TreeRegisters, rating: RatingFunctions) -> None:
        self.module, self._registers, self._rating = ctx.module, registers, rating
        self._leads = ctx.memory.reserve(8 * registers.players)

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

    @function("", I64)
    def measure(self, body: FunctionBody, steps: Local) -> None:
        """Numbers of 32 bits are exact as floats, and so are their differences."""
        players, ask = self._registers.players, self._rating.ask
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

    @function("", I64)
    def estimate(self, body: FunctionBody, steps: Local) -> None:
        """The middle of all payoffs, and as much more as the lead is a part of itself and a usual one together."""
        registers = self._registers
        met, ratings = registers.real(LEADS_MET), registers.real(RATINGS)
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
