"""Functions that play from one question to the next."""

from __future__ import annotations

from rulewright.engine.native.lowering.driver.answer_functions import AnswerFunctions
from rulewright.engine.native.lowering.driver.chance_functions import ChanceFunctions
from rulewright.engine.native.lowering.driver.playout_functions import PlayoutFunctions
from rulewright.engine.native.lowering.driver.policy_functions import PolicyFunctions
from rulewright.engine.native.lowering.driver.step_functions import StepFunctions
from rulewright.engine.native.lowering.function_writer import push_spent
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import CALLER, FUNCTION, PC
from rulewright.engine.native.statuses import CALLED, GO_ON, RETURNED
from rulewright.engine.native.webassembly.encoding import MEMORY_COPY, MEMORY_FILL, Op, Type


class RuntimeFunctions:
    """Declares the functions and writes them when everything else is known."""

    def __init__(self, ctx: LoweringContext) -> None:
        self.ctx, declare = ctx, ctx.module.declare
        self._chance = ChanceFunctions(ctx)
        self._answers = AnswerFunctions(ctx, self._chance.drawn)
        self._run = declare((), (Type.I32,))
        self._begin = declare((Type.I64,), (), "begin")
        self.playouts = PlayoutFunctions(ctx, self._answers, self._chance, self._begin, self._run)
        self.steps = StepFunctions(ctx, self._answers, self._begin, self._run)
        settle = self.steps.settle
        self.policies = PolicyFunctions(ctx, self._answers, self._chance, self._run, settle) if ctx.rated else None

    def write(self, questions: int, ends: int, returns: int, initial: int, main: int) -> None:
        """Write all; the arguments are the addresses of tables, of the first cells, and the number of the game."""
        self._chance.write(self._answers, questions)
        self._answers.write(questions)
        self._write_ending(ends)
        self._write_pop_frame(returns)
        self._write_run()
        self._write_begin(initial, main)
        self.playouts.write()
        self.steps.write(questions)
        if self.policies is not None:
            self.policies.write(questions)

    def _write_ending(self, ends: int) -> None:
        """The end of the game that is running, or the rule that finishes it by itself: a look at each frame.

        It is noted whether one is that of a move.
        """
        body, layout = self.ctx.module.body(self.ctx.ending), self.ctx.layout
        frame, found = body.local(Type.I32), body.local(Type.I32)
        body.i32(0)
        body.set(found)
        if layout.in_move >= 0:
            body.i32(0)
            body.i32(0)
            body.memory(Op.I32_STORE, self.ctx.memory.cell_at[layout.in_move])
        body.get_global(self.ctx.frame)
        body.set(frame)
        with body.block() as out, body.loop() as again:
            body.get(frame)
            body.op(Op.I32_EQZ)
            body.branch_if(out)
            body.get(frame)
            body.memory(Op.I32_LOAD, FUNCTION)
            body.i32(2)
            body.op(Op.I32_SHL)
            body.memory(Op.I32_LOAD, ends)
            body.get(found)
            body.get(found)
            body.op(Op.I32_EQZ, Op.SELECT)  # the innermost one counts
            body.set(found)
            if layout.in_move >= 0:
                body.get(frame)
                body.memory(Op.I32_LOAD, FUNCTION)
                body.i32(self.ctx.functions[self.ctx.program.move])
                body.op(Op.I32_EQ)
                with body.when():
                    body.i32(0)
                    body.i32(1)
                    body.memory(Op.I32_STORE, self.ctx.memory.cell_at[layout.in_move])
            body.get(frame)
            body.memory(Op.I32_LOAD, CALLER)
            body.set(frame)
            body.branch(again)
        body.get(found)
        body.get(0)
        body.get(found)
        body.op(Op.SELECT)
        self.ctx.module.define(self.ctx.ending, body)

    def _write_pop_frame(self, returns: int) -> None:
        """Drop a frame; the caller goes on with the block that takes the result."""
        body = self.ctx.module.body(self.ctx.pop_frame)
        caller = body.local(Type.I32)
        body.get(0)
        body.memory(Op.I32_LOAD, CALLER)
        body.tee(caller)
        body.set_global(self.ctx.frame)
        body.get(caller)
        body.op(Op.I32_EQZ)
        with body.when():
            body.i32(RETURNED)
            body.op(Op.RETURN)
        body.get(caller)
        body.memory(Op.I32_LOAD, FUNCTION)
        body.i32(2)
        body.op(Op.I32_SHL)
        body.memory(Op.I32_LOAD, returns)
        body.get(caller)
        body.memory(Op.I32_LOAD, PC)
        body.i32(2)
        body.op(Op.I32_SHL, Op.I32_ADD)
        body.memory(Op.I32_LOAD)
        body.set_global(self.ctx.entry)
        body.i32(GO_ON)
        self.ctx.module.define(self.ctx.pop_frame, body)

    def _write_run(self) -> None:
        """Run until a player is asked or the game is over. Why it stopped."""
        ctx = self.ctx
        body = ctx.module.body(self._run)
        status = body.local(Type.I32)
        kind = ctx.module.type_number((Type.I32, Type.I32), (Type.I32,))
        with body.loop() as again:
            body.get_global(ctx.frame)
            body.get_global(ctx.entry)
            body.get_global(ctx.frame)
            body.memory(Op.I32_LOAD, FUNCTION)
            body.call_indirect(kind)
            body.tee(status)
            body.op(Op.I32_EQZ)
            body.branch_if(again)
            body.get(status)
            body.i32(CALLED)
            body.op(Op.I32_EQ)
            body.branch_if(again)
        push_spent(body, ctx.budget, ctx.floor)
        with body.when():
            body.op(Op.UNREACHABLE)
        body.get(status)
        ctx.module.define(self._run, body)

    def _write_begin(self, initial: int, main: int) -> None:
        """The cells of a game that has not begun, with a seed, and its first frame."""
        memory, body = self.ctx.memory, self.ctx.module.body(self._begin)
        body.i32(memory.cells)
        body.i32(initial)
        body.i32(memory.stack - memory.cells)
        body.raw(MEMORY_COPY)
        self.ctx.answers.forget_all(body)
        body.i32(0)
        body.get(0)
        body.memory(Op.I64_STORE, memory.cell_at[self.ctx.layout.seed])
        for at, size in ((memory.stack, memory.frames[main].size), (self.ctx.fired, 8 * len(self.ctx.rule_numbers))):
            body.i32(at)
            body.i32(0)
            body.i32(size)
            body.raw(MEMORY_FILL)
        body.i32(memory.stack)
        body.i32(main)
        body.memory(Op.I32_STORE, FUNCTION)
        body.i32(memory.stack)
        body.set_global(self.ctx.frame)
        body.i32(0)
        body.set_global(self.ctx.entry)
        if self.ctx.assertions is not None:
            self.ctx.assertions.begin(body)
        self.ctx.module.define(self._begin, body)
