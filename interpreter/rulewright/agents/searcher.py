"""Agents that search: what they are, as plain data, and how one begins to play."""

from __future__ import annotations

from rulewright.agents.effort import Effort
from rulewright.agents.information_set_search import InformationSetSearch
from rulewright.agents.tree_search import TreeSearch
from rulewright.engine import Choice, EngineName, Passes, engine_of, has_secrets, is_decided_at_once, stepper_of
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir.model import Program

MCTS = "mcts"
SEARCHES = {MCTS: "N"}
"""The words of searches, with what follows the colon."""


@dataclass(frozen=True, slots=True)
class Searcher:
    """An agent that searches anew at each decision."""

    word: str
    effort: Effort

    def __str__(self) -> str:
        return f"{self.word}:{self.effort}"

    def begin(self, program: Program, wanted: EngineName, passes: Passes) -> Choice:
        """The way in which it chooses in games of a program."""
        stepper = stepper_of(program, wanted, passes)
        if hides_anything(program):
            return InformationSetSearch(stepper, self.effort)
        return TreeSearch(stepper, self.effort)


def hides_anything(program: Program) -> bool:
    """True if there is anything in a game that not all know, were it only what others decide at the same time."""
    own = engine_of(program)
    places = ((f.name, pc) for f in program.functions for pc in range(len(f.code)))
    return has_secrets(own) or any(is_decided_at_once(own, place) for place in places)
