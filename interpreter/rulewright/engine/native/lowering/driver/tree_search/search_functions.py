"""Functions that search: Monte Carlo tree search from the position that the host has put behind the stack.

Trees and what grows them are kernels (:mod:`rulewright.engine.kernels`), which are translated; here is what these need
of the game. Where the rules end in an error the code traps; the registers hold what was going on, and the host finds
out what comes of it and goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from rulewright.engine.kernels import information_sets, move_averages, rollouts, tree
from rulewright.engine.kernels.vocabulary import Dice, Game, RolloutGame, WorldGame
from rulewright.engine.native.lowering.driver.answer_functions import FLAGS, IN_SECRET, AnswerFunctions, entry_of
from rulewright.engine.native.lowering.driver.chance_functions import ChanceFunctions
from rulewright.engine.native.lowering.driver.policy_functions import RatingFunctions
from rulewright.engine.native.lowering.driver.tree_search.outcome_functions import OutcomeFunctions
from rulewright.engine.native.lowering.driver.tree_search.simulation_functions import SimulationFunctions
from rulewright.engine.native.lowering.driver.tree_search.tree_map import (
    CUT,
    FREE,
    GREEDY,
    LIMIT,
    MAST,
    NOTED,
    PAYOFFS,
)
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import OPTIONS, QUESTION, WHO
from rulewright.engine.native.translation.function_table import Intrinsic
from rulewright.engine.native.translation.record_layout import WORD
from rulewright.engine.native.translation.translator import Translator
from rulewright.engine.native.webassembly.encoding import Type
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import F64, I32, I64, Term, call, const, mem32, mem_real, real
from rulewright.engine.random_numbers import mix
from rulewright.engine.search_arithmetic import LONGEST_REST


class GameCode:
    """The game that a search plays, for kernels: code for the methods of :class:`WorldGame`."""

    def __init__(
        self, ctx: LoweringContext, simulation: SimulationFunctions, outcomes: OutcomeFunctions | None
    ) -> None:
        self._simulation, self._outcomes = simulation, outcomes
        self._registers = registers = simulation.registers
        self._payoffs, self._ratings = const(registers.at + PAYOFFS), simulation.ratings
        self.has_chance = registers.chance
        self.options, self.seat = mem32(0, OPTIONS), mem32(0, WHO)
        self.drawn = outcomes.drawn if outcomes is not None else 0
        self.pays = not simulation.payoffs.by_place
        self.lowest, self.highest, self.best = (0.0, 0.0, inf) if self.pays else (-1.0, 1.0, 1.0)
        fields = registers.map.layouts.of(rollouts.Rollouts).fields
        low, high = (mem_real(0, registers.rollouts + fields[name][0]) for name in ("low", "high"))
        self.spread = (high - low).div(real(2.0))
        self.nothing = ctx.memory.reserve(8 * registers.players)
        self.has_room = (registers.number(FREE) + registers.map.most).gt_u(registers.number(LIMIT)).eqz()
        self.players, self.most_options, self.offered = registers.players, registers.options, simulation.offers.at
        self.rates = self._ratings.wanted if self._ratings is not None else False
        self.cut = registers.number(CUT) if self._ratings is not None else LONGEST_REST
        self.by_moves, self.is_wide = registers.number(MAST).eq(GREEDY), registers.number(MAST).eq(NOTED)
        self.is_learnt = False
        self.question = mem32(0, QUESTION).extend_u() + (mem32(0, WHO).extend_u() << 32)
        self.questions = 0
        """The address of the table of questions, when it is known."""
        self.kernels: Translator | None = None
        """The translator of the kernels, when it is known."""
        self.steps = ctx.module.add_global(I64)
        """The global variable with the steps for each answer."""

    @property
    def is_at_once(self) -> Term:
        """The truth of the question being one that several answer at once."""
        return mem32(entry_of(self.questions), FLAGS) & IN_SECRET

    def has_room_for(self, body: FunctionBody, entries: Term) -> Term:
        """The truth of there being room for a simulation with so many entries in new tables."""
        registers = self._registers
        room = entries * registers.map.layouts.of(information_sets.Entry).size + registers.map.most
        return (registers.number(FREE) + room).gt_u(registers.number(LIMIT)).eqz()

    def number_options(self, body: FunctionBody) -> None:
        """Take each option for its number."""
        body.call(self._simulation.offers.number)

    def offer(self, body: FunctionBody) -> None:
        """Describe the options."""
        body.call(self._simulation.offers.offer)

    def keep_position(self, body: FunctionBody) -> None:
        """Keep the position."""
        self._simulation.keep_position(body)

    def put_back(self, body: FunctionBody) -> None:
        """Come back to the position that was kept."""
        self._simulation.put_back(body)

    def look(self, body: FunctionBody, option: Term) -> Term:
        """Take an option to look at it; the number of the next ones."""
        body.call(self._simulation.apply, option, self.steps)
        return self.options

    def lead(self, body: FunctionBody, seat: Term) -> Term:
        """The lead of a seat."""
        return self._rollout(rollouts.Rollouts.lead, seat, gives=F64)

    def go_back(self, body: FunctionBody) -> None:
        """Let the state be the one that is searched."""
        body.call(self._simulation.go_back)

    def begin(self, body: FunctionBody) -> None:
        """Go back, and let chance follow from another seed."""
        self.go_back(body)
        if self._outcomes is not None:
            self._outcomes.reseed(body)

    def apply(self, body: FunctionBody, option: Term) -> Term:
        """Take an option; the number of the next ones."""
        self._simulation.take(body, option, self.steps)
        return self.options

    def outcome(self, body: FunctionBody) -> Term:
        """The digest of the position."""
        assert self._outcomes is not None
        return call(self._outcomes.key, gives=I64)

    def payoffs(self, body: FunctionBody) -> Term:
        """Find the payoffs; their address."""
        return self._rollout(rollouts.Rollouts.payoffs)

    def end(self, body: FunctionBody) -> Term:
        """Find the payoffs, of which nothing is noted."""
        body.call(self._simulation.payoffs.find)
        return self._payoffs

    def keep(self, body: FunctionBody, payoffs: Term) -> Term:
        """A copy of payoffs."""
        size = 8 * self._registers.players
        kept = self._simulation.room(body, const(size))
        body.copy(kept, payoffs, size)
        return kept

    def rest(self, body: FunctionBody) -> Term:
        """Play the rest of the game; the address of its payoffs."""
        return self._rollout(rollouts.Rollouts.rest, self._simulation.dice.word(body))

    def _rollout(self, method: Callable[..., object], *given: Term, gives: Type = I32) -> Term:
        """A call of a method of rollouts."""
        assert self.kernels is not None
        return call(self.kernels.function(method), *given, gives=gives)

    def open_stream(self, body: FunctionBody, seed: Term) -> None:
        """Let a rollout draw from the stream of a seed."""
        self._simulation.open_stream(body, seed)

    def draw(self, body: FunctionBody, size: Term) -> Term:
        """A number of the stream."""
        return self._simulation.stream.below(body, size)

    def answer(self, body: FunctionBody, option: Term) -> Term:
        """Take an option; the number of the next ones."""
        self._simulation.answer(body, option, self.steps)
        return self.options

    def play_on(self, body: FunctionBody, most: Term) -> Term:
        """Go on at random; the truth of the game being over."""
        return self._simulation.play_on(body, most, self.steps)

    def ratings(self, body: FunctionBody) -> Term:
        """The address of the ratings of all seats."""
        assert self._ratings is not None
        return self._ratings.rate(body, self.steps)


class TreeFunctions:
    """Searches in one world and in several."""

    def __init__(
        self,
        ctx: LoweringContext,
        answers: AnswerFunctions,
        chance: ChanceFunctions,
        rating: RatingFunctions | None,
        settle: int,
        play_on: int,
    ) -> None:
        self.ctx = ctx
        self._simulation = simulation = SimulationFunctions(ctx, answers, chance, rating, settle, play_on)
        self.registers, self.payoffs = simulation.registers, simulation.payoffs
        self.map = self.registers.map
        drawn = simulation.registers.chance
        self._outcomes = OutcomeFunctions(ctx, simulation.registers, simulation.dice) if drawn else None
        self._game = GameCode(ctx, simulation, self._outcomes)
        self._kernels = self._game.kernels = Translator(
            ctx.module,
            self.map.layouts,
            simulation.room,
            ctx.memory.constant,
            {
                tree.Tree: self.map.tree,
                information_sets.WorldTree: self.map.worlds,
                move_averages.MoveAverages: self.map.averages,
                rollouts.Rollouts: self.registers.rollouts,
            },
            {Dice: simulation.dice} | dict.fromkeys((Game, WorldGame, RolloutGame), self._game),
            {mix: Intrinsic((WORD,), WORD, lambda word: call(chance.mix, word, gives=I64))},
        )

    def write(self, questions: int) -> None:
        """Write all, given the address of the table of questions."""
        self._simulation.offers.questions = self._game.questions = questions
        for kernel, behind in ((tree.Tree, ""), (information_sets.WorldTree, "_worlds")):
            reset = self.ctx.module.declare((), (), f"reset{behind}")
            with self.ctx.module.writing(reset) as (body, []):
                body.call(self._kernels.function(rollouts.Rollouts.reset))
                body.call(self._kernels.function(kernel.reset))
            self._kernels.function(kernel.note, f"note{behind}")
            self._write_search(kernel.search, f"search{behind}")
        self._kernels.write()

    def _write_search(self, kernel: Callable[..., int], name: str) -> None:
        """Simulate so often, with so many steps for each answer; how often that was done."""
        search = self.ctx.module.declare((I32, I64), (I32,), name)
        with self.ctx.module.writing(search) as (body, [count, steps]):
            body.set(self._game.steps, steps)
            body.push(call(self._kernels.function(kernel), count))
