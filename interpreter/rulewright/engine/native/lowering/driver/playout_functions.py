"""Functions that play whole games: at random, or by actions of one seat with observations of each state.

While a game at random runs, most of its questions are answered at their place: the function with the question calls
:attr:`LoweringContext.pick` and goes on, and the game never leaves it. The others stop the rules and are answered here.
"""

from __future__ import annotations

from rulewright.engine.native.lowering.driver.answer_functions import AnswerFunctions
from rulewright.engine.native.lowering.driver.chance_functions import ChanceFunctions
from rulewright.engine.native.lowering.driver.observation_functions import ObservationFunctions
from rulewright.engine.native.lowering.driver.step_functions import REFUSED, StepFunctions
from rulewright.engine.native.lowering.function_writer import is_spent
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import ASK, FRAME_AT, OPTIONS, OVER, QUESTION, RETURNED, STATUS, TOP, WHO
from rulewright.engine.native.observation_plan import (
    ACTION,
    BEGIN,
    COUNTER,
    KEY,
    LEARNER,
    LOOK,
    SEED,
    STANDING,
    VIEWER,
    Observed,
    RowPlan,
    entry_bytes,
)
from rulewright.engine.native.observation_plan import STATUS as LEFT
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.module import function
from rulewright.engine.native.webassembly.terms import (
    I32,
    I64,
    Local,
    Term,
    call,
    const,
    greater,
    lesser,
    mem32,
    mem64,
    without_lowest,
)
from rulewright.engine.random_numbers import FEW_OPTIONS, PLACES, PLAYERS
from rulewright.host.budgets import SEVERAL

MOST_GAMES, MOST_BYTES = 1 << 14, 1 << 22
"""So many games at once are played at most, and so large all rows are."""


