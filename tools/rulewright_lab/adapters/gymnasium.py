"""Rulesets as environments of Gymnasium: many games at once, or one.

    from rulewright_lab.adapters.gymnasium import VectorEnv

    envs = VectorEnv("connect-four", 1024, opponents="random")
    seen, info = envs.reset(seed=7)
    seen, rewards, terminated, truncated, info = envs.step(envs.sample(seen["action_mask"]))

Machine code plays, lets the other seats decide at random, and writes observations and masks. Each step gives arrays of
their own; with ``copy=False`` they are the memory of the games, which the next step changes. Where pieces are hidden
the games are played state by state, which comes to the same, much slower. `Env` is one game for one learner.
"""

from __future__ import annotations

from rulewright_lab.adapters.single_env import Env
from rulewright_lab.adapters.vector_env import VectorEnv

__all__ = ["Env", "VectorEnv"]
