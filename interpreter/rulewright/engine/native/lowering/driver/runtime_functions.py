"""Functions that play from one question to the next."""

from __future__ import annotations

from rulewright.engine.native.lowering.driver.alpha_beta_functions import AlphaBetaFunctions
from rulewright.engine.native.lowering.driver.answer_functions import AnswerFunctions
from rulewright.engine.native.lowering.driver.chance_functions import ChanceFunctions
from rulewright.engine.native.lowering.driver.exploration_functions import ExplorationFunctions
from rulewright.engine.native.lowering.driver.observation_functions import ObservationFunctions
from rulewright.engine.native.lowering.driver.playout_functions import EpisodeFunctions, PlayoutFunctions
from rulewright.engine.native.lowering.driver.policy_functions import PolicyFunctions, RatingFunctions
from rulewright.engine.native.lowering.driver.step_functions import OpeningFunctions, StepFunctions
from rulewright.engine.native.lowering.driver.tree_search.search_functions import TreeFunctions
from rulewright.engine.native.lowering.function_writer import is_spent
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import CALLED, CALLER, FUNCTION, GO_ON, PC, RETURNED
from rulewright.engine.native.webassembly.terms import I32, I64, IndirectCall, mem32, mem64, select


class RuntimeFunctions:
    """Declares the functions and writes them when everything else is known."""

    def __init__(self, ctx: LoweringContext) -> None:
        self.ctx, declare = ctx, ctx.module.declare
        self._chance = ChanceFunctions(ctx)
        self._answers = AnswerFunctions(ctx, self._chance.drawn_at)
        self._run = declare((), (I32,))
        self._begin = declare((I64,), (), "begin")
        self._begin_anew = declare((I64,))
        self.opening = OpeningFunctions(ctx, self._run)
        self.playouts = PlayoutFunctions(ctx, self._answers, self._chance, self._begin, self._run)
        self.steps = StepFunctions(ctx, self._answers, self._begin, self._run, self.opening)
        settle = self.steps.settle
        self._rating = RatingFunctions(ctx, self._answers, self._chance, self._run) if ctx.rated else None
        self.searches: TreeFunctions | None = None
        self.alpha_beta: AlphaBetaFunctions | None = None
        if ctx.searches:
            play_on = self.playouts.play_on
            self.searches = TreeFunctions(ctx, self._answers, self._chance, self._rating, settle, play_on)
            if ctx.program.players == 2 and not ctx.layout.counters:
                payoffs, registers = self.searches.payoffs, self.searches.registers
                self.alpha_beta = AlphaBetaFunctions(ctx, self._answers, settle, payoffs, registers)
        self.observations: ObservationFunctions | None = None
        self._episodes: EpisodeFunctions | None = None
        if ctx.observed is not None:
            self.observations = ObservationFunctions(ctx, ctx.observed, self._answers)
            self._episodes = EpisodeFunctions(ctx, self.observations, self._chance, self.steps)
        self.explorations: ExplorationFunctions | None = None
        if ctx.coverage is not None:
            self.explorations = ExplorationFunctions(ctx, self.playouts, self._chance, self.steps, self._begin)
        self.policies = PolicyFunctions(ctx, self._rating, self._chance, settle) if self._rating is not None else None

    def write(
        self, questions: int, ends: int, returns: int, initial: int, main: int, places: list[tuple[int, int]]
    ) -> None:
        """Write all; the arguments are the addresses of tables, of the first cells, and the number of the game, and for
        each question its function and instruction."""
        self._answers.questions = questions
        self._chance.write(self._answers, questions)
        self._write_ending(ends)
        self._write_pop_frame(returns)
        self._write_run()
        self._write_begin(questions)
        self._write_begin_anew(initial, main)
        self.playouts.write()
        self.steps.write(questions)
        if self._rating is not None:
            self._rating.write()
        if self.searches is not None:
            self.searches.write(questions)
        if self.alpha_beta is not None:
            self.alpha_beta.write(questions)
        if self.policies is not None:
            self.policies.write(questions)
        if self.explorations is not None:
            self.explorations.write()
        if self.observations is not None and self._episodes is not None:
            self.observations.write(places)
            self._episodes.write()

    def _write_ending(self, ends: int) -> None:
        """The end of the game that is running, or the rule that finishes it by itself: a look at each frame.

        It is noted whether one is that of a move.
        """
        ctx, layout = self.ctx, self.ctx.layout
        in_move = mem32(0, ctx.memory.cell_at[layout.in_move]) if layout.in_move >= 0 else None
        with ctx.module.writing(ctx.ending) as (body, [by_itself]):
            frame, found = body.locals(I32, I32)
            body.set(found, 0)
            if in_move is not None:
                body.set(in_move, 0)
            body.set(frame, ctx.frame)
            with body.until(frame.eqz()):
                body.set(found, select(mem32(mem32(frame, FUNCTION) << 2, ends), found, found.eqz()))  # the innermost
                if in_move is not None:
                    with body.when(mem32(frame, FUNCTION).eq(ctx.functions[ctx.program.move])):
                        body.set(in_move, 1)
                body.set(frame, mem32(frame, CALLER))
            body.push(select(found, by_itself, found))

    def _write_pop_frame(self, returns: int) -> None:
        """Drop a frame; the caller goes on with the block that takes the result."""
        ctx = self.ctx
        with ctx.module.writing(ctx.pop_frame) as (body, [frame]):
            caller = body.local()
            body.set(ctx.frame, caller.tee(mem32(frame, CALLER)))
            with body.when(caller.eqz()):
                body.give(RETURNED)
            blocks = mem32(mem32(caller, FUNCTION) << 2, returns)
            body.set(ctx.entry, mem32(blocks + (mem32(caller, PC) << 2)))
            body.push(GO_ON)

    def _write_run(self) -> None:
        """Run until a player decides or the game is over. Why it stopped."""
        ctx = self.ctx
        with ctx.module.writing(self._run) as (body, []):
            status = body.local()
            self.opening.rest(body)
            ctx.journal.forget(body)
            kind = ctx.module.type_number((I32, I32), (I32,))
            with body.loop() as again:
                ran = IndirectCall(mem32(ctx.frame, FUNCTION), kind, I32, ctx.frame, ctx.entry)
                body.branch_if(again, status.tee(ran).eqz())
                body.branch_if(again, status.eq(CALLED))
            body.trap_if(is_spent(ctx.budget, ctx.floor))
            body.push(status)

    def _write_begin(self, questions: int) -> None:
        """Begin a game with a seed: with its first question, where all games come to the same one."""
        with self.ctx.module.writing(self._begin) as (body, [seed]):
            self.opening.begin(body, self._begin_anew, seed, questions)
            self.opening.forget(body)
            body.call(self._begin_anew, seed)

    def _write_begin_anew(self, initial: int, main: int) -> None:
        """The cells of a game that has not begun, with a seed, and its first frame."""
        ctx, memory = self.ctx, self.ctx.memory
        with ctx.module.writing(self._begin_anew) as (body, [seed]):
            body.copy(memory.cells, initial, memory.stack - memory.cells)
            ctx.memos.invalidate_all(body)
            body.set(mem64(0, memory.cell_at[ctx.layout.seed]), seed)
            body.fill(memory.stack, 0, memory.frames[main].size)
            body.fill(ctx.fired, 0, 8 * len(ctx.rule_numbers))
            body.set(mem32(memory.stack, FUNCTION), main)
            body.set(ctx.frame, memory.stack)
            body.set(ctx.entry, 0)
            if ctx.assertions is not None:
                ctx.assertions.begin(body)
