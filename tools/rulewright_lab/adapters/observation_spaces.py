"""The space of a game's observations."""

from __future__ import annotations

import numpy as np
from gymnasium import spaces

from rulewright.play import Game
from rulewright_lab import games
from rulewright_lab.environment.observation import observation_bounds


def observation_space(game: Game) -> spaces.Box:
    """The space of the observations of a game; in PettingZoo each agent has the same."""
    low, high = (np.array(ends, np.float32) for ends in observation_bounds(game.engine, games.observations(game)))
    return spaces.Box(low, high, dtype=np.float32)
