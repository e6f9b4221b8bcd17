"""The function that plays many games by actions, lets other seats decide at random, and observes each of them."""

from __future__ import annotations

from rulewright.engine.native.lowering.driver.chance_functions import ChanceFunctions
from rulewright.engine.native.lowering.driver.observation_functions import ObservationFunctions
from rulewright.engine.native.lowering.driver.step_functions import REFUSED, StepFunctions
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import OPTIONS, STATUS, TOP, WHO
from rulewright.engine.native.observed import (
    ACTION,
    BEGIN,
    COUNTER,
    KEY,
    LEARNER,
    LOOK,
    SEED,
    TOLD,
    VIEWER,
    Observed,
    entry_bytes,
)
from rulewright.engine.native.observed import STATUS as LEFT
from rulewright.engine.native.statuses import ASK
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import I32, I64, Local, call, mem32, mem64


class EpisodeFunctions:
    """The function `act_many`."""

    def __init__(
        self,
        ctx: LoweringContext,
        observations: ObservationFunctions,
        chance: ChanceFunctions,
        steps: StepFunctions,
    ) -> None:
        self.ctx, self._observations, self._chance, self._steps = ctx, observations, chance, steps
        plan: Observed = observations.plan
        self._row, self._mask = 4 * plan.size, plan.actions
        ranks, paid = ctx.layout.ranks, ctx.layout.paid
        self._told = (*range(ranks.start, ranks.stop), *range(paid.start or 0, paid.stop))
        self._entry = entry_bytes(len(self._told))
        self._act_many = ctx.module.declare((I32, I32, I32, I32, I64, I32, I32, I32), (I32,), "act_many")

    def write(self) -> None:
        """Give each of some states what its entry says, and observe it.

        Arguments: the address of the first state, the bytes that each takes, the numbers of the first and of the one
        behind the last, the steps for each answer, the addresses of the entries, the observations and the masks.
        Nothing is noted in an entry before all is done: then the game can be played again from where it was.
        """
        ctx, memory, functions = self.ctx, self.ctx.memory, self._steps
        with ctx.module.writing(self._act_many) as (body, [states, room, at, end, steps, entries, rows, masks]):
            entry, state, action, learner, option, counter = body.locals(I32, I32, I32, I32, I32, I64)
            with functions.each(body, at, end), body.block() as done:
                body.set(entry, entries + at * self._entry)
                body.set(action, mem32(entry, ACTION))
                body.branch_if(done, action.lt_s(LOOK))
                body.set(state, states + room * at)
                body.set(learner, mem32(entry, LEARNER))
                body.set(counter, mem64(entry, COUNTER))
                with body.block() as ready:
                    with body.when(action.eq(BEGIN)):
                        body.set(counter, 0)
                        body.drop(call(functions.start, mem64(entry, SEED), steps))
                        body.branch(ready)
                    body.copy(0, state, mem32(state, TOP))
                    body.branch_if(ready, action.eq(LOOK))
                    body.call(functions.forget)
                    with body.when(option.tee(call(self._observations.option, action)).lt_s(0)):
                        body.set(mem32(entry, LEFT), REFUSED)
                        body.branch(done)
                    body.drop(call(functions.step, option, steps))
                with body.when(learner.ge_s(0)):
                    self._others(body, entry, learner, counter, steps)
                body.call(functions.store, state, room)
                body.set(mem64(entry, COUNTER), counter)
                body.set(mem32(entry, LEFT), mem32(0, OPTIONS))
                with body.when(mem32(0, STATUS).eq(ASK) & learner.lt_s(0)):
                    body.set(mem32(entry, VIEWER), mem32(0, WHO))
                for number, cell in enumerate(self._told):
                    body.set(mem32(entry, TOLD + 4 * number), mem32(0, memory.cell_at[cell]))
                body.call(
                    self._observations.observe,
                    mem32(entry, VIEWER),
                    rows + at * self._row,
                    masks + at * self._mask,
                )
            body.push(at)

    def _others(self, body: FunctionBody, entry: Local, learner: Local, counter: Local, steps: Local) -> None:
        """Let the other seats decide at random until it is the turn of a seat."""
        chance, option, size = self._chance, body.local(), body.local()
        with body.block() as out, body.loop() as again:
            body.branch_if(out, mem32(0, STATUS).ne(ASK))
            body.branch_if(out, mem32(0, WHO).eq(learner))
            body.set(option, 0)
            with body.when(size.tee(mem32(0, OPTIONS)).ne(1)):
                body.set(counter, call(chance.draw, mem64(entry, KEY), counter, size, gives=I64))
                body.set(option, chance.drawn)
            body.drop(call(self._steps.step, option, steps))
            body.branch(again)
