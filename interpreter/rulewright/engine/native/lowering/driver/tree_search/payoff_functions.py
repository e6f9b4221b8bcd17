"""Payoffs of a game as floats, as in :mod:`rulewright.engine.runtime.records`, and ratings of seats before the end.

Ratings are the answers of a query of the rules: they stand only in modules that are made for some rating queries.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulewright.engine.native.lowering.driver.policy_functions import RatingFunctions
from rulewright.engine.native.lowering.driver.tree_search.tree_map import (
    QUERY,
    TreeRegisters,
)
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.module import function
from rulewright.engine.native.webassembly.terms import (
    F64,
    Local,
    Term,
    mem32,
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
        """The payments."""
        for seat, at in enumerate(self.ctx.memory.cell_at[self.ctx.layout.paid]):
            body.set(self._registers.payoff_of(seat), mem32(0, at).to_float())

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
                body.set(self._registers.payoff_of(seat), share)

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
            body.set(self._registers.payoff_of(seat), value)


class RatedPositions:
    """Code for the ratings of positions by the query of a search."""

    def __init__(self, registers: TreeRegisters, rating: RatingFunctions) -> None:
        self._registers, self._rating = registers, rating

    @property
    def wanted(self) -> Term:
        """The truth of this being a search with ratings."""
        return self._registers.number(QUERY).nonzero()

    def rate(self, body: FunctionBody, steps: Term) -> Term:
        """The address of the ratings of all seats."""
        return self._rating.rates(body, self._registers.number(QUERY), steps)
