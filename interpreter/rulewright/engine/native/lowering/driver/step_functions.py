"""Functions that give one answer, to the state at rest or to each of many states elsewhere in memory, and begin games.

A state at rest is all that lies between 0 and the address `TOP`: registers, cells, frames, and behind the topmost frame
the list that is offered, if it is one. Nothing outside of it matters but the memo tables, which are invalidated when
another state takes its place. So a state is copied with its bytes.

The opening, from the first rule to the first question, is played once and its bytes are kept with the counters of the
rules; all further games begin there and pay the steps that it took. That is possible where no chance is drawn before.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulewright.engine.native.lowering.driver.answer_functions import WORDS, AnswerFunctions, entry_of
from rulewright.engine.native.lowering.instructions.question_lowering import LISTED
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import ASK, FRAME_AT, FUNCTION, LEGAL, OPTIONS, RETURNED, STATUS, TOP
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import I32, I64, Local, Term, call, const, mem32, mem64

MOST_STEPS = 1 << 20
"""The steps after which the first question must come."""
LEAST_STEPS = 32
"""So few are made again for each game, rather than that a state is copied."""
ROOM = 1 << 12
"""So many bytes the frames take at most."""
_KNOWN, _SIZE, _STEPS, _BYTES = 0, 4, 8, 16
"""The offsets of what is known of the opening (see below), of the bytes of the state, the steps, and the state."""
_UNKNOWN, _KEPT, _OTHER = 0, 1, 2
"""States of an opening: no game has begun yet; all games begin alike; they do not, or it is unknown."""


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


REFUSED, PASSED = -2, -3
"""In place of a number of options: there is no such option, the state was passed over."""


class StepFunctions:
    """The functions `start`, `step`, `start_many` and `step_many`. Numbers of options are given as ``-1 - number``, so
    that an argument that is still in the place of the result means that there is none."""

    def __init__(
        self, ctx: LoweringContext, answers: AnswerFunctions, begin: int, run: int, opening: OpeningFunctions
    ) -> None:
        self.ctx, declare = ctx, ctx.module.declare
        self._answers, self._begin, self._run, self._opening = answers, begin, run, opening
        self.note = declare((I32,), (I32,))
        """The function that notes what is known of the state at rest, given why it rests; the number of options."""
        self.settle = declare((I64,), (I32,))
        """The function that runs on with so many steps and notes what is known of the state at rest."""
        self.start = declare((I64, I64), (I32,), "start")
        self.step = declare((I32, I64), (I32,), "step")
        self.forget = declare((), (), "forget")
        """The function that is called when another state takes the place of the one at rest."""
        self.store = declare((I32, I32))
        """The function that copies the state at rest to an address, where there is room for so many bytes."""
        many = (I32, I32, I32, I32, I64, I32)
        self._start_many = declare((*many, I64), (I32,), "start_many")
        self._step_many = declare(many, (I32,), "step_many")
        self.at = ctx.memory.reserve(4)
        """The address of the number of the state that is answered, among many."""

    def write(self, questions: int) -> None:
        """Write all, given the address of the table of questions."""
        self._write_note(questions)
        self._write_settle()
        self._write_start()
        self._write_step()
        self._write_forget()
        self._write_store()
        self._write_start_many()
        self._write_step_many()

    def _write_settle(self) -> None:
        """Run on with so many steps and note what is known of the state at rest; -1 less the number of options.

        That the rules end without a result is an error here, too.
        """
        ctx = self.ctx
        with ctx.module.writing(self.settle) as (body, [steps]):
            status = body.local()
            body.set(ctx.budget, steps)
            body.set(ctx.left, 0)
            body.trap_if(status.tee(call(self._run)).eq(RETURNED))
            body.push(-1 - call(self.note, status))

    def _write_note(self, questions: int) -> None:
        """Note what is known of the state at rest; the number of options."""
        ctx, memory = self.ctx, self.ctx.memory
        with ctx.module.writing(self.note) as (body, [status]):
            top, offered, length, size = body.locals(I32, I32, I32, I32)
            body.set(top, memory.stack)
            with body.when(status.eq(ASK)):
                body.set(size, call(self._answers.size))
                sizes = memory.numbers(frame.size for frame in memory.frames)
                body.set(top, ctx.frame + mem32(mem32(ctx.frame, FUNCTION) << 2, sizes))
                with body.when(mem32(entry_of(questions), WORDS).eq(LISTED)):
                    # the list lies where another question may put its own
                    end = length.tee((mem32(offered.tee(mem32(0, LEGAL))) << 2) + 4) + top
                    body.trap_if(end.gt_s(memory.stack_end))
                    body.copy(top, offered, length)
                    body.set(mem32(0, LEGAL), top)
                    body.set(top, top + length + 7 & -8)
            for address, known in ((STATUS, status), (OPTIONS, size), (TOP, top)):
                body.set(mem32(0, address), known)
            body.set(mem32(0, FRAME_AT), ctx.frame)
            body.push(size)

    def _write_start(self) -> None:
        """The first question of a game with a seed, with so many steps."""
        with self.ctx.module.writing(self.start) as (body, [seed, steps]):
            body.call(self._begin, seed)
            body.push(call(self.settle, steps))

    def _write_step(self) -> None:
        """Give an option, by its number, as the answer, with so many steps; 0 if there is no such option."""
        with self.ctx.module.writing(self.step) as (body, [option, steps]):
            with body.when(option.ge_u(mem32(0, OPTIONS))):
                body.give(0)
            body.set(self.ctx.frame, mem32(0, FRAME_AT))
            body.call(self._answers.answer, option)
            body.push(call(self.settle, steps))

    # --------------------------------------------------------------------------------------------------- many states

    def _write_forget(self) -> None:
        """Forget what was found out about the cells: they are those of another state."""
        with self.ctx.module.writing(self.forget) as (body, []):
            self._opening.forget(body)
            self.ctx.memos.invalidate_all(body)

    def _write_store(self) -> None:
        """Copy the state at rest to an address, where there is room for so many bytes."""
        with self.ctx.module.writing(self.store) as (body, [goal, room]):
            body.trap_if(mem32(0, TOP).gt_s(room))
            body.copy(goal, 0, mem32(0, TOP))

    def _write_start_many(self) -> None:
        """Begin games of successive seeds.

        Arguments: the address of the first state, the bytes that each takes, the numbers of the first and of the one
        behind the last, the steps for each, the address where the numbers of options go, the seed of number 0.
        """
        with self.ctx.module.writing(self._start_many) as (body, [states, room, at, end, steps, row, seed]):
            size = body.local()
            with self.each(body, at, end):
                body.set(size, -1 - call(self.start, seed + at.extend_u(), steps))
                body.call(self.store, states + room * at, room)
                body.set(mem32(row + (at << 2)), size)
            body.push(at)

    def _write_step_many(self) -> None:
        """Give each of some states an answer; arguments as above, but no seed. The numbers of options take the place of
        the answers."""
        with self.ctx.module.writing(self._step_many) as (body, [states, room, at, end, steps, row]):
            state, answer, size = body.locals(I32, I32, I32)
            with self.each(body, at, end):
                body.set(state, states + room * at)
                body.set(answer, mem32(row + (at << 2)))
                body.set(size, PASSED)
                with body.block() as done:
                    body.branch_if(done, answer.lt_s(0))
                    body.set(size, REFUSED)
                    body.branch_if(done, answer.ge_u(mem32(state, OPTIONS)))
                    body.copy(0, state, mem32(state, TOP))
                    body.call(self.forget)
                    body.set(size, -1 - call(self.step, answer, steps))
                    body.call(self.store, state, room)
                body.set(mem32(row + (at << 2)), size)
            body.push(at)

    @contextmanager
    def each(self, body: FunctionBody, at: Local, end: Local) -> Iterator[None]:
        """A loop over states; it is noted which one it is."""
        with body.block() as out, body.loop() as again:
            body.set(mem32(0, self.at), at)
            body.branch_if(out, at.ge_u(end))
            yield
            body.set(at, at + 1)
            body.branch(again)
