"""Functions that play whole games at random.

While a game at random runs, most of its questions are answered where they are asked: the function that asks calls
:attr:`LoweringContext.pick` and goes on, and the game never leaves it. The others stop the rules and are answered here.
"""

from __future__ import annotations

from rulewright.engine.chance_streams import PLAYERS
from rulewright.engine.native.lowering.driver.answer_functions import AnswerFunctions, load
from rulewright.engine.native.lowering.driver.chance_functions import ChanceFunctions
from rulewright.engine.native.lowering.driver.loops import give_work
from rulewright.engine.native.lowering.function_writer import push_spent
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import STATUS
from rulewright.engine.native.statuses import ASK, RETURNED
from rulewright.engine.native.webassembly.encoding import Op, Type
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.host.budgets import SEVERAL
from rulewright.ir.step_costs import WORK

MOST_GAMES = 1 << 14
"""So many games at once are played at most."""


class PlayoutFunctions:
    """The functions `pick`, `play` and `play_many`, and the global variables of the game that they play."""

    def __init__(
        self, ctx: LoweringContext, answers: AnswerFunctions, chance: ChanceFunctions, begin: int, run: int
    ) -> None:
        self.ctx, declare = ctx, ctx.module.declare
        self._answers, self._chance, self._begin, self._run = answers, chance, begin, run
        self._play = declare((Type.I32, Type.I64, Type.I64, Type.I64), (Type.I32,), "play")
        long = (Type.I32, Type.I64, Type.I32, Type.I64, Type.I64)
        self._play_many = declare(long, (Type.I32,), "play_many")
        variable = ctx.module.add_global
        self._key, self._counter = variable(Type.I64), variable(Type.I64)
        """The stream that decides."""
        self._steps, self._total, self._given = variable(Type.I64), variable(Type.I64), variable(Type.I64)
        """The steps for each answer, those left for all, and those that were given for this one."""
        self.games = ctx.memory.reserve(8)
        """The address of the number of games that `play_many` has played."""
        self.rows = ctx.memory.reserve(MOST_GAMES * (12 + 4 * ctx.layout.sizes["Player"]))
        """The address of its rows: answers, why the game stopped, the rule that ended it, the players' places."""

    def write(self) -> None:
        """Write all."""
        self._write_pick()
        self._write_play()
        self._write_play_many()

    def _write_pick(self) -> None:
        """A member of a set of one word at random; the rules get steps for going on with it."""
        ctx = self.ctx
        body = ctx.module.body(ctx.pick)
        members, key, counter = 0, body.local(Type.I64), body.local(Type.I64)
        if ctx.assertions is not None:
            body.call(ctx.assertions.look)
        body.get_global(ctx.left)
        body.i32(1)
        body.op(Op.I32_SUB)
        body.set_global(ctx.left)
        push_spent(body, ctx.budget, ctx.floor)
        with body.when():
            body.op(Op.UNREACHABLE)
        self._account(body)
        self._give(body)
        body.get(members)
        body.get(members)
        body.i64(1)
        body.op(Op.I64_SUB, Op.I64_AND, Op.I64_EQZ)
        with body.when():  # nothing is drawn
            body.get(members)
            body.op(Op.I64_CTZ, Op.I32_WRAP_I64, Op.RETURN)
        for variable, local in ((self._key, key), (self._counter, counter)):
            body.get_global(variable)
            body.set(local)
        self._chance.push_drawn(body, key, counter, members)
        body.get(counter)
        body.set_global(self._counter)
        ctx.module.define(ctx.pick, body)

    def _give(self, body: FunctionBody) -> None:
        """Give the rules the steps for an answer, or what is left for all."""
        for variable in (self._steps, self._total, self._steps, self._total):
            body.get_global(variable)
        body.op(Op.I64_LT_S, Op.SELECT)
        body.set_global(self._given)
        body.get_global(self._given)
        body.set_global(self.ctx.budget)
        body.get_global(self._given)
        give_work(body, self.ctx)

    def _account(self, body: FunctionBody) -> None:
        """Take the steps that the rules have made from those that are left for all."""
        body.get_global(self._total)
        body.get_global(self._given)
        body.get_global(self.ctx.budget)
        body.op(Op.I64_SUB, Op.I64_SUB)
        body.set_global(self._total)

    def _write_play(self) -> None:
        """Answer at random until the game stops, at most so many times; how often. Why it stopped is left in memory.

        Arguments: the most answers, the key of the stream that decides, the steps for each answer and for all.
        """
        ctx = self.ctx
        body = ctx.module.body(self._play)
        most, key, steps, total = range(4)
        size, status = body.local(Type.I32), body.local(Type.I32)
        if ctx.assertions is not None:
            body.get(steps)
            body.i64(SEVERAL * WORK)
            body.op(Op.I64_MUL)
            body.set_global(ctx.assertions.steps)
        for variable, local in ((ctx.left, most), (self._key, key), (self._steps, steps), (self._total, total)):
            body.get(local)
            body.set_global(variable)
        body.i64(0)
        body.set_global(self._counter)
        with body.block() as out, body.loop() as again:
            self._give(body)
            body.call(self._run)
            body.set(status)
            self._account(body)
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
            body.get_global(ctx.left)
            body.op(Op.I32_EQZ)
            body.branch_if(out)
            body.get_global(ctx.left)
            body.i32(1)
            body.op(Op.I32_SUB)
            body.set_global(ctx.left)
            body.i32(0)
            body.i32(0)
            body.memory(Op.I32_STORE, self._chance.drawn)
            body.call(self._answers.size)
            body.tee(size)
            body.i32(1)
            body.op(Op.I32_NE)
            with body.when():
                body.get(key)
                body.get_global(self._counter)
                body.get(size)
                body.call(self._chance.draw)
                body.set_global(self._counter)
            load(body, self._chance.drawn)
            body.call(self._answers.answer)
            body.branch(again)
        body.i32(0)
        body.get(status)
        body.memory(Op.I32_STORE, STATUS)
        body.get(most)
        body.get_global(ctx.left)
        body.op(Op.I32_SUB)
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
            body.i32(1)
            body.op(Op.I32_SUB)
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
