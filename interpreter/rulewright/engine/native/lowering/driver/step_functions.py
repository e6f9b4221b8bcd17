"""Functions that give one answer: to the state at rest, or to each of many states that lie elsewhere in memory.

A state at rest is all that lies between 0 and the address `TOP`: registers, cells, frames, and behind the topmost frame
the list that is offered, if it is one. Nothing outside of it matters but the remembered answers of queries, which are
forgotten when another state takes its place. So a state is copied with its bytes.
"""

from __future__ import annotations

from rulewright.engine.native.lowering.driver.answer_functions import WORDS, AnswerFunctions, load, push_question
from rulewright.engine.native.lowering.driver.loops import give_work
from rulewright.engine.native.lowering.instructions.question_lowering import LISTED
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import FRAME_AT, FUNCTION, LEGAL, OPTIONS, STATUS, TOP
from rulewright.engine.native.statuses import ASK, RETURNED
from rulewright.engine.native.webassembly.encoding import MEMORY_COPY, Op, Type
from rulewright.engine.native.webassembly.function_body import FunctionBody

REFUSED, PASSED = -2, -3
"""In place of a number of options: there is no such option, the state was passed over."""


class StepFunctions:
    """The functions `start`, `step`, `start_many` and `step_many`. Numbers of options are given as ``-1 - number``, so
    that whoever finds an argument still in the place of the result knows that there is none."""

    def __init__(self, ctx: LoweringContext, answers: AnswerFunctions, begin: int, run: int) -> None:
        self.ctx, declare = ctx, ctx.module.declare
        self._answers, self._begin, self._run = answers, begin, run
        self.settle = declare((Type.I64,), (Type.I32,))
        """The function that runs on with so many steps and notes what is known of the state at rest."""
        self._start = declare((Type.I64, Type.I64), (Type.I32,), "start")
        self._step = declare((Type.I32, Type.I64), (Type.I32,), "step")
        self._forget = declare((), (), "forget")
        self._store = declare((Type.I32, Type.I32))
        many = (Type.I32, Type.I32, Type.I32, Type.I32, Type.I64, Type.I32)
        self._start_many = declare((*many, Type.I64), (Type.I32,), "start_many")
        self._step_many = declare(many, (Type.I32,), "step_many")
        self.at = ctx.memory.reserve(4)
        """The address of the number of the state that is answered, among many."""

    def write(self, questions: int) -> None:
        """Write all, given the address of the table of questions."""
        self._write_settle(questions)
        self._write_start()
        self._write_step()
        self._write_forget()
        self._write_store()
        self._write_start_many()
        self._write_step_many()

    def _write_settle(self, questions: int) -> None:
        """Run on with so many steps and note what is known of the state at rest; -1 less the number of options.

        That the rules end without a result is an error here, too.
        """
        memory, body = self.ctx.memory, self.ctx.module.body(self.settle)
        status, top, offered, length, size = (body.local(Type.I32) for _ in range(5))
        body.get(0)
        body.set_global(self.ctx.budget)
        body.get(0)
        give_work(body, self.ctx)
        body.i32(0)
        body.set_global(self.ctx.left)
        body.call(self._run)
        body.tee(status)
        body.i32(RETURNED)
        body.op(Op.I32_EQ)
        with body.when():
            body.op(Op.UNREACHABLE)
        body.i32(memory.stack)
        body.set(top)
        body.get(status)
        body.i32(ASK)
        body.op(Op.I32_EQ)
        with body.when():
            body.call(self._answers.size)
            body.set(size)
            body.get_global(self.ctx.frame)
            body.get_global(self.ctx.frame)
            body.memory(Op.I32_LOAD, FUNCTION)
            body.i32(2)
            body.op(Op.I32_SHL)
            body.memory(Op.I32_LOAD, memory.numbers(frame.size for frame in memory.frames))
            body.op(Op.I32_ADD)
            body.set(top)
            push_question(body, questions)
            body.memory(Op.I32_LOAD, WORDS)
            body.i32(LISTED)
            body.op(Op.I32_EQ)
            with body.when():  # the list lies where another question may put its own
                load(body, LEGAL)
                body.tee(offered)
                body.memory(Op.I32_LOAD)
                body.i32(2)
                body.op(Op.I32_SHL)
                body.i32(4)
                body.op(Op.I32_ADD)
                body.tee(length)
                body.get(top)
                body.op(Op.I32_ADD)
                body.i32(memory.stack_end)
                body.op(Op.I32_GT_S)
                with body.when():
                    body.op(Op.UNREACHABLE)
                for local in (top, offered, length):
                    body.get(local)
                body.raw(MEMORY_COPY)
                _note(body, LEGAL, top)
                body.get(top)
                body.get(length)
                body.op(Op.I32_ADD)
                body.i32(7)
                body.op(Op.I32_ADD)
                body.i32(-8)
                body.op(Op.I32_AND)
                body.set(top)
        for address, local in ((STATUS, status), (OPTIONS, size), (TOP, top)):
            _note(body, address, local)
        body.i32(0)
        body.get_global(self.ctx.frame)
        body.memory(Op.I32_STORE, FRAME_AT)
        body.i32(-1)
        body.get(size)
        body.op(Op.I32_SUB)
        self.ctx.module.define(self.settle, body)

    def _write_start(self) -> None:
        """The first question of a game with a seed, with so many steps."""
        body = self.ctx.module.body(self._start)
        body.get(0)
        body.call(self._begin)
        body.get(1)
        body.call(self.settle)
        self.ctx.module.define(self._start, body)

    def _write_step(self) -> None:
        """Give an option, by its number, as the answer, with so many steps; 0 if there is no such option."""
        body = self.ctx.module.body(self._step)
        body.get(0)
        load(body, OPTIONS)
        body.op(Op.I32_GE_U)
        with body.when():
            body.i32(0)
            body.op(Op.RETURN)
        load(body, FRAME_AT)
        body.set_global(self.ctx.frame)
        body.get(0)
        body.call(self._answers.answer)
        body.get(1)
        body.call(self.settle)
        self.ctx.module.define(self._step, body)

    # --------------------------------------------------------------------------------------------------- many states

    def _write_forget(self) -> None:
        """Forget what was found out about the cells: they are those of another state."""
        body = self.ctx.module.body(self._forget)
        self.ctx.answers.forget_all(body)
        self.ctx.module.define(self._forget, body)

    def _write_store(self) -> None:
        """Copy the state at rest to an address, where there is room for so many bytes."""
        body = self.ctx.module.body(self._store)
        goal, room = 0, 1
        load(body, TOP)
        body.get(room)
        body.op(Op.I32_GT_S)
        with body.when():
            body.op(Op.UNREACHABLE)
        body.get(goal)
        body.i32(0)
        load(body, TOP)
        body.raw(MEMORY_COPY)
        self.ctx.module.define(self._store, body)

    def _write_start_many(self) -> None:
        """Begin games of successive seeds.

        Arguments: the address of the first state, the bytes that each takes, the numbers of the first and of the one
        behind the last, the steps for each, the address where the numbers of options go, the seed of number 0.
        """
        body = self.ctx.module.body(self._start_many)
        states, room, at, end, steps, row, seed = range(7)
        size = body.local(Type.I32)
        with body.block() as out, body.loop() as again:
            self._head(body, at, end, out)
            body.i32(-1)
            body.get(seed)
            body.get(at)
            body.op(Op.I64_EXTEND_I32_U, Op.I64_ADD)
            body.get(steps)
            body.call(self._start)
            body.op(Op.I32_SUB)
            body.set(size)
            _push_state(body, states, room, at)
            body.get(room)
            body.call(self._store)
            _set_entry(body, row, at, size)
            body.increase(at, 1)
            body.branch(again)
        body.get(at)
        self.ctx.module.define(self._start_many, body)

    def _write_step_many(self) -> None:
        """Give each of some states an answer; arguments as above, but no seed. The numbers of options take the place of
        the answers."""
        body = self.ctx.module.body(self._step_many)
        states, room, at, end, steps, row = range(6)
        state, answer, size = (body.local(Type.I32) for _ in range(3))
        with body.block() as out, body.loop() as again:
            self._head(body, at, end, out)
            _push_state(body, states, room, at)
            body.set(state)
            _push_entry(body, row, at)
            body.memory(Op.I32_LOAD)
            body.set(answer)
            body.i32(PASSED)
            body.set(size)
            with body.block() as done:
                body.get(answer)
                body.i32(0)
                body.op(Op.I32_LT_S)
                body.branch_if(done)
                body.i32(REFUSED)
                body.set(size)
                body.get(answer)
                body.get(state)
                body.memory(Op.I32_LOAD, OPTIONS)
                body.op(Op.I32_GE_U)
                body.branch_if(done)
                body.i32(0)
                body.get(state)
                body.get(state)
                body.memory(Op.I32_LOAD, TOP)
                body.raw(MEMORY_COPY)
                body.call(self._forget)
                body.i32(-1)
                body.get(answer)
                body.get(steps)
                body.call(self._step)
                body.op(Op.I32_SUB)
                body.set(size)
                body.get(state)
                body.get(room)
                body.call(self._store)
            _set_entry(body, row, at, size)
            body.increase(at, 1)
            body.branch(again)
        body.get(at)
        self.ctx.module.define(self._step_many, body)

    def _head(self, body: FunctionBody, at: int, end: int, out: int) -> None:
        """Note which state it is, and leave the loop behind the last."""
        _note(body, self.at, at)
        body.get(at)
        body.get(end)
        body.op(Op.I32_GE_U)
        body.branch_if(out)


def _note(body: FunctionBody, address: int, local: int) -> None:
    """Store a local at a known address."""
    body.i32(0)
    body.get(local)
    body.memory(Op.I32_STORE, address)


def _push_state(body: FunctionBody, states: int, room: int, at: int) -> None:
    """Push the address of a state by its number."""
    body.get(states)
    body.get(room)
    body.get(at)
    body.op(Op.I32_MUL, Op.I32_ADD)


def _push_entry(body: FunctionBody, row: int, at: int) -> None:
    """Push the address of an entry of a table."""
    body.get(row)
    body.get(at)
    body.i32(2)
    body.op(Op.I32_SHL, Op.I32_ADD)


def _set_entry(body: FunctionBody, row: int, at: int, value: int) -> None:
    """Set an entry of a table."""
    _push_entry(body, row, at)
    body.get(value)
    body.memory(Op.I32_STORE)
