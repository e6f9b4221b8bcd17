"""Functions that search: Monte Carlo tree search from the position that the host has put behind the stack.

Trees and what grows them are kernels (:mod:`rulewright.engine.kernels`), which are translated; here is what these need
of the game. Where the rules end in an error the code traps; the registers hold what was going on, and the host finds
out what comes of it and goes on.
"""

from __future__ import annotations

from math import inf

from rulewright.engine.kernels import tree
from rulewright.engine.kernels.vocabulary import Dice, Game
from rulewright.engine.native.lowering.driver.answer_functions import AnswerFunctions
from rulewright.engine.native.lowering.driver.chance_functions import ChanceFunctions
from rulewright.engine.native.lowering.driver.policy_functions import RatingFunctions
from rulewright.engine.native.lowering.driver.tree_search.node_functions import NodeFunctions, OutcomeFunctions
from rulewright.engine.native.lowering.driver.tree_search.simulation_functions import SimulationFunctions
from rulewright.engine.native.lowering.driver.tree_search.tree_map import FREE, HIGH, LIMIT, LOW, PAYOFFS
from rulewright.engine.native.lowering.driver.tree_search.world_functions import WorldFunctions
from rulewright.engine.native.lowering.lowering_context import LoweringContext
from rulewright.engine.native.memory_map import OPTIONS, WHO
from rulewright.engine.native.translation.translator import Translator
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import I32, I64, Term, call, const, mem32, real


class DiceCode:
    """The stream that decides, for kernels."""

    def __init__(self, nodes: NodeFunctions) -> None:
        self._nodes = nodes

    def below(self, body: FunctionBody, size: Term) -> Term:
        """Code for :meth:`Dice.below`."""
        return call(self._nodes.below, size)


class GameCode:
    """The game that a search plays, for kernels: code for the methods of :class:`Game`."""

    def __init__(
        self, ctx: LoweringContext, simulation: SimulationFunctions, outcomes: OutcomeFunctions | None
    ) -> None:
        self._simulation, self._outcomes = simulation, outcomes
        self._registers = registers = simulation.registers
        self._payoffs = const(registers.at + PAYOFFS)
        self.has_chance = registers.chance
        self.options, self.seat = mem32(0, OPTIONS), mem32(0, WHO)
        self.drawn = outcomes.drawn if outcomes is not None else 0
        self.spread = (registers.real(HIGH) - registers.real(LOW)).div(real(2.0))
        self.best = 1.0 if simulation.payoffs.by_place else inf
        self.nothing = const(ctx.memory.reserve(8 * registers.players))
        self.has_room = (registers.number(FREE) + registers.map.most).gt_u(registers.number(LIMIT)).eqz()
        self.steps = ctx.module.add_global(I64)
        """The global variable with the steps for each answer."""

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
        body.call(self._simulation.payoffs.find)
        return self._payoffs

    def keep(self, body: FunctionBody, payoffs: Term) -> Term:
        """A copy of payoffs."""
        size = 8 * self._registers.players
        kept = self._simulation.nodes.take(body, const(size))
        body.copy(kept, payoffs, size)
        return kept

    def rest(self, body: FunctionBody) -> Term:
        """Play the rest of the game; the address of its payoffs."""
        self._simulation.play_rest(body, self.steps)
        return self._payoffs


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
        self._outcomes = OutcomeFunctions(ctx, simulation.registers, simulation.nodes) if drawn else None
        self._game = GameCode(ctx, simulation, self._outcomes)
        self._kernels = Translator(
            ctx.module,
            self.map.layouts,
            simulation.nodes.take,
            ctx.memory.constant,
            {tree.Tree: self.map.tree},
            {Game: self._game, Dice: DiceCode(simulation.nodes)},
            {},
        )
        self._worlds = WorldFunctions(ctx, simulation, self._outcomes)

    def write(self, questions: int) -> None:
        """Write all, given the address of the table of questions."""
        self._simulation.write()
        if self._outcomes is not None:
            self._outcomes.write()
        self._kernels.function(tree.Tree.reset, "reset")
        self._kernels.function(tree.Tree.note, "note")
        self._write_search()
        self._kernels.write()
        self._worlds.write(questions)

    def _write_search(self) -> None:
        """Simulate so often, with so many steps for each answer; how often that was done."""
        search = self.ctx.module.declare((I32, I64), (I32,), "search")
        with self.ctx.module.writing(search) as (body, [count, steps]):
            body.set(self._game.steps, steps)
            body.push(call(self._kernels.function(tree.Tree.search), count))
