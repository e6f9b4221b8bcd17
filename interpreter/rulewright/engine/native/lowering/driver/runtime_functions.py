"""Functions that play: from one question to the next, and whole games at random."""

from __future__ import annotations

from rulewright.budgets import SEVERAL
from rulewright.engine.chance_streams import PLAYERS
from rulewright.engine.native.lowering.driver.answer_functions import (
    AFTER,
    COUNTER,
    INTO,
    STREAM,
    WORDS,
    AnswerFunctions,
    drop_lowest,
    load,
    push_question,
)
from rulewright.engine.native.lowering.driver.chance_functions import ChanceFunctions
from rulewright.engine.native.lowering.driver.step_functions import StepFunctions
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import CALLER, EXTRAS, FUNCTION, LEGAL, PC, STATUS
from rulewright.engine.native.statuses import ASK, CALLED, DRAW, GO_ON, RETURNED
from rulewright.engine.native.webassembly.encoding import MEMORY_COPY, MEMORY_FILL, Op, Type
from rulewright.engine.native.webassembly.function_body import FunctionBody

MOST_GAMES = 1 << 12
"""So many games at once are played at most."""


class RuntimeFunctions:
    """Declares the functions and writes them when everything else is known."""

    def __init__(self, ctx: LoweringContext) -> None:
        self.ctx, declare = ctx, ctx.module.declare
        self._chance = ChanceFunctions(ctx)
        self._answers = AnswerFunctions(ctx, self._chance.drawn)
        self._run = declare((), (Type.I32,))
        self._begin = declare((Type.I64,), (), "begin")
        self._play = declare((Type.I32, Type.I64, Type.I64, Type.I64), (Type.I32,), "play")
        long = (Type.I32, Type.I64, Type.I32, Type.I64, Type.I64)
        self._play_many = declare(long, (Type.I32,), "play_many")
        self.steps = StepFunctions(ctx, self._answers, self._begin, self._run)
        self.games = ctx.memory.reserve(8)
        """The address of the number of games that `play_many` has played."""
        self.rows = ctx.memory.reserve(MOST_GAMES * (12 + 4 * ctx.layout.sizes["Player"]))
        """The address of its rows: answers, why the game stopped, the rule that ended it, the players' places."""

    def write(self, questions: int, ends: int, returns: int, initial: int, main: int) -> None:
        """Write all; the arguments are the addresses of tables, of the first cells, and the number of the game."""
        self._chance.write()
        self._answers.write(questions)
        self._write_ending(ends)
        self._write_pop_frame(returns)
        self._write_run(questions)
        self._write_begin(initial, main)
        self._write_play(questions)
        self._write_play_many()
        self.steps.write(questions)

    def _write_ending(self, ends: int) -> None:
        """The end of the game that is running, or the rule that finishes it by itself: a look at each frame."""
        body = self.ctx.module.body(self.ctx.ending)
        frame, rule = body.local(Type.I32), body.local(Type.I32)
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
            body.tee(rule)
            with body.when():
                body.get(rule)
                body.op(Op.RETURN)
            body.get(frame)
            body.memory(Op.I32_LOAD, CALLER)
            body.set(frame)
            body.branch(again)
        body.get(0)
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

    def _write_run(self, questions: int) -> None:
        """Run until a player is asked or the game is over; chance is drawn on the way. Why it stopped."""
        ctx = self.ctx
        body = ctx.module.body(self._run)
        status, question = body.local(Type.I32), body.local(Type.I32)
        number = body.local(Type.I64)
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
            body.get(status)
            body.i32(DRAW)
            body.op(Op.I32_EQ)
            with body.when():
                push_question(body, questions)
                body.set(question)
                # key of the stream: mix(mix(seed) ^ hash of its name)
                load(body, ctx.memory.cell_at[ctx.layout.seed], Op.I64_LOAD)
                body.call(self._chance.mix)
                body.get(question)
                body.memory(Op.I64_LOAD, STREAM)
                body.op(Op.I64_XOR)
                body.call(self._chance.mix)
                body.get(question)
                body.memory(Op.I32_LOAD, COUNTER)
                body.memory(Op.I64_LOAD)
                body.call(self._answers.size)
                body.call(self._chance.draw)
                body.set(number)
                body.get(question)
                body.memory(Op.I32_LOAD, COUNTER)
                body.get(number)
                body.memory(Op.I64_STORE)
                body.get(question)
                load(body, self._chance.drawn)
                body.get(question)
                body.memory(Op.I32_LOAD, WORDS)
                body.call(self._answers.member)
                body.call(self._answers.resume)
                body.branch(again)
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

    def _write_play(self, questions: int) -> None:
        """Answer at random until the game stops, at most so many times; how often. Why it stopped is left in memory.

        Arguments: the most answers, the key of the stream that decides, the steps for each answer and for all.
        """
        ctx = self.ctx
        body = ctx.module.body(self._play)
        most, key, steps, total = range(4)
        answers, size, status = body.local(Type.I32), body.local(Type.I32), body.local(Type.I32)
        counter, given = body.local(Type.I64), body.local(Type.I64)
        if ctx.assertions is not None:
            body.get(steps)
            body.i64(SEVERAL)
            body.op(Op.I64_MUL)
            body.set_global(ctx.assertions.steps)
        with body.block() as out, body.loop() as again:
            body.get(steps)
            body.get(total)
            body.get(steps)
            body.get(total)
            body.op(Op.I64_LT_S, Op.SELECT)
            body.tee(given)
            body.set_global(ctx.budget)
            body.call(self._run)
            body.set(status)
            body.get(total)
            body.get(given)
            body.get_global(ctx.budget)
            body.op(Op.I64_SUB, Op.I64_SUB)
            body.set(total)
            if ctx.assertions is not None:
                body.get(status)
                body.i32(RETURNED)
                body.op(Op.I32_NE)
                with body.when():
                    body.call(ctx.assertions.look)
            body.get(status)
            body.i32(ASK)
            body.op(Op.I32_NE)
            body.branch_if(out)
            body.get(answers)
            body.get(most)
            body.op(Op.I32_GE_U)
            body.branch_if(out)
            body.increase(answers, 1)
            self._pick_of_few(body, key, counter, questions, again)
            body.i32(0)
            body.i32(0)
            body.memory(Op.I32_STORE, self._chance.drawn)
            body.call(self._answers.size)
            body.tee(size)
            body.i32(1)
            body.op(Op.I32_NE)
            with body.when():
                body.get(key)
                body.get(counter)
                body.get(size)
                body.call(self._chance.draw)
                body.set(counter)
            load(body, self._chance.drawn)
            body.call(self._answers.answer)
            body.branch(again)
        body.i32(0)
        body.get(status)
        body.memory(Op.I32_STORE, STATUS)
        body.get(answers)
        ctx.module.define(self._play, body)

    def _pick_of_few(self, body: FunctionBody, key: int, counter: int, questions: int, again: int) -> None:
        """The same for a set of one word with no words beside it, without calling anybody: most questions are such."""
        question, size, member = (body.local(Type.I32) for _ in range(3))
        members, number = body.local(Type.I64), body.local(Type.I64)
        with body.block() as general:
            push_question(body, questions)
            body.tee(question)
            body.memory(Op.I32_LOAD, WORDS)
            body.i32(1)
            body.op(Op.I32_NE)
            body.branch_if(general)
            load(body, EXTRAS, Op.I64_LOAD)
            body.op(Op.I64_EQZ, Op.I32_EQZ)
            body.branch_if(general)
            load(body, LEGAL, Op.I64_LOAD)
            body.tee(members)
            body.op(Op.I64_POPCNT, Op.I32_WRAP_I64)
            body.tee(size)
            body.i32(1)
            body.op(Op.I32_NE)
            with body.when():
                self._chance.push_word(body, key, counter)
                body.tee(number)
                body.i64(0)
                body.get(size)
                body.op(Op.I64_EXTEND_I32_U, Op.I64_SUB, Op.I64_GE_U)
                body.branch_if(general)
                body.get(counter)
                body.i64(1)
                body.op(Op.I64_ADD)
                body.set(counter)
                body.get(number)
                body.get(size)
                body.op(Op.I64_EXTEND_I32_U, Op.I64_REM_U, Op.I32_WRAP_I64)
                body.set(member)
                drop_lowest(body, members, member)
            body.get_global(self.ctx.frame)
            body.get(question)
            body.memory(Op.I32_LOAD, INTO)
            body.op(Op.I32_ADD)
            body.get(members)
            body.op(Op.I64_CTZ, Op.I32_WRAP_I64)
            body.memory(Op.I32_STORE)
            body.get(question)
            body.memory(Op.I32_LOAD, AFTER)
            body.set_global(self.ctx.entry)
            body.branch(again)

    def _write_play_many(self) -> None:
        """Play games of successive seeds, and write a row about each; how many are told before each game.

        Arguments: the number of games, the first seed, the most answers, the steps for each answer and for a game.
        """
        ctx, memory = self.ctx, self.ctx.memory
        body = ctx.module.body(self._play_many)
        count, seed, most, steps, total = range(5)
        row = body.local(Type.I32)
        players = ctx.layout.sizes["Player"]
        body.i32(self.rows)
        body.set(row)
        body.i32(0)
        body.i32(0)
        body.memory(Op.I32_STORE, self.games)
        with body.block() as out, body.loop() as again:
            load(body, self.games)
            body.get(count)
            body.op(Op.I32_GE_U)
            body.branch_if(out)
            body.get(seed)
            body.call(self._begin)
            body.get(row)
            body.get(most)
            body.get(seed)
            body.call(self._chance.mix)
            body.i64(PLAYERS)
            body.op(Op.I64_XOR)
            body.call(self._chance.mix)
            body.get(steps)
            body.get(total)
            body.call(self._play)
            body.memory(Op.I32_STORE, 0)
            body.get(row)
            load(body, STATUS)
            body.memory(Op.I32_STORE, 4)
            body.get(row)
            load(body, memory.cell_at[ctx.layout.rule])
            body.memory(Op.I32_STORE, 8)
            for player in range(players):
                body.get(row)
                load(body, memory.cell_at[ctx.layout.rank + player])
                body.memory(Op.I32_STORE, 12 + 4 * player)
            body.get(row)
            body.i32(12 + 4 * players)
            body.op(Op.I32_ADD)
            body.set(row)
            body.get(seed)
            body.i64(1)
            body.op(Op.I64_ADD)
            body.set(seed)
            body.i32(0)
            load(body, self.games)
            body.i32(1)
            body.op(Op.I32_ADD)
            body.memory(Op.I32_STORE, self.games)
            body.branch(again)
        load(body, self.games)
        ctx.module.define(self._play_many, body)