class PlayoutFunctions:
    """The functions `pick`, `play` and `play_many`, and the global variables of the game that they play."""

    def __init__(
        self, ctx: LoweringContext, answers: AnswerFunctions, chance: ChanceFunctions, begin: int, run: int
    ) -> None:
        self.ctx, self.module, declare = ctx, ctx.module, ctx.module.declare
        self._answers, self._chance, self._begin, self._run = answers, chance, begin, run
        self._play = declare((I32, I64, I64, I64), (I32,), "play")
        self._play_many = declare((I32, I64, I32, I64, I64), (I32,), "play_many")
        self.play_on = declare((I32, I64, I64, I64), (), "play_on")
        self.go_on = declare(())
        """The function that answers at random until the game stops, or :attr:`LoweringContext.left` is 0."""
        variable = ctx.module.add_global
        self._key, self._counter = variable(I64), variable(I64)
        """The stream that decides."""
        self._steps, self._total, self._given = variable(I64), variable(I64), variable(I64)
        """The steps for each answer, those left for all, and those that were given for this one."""
        self.place, self.spread = variable(I32), variable(I32)
        """In a program that explores: where among many options those are that are taken, and how far from there at most
        (0: anywhere), as :class:`rulewright.engine.random_numbers.GatheredAnswers` has it."""
        self.games = ctx.memory.reserve(8)
        """The address of the number of games that `play_many` has played."""
        ranks, paid = ctx.layout.ranks, range(ctx.layout.paid.start or 0, ctx.layout.paid.stop)
        seated = (*range(ranks.start, ranks.start + ctx.layout.sizes["Player"]), ranks.stop - 1)
        self._reported_cells = (*(seated if ctx.measured is None else range(ranks.start, ranks.stop)), *paid)
        """The cells that a row ends with."""
        self._options, self._forced = variable(I64), variable(I32)
        """The numbers of options together, and the decisions with one option, if something is measured."""
        self._queries = [(ctx.query_number(name), bool(ctx.queries[name].params)) for name in ctx.measured or ()]
        queried = sum(ctx.program.players if of_player else 1 for _, of_player in self._queries)
        self.plan = RowPlan.of(ranks.stop - ranks.start, len(paid), len(ctx.rule_numbers), queried)
        self._width = 3 + len(self._reported_cells) if ctx.measured is None else self.plan.width
        self.most = max(1, min(MOST_GAMES, MOST_BYTES // (4 * self._width)))
        """So many games at once are played at most."""
        self.rows = ctx.memory.reserve(self.most * 4 * self._width)
        """The address of its rows: answers, why the game stopped, the rule that ended it, the players' places, and
        whether those in the first place have beaten no other, and what they were paid; then what is measured."""

    def write(self) -> None:
        """Write all."""
        self._write_pick()
        self._write_go_on()
        self._write_play()
        self._write_play_on()
        self._write_play_many()

    def _write_pick(self) -> None:
        """A member of a set of one word at random; the rules get steps for going on with it."""
        ctx = self.ctx
        with ctx.module.writing(ctx.pick) as (body, [members]):
            key, counter = body.locals(I64, I64)
            if ctx.assertions is not None:
                body.call(ctx.assertions.look)
            body.set(ctx.left, ctx.left - 1)
            if ctx.coverage is not None:
                ctx.coverage.answered(body, ctx.left)
            body.trap_if(is_spent(ctx.budget, ctx.floor))
            self._account(body)
            self._give(body)
            self._count(body, members.popcnt())
            with body.when(without_lowest(members).eqz()):  # nothing is drawn
                body.give(members.ctz().wrap())
            if ctx.coverage is not None:
                with body.when(self.spread):
                    body.give(self._chance.member_of(body, members, call(self.gathered, members.popcnt().wrap())))
            body.set(key, self._key)
            body.set(counter, self._counter)
            body.push(self._chance.drawn_of(body, key, counter, members))
            body.set(self._counter, counter)

    def _count(self, body: FunctionBody, options: Term) -> None:
        """Count a decision with so many options, if that is measured."""
        if self.ctx.measured is not None:
            body.set(self._options, self._options + options)
            body.set(self._forced, self._forced + options.eq(1))

    def _give(self, body: FunctionBody) -> None:
        """Give the rules the steps for an answer, or what is left for all."""
        body.set(self._given, lesser(self._steps, self._total))
        body.set(self.ctx.budget, self._given)

    def _account(self, body: FunctionBody) -> None:
        """Take the steps that the rules have made from those that are left for all."""
        body.set(self._total, self._total - (self._given - self.ctx.budget))

    def _write_go_on(self) -> None:
        """Run and answer at random until the game stops, or the answers that may be given are. Why it stopped is left
        in memory."""
        ctx = self.ctx
        with ctx.module.writing(self.go_on) as (body, []):
            status = body.local()
            with body.block() as out, body.loop() as again:
                self._give(body)
                body.set(status, call(self._run))
                self._account(body)
                if ctx.assertions is not None:
                    with body.when(status.ne(RETURNED)):
                        body.call(ctx.assertions.look)
                body.branch_if(out, status.ne(ASK))
                body.branch_if(out, ctx.left.eqz())
                self.answer(body, call(self._answers.size))
                body.branch(again)
            body.set(mem32(0, STATUS), status)

    def answer(self, body: FunctionBody, size: Term) -> None:
        """Answer the pending question, which has so many options, at random."""
        ctx, chance, options = self.ctx, self._chance, body.local()
        body.set(ctx.left, ctx.left - 1)
        if ctx.coverage is not None:
            ctx.coverage.answered(body, ctx.left)
        body.set(chance.drawn, 0)
        with body.when(options.tee(size).ne(1)):
            if ctx.coverage is not None:
                with body.when(self.spread):
                    body.set(chance.drawn, call(self.gathered, options))
                with body.otherwise():
                    body.set(self._counter, call(chance.draw, self._key, self._counter, options, gives=I64))
            else:
                body.set(self._counter, call(chance.draw, self._key, self._counter, options, gives=I64))
        self._count(body, options.extend_u())
        if ctx.coverage is not None:
            ctx.coverage.offered(body, mem32(0, QUESTION), options)
        body.call(self._answers.answer, chance.drawn)

    @function("", I32, gives=I32)
    def gathered(self, body: FunctionBody, size: Local) -> None:
        """An answer near to the place where this run takes them, where so many options are offered."""
        number, last, spread = body.locals(I32, I32, I32)
        drawn = self._chance.drawn
        with body.when(size.le_s(FEW_OPTIONS)):
            self._draw(body, size)
            body.give(drawn)
        body.set(last, size - 1)
        body.set(spread, self.spread + 1)
        body.set(number, (self.place * last).div_s(PLACES - 1) - self.spread)
        for _ in range(2):
            self._draw(body, spread)
            body.set(number, number + drawn)
        body.set(number, greater(number, const(0)))
        body.push(lesser(number, last))

    def _draw(self, body: FunctionBody, size: Local) -> None:
        """Draw a number below a size."""
        body.set(self._counter, call(self._chance.draw, self._key, self._counter, size, gives=I64))

    def open(self, body: FunctionBody, most: Term, key: Term, steps: Term, total: Term) -> None:
        """Lay down how a game is answered: so often at most, from a stream, with so many steps for each and for all."""
        if self.ctx.assertions is not None:
            body.set(self.ctx.assertions.steps, steps * SEVERAL)
        for variable, given in ((self.ctx.left, most), (self._key, key), (self._steps, steps), (self._total, total)):
            body.set(variable, given)
        body.set(self._counter, 0)
        if self.ctx.measured is not None:
            body.set(self._options, 0)
            body.set(self._forced, 0)

    def _write_play(self) -> None:
        """Play the game that has begun at random until it stops, at most so many answers; how many they were.

        Arguments: the most answers, the key of the stream that decides, the steps for each answer and for all.
        """
        with self.ctx.module.writing(self._play) as (body, [most, key, steps, total]):
            self.open(body, most, key, steps, total)
            body.call(self.go_on)
            body.push(most - self.ctx.left)

    def _write_play_on(self) -> None:
        """Answer at random the state at rest in which a player decides, with at least one answer: searches end each
        look ahead like this. What is left is a state that was not noted: only its status and its cells can be read."""
        ctx = self.ctx
        with ctx.module.writing(self.play_on) as (body, [most, key, steps, total]):
            self.open(body, most, key, steps, total)
            body.set(ctx.frame, mem32(0, FRAME_AT))
            self.answer(body, mem32(0, OPTIONS))
            body.call(self.go_on)

    def _write_play_many(self) -> None:
        """Play games of successive seeds, and write a row about each; their number is reported before each game.

        Arguments: the number of games, the first seed, the most answers, the steps for each answer and for a game.
        """
        ctx, memory, mixed = self.ctx, self.ctx.memory, self._chance.mix
        games = mem32(0, self.games)
        with ctx.module.writing(self._play_many) as (body, [count, seed, most, steps, total]):
            row = body.local()
            body.set(row, self.rows)
            body.set(games, 0)
            with body.until(games.ge_u(count)):
                body.call(self._begin, seed)
                key = call(mixed, call(mixed, seed, gives=I64) ^ PLAYERS, gives=I64)
                body.set(mem32(row), call(self._play, most, key, steps, total))
                body.set(mem32(row, 4), mem32(0, STATUS))
                body.set(mem32(row, 8), mem32(0, memory.cell_at[ctx.layout.rule]) - 1)
                for number, cell in enumerate(self._reported_cells):
                    body.set(mem32(row, 12 + 4 * number), mem32(0, memory.cell_at[cell]))
                if ctx.measured is not None:
                    self._measure(body, row, steps)
                body.set(row, row + 4 * self._width)
                body.set(seed, seed + 1)
                body.set(games, games + 1)
            body.push(games)

    def _measure(self, body: FunctionBody, row: Local, steps: Term) -> None:
        """Write what was counted in a game, and the queries at its end, each with so many steps."""
        ctx, plan = self.ctx, self.plan
        body.set(mem64(row, 4 * plan.options), self._options)
        body.set(mem32(row, 4 * plan.forced), self._forced)
        for rule in range(len(ctx.rule_numbers)):
            body.set(mem32(row, 4 * (plan.uses + rule)), mem32(0, ctx.fired + 8 * rule))
        with body.when(mem32(0, STATUS).eq(OVER)):
            place = plan.queried
            for query, of_player in self._queries:
                for given in [(seat,) for seat in range(ctx.program.players)] if of_player else [()]:
                    body.set(ctx.budget, steps)
                    body.set(mem32(row, 4 * place), call(query, *given))
                    place += 1


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
        self._reported_cells = (*range(ranks.start, ranks.stop), *range(paid.start or 0, paid.stop))
        self._entry = entry_bytes(len(self._reported_cells))
        self._act_many = ctx.module.declare((I32, I32, I32, I32, I64, I32, I32, I32), (I32,), "act_many")

    def write(self) -> None:
        """Give each of some states the command of its entry, and observe it.

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
                for number, cell in enumerate(self._reported_cells):
                    body.set(mem32(entry, STANDING + 4 * number), mem32(0, memory.cell_at[cell]))
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
