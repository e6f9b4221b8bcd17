"""Functions that search: Monte Carlo tree search from the position that the host has put behind the stack.

The same tree as that of :mod:`rulewright.search.tree_search` grows, with the same numbers; at the end of a simulation
payoffs are backed up, and what has become certain. Where the rules end in an error the code traps; the registers hold
what was going on, and the host finds out what comes of it and goes on.
"""

from __future__ import annotations

from rulewright.engine.native.lowering.driver.answer_functions import AnswerFunctions
from rulewright.engine.native.lowering.driver.chance_functions import ChanceFunctions
from rulewright.engine.native.lowering.driver.policy_functions import RatingFunctions
from rulewright.engine.native.lowering.driver.tree_search.node_functions import IS_NEW, OutcomeFunctions
from rulewright.engine.native.lowering.driver.tree_search.simulation_functions import SimulationFunctions
from rulewright.engine.native.lowering.driver.tree_search.tree_map import (
    BRANCHES,
    CERTAIN,
    CHILD,
    DEPTH,
    DOUBT,
    FREE,
    LIMIT,
    MEAN,
    OUTCOMES,
    PATH,
    PAYOFFS,
    PROVEN,
    ROOT,
    SEAT,
    SIZE,
    STEP_BYTES,
    TIMES,
    TOTAL,
    TRIED,
    VISITS,
    TreeRegisters,
)
from rulewright.engine.native.lowering.driver.tree_search.world_functions import WorldFunctions
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import OPTIONS
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import F64, I32, I64, Local, Term, call, const, mem32, mem_real, real
from rulewright.engine.search_arithmetic import LONGEST_PATH


class BackupFunctions:
    """The functions `note` and `settle`."""

    def __init__(self, ctx: LoweringContext, registers: TreeRegisters, by_place: bool) -> None:
        self.ctx, self._registers, self._by_place = ctx, registers, by_place
        self.note = ctx.module.declare((), (), "note")
        """The function that notes the payoffs along the path."""
        self._settle = ctx.module.declare((I32, I32))

    def write(self) -> None:
        """Write both."""
        self._write_note()
        self._write_settle()

    def _write_note(self) -> None:
        registers = self._registers
        with self.ctx.module.writing(self.note) as (body, []):
            at, node, branch, known, seat, times, certain = body.locals(I32, I32, I32, I32, I32, I32, I32)
            total, count = body.locals(F64, F64)
            first = registers.map.registers + PATH
            body.set(at, (registers.number(DEPTH) << STEP_BYTES.bit_length() - 1) + first)
            body.set(known, mem32(mem32(at - STEP_BYTES, 4), CERTAIN))
            with body.loop() as again:
                body.set(at, at - STEP_BYTES)
                body.set(node, mem32(at))
                body.set(branch, mem32(at, 4))
                body.set(mem32(node, VISITS), mem32(node, VISITS) + 1)
                body.set(mem32(branch, TIMES), times.tee(mem32(branch, TIMES) + 1))
                body.set(seat, mem32(node, SEAT))
                body.set(total, mem_real(branch, TOTAL) + registers.payoff(seat))
                body.set(mem_real(branch, TOTAL), total)
                with body.when(known), body.when(mem32(node, PROVEN).eqz()):
                    with body.block() as open_:
                        if registers.chance:  # what is certain behind one outcome is not behind the others
                            body.branch_if(open_, mem32(branch, OUTCOMES))
                        body.set(mem32(branch, CERTAIN), known)
                        body.call(self._settle, node, known)
                    body.set(known, mem32(node, PROVEN))
                with body.when(certain.tee(mem32(branch, CERTAIN))):
                    body.set(mem_real(branch, MEAN), mem_real((seat << 3) + certain))
                    body.set(mem_real(branch, DOUBT), real(0.0))
                with body.otherwise():
                    body.set(count, times.to_float())
                    body.set(mem_real(branch, MEAN), total.div(count))
                    body.set(mem_real(branch, DOUBT), real(1.0).div(count.sqrt()))
                body.branch_if(again, at.gt_u(first))

    def _write_settle(self) -> None:
        """Note what is certain at a node, now that so much is of one of its branches."""
        registers = self._registers
        with self.ctx.module.writing(self._settle) as (body, [node, known]):
            at, end, best, seat, found = body.locals(I32, I32, I32, I32, I32)
            most = body.local(F64)
            body.set(seat, mem32(node, SEAT) << 3)
            if self._by_place:
                with body.when(mem_real(known + seat).ge(real(1.0))):
                    body.set(mem32(node, PROVEN), known)
                    body.give()
            with body.when(mem32(node, TRIED).lt_s(mem32(node, SIZE))):
                body.give()
            body.set(at, mem32(node, BRANCHES))
            body.set(end, mem32(node, TRIED) * registers.map.branch + at)
            with body.until(at.ge_u(end), (at, registers.map.branch)):
                with body.when(found.tee(mem32(at, CERTAIN)).eqz()):
                    body.give()
                with body.when(best.eqz() | mem_real(found + seat).gt(most)):
                    body.set(best, found)
                    body.set(most, mem_real(found + seat))
            body.set(mem32(node, PROVEN), best)


