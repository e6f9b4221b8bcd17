"""The function `explore`, which plays from one position again and again until something is covered for the first time,
or until a run comes nearer to a target than the host has seen.

Coverage-guided fuzzing from snapshots, as of virtual machines (S. Schumilo and others, *Nyx: greybox hypervisor fuzzing
using fast snapshots and affine types*, USENIX Security 2021): the position is a copy of a state at rest, with what
assertions and turns remember. Each run has a seed for chance and for the answers, so that the Python engine can play it
again from that alone. The distance of a target is a query of the program; it is evaluated at each look at coverage.
"""

from __future__ import annotations

from rulewright.engine.native.lowering.coverage import CoveragePlan
from rulewright.engine.native.lowering.driver.chance_functions import ChanceFunctions
from rulewright.engine.native.lowering.driver.playout_functions import PlayoutFunctions
from rulewright.engine.native.lowering.driver.step_functions import StepFunctions
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import ASK, FRAME_AT, OPTIONS, OVER, RETURNED, STATUS, TOP
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import (
    I32,
    I64,
    Local,
    Term,
    call,
    const,
    greater,
    lesser,
    lift,
    mem32,
    mem64,
)
from rulewright.engine.random_numbers import (
    GATHERING_SHIFT,
    LEAST_SPREAD,
    PLACE_SHIFT,
    PLACES,
    PLAYERS,
    SPREAD_SHIFT,
)
from rulewright.foundation.lazy_dataclass import dataclass

SEGMENT = 16
"""After so many answers it is looked whether something new is covered."""
MEASURED = 400_000
"""The steps that a distance may take; most of them are of areas, which are kept: a few dozen microseconds."""


@dataclass(frozen=True, slots=True)
class ExplorationMap:
    """Addresses of what the host writes and reads."""

    coverage: CoveragePlan
    runs: int
    """The number of runs that have ended, 4 bytes; behind it the answers of the one that has not."""
    answers: int
    """The answers of all runs, 8 bytes."""
    unfinished: int
    """The number of runs that were not over after the most answers, 4 bytes; behind it the last of them."""
    is_new: int
    """The number of words of the map with something new, 4 bytes: then the last run has not ended."""
    broken: int
    """The number of the assertion that did not hold when a run stopped with an error, or -1; 4 bytes."""
    last: int
    """The number of the rule that was used last, 4 bytes."""
    left: int
    """The number of answers that were left of the segment when one was given last, 4 bytes."""
    distance: int
    """The distance that was measured last, 4 bytes; behind it, 4 bytes, 1 while one is measured."""
    origin: int
    """The position from which all runs begin."""
    kept: int
    """The memory of turns and assertions, kept beside it."""
    size: int
    """The bytes of that, but for the begins of blocks that run."""
    blocks: int
    """The address, among what is kept, of the bytes of those; 0 if no assertion compares any."""
    segment: int = SEGMENT
    """After so many answers it is looked whether something new is covered."""


