"""Functions that search in several worlds: those of :mod:`rulewright.search.information_set_search`.

The host puts worlds behind the stack and sets in which one the next simulations are played. What several answer at once
hangs side by side under the node of the first question. Selection does what
:class:`rulewright.search.information_set_search.Node` does.
"""

from __future__ import annotations

from rulewright.engine.native.lowering.driver.answer_functions import FLAGS, IN_SECRET, entry_of
from rulewright.engine.native.lowering.driver.tree_search.entry_functions import EntryFunctions, OfferFunctions
from rulewright.engine.native.lowering.driver.tree_search.node_functions import OutcomeFunctions
from rulewright.engine.native.lowering.driver.tree_search.payoff_functions import LeadFunctions
from rulewright.engine.native.lowering.driver.tree_search.simulation_functions import SimulationFunctions
from rulewright.engine.native.lowering.driver.tree_search.tree_map import (
    DEPTH,
    DOING,
    FACTOR,
    FIRST_NUMBER,
    FREE,
    HIGH,
    LIMIT,
    LISTS,
    LOOKS,
    LOW,
    NODE_KEY,
    NUMBERS,
    PATH,
    POSSIBLE,
    PROMISING,
    RATED,
    ROOT,
    STEP_BYTES,
    TABLE,
    TAKEN,
    WHO_ASKED,
    WIDEST,
    WORTH,
)
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import OPTIONS, QUESTION, WHO
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import (
    F64,
    I32,
    I64,
    Local,
    Memory,
    Term,
    call,
    const,
    mem32,
    mem64,
    mem_real,
    real,
    select,
)
from rulewright.engine.search_arithmetic import ALL_AT_ONCE, ALL_TRIED, EXPLORATION_OF_WORLDS, LONGEST_PATH, WIDENING


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
        """The truth of there being room for one more option, as :mod:`rulewright.search.rollouts` gives it."""
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
        """The lead of a seat after an option; if the game is over then, it is infinite, or 0 if there is no winner. The
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


_ROOT_KEY = 0x6A09E667F3BCC908
"""The key of the root."""
_ALL, _OWN = 1, 2
"""The ways to a node: the answers of all, and those of the seat to decide."""


class WorldFunctions:
    """The functions `reset_worlds`, `search_world` and `note_world`."""

    def __init__(
        self, ctx: LoweringContext, simulation: SimulationFunctions, outcomes: OutcomeFunctions | None
    ) -> None:
        self.ctx, declare = ctx, ctx.module.declare
        self._simulation, self._outcomes, self._registers = simulation, outcomes, simulation.registers
        self._offers = simulation.offers
        self._entries = EntryFunctions(ctx, self._registers, simulation.nodes, self._offers)
        self._selection = SelectionFunctions(ctx, simulation, self._entries, self._offers)
        self._own = ctx.memory.reserve(8 * self._registers.players)
        """The address of hashes: the answers of each seat, where several answer at once."""
        self._note = declare((), (), "note_world")
        self._simulate = declare((I64,))
        self._reset = declare((), (), "reset_worlds")
        self._search = declare((I32, I64), (I32,), "search_world")

    def write(self, questions: int) -> None:
        """Write all, given the address of the table of questions."""
        self._offers.write(questions)
        self._entries.write()
        self._selection.write()
        self._write_note()
        self._write_simulate(questions)
        self._write_plant()
        self._write_search()

    def _write_plant(self) -> None:
        """Make the root, of the question that is searched."""
        registers, lists = self._registers, self._entries.lists
        with self.ctx.module.writing(self._reset) as (body, []):
            body.call(self._simulation.go_back)
            body.set(lists, self._simulation.nodes.take(body, const(4 * LISTS)))
            body.fill(lists, 0, 4 * LISTS)
            body.set(registers.number(ROOT), call(self._entries.node, const(_ROOT_KEY, I64)))

    def _write_search(self) -> None:
        """Simulate so often in the world that is laid down, with so many steps for each answer; how often that was
        done. It ends before if there might not be enough room for one more."""
        registers = self._registers
        with self.ctx.module.writing(self._search) as (body, [count, steps]):
            done, room = body.locals(I32, I32)
            with body.until(done.ge_u(count), (done, 1)) as out:
                body.set(room, (registers.number(WIDEST) << 3) + registers.map.most)
                body.branch_if(out, (registers.number(FREE) + room).gt_u(registers.number(LIMIT)))
                body.call(self._simulate, steps)
            body.push(done)

    def _write_note(self) -> None:
        """Note the payoffs along the path."""
        registers = self._registers
        with self.ctx.module.writing(self._note) as (body, []):
            at, node, entry, end = body.locals(I32, I32, I32, I32)
            first = registers.map.registers + PATH
            body.set(at, first)
            body.set(end, (registers.number(DEPTH) << STEP_BYTES.bit_length() - 1) + first)
            with body.until(at.ge_u(end), (at, STEP_BYTES)):
                body.set(node, mem32(at))
                body.set(entry, mem32(at, 4))
                body.set(mem32(node, LOOKS), mem32(node, LOOKS) + 1)
                body.set(mem32(entry, TAKEN), mem32(entry, TAKEN) + 1)
                total = mem_real(entry, WORTH)
                body.set(total, total + registers.payoff(mem32(node, WHO_ASKED)))

    def _write_simulate(self, questions: int) -> None:
        """Go down the tree in one world, put a node at its end, play on from there at random, and note the payoffs."""
        registers, entries, simulation = self._registers, self._entries, self._simulation
        with self.ctx.module.writing(self._simulate) as (body, [steps]):
            node, step, at_once = body.locals(I32, I32, I32)
            above, given, key = body.locals(I64, I64, I64)
            body.call(simulation.go_back)
            if self._outcomes is not None:
                self._outcomes.reseed(body)
            body.call(self._offers.number)
            body.set(node, registers.number(ROOT))
            body.set(registers.number(DEPTH), 0)
            first = registers.map.registers + PATH
            body.set(step, first)
            self._begin(body, node, above, given)
            with body.block() as ended:
                with body.block() as at_random, body.loop() as again:
                    body.set(at_once, self._is_at_once(questions))
                    body.set(mem32(step), node)
                    body.set(mem32(step, 4), call(self._selection.select, node, steps))
                    body.set(step, step + STEP_BYTES)
                    number = body.hold(mem32(registers.number(DEPTH) << 2, registers.at + NUMBERS))
                    body.set(registers.number(DEPTH), registers.number(DEPTH) + 1)
                    self._give(body, node, self._offers.what(number), given)
                    simulation.take(body, number, steps)
                    with body.when(mem32(0, OPTIONS).eqz()):
                        body.call(simulation.payoffs.find)
                        body.branch(ended)
                    body.set(at_once, at_once & self._is_at_once(questions))
                    question = mem32(0, QUESTION).extend_u() + (mem32(0, WHO).extend_u() << 32)
                    body.set(key, self._mixed(above, question))
                    with body.when(at_once):
                        body.set(key, self._mixed(self._mixed(key, self._own_answers(mem32(0, WHO))), const(_OWN, I64)))
                    with body.otherwise():
                        body.set(key, self._mixed(self._mixed(key, given), const(_ALL, I64)))
                    body.set(node, call(entries.find, key))
                    with body.when(node.eqz()):
                        body.branch_if(at_random, entries.is_full)
                        body.drop(call(entries.node, key))
                        body.branch(at_random)
                    body.branch_if(at_random, step.ge_u(first + STEP_BYTES * LONGEST_PATH))
                    with body.when(at_once.eqz()):
                        self._begin(body, node, above, given)
                    body.call(self._offers.offer)
                    body.branch(again)
                simulation.play_rest(body, steps)
            body.call(self._note)

    def _is_at_once(self, questions: int) -> Term:
        """The truth of the question being one that several answer at once."""
        return mem32(entry_of(questions), FLAGS) & IN_SECRET

    def _own_answers(self, seat: Term) -> Term:
        return mem64(seat << 3, self._own)

    def _begin(self, body: FunctionBody, node: Local, above: Local, given: Local) -> None:
        """Let what follows hang under a node, with no answers so far."""
        body.set(above, mem64(node, NODE_KEY))
        body.set(given, 0)
        for seat in range(self._registers.players):
            body.set(mem64(0, self._own + 8 * seat), 0)

    def _give(self, body: FunctionBody, node: Local, option: Term, given: Local) -> None:
        """Take an answer into the hashes."""
        seat, what = body.locals(I32, I64)
        body.set(seat, mem32(node, WHO_ASKED))
        body.set(what, option)
        body.set(given, self._mixed(self._mixed(given, seat.extend_u() + 1), what))
        own = mem64(seat << 3, self._own)
        body.set(own, self._mixed(self._mixed(own, const(1, I64)), what))

    def _mixed(self, key: Term, word: Term) -> Term:
        """A hash of a hash and a word."""
        return call(self._simulation.mix, key * FACTOR + word, gives=I64)
