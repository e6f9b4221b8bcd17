"""Games as environments of learning algorithms: numbered actions, outcomes of chance, observations."""

from __future__ import annotations

from rulewright.engine import PUBLIC
from rulewright.environment.action_space import ActionSpace, Question
from rulewright.environment.chance_outcomes import Outcome, most_outcomes, outcomes
from rulewright.environment.information_state import Walk
from rulewright.environment.observation import Observations, Part

__all__ = [
    "PUBLIC",
    "ActionSpace",
    "Observations",
    "Outcome",
    "Part",
    "Question",
    "Walk",
    "most_outcomes",
    "outcomes",
]
