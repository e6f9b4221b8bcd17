"""One game for one learner, as an environment of Gymnasium: the other seats are opponents."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import InvalidAction
from gymnasium.vector import AutoresetMode

from rulewright.engine import State
from rulewright_lab.adapters.named_games import Named, Options
from rulewright_lab.adapters.rendering import MODES
from rulewright_lab.adapters.vector_env import Chooser, VectorEnv


class Env(gymnasium.Env[Any, Any]):
    """A vector environment of one game, without the first axis; it can be put into ``SyncVectorEnv`` and
    ``AsyncVectorEnv``. The mask is part of the observation."""

    metadata: dict[str, Any] = {"render_modes": list(MODES), "render_fps": 1}  # noqa: RUF012

    def __init__(
        self,
        ruleset: Named = "tic-tac-toe",
        players: int | None = None,
        variants: Iterable[str] = (),
        options: Options | None = None,
        opponents: str | Chooser | None = "random",
        seat: int = 0,
        max_episode_steps: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """A ruleset by its name or path; the arguments are those of :class:`VectorEnv`."""
        self._one = VectorEnv(
            ruleset, 1, players, variants, options, opponents, seat, AutoresetMode.DISABLED, max_episode_steps, True,
            render_mode,
        )  # fmt: skip
        self.render_mode = render_mode
        self.action_space = self._one.single_action_space
        self.observation_space = self._one.single_observation_space

    @property
    def position(self) -> State:
        """The state of Rulewright."""
        return self._one.position()

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a game."""
        super().reset(seed=seed)
        seen, info = self._one.reset(seed=seed)
        return self._first(seen), self._first(info)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Answer, and let the opponents answer until it is the learner's turn."""
        if isinstance(action, bool) or not isinstance(action, int | np.integer):
            raise InvalidAction(f"the action is not `{action!r}`: it is a whole number")
        seen, rewards, terminated, truncated, info = self._one.step(np.array([action]))
        over = bool(terminated[0]), bool(truncated[0])
        return self._first(seen), float(rewards[0]), *over, self._first(info)

    @staticmethod
    def _first(arrays: dict[str, Any]) -> dict[str, Any]:
        return {key: array[0] for key, array in arrays.items()}

    def render(self) -> Any:
        """The position as the render mode wants it."""
        return self._one.render()[0]
