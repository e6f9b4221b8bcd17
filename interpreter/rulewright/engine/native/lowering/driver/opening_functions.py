"""Openings: how a game comes to its first question is played once; all further games begin there.

That is possible where chance is not asked before. A state at rest is all that lies between 0 and the address where its
topmost frame ends, so its bytes are kept with the counters of the rules. Who begins such a game finds the first
question asked, and pays the steps that it took to come there.
"""

from __future__ import annotations

from rulewright.engine.native.lowering.driver.answer_functions import WORDS, entry_of
from rulewright.engine.native.lowering.instructions.question_lowering import LISTED
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import FRAME_AT, FUNCTION
from rulewright.engine.native.statuses import ASK
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import I32, I64, Term, call, const, mem32, mem64

MOST_STEPS = 1 << 20
"""The steps after which the first question must be asked."""
LEAST_STEPS = 32
"""So few are made again for each game, rather than that a state is copied."""
ROOM = 1 << 12
"""So many bytes the frames take at most."""
_KNOWN, _SIZE, _STEPS, _BYTES = 0, 4, 8, 16
"""The offsets of what is known of the opening (see below), of the bytes of the state, the steps, and the state."""
_UNKNOWN, _KEPT, _OTHER = 0, 1, 2
"""Nobody has begun a game; all games begin alike; they do not, or nobody knows."""


class OpeningFunctions:
    """Writes the parts of `begin` and `run` that are about the opening."""

    def __init__(self, ctx: LoweringContext, run: int) -> None:
        self.ctx, self._run = ctx, run
        self.are_kept, self.at = ctx.keeps_openings, 0
        if self.are_kept:
            memory = ctx.memory
            self._most = memory.stack + ROOM
            self.at = memory.reserve(_BYTES + self._most)
            self._fired = memory.reserve(8 * len(ctx.rule_numbers))
            self._resting = ctx.module.add_global(I32)
            """The global variable that is not 0 after a game has begun with its first question."""

    def begin(self, body: FunctionBody, anew: int, seed: Term, questions: int) -> None:
        """Begin a game with its first question and leave, if that is known by now; else do nothing."""
        if not self.are_kept:
            return
        ctx, known = self.ctx, mem32(0, self.at + _KNOWN)
        with body.when(known.eq(_UNKNOWN)):
            body.set(known, _OTHER)  # also if an error ends this
            body.call(anew, seed)
            self._play(body, questions)
        with body.when(known.eq(_KEPT)):
            body.copy(0, self.at + _BYTES, mem32(0, self.at + _SIZE))
            body.copy(ctx.fired, self._fired, 8 * len(ctx.rule_numbers))
            ctx.memos.invalidate_all(body)
            body.set(mem64(0, ctx.memory.cell_at[ctx.layout.seed]), seed)
            body.set(ctx.frame, mem32(0, FRAME_AT))
            body.set(self._resting, 1)
            body.give()

    def _play(self, body: FunctionBody, questions: int) -> None:
        """Play to the first question, and keep what is there if any seed leads to it."""
        ctx, memory, top = self.ctx, self.ctx.memory, body.local()
        self.forget(body)
        body.set(ctx.budget, const(MOST_STEPS, I64))
        body.set(ctx.left, 0)
        with body.block() as other:
            body.branch_if(other, call(self._run).ne(ASK))
            for cell in ctx.layout.counters.values():
                body.branch_if(other, mem64(0, memory.cell_at[cell]).nonzero())
            body.branch_if(other, mem32(entry_of(questions), WORDS).eq(LISTED))
            body.branch_if(other, ctx.budget.gt_s(MOST_STEPS - LEAST_STEPS))
            sizes = memory.numbers(frame.size for frame in memory.frames)
            body.set(top, ctx.frame + mem32(mem32(ctx.frame, FUNCTION) << 2, sizes))
            body.branch_if(other, top.gt_u(self._most))
            body.set(mem32(0, FRAME_AT), ctx.frame)
            body.copy(self.at + _BYTES, 0, top)
            body.copy(self._fired, ctx.fired, 8 * len(ctx.rule_numbers))
            body.set(mem32(0, self.at + _SIZE), top)
            body.set(mem64(0, self.at + _STEPS), MOST_STEPS - ctx.budget)
            body.set(mem32(0, self.at + _KNOWN), _KEPT)

    def rest(self, body: FunctionBody) -> None:
        """Give why a game rests that has begun with its first question, instead of running; the steps are paid."""
        if not self.are_kept:
            return
        with body.when(self._resting):
            self.forget(body)
            steps = body.hold(mem64(0, self.at + _STEPS))
            body.set(self.ctx.budget, self.ctx.budget - steps)
            body.trap_if(self.ctx.budget.lt_s(mem64(0, self.ctx.floor)))
            body.give(ASK)

    def forget(self, body: FunctionBody) -> None:
        """Let the next run not be the first one of a game."""
        if self.are_kept:
            body.set(self._resting, 0)


__all__ = ["OpeningFunctions"]
