"""Functions that every simulation needs, whatever the tree: it begins, takes options, plays on at random."""

from __future__ import annotations

from rulewright.engine.chance_streams import PLAYERS
from rulewright.engine.native.lowering.driver.answer_functions import AnswerFunctions
from rulewright.engine.native.lowering.driver.chance_functions import ChanceFunctions
from rulewright.engine.native.lowering.driver.rating_functions import RatingFunctions
from rulewright.engine.native.lowering.driver.tree_search.lead_functions import LeadFunctions
from rulewright.engine.native.lowering.driver.tree_search.move_average_functions import MoveAverageFunctions
from rulewright.engine.native.lowering.driver.tree_search.node_functions import NodeFunctions
from rulewright.engine.native.lowering.driver.tree_search.offer_functions import OfferFunctions
from rulewright.engine.native.lowering.driver.tree_search.payoff_functions import PayoffFunctions
from rulewright.engine.native.lowering.driver.tree_search.tree_map import (
    APPLYING,
    CUT,
    DOING,
    ESTIMATING,
    PLAYING,
    REST,
    SAVED,
    TreeRegisters,
)
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import FRAME_AT, OPTIONS, STATUS, TOP
from rulewright.engine.native.statuses import OVER
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import I32, I64, Local, Term, call, const, mem32, select
from rulewright.engine.search_arithmetic import LONGEST_REST
from rulewright.host.budgets import TOTAL


class SimulationFunctions:
    """The functions `go_back` and `apply`, and code for the rest of a game."""

    def __init__(
        self,
        ctx: LoweringContext,
        answers: AnswerFunctions,
        chance: ChanceFunctions,
        rating: RatingFunctions | None,
        settle: int,
        play_on: int,
    ) -> None:
        self.ctx, declare = ctx, ctx.module.declare
        self._answers, self._chance, self._settle, self._play_on = answers, chance, settle, play_on
        self.mix = chance.mix
        """The function that mixes the bits of a word."""
        self.registers = TreeRegisters(ctx)
        self.payoffs = PayoffFunctions(ctx, self.registers)
        self.nodes = NodeFunctions(ctx, self.registers, chance)
        self.offers = OfferFunctions(ctx, self.registers)
        self._averages = MoveAverageFunctions(ctx, self.registers, self.offers, answers, chance, settle)
        self.leads = LeadFunctions(ctx, self.registers, rating) if rating is not None else None
        """Ratings by a query, in a module that is made for some."""
        self.go_back = declare(())
        """The function that lets the state be the one that is searched."""
        self.apply = declare((I32, I64))
        """The function that takes an option, and gives all answers that follow by themselves."""

    def write(self) -> None:
        """Write all."""
        self.payoffs.write()
        self.nodes.write()
        self._averages.write()
        if self.leads is not None:
            self.leads.write()
        self._write_go_back()
        self._write_apply()

    def _write_go_back(self) -> None:
        with self.ctx.module.writing(self.go_back) as (body, []):
            saved = body.hold(self.registers.number(SAVED))
            body.copy(0, saved, mem32(saved, TOP))
            self.ctx.memos.invalidate_all(body)

    def _write_apply(self) -> None:
        """Take an option as the answer, and give all answers that follow by themselves."""
        with self.ctx.module.writing(self.apply) as (body, [option, steps]):
            left = body.local()
            body.set(left, LONGEST_REST)
            with body.loop() as again:
                body.set(self.ctx.frame, mem32(0, FRAME_AT))
                body.call(self._answers.answer, option)
                body.drop(call(self._settle, steps))
                body.set(option, 0)
                body.set(left, left - 1)
                body.branch_if(again, mem32(0, OPTIONS).eq(1) & left.nonzero())

    def take(self, body: FunctionBody, option: Term, steps: Local) -> None:
        """Take an option; it is noted that this is going on."""
        body.set(self.registers.number(DOING), APPLYING)
        body.call(self.apply, option, steps)

    def play_rest(self, body: FunctionBody, steps: Local) -> None:
        """Play the rest of the game at random, and find its payoffs, or rate the position in which it is cut."""
        registers, mix, seed = self.registers, self._chance.mix, body.local(I64)
        body.set(seed, self.nodes.random_word(body))
        body.set(registers.word(REST), seed)
        body.set(registers.number(DOING), PLAYING)
        key = call(mix, call(mix, seed, gives=I64) ^ PLAYERS, gives=I64)
        if self.leads is None:
            self._go_on(body, const(LONGEST_REST), key, steps)
            body.call(self.payoffs.find)
            self._note(body)
            return
        rates, most = body.hold(self.leads.rates), body.local()
        body.set(most, select(registers.number(CUT), LONGEST_REST, rates))
        with body.when(most):
            self._go_on(body, most, key, steps)
        with body.when(rates & mem32(0, STATUS).ne(OVER)):
            body.set(registers.number(DOING), ESTIMATING)
            body.call(self.leads.estimate, steps)
        with body.otherwise():
            body.call(self.payoffs.find)
        self._note(body)

    def _go_on(self, body: FunctionBody, most: Term, key: Term, steps: Local) -> None:
        """Go on for so many answers, at random or by the averages of moves."""
        with body.when(self._averages.wanted):
            body.call(self._averages.play, most, key, steps)
        with body.otherwise():
            body.call(self._play_on, most, key, steps, const(TOTAL, I64))

    def _note(self, body: FunctionBody) -> None:
        """Note the payoffs for the moves, if there are averages of them."""
        with body.when(self._averages.wanted):
            body.call(self._averages.note)
