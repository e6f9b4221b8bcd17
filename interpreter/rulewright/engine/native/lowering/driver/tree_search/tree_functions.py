"""All functions that search, put together."""

from __future__ import annotations

from rulewright.engine.native.lowering.driver.answer_functions import AnswerFunctions
from rulewright.engine.native.lowering.driver.chance_functions import ChanceFunctions
from rulewright.engine.native.lowering.driver.rating_functions import RatingFunctions
from rulewright.engine.native.lowering.driver.tree_search.outcome_functions import OutcomeFunctions
from rulewright.engine.native.lowering.driver.tree_search.search_functions import SearchFunctions
from rulewright.engine.native.lowering.driver.tree_search.simulation_functions import SimulationFunctions
from rulewright.engine.native.lowering.driver.tree_search.world_functions import WorldFunctions
from rulewright.engine.native.lowering.lowering_context import LoweringContext


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
        self._simulation = simulation = SimulationFunctions(ctx, answers, chance, rating, settle, play_on)
        self.registers, self.payoffs = simulation.registers, simulation.payoffs
        self.map = self.registers.map
        drawn = simulation.registers.chance
        self._outcomes = OutcomeFunctions(ctx, simulation.registers, simulation.nodes) if drawn else None
        self._search = SearchFunctions(ctx, simulation, self._outcomes)
        self._worlds = WorldFunctions(ctx, simulation, self._outcomes)

    def write(self, questions: int) -> None:
        """Write all, given the address of the table of questions."""
        self._simulation.write()
        if self._outcomes is not None:
            self._outcomes.write()
        self._search.write()
        self._worlds.write(questions)