class SearchFunctions:
    """The functions `reset` and `search`, and what they need."""

    def __init__(
        self, ctx: LoweringContext, simulation: SimulationFunctions, outcomes: OutcomeFunctions | None
    ) -> None:
        self.ctx, declare = ctx, ctx.module.declare
        self._simulation, self._outcomes, self._registers = simulation, outcomes, simulation.registers
        self._nodes, self._payoffs = simulation.nodes, simulation.payoffs
        self._backup = BackupFunctions(ctx, self._registers, self._payoffs.by_place)
        self._simulate = declare((I64,))
        self._reset = declare((), (), "reset")
        self._search = declare((I32, I64), (I32,), "search")

    def write(self) -> None:
        """Write all."""
        self._backup.write()
        self._write_simulate()
        self._write_plant()
        self._write_search()

    def _write_plant(self) -> None:
        """Make the root, of the position that is searched."""
        with self.ctx.module.writing(self._reset) as (body, []):
            body.call(self._simulation.go_back)
            body.set(self._registers.number(ROOT), call(self._nodes.node))

    def _write_search(self) -> None:
        """Simulate so often, with so many steps for each answer; how often that was done. It ends before if all is
        known of the root, or if there might not be enough room for one more."""
        registers = self._registers
        with self.ctx.module.writing(self._search) as (body, [count, steps]):
            done, most = body.locals(I32, I32)
            body.set(most, registers.number(LIMIT) - registers.map.most)
            with body.until(done.ge_u(count), (done, 1)) as out:
                body.branch_if(out, mem32(registers.number(ROOT), PROVEN))
                body.branch_if(out, registers.number(FREE).gt_u(most))
                body.call(self._simulate, steps)
            body.push(done)

    def _write_simulate(self) -> None:
        """Go down the tree, put a node at its end, play on from there at random, and note the payoffs on the way."""
        registers = self._registers
        with self.ctx.module.writing(self._simulate) as (body, [steps]):
            node, branch, child, step = body.locals(I32, I32, I32, I32)
            body.call(self._simulation.go_back)
            if self._outcomes is not None:
                self._outcomes.reseed(body)
            first = registers.map.registers + PATH
            body.set(node, registers.number(ROOT))
            body.set(step, first)
            with body.block() as ended:
                with body.block() as at_random, body.loop() as again:
                    body.set(branch, call(self._nodes.select, node))
                    body.set(mem32(step), node)
                    body.set(mem32(step, 4), branch)
                    body.set(step, step + STEP_BYTES)
                    depth = step - first >> STEP_BYTES.bit_length() - 1
                    body.set(registers.number(DEPTH), depth)
                    self._leave_if_certain(body, ended, mem32(branch, CERTAIN))
                    drawn = body.hold(self._outcomes.drawn) if self._outcomes is not None else None
                    self._simulation.take(body, mem32(branch), steps)
                    with body.when(mem32(0, OPTIONS).eqz()):
                        body.call(self._payoffs.find)
                        with body.block() as by_chance:
                            if drawn is not None:
                                assert self._outcomes is not None
                                body.branch_if(by_chance, self._outcomes.drawn.ne(drawn))
                            body.set(mem32(branch, CERTAIN), self._kept_payoffs(body))
                        body.branch(ended)
                    place = self._place(body, branch, drawn, at_random)
                    body.branch_if(at_random, step.ge_u(first + STEP_BYTES * LONGEST_PATH))
                    with body.when(child.tee(mem32(place)).eqz()):
                        body.branch_if(at_random, self._nodes.is_full)
                        body.set(child, call(self._nodes.node))
                        body.set(mem32(place), child)
                    if self._outcomes is not None:
                        self._leave_if_certain(body, ended, mem32(child, PROVEN))
                    body.set(node, child)
                    body.branch(again)
                self._simulation.play_rest(body, steps)
            body.call(self._backup.note)

    def _leave_if_certain(self, body: FunctionBody, ended: int, payoffs: Term) -> None:
        """End a simulation where the payoffs are known, if their address is not 0."""
        registers, at = self._registers, body.local()
        with body.when(at.tee(payoffs)):
            for seat in range(registers.players):
                body.set(registers.real(PAYOFFS + 8 * seat), mem_real(at, 8 * seat))
            body.branch(ended)

    def _kept_payoffs(self, body: FunctionBody) -> Local:
        """The address of a copy of the payoffs that were found."""
        players = self._registers.players
        kept = self._nodes.take(body, const(8 * players))
        for seat in range(players):
            body.set(mem_real(kept, 8 * seat), self._registers.real(PAYOFFS + 8 * seat))
        return kept

    def _place(self, body: FunctionBody, branch: Local, drawn: Local | None, new: int) -> Local:
        """The address where the node behind a branch is noted; if it is new, code goes to the label."""
        place = body.local()
        if self._outcomes is None or drawn is None:
            body.branch_if(new, mem32(branch, TIMES).eqz())
            body.set(place, branch + CHILD)
            return place
        with body.when(self._outcomes.drawn.eq(drawn)):
            body.branch_if(new, mem32(branch, TIMES).eqz())
            body.set(place, branch + CHILD)
        with body.otherwise():
            body.set(place, call(self._outcomes.find, branch))
            body.branch_if(new, place.eqz() | place & IS_NEW)
        return place


class TreeFunctions:
    """Searches in one world and in several."""

    def __init__(
        self,
        ctx: LoweringContext,
        answers: AnswerFunctions,
        chance: ChanceFunctions,
        rating: RatingFunctions | None,
        settle: int,
        play_on: int,
    ) -> None:
        self._simulation = simulation = SimulationFunctions(ctx, answers, chance, rating, settle, play_on)
        self.registers, self.payoffs = simulation.registers, simulation.payoffs
        self.map = self.registers.map
        drawn = simulation.registers.chance
        self._outcomes = OutcomeFunctions(ctx, simulation.registers, simulation.nodes) if drawn else None
        self._search = SearchFunctions(ctx, simulation, self._outcomes)
        self._worlds = WorldFunctions(ctx, simulation, self._outcomes)

    def write(self, questions: int) -> None:
        """Write all, given the address of the table of questions."""
        self._simulation.write()
        if self._outcomes is not None:
            self._outcomes.write()
        self._search.write()
        self._worlds.write(questions)
