"""Games as environments of learning algorithms: numbered actions, outcomes of chance, observations."""

from __future__ import annotations

from rulewright.engine import PUBLIC
from rulewright_lab.environment.action_space import ActionSpace, Question
from rulewright_lab.environment.chance_outcomes import Outcome, most_outcomes, outcomes
from rulewright_lab.environment.information_state import InformationTensors, Walk
from rulewright_lab.environment.observation import Observations, Part, observation_bounds
