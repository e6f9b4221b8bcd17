"""Functions that select the option to look at in one of several worlds.

The same as :class:`rulewright.agents.information_set_search.Node` does it.
"""

from __future__ import annotations

from rulewright.engine.native.lowering.driver.tree_search.entry_functions import EntryFunctions
from rulewright.engine.native.lowering.driver.tree_search.lead_functions import LeadFunctions
from rulewright.engine.native.lowering.driver.tree_search.offer_functions import OfferFunctions
from rulewright.engine.native.lowering.driver.tree_search.simulation_functions import SimulationFunctions
from rulewright.engine.native.lowering.driver.tree_search.tree_map import (
    DEPTH,
    DOING,
    FIRST_NUMBER,
    HIGH,
    LOOKS,
    LOW,
    NUMBERS,
    POSSIBLE,
    PROMISING,
    RATED,
    TABLE,
    TAKEN,
    WHO_ASKED,
    WORTH,
)
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import OPTIONS
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import (
    F64,
    I32,
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
from rulewright.engine.search_arithmetic import ALL_AT_ONCE, ALL_TRIED, EXPLORATION_OF_WORLDS, WIDENING


class SelectionFunctions:
    """The function `select`, and in a module that can rate `most_promising` and `promise`."""

    def __init__(
        self, ctx: LoweringContext, simulation: SimulationFunctions, entries: EntryFunctions, offers: OfferFunctions
    ) -> None:
        self.ctx, declare = ctx, ctx.module.declare
        self._simulation, self._entries, self._offers = simulation, entries, offers
        self._registers, self._nodes = simulation.registers, simulation.nodes
        self._known = ctx.memory.reserve(4 * self._registers.options)
        """The address of a table: for each option its entry, or 0 if it was not tried."""
        self.select = declare((I32, I64), (I32,))
        """The function that gives the entry of the option to look at at a node; its number is noted as that of the next
        step. So many steps may be made for each rating."""
        if simulation.leads is not None:
            self._promise = declare((I32, I32, I64), (F64,))
            self._most_promising = declare((I32, I64), (I32,))

    def write(self) -> None:
        """Write all."""
        leads = self._simulation.leads
        if leads is not None:
            self._write_promise(leads)
            self._write_most_promising(leads)
        self._write_select(leads)

    def _entry(self, number: Term) -> Memory:
        return mem32(number << 2, self._known)

    def _write_select(self, leads: LeadFunctions | None) -> None:
        with self.ctx.module.writing(self.select) as (body, [node, steps]):
            at, tried, size, entry, best, chosen, missing = body.locals(I32, I32, I32, I32, I32, I32, I32)
            bonus, value, most, taken = body.locals(F64, F64, F64, F64)
            body.set(size, mem32(0, OPTIONS))
            has_table = body.hold(mem32(node, TABLE))
            with body.until(at.ge_u(size), (at, 1)):
                body.set(entry, 0)
                with body.when(has_table):
                    body.set(entry, call(self._entries.place, node, self._offers.what(at)))
                    with body.when(mem32(entry, POSSIBLE).gt_s(0)):
                        body.set(mem32(entry, POSSIBLE), mem32(entry, POSSIBLE) + 1)
                        body.set(tried, tried + 1)
                    with body.otherwise():
                        body.set(entry, 0)
                body.set(self._entry(at), entry)
            body.set(missing, size - tried)
            widens = self._widens(body, node, tried, leads)
            with body.when(missing.nonzero() & widens & (self._entries.is_full.eqz() | tried.eqz())):
                if leads is not None:
                    with body.when(leads.rates):
                        body.give(call(self._most_promising, node, steps))
                body.set(missing, call(self._nodes.below, missing))
                body.set(at, 0)
                with body.loop() as again, body.when(self._entry(at).nonzero() | missing.nonzero()):
                    body.set(missing, missing - self._entry(at).eqz())
                    body.set(at, at + 1)
                    body.branch(again)
                self._note_number(body, at)
                body.give(call(self._entries.insert, node, at))
            spread = (self._registers.real(HIGH) - self._registers.real(LOW)).div(real(2.0))
            body.set(bonus, spread * real(EXPLORATION_OF_WORLDS))
            body.set(most, real(float("-inf")))
            body.set(at, 0)
            with body.until(at.ge_u(size), (at, 1)), body.when(entry.tee(self._entry(at))):
                body.set(taken, mem32(entry, TAKEN).to_float())
                logarithm = self._nodes.logarithm(body, mem32(entry, POSSIBLE))
                body.set(value, mem_real(entry, WORTH).div(taken) + bonus * logarithm.div(taken).sqrt())
                with body.when(value.gt(most)):
                    body.set(most, value)
                    body.set(best, entry)
                    body.set(chosen, at)
            self._note_number(body, chosen)
            body.push(best)

    def _widens(self, body: FunctionBody, node: Local, tried: Local, leads: LeadFunctions | None) -> Term:
        """The truth of there being room for one more option, as :mod:`rulewright.agents.widening` gives it."""
        looks = body.hold(mem32(node, LOOKS) * WIDENING)
        plain = tried.lt_s(ALL_TRIED) | (tried * tried).le_s(looks)
        if leads is None:
            return plain
        more = body.hold(tried - (ALL_AT_ONCE - 1))
        return select(more.lt_s(1) | (more * more).le_s(looks), plain, leads.rates)

    def _note_number(self, body: FunctionBody, number: Local) -> None:
        """Note which option the next step takes."""
        at = self._registers.at + NUMBERS
        body.set(mem32(self._registers.number(DEPTH) << 2, at), number)

    # ------------------------------------------------------------------------------------------------------- ratings

    def _write_promise(self, leads: LeadFunctions) -> None:
        """The lead of a seat after an option; if the game is over then, it is infinite, or 0 if nobody has won. The
        position is another one then."""
        simulation = self._simulation
        with self.ctx.module.writing(self._promise) as (body, [seat, number, steps]):
            best, lead = body.locals(F64, F64)
            body.call(simulation.apply, number, steps)
            with body.when(mem32(0, OPTIONS)):
                body.call(leads.measure, steps)
                body.give(leads.lead(seat))
            body.call(simulation.payoffs.find)
            body.set(best, real(float("-inf")) if self._registers.players > 1 else real(0.0))
            for other in range(self._registers.players):
                payoff = self._registers.payoff_of(other)
                body.set(best, select(payoff, best, seat.ne(other) & payoff.gt(best), F64))
            body.set(lead, self._registers.payoff(seat) - best)
            lost_or_even = select(real(float("-inf")), real(0.0), lead.lt(real(0.0)), F64)
            body.push(select(real(float("inf")), lost_or_even, lead.gt(real(0.0)), F64))

    def _write_most_promising(self, leads: LeadFunctions) -> None:
        """The entry of an option that was not tried after which the seat stands best; options that were never met at
        the node are rated first."""
        entries, offers = self._entries, self._offers
        with self.ctx.module.writing(self._most_promising) as (body, [node, steps]):
            at, size, entry, count = body.locals(I32, I32, I32, I32)
            value, most = body.locals(F64, F64)
            body.set(size, mem32(0, OPTIONS))
            leads.keep(body)
            body.set(self._registers.number(DOING), PROMISING)
            with body.until(at.ge_u(size), (at, 1)):
                body.set(entry, self._entry(at))
                with body.when(entry.eqz()), body.when(mem32(node, TABLE)):
                    body.set(entry, mem32(call(entries.place, node, offers.what(at)), POSSIBLE))
                with body.when(entry.eqz()):
                    body.set(value, call(self._promise, mem32(node, WHO_ASKED), at, steps, gives=F64))
                    leads.put_back(body)
                    body.set(entry, call(entries.insert, node, at))
                    body.set(mem32(entry, POSSIBLE), RATED)
                    body.set(mem_real(entry, WORTH), value)
            body.set(at, 0)
            with body.until(at.ge_u(size), (at, 1)), body.when(self._entry(at).eqz()):
                body.set(value, mem_real(call(entries.place, node, offers.what(at)), WORTH))
                with body.when(count.eqz() | value.gt(most)):
                    body.set(most, value)
                    body.set(count, 0)
                body.set(count, count + value.eq(most))
            body.set(count, call(self._nodes.below, count))
            body.set(at, 0)
            with body.loop() as again:
                body.set(entry, 0)
                with body.when(self._entry(at).eqz()):
                    body.set(entry, call(entries.place, node, offers.what(at)))
                    with body.when(mem_real(entry, WORTH).eq(most)):
                        with body.when(count.eqz()):
                            self._note_number(body, at)
                            body.set(mem32(entry, POSSIBLE), 1)
                            body.set(mem_real(entry, WORTH), real(0.0))
                            body.set(mem32(entry, FIRST_NUMBER), at)
                            body.give(entry)
                        body.set(count, count - 1)
                body.set(at, at + 1)
                body.branch(again)
            body.trap()
