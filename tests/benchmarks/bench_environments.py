"""Steps a second of vector environments, with observations and masks, in processor time of one core.

    python tests/benchmarks/bench_environments.py [--profile] [--steps 200]

PettingZoo's own connect four (it needs pygame) plays in the same run, in Gymnasium's ``SyncVectorEnv``. Actions are
drawn outside of what is measured; observations are copied, as is the default. With ``--profile`` follows where the time
of Connect Four goes.
"""

from __future__ import annotations

import argparse
import os
import warnings
from collections.abc import Callable
from cProfile import Profile
from pstats import Stats
from time import process_time
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import SyncVectorEnv

from rulewright_lab.adapters.gymnasium import VectorEnv

OURS = (
    ("connect-four", None, None, 256),
    ("connect-four", None, None, 1024),
    ("connect-four", None, None, 4096),
    ("connect-four", "random", None, 1024),
    ("breakthrough", None, None, 1024),
    ("carolus-magnus", None, 3, 1024),
    ("kings-and-things", None, 2, 4),
)
"""Rulesets with their opponents, the numbers of players and of environments."""


def theirs() -> Any:
    """PettingZoo's connect four, played by one for both seats."""
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.classic.connect_four.connect_four import raw_env

    class Both(gymnasium.Env[Any, Any]):
        """Gymnasium's interface to it, as thin as can be."""

        def __init__(self) -> None:
            self._env = raw_env()
            self.observation_space = self._env.observation_space("player_0")
            self.action_space = self._env.action_space("player_0")

        def reset(self, *, seed: int | None = None, options: Any = None) -> Any:
            self._env.reset(seed)
            return self._env.observe(self._env.agent_selection), {}

        def step(self, action: Any) -> Any:
            env, acting = self._env, self._env.agent_selection
            env.step(int(action))
            over = env.terminations[acting]
            return env.observe(env.agent_selection), float(env.rewards[acting]), over, False, {}

    return Both


def measured(envs: Any, steps: int, profile: Profile | None = None) -> float:
    """Steps a second of processor time, without the choice of actions."""
    seen, _ = envs.reset(seed=1)
    random, spent = np.random.default_rng(1), 0.0
    lots = random.random((64, 1, seen["action_mask"].shape[1]), np.float32)
    for number in range(steps):
        actions = (seen["action_mask"] * (0.5 + lots[number % 64])).argmax(1)
        begun = process_time()
        if profile is not None:
            profile.enable()
        seen, *_ = envs.step(actions)
        if profile is not None:
            profile.disable()
        spent += process_time() - begun
    return envs.num_envs * steps / spent


def told(name: str, made: Callable[[], Any], steps: int) -> float:
    """Measure three times, and tell the median."""
    found = sorted(measured(made(), steps) for _ in range(3))
    print(f"{name:56} {found[1]:>12,.0f} steps a second ({found[0]:,.0f} to {found[2]:,.0f})", flush=True)
    return found[1]


def main() -> None:
    """Measure and tell."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--profile", action="store_true")
    given = parser.parse_args()
    slow = 0.0
    try:
        kind = theirs()
    except ModuleNotFoundError as missing:
        print(f"PettingZoo's own connect four is left out: {missing}")
    else:
        name = "PettingZoo's connect four, SyncVectorEnv of 64"
        slow = told(name, lambda: SyncVectorEnv([kind] * 64), given.steps // 4)
    for ruleset, opponents, players, count in OURS:
        envs = VectorEnv(ruleset, count, players, opponents=opponents)
        how = "machine code" if envs.native else "views"
        steps = given.steps if envs.native else max(5, given.steps // 20)
        name = f"{ruleset}, {count} games, {opponents or 'all seats outside'}, {how}"
        fast = told(name, lambda envs=envs: envs, steps)  # type: ignore[misc]
        if ruleset == "connect-four" and slow:
            print(f"{'':56} {fast / slow:>12,.0f} times as many")
    if given.profile:
        profile = Profile()
        measured(VectorEnv("connect-four", 1024), given.steps, profile)
        Stats(profile).sort_stats("tottime").print_stats(12)


if __name__ == "__main__":
    main()