class ExplorationFunctions:
    """Writes `explore`."""

    def __init__(
        self,
        ctx: LoweringContext,
        playouts: PlayoutFunctions,
        chance: ChanceFunctions,
        steps: StepFunctions,
        begin: int,
    ) -> None:
        self.ctx, self._playouts, self._chance, self._steps, self._begin = ctx, playouts, chance, steps, begin
        reserve = ctx.memory.reserve
        self._runs, self._answers, self._unfinished, self._new = reserve(8), reserve(8), reserve(8), reserve(4)
        self._origin = reserve(ctx.memory.stack_end)
        assert ctx.coverage is not None
        self._coverage = ctx.coverage
        self._distance = reserve(8)
        self._distances = [ctx.query_number(name) for name in ctx.covered.distances] if ctx.covered is not None else []
        self._broken = ctx.assertions.broken if ctx.assertions is not None else reserve(4)
        used, row = ctx.coverage.turn_set
        assertions = ctx.assertions
        self._kept = reserve(row + (assertions.room if assertions is not None else 0))
        self._size, self._blocks = row, 0
        self._copies: list[tuple[int, int, Term | int]] = [(self._kept, used, row)]
        if assertions is not None:
            self._copies += assertions.copies(self._kept + row)
            self._size += assertions.least_room
            self._blocks = self._kept + row if assertions.has_blocks else 0
        self._explore = ctx.module.declare((I32, I32, I64, I32, I32, I64, I64, I32, I32), (I32,), "explore")
        self._measure = ctx.module.declare((I32,), (I32,), "measure")
        self._keep = ctx.module.declare((), (), "keep")

    @property
    def map(self) -> ExplorationMap:
        """The addresses, when all is written."""
        plan = self._coverage.plan()
        places = (
            self._runs,
            self._answers,
            self._unfinished,
            self._new,
            self._broken,
            self._coverage.last,
            self._coverage.left_at,
            self._distance,
            self._origin,
        )
        return ExplorationMap(plan, *places, self._kept, self._size, self._blocks)

    def write(self) -> None:
        """Write all."""
        self._write_keep()
        self._write_measure()
        self._write_explore()

    def _write_keep(self) -> None:
        """Let the state at rest be the origin."""
        with self.ctx.module.writing(self._keep) as (body, []):
            body.copy(self._origin, 0, mem32(0, TOP))
            for there, here, size in self._copies:
                body.copy(there, here, size)

    def _write_measure(self) -> None:
        """The distance of the state at rest from a target, given its number; it is paid for apart from the rules."""
        budget = self.ctx.budget
        with self.ctx.module.writing(self._measure) as (body, [aim]):
            before, found = body.local(I64), body.local()
            body.set(mem32(0, self._distance + 4), 1)
            body.set(before, budget)
            body.set(budget, const(MEASURED, I64))
            for number, query in enumerate(self._distances):
                with body.when(aim.eq(number)):
                    body.set(found, call(query))
            body.set(budget, before)
            body.set(mem32(0, self._distance + 4), 0)
            body.push(found)

    def _go_back(self, body: FunctionBody, seed: Local) -> None:
        """Go back to the origin, with another seed of chance."""
        layout, at = self.ctx.layout, self.ctx.memory.cell_at
        body.copy(0, self._origin, mem32(self._origin + TOP))
        for there, here, size in self._copies:  # the size of the last one lies in one before it
            body.copy(here, there, size)
        body.call(self._steps.forget)
        if self.ctx.assertions is not None:
            self.ctx.memos.invalidate_earlier(body)
        body.set(mem64(0, at[layout.seed]), seed)
        for counter in layout.counters.values():
            body.set(mem64(0, at[counter]), 0)

    def _write_explore(self) -> None:
        """Play runs with successive seeds, until one covers something new or comes near; how many have ended.

        Arguments: the number of runs, whether they begin with a new game, the first seed, the most answers of a run,
        those from which on it is looked after each answer, the steps for each answer and for a run, the number of a
        target and 1 more, or 0, and the distance below which it is near.
        """
        ctx, coverage = self.ctx, self._coverage
        runs, given, new = mem32(0, self._runs), mem32(0, self._runs + 4), mem32(0, self._new)
        answers, mixed = mem64(0, self._answers), self._chance.mix
        unfinished, distance = mem32(0, self._unfinished), mem32(0, self._distance)
        with ctx.module.writing(self._explore) as (body, arguments):
            count, fresh, seed, most, closely, steps, total, aim, below = arguments
            status, part, rests, stream = body.locals(I32, I32, I32, I64)
            for number in (runs, answers, unfinished, new, mem64(0, self._distance)):
                body.set(number, 0)
            body.fill(coverage.at, 0, coverage.size)
            with body.until(runs.ge_u(count)) as out:
                body.set(given, 0)
                body.set(mem32(0, self._broken), -1)
                body.set(mem32(0, coverage.last), -1)
                with body.when(fresh):
                    body.call(self._begin, seed)
                    body.fill(coverage.used, 0, coverage.turn_set[1])
                with body.otherwise():
                    self._go_back(body, seed)
                body.set(rests, fresh.eqz())
                key = call(mixed, call(mixed, seed, gives=I64) ^ PLAYERS, gives=I64)
                body.set(stream, key)
                body.set(self._playouts.place, (stream >> PLACE_SHIFT).rem_u(PLACES).wrap())
                body.set(self._playouts.spread, 0)
                with body.when((stream >> GATHERING_SHIFT & 1).wrap()):
                    body.set(self._playouts.spread, lift(LEAST_SPREAD) << (stream >> SPREAD_SHIFT & 3).wrap())
                self._playouts.open(body, const(0), stream, steps, total)
                with body.block() as over, body.loop() as again:
                    body.set(part, lesser(most - given, const(SEGMENT)))
                    with body.when(aim):  # near to the position more is looked at
                        body.set(part, lesser(part, greater(given, const(1))))
                    with body.when(given.ge_u(closely)):
                        body.set(part, 1)
                    body.set(ctx.left, part)
                    coverage.answered(body, part)
                    with body.when(rests):
                        body.set(ctx.frame, mem32(0, FRAME_AT))
                        self._playouts.answer(body, mem32(0, OPTIONS))
                    body.call(self._playouts.go_on)
                    body.set(rests, 1)
                    body.trap_if(status.tee(mem32(0, STATUS)).eq(RETURNED))
                    body.set(given, given + part - ctx.left)
                    body.set(answers, answers + (part - ctx.left).extend_u())
                    with body.when(status.eq(OVER)):
                        body.call(coverage.close_turn)
                    body.set(new, call(coverage.take_over))
                    with body.when(status.eq(ASK) & aim.ne(0)):
                        body.set(distance, call(self._measure, aim - 1))
                        body.set(new, new + distance.lt_s(below))
                    body.drop(call(self._steps.note, status))
                    body.branch_if(out, new)
                    body.branch_if(over, status.ne(ASK))
                    body.branch_if(again, given.lt_u(most))
                with body.when(status.eq(ASK)):
                    body.set(unfinished, unfinished + 1)
                    body.set(mem32(0, self._unfinished + 4), runs)
                body.set(seed, seed + 1)
                body.set(runs, runs + 1)
            body.push(runs)
