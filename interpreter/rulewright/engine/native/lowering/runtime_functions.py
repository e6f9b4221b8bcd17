"""Functions that every program has: the stack, chance, answers, whole games at random.

Numbers of chance are those of :mod:`rulewright.engine.chance_streams`.
"""

from __future__ import annotations

from rulewright.engine.chance_streams import GAMMA, PLAYERS
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.lowering.question_lowering import LISTED
from rulewright.engine.native.memory_map import CALLER, EXTRAS, FUNCTION, LEGAL, PC, QUESTION
from rulewright.engine.native.statuses import ASK, DRAW, GO_ON, RETURNED
from rulewright.engine.native.webassembly.encoding import MEMORY_COPY, MEMORY_FILL, Op, Type
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.ir.model import NONE

QUESTION_BYTES = 32
"""The size of an entry of the table of questions."""
MOST_GAMES = 1 << 12
"""So many games at once are played at most."""
INTO, AFTER, WORDS, COUNTER, STREAM, TARGETS = 0, 4, 8, 12, 16, 24
"""Within an entry: the offset of the slot for the answer, the basic block after the question, the words of the set
that is offered, the address of the stream's counter, the hash of its name (64 bits), the address of the blocks to which
the words lead that are offered beside the members."""


class RuntimeFunctions:
    """Declares the functions and writes them when everything else is known."""

    def __init__(self, ctx: LoweringContext) -> None:
        self.ctx, declare = ctx, ctx.module.declare
        self._mix = declare((Type.I64,), (Type.I64,))
        self._draw = declare((Type.I64, Type.I64, Type.I32), (Type.I64,))
        self._member = declare((Type.I32, Type.I32), (Type.I32,))
        self._resume = declare((Type.I32, Type.I32))
        self._run = declare((), (Type.I32,), "run")
        self._size = declare((), (Type.I32,), "size")
        self._begin = declare((Type.I64,), (), "begin")
        self._answer = declare((Type.I32,), (), "answer")
        self._play = declare((Type.I32, Type.I64, Type.I64, Type.I64), (Type.I32,), "play")
        long = (Type.I32, Type.I64, Type.I32, Type.I64, Type.I64)
        self._play_many = declare(long, (Type.I32,), "play_many")
        self._drawn = ctx.memory.reserve(16)
        """The address where a number that was drawn is left."""
        self.games = ctx.memory.reserve(8)
        """The address of the number of games that :data:`play_many` has played."""
        self.rows = ctx.memory.reserve(MOST_GAMES * (12 + 4 * ctx.layout.sizes["Player"]))
        """The address of its rows: answers, why the game stopped, the rule that ended it, the players' places."""

    def write(self, questions: int, ends: int, returns: int, initial: int, main: int) -> None:
        """Write all; the arguments are the addresses of tables, of the first cells, and the number of the game."""
        self._write_ending(ends)
        self._write_pop_frame(returns)
        self._write_mix()
        self._write_draw()
        self._write_member()
        self._write_resume()
        self._write_run(questions)
        self._write_size(questions)
        self._write_begin(initial, main)
        self._write_answer(questions)
        self._write_play()
        self._write_play_many()

    def _load(self, body: FunctionBody, at: int, op: Op = Op.I32_LOAD) -> None:
        """Push what lies at a known address."""
        body.i32(0)
        body.memory(op, at)

    # --------------------------------------------------------------------------------------------------- the stack

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
            body.i32(DRAW)
            body.op(Op.I32_EQ)
            with body.when():
                self._push_question(body, questions)
                body.set(question)
                # key of the stream: mix(mix(seed) ^ hash of its name)
                self._load(body, ctx.memory.cell_at[ctx.layout.seed], Op.I64_LOAD)
                body.call(self._mix)
                body.get(question)
                body.memory(Op.I64_LOAD, STREAM)
                body.op(Op.I64_XOR)
                body.call(self._mix)
                body.get(question)
                body.memory(Op.I32_LOAD, COUNTER)
                body.memory(Op.I64_LOAD)
                body.call(self._size)
                body.call(self._draw)
                body.set(number)
                body.get(question)
                body.memory(Op.I32_LOAD, COUNTER)
                body.get(number)
                body.memory(Op.I64_STORE)
                body.get(question)
                self._load(body, self._drawn)
                body.get(question)
                body.memory(Op.I32_LOAD, WORDS)
                body.call(self._member)
                body.call(self._resume)
                body.branch(again)
        body.get(status)
        ctx.module.define(self._run, body)

    def _push_question(self, body: FunctionBody, questions: int) -> None:
        """Push the address of the entry of the question that is asked."""
        self._load(body, QUESTION)
        body.i32(QUESTION_BYTES.bit_length() - 1)
        body.op(Op.I32_SHL)
        body.i32(questions)
        body.op(Op.I32_ADD)

    # ------------------------------------------------------------------------------------------------------ chance

    def _write_mix(self) -> None:
        """The finaliser of SplitMix64."""
        body = self.ctx.module.body(self._mix)
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            body.get(0)
            body.get(0)
            body.i64(shift)
            body.op(Op.I64_SHR_U, Op.I64_XOR)
            body.i64(factor)
            body.op(Op.I64_MUL)
            body.set(0)
        body.get(0)
        body.get(0)
        body.i64(31)
        body.op(Op.I64_SHR_U, Op.I64_XOR)
        self.ctx.module.define(self._mix, body)

    def _write_draw(self) -> None:
        """A number below the third argument, given a stream's key and counter; it is left in memory, the counter given.

        Numbers from the last, incomplete run are thrown away.
        """
        body = self.ctx.module.body(self._draw)
        key, counter, size = 0, 1, 2
        below, word, spare = body.local(Type.I64), body.local(Type.I64), body.local(Type.I64)
        body.get(size)
        body.op(Op.I64_EXTEND_I32_U)
        body.set(below)
        body.i64(0)
        body.get(below)
        body.op(Op.I64_SUB)
        body.get(below)
        body.op(Op.I64_REM_U)  # 2**64 modulo `below`
        body.set(spare)
        with body.loop() as again:
            body.get(key)
            body.get(counter)
            body.i64(GAMMA)
            body.op(Op.I64_MUL, Op.I64_ADD)
            body.call(self._mix)
            body.set(word)
            body.get(counter)
            body.i64(1)
            body.op(Op.I64_ADD)
            body.set(counter)
            # thrown away: word >= 2**64 - spare, unless nothing is spare
            body.get(word)
            body.i64(0)
            body.get(spare)
            body.op(Op.I64_SUB, Op.I64_GE_U)
            body.get(spare)
            body.op(Op.I64_EQZ, Op.I32_EQZ, Op.I32_AND)
            body.branch_if(again)
        body.i32(0)
        body.get(word)
        body.get(below)
        body.op(Op.I64_REM_U, Op.I32_WRAP_I64)
        body.memory(Op.I32_STORE, self._drawn)
        body.get(counter)
        self.ctx.module.define(self._draw, body)

    # ----------------------------------------------------------------------------------------------------- answers

    def _write_size(self, questions: int) -> None:
        """The number of options."""
        body = self.ctx.module.body(self._size)
        at, end, count = body.local(Type.I32), body.local(Type.I32), body.local(Type.I64)
        self._load(body, EXTRAS, Op.I64_LOAD)
        body.op(Op.I64_POPCNT)
        body.set(count)
        self._push_question(body, questions)
        body.memory(Op.I32_LOAD, WORDS)
        body.tee(end)
        body.i32(LISTED)
        body.op(Op.I32_EQ)
        with body.when():
            self._load(body, LEGAL)
            body.memory(Op.I32_LOAD)
            body.get(count)
            body.op(Op.I32_WRAP_I64, Op.I32_ADD, Op.RETURN)
        body.get(end)
        body.i32(3)
        body.op(Op.I32_SHL)
        body.set(end)
        with body.block() as out, body.loop() as again:
            body.get(at)
            body.get(end)
            body.op(Op.I32_GE_U)
            body.branch_if(out)
            body.get(at)
            body.memory(Op.I64_LOAD, LEGAL)
            body.op(Op.I64_POPCNT)
            body.get(count)
            body.op(Op.I64_ADD)
            body.set(count)
            body.get(at)
            body.i32(8)
            body.op(Op.I32_ADD)
            body.set(at)
            body.branch(again)
        body.get(count)
        body.op(Op.I32_WRAP_I64)
        self.ctx.module.define(self._size, body)

    def _write_member(self) -> None:
        """The member with a number among those that are offered, which lie in so many words; -1 if there are fewer.

        What is left of the number then is how many words beside the members to pass over.
        """
        body = self.ctx.module.body(self._member)
        number, count = 0, 1
        at, word, here = body.local(Type.I32), body.local(Type.I64), body.local(Type.I32)
        body.get(count)
        body.i32(LISTED)
        body.op(Op.I32_EQ)
        with body.when():
            body.i32(0)
            body.set(count)
            self._load(body, LEGAL)
            body.tee(at)
            body.memory(Op.I32_LOAD)
            body.tee(here)
            body.get(number)
            body.op(Op.I32_GT_U)
            with body.when():
                body.get(at)
                body.get(number)
                body.i32(2)
                body.op(Op.I32_SHL, Op.I32_ADD)
                body.memory(Op.I32_LOAD, 4)
                body.tee(here)
                body.i32(0)
                body.op(Op.I32_LT_S)
                body.get(here)
                body.i32(NONE)
                body.op(Op.I32_NE, Op.I32_AND)
                with body.when():
                    body.op(Op.UNREACHABLE)  # a number below 0 means something else here
                body.get(here)
                body.op(Op.RETURN)
            body.get(number)
            body.get(here)
            body.op(Op.I32_SUB)
            body.set(number)
            body.i32(0)
            body.set(at)
        with body.block() as out, body.loop() as again:
            body.get(at)
            body.get(count)
            body.op(Op.I32_GE_U)
            body.branch_if(out)
            body.get(at)
            body.i32(3)
            body.op(Op.I32_SHL)
            body.memory(Op.I64_LOAD, LEGAL)
            body.tee(word)
            body.op(Op.I64_POPCNT, Op.I32_WRAP_I64)
            body.tee(here)
            body.get(number)
            body.op(Op.I32_GT_S)
            with body.when():
                with body.block() as reached, body.loop() as lower:
                    body.get(number)
                    body.op(Op.I32_EQZ)
                    body.branch_if(reached)
                    body.get(word)
                    body.get(word)
                    body.i64(1)
                    body.op(Op.I64_SUB, Op.I64_AND)
                    body.set(word)
                    body.get(number)
                    body.i32(1)
                    body.op(Op.I32_SUB)
                    body.set(number)
                    body.branch(lower)
                body.get(word)
                body.op(Op.I64_CTZ, Op.I32_WRAP_I64)
                body.get(at)
                body.i32(6)
                body.op(Op.I32_SHL, Op.I32_ADD, Op.RETURN)
            body.get(number)
            body.get(here)
            body.op(Op.I32_SUB)
            body.set(number)
            body.get(at)
            body.i32(1)
            body.op(Op.I32_ADD)
            body.set(at)
            body.branch(again)
        body.i32(0)
        body.get(number)
        body.memory(Op.I32_STORE, self._drawn)
        body.i32(-1)
        self.ctx.module.define(self._member, body)

    def _write_resume(self) -> None:
        """Take a member as the answer to a question, of which the entry is given."""
        body = self.ctx.module.body(self._resume)
        question, member = 0, 1
        body.get_global(self.ctx.frame)
        body.get(question)
        body.memory(Op.I32_LOAD, INTO)
        body.op(Op.I32_ADD)
        body.get(member)
        body.memory(Op.I32_STORE)
        body.get(question)
        body.memory(Op.I32_LOAD, AFTER)
        body.set_global(self.ctx.entry)
        self.ctx.module.define(self._resume, body)

    def _write_answer(self, questions: int) -> None:
        """Take the option with a number as the answer: first come the members, then the words."""
        body = self.ctx.module.body(self._answer)
        question, member = body.local(Type.I32), body.local(Type.I32)
        extras, left = body.local(Type.I64), body.local(Type.I32)
        self._push_question(body, questions)
        body.set(question)
        body.get(0)
        body.get(question)
        body.memory(Op.I32_LOAD, WORDS)
        body.call(self._member)
        body.tee(member)
        body.i32(0)
        body.op(Op.I32_GE_S)
        with body.when():
            body.get(question)
            body.get(member)
            body.call(self._resume)
            body.otherwise()
            self._load(body, EXTRAS, Op.I64_LOAD)
            body.set(extras)
            self._load(body, self._drawn)
            body.set(left)
            with body.block() as reached, body.loop() as lower:
                body.get(left)
                body.op(Op.I32_EQZ)
                body.branch_if(reached)
                body.get(extras)
                body.get(extras)
                body.i64(1)
                body.op(Op.I64_SUB, Op.I64_AND)
                body.set(extras)
                body.get(left)
                body.i32(1)
                body.op(Op.I32_SUB)
                body.set(left)
                body.branch(lower)
            body.get(question)
            body.memory(Op.I32_LOAD, TARGETS)
            body.get(extras)
            body.op(Op.I64_CTZ, Op.I32_WRAP_I64)
            body.i32(2)
            body.op(Op.I32_SHL, Op.I32_ADD)
            body.memory(Op.I32_LOAD)
            body.set_global(self.ctx.entry)
        self.ctx.module.define(self._answer, body)

    # -------------------------------------------------------------------------------------------------- whole games

    def _write_begin(self, initial: int, main: int) -> None:
        """The cells of a game that has not begun, with a seed, and its first frame."""
        memory, body = self.ctx.memory, self.ctx.module.body(self._begin)
        body.i32(memory.cells)
        body.i32(initial)
        body.i32(memory.stack - memory.cells)
        body.raw(MEMORY_COPY)
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
        self.ctx.module.define(self._begin, body)

    def _write_play(self) -> None:
        """Answer at random until the game stops, at most so many times; how often. Why it stopped is left in memory.

        Arguments: the most answers, the key of the stream that decides, the steps for each answer and for all.
        """
        ctx = self.ctx
        body = ctx.module.body(self._play)
        most, key, steps, total = range(4)
        answers, size, status = body.local(Type.I32), body.local(Type.I32), body.local(Type.I32)
        counter, given = body.local(Type.I64), body.local(Type.I64)
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
            body.get(status)
            body.i32(ASK)
            body.op(Op.I32_NE)
            body.branch_if(out)
            body.get(answers)
            body.get(most)
            body.op(Op.I32_GE_U)
            body.branch_if(out)
            body.get(answers)
            body.i32(1)
            body.op(Op.I32_ADD)
            body.set(answers)
            body.i32(0)
            body.i32(0)
            body.memory(Op.I32_STORE, self._drawn)
            body.call(self._size)
            body.tee(size)
            body.i32(1)
            body.op(Op.I32_NE)
            with body.when():
                body.get(key)
                body.get(counter)
                body.get(size)
                body.call(self._draw)
                body.set(counter)
            self._load(body, self._drawn)
            body.call(self._answer)
            body.branch(again)
        body.i32(0)
        body.get(status)
        body.memory(Op.I32_STORE, self._drawn + 4)
        body.get(answers)
        ctx.module.define(self._play, body)

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
            self._load(body, self.games)
            body.get(count)
            body.op(Op.I32_GE_U)
            body.branch_if(out)
            body.get(seed)
            body.call(self._begin)
            body.get(row)
            body.get(most)
            body.get(seed)
            body.call(self._mix)
            body.i64(PLAYERS)
            body.op(Op.I64_XOR)
            body.call(self._mix)
            body.get(steps)
            body.get(total)
            body.call(self._play)
            body.memory(Op.I32_STORE, 0)
            body.get(row)
            self._load(body, self.status)
            body.memory(Op.I32_STORE, 4)
            body.get(row)
            self._load(body, memory.cell_at[ctx.layout.rule])
            body.memory(Op.I32_STORE, 8)
            for player in range(players):
                body.get(row)
                self._load(body, memory.cell_at[ctx.layout.rank + player])
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
            self._load(body, self.games)
            body.i32(1)
            body.op(Op.I32_ADD)
            body.memory(Op.I32_STORE, self.games)
            body.branch(again)
        self._load(body, self.games)
        ctx.module.define(self._play_many, body)

    @property
    def status(self) -> int:
        """The address where a game leaves why it has stopped."""
        return self._drawn + 4
