"""A vector environment of Gymnasium: many games of a ruleset at once, in one block of memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import Error, InvalidAction
from gymnasium.vector import AutoresetMode
from gymnasium.vector import VectorEnv as _VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from rulewright.diagnostics import RulesetError
from rulewright.engine import State, batch
from rulewright_lab import games
from rulewright_lab.adapters.named_games import Named, Options, game_named
from rulewright_lab.adapters.observation_spaces import observation_space
from rulewright_lab.adapters.opponents import Opponents, opponents_of
from rulewright_lab.adapters.rendering import MODES, checked_mode, rendered
from rulewright_lab.adapters.vector_arrays import VectorArrays
from rulewright_lab.environment.state_episodes import episodes_of

Seen = dict[str, NDArray[Any]]
Chooser = Callable[[NDArray[np.float32], NDArray[np.int8], NDArray[np.int32]], Any]


class VectorEnv(_VectorEnv[Any, Any, Any]):
    """So many games of a ruleset.

    Without `opponents` every seat is played from outside: an observation is that of the seat to move, ``info["seat"]``,
    and a reward what was paid in a step to the seat that acted. With opponents each game has a seat that learns, `seat`
    or by turns all of them, and an environment goes on until that decides again or the game is over. Opponents are
    ``random``, another agent's word (`Game.policy`), or a function from the observations, masks and seats of those who
    decide to their actions. ``info["rewards"]`` has what each seat was paid in the step.
    """

    metadata: dict[str, Any]

    def __init__(
        self,
        ruleset: Named = "tic-tac-toe",
        num_envs: int = 1,
        players: int | None = None,
        variants: Iterable[str] = (),
        options: Options | None = None,
        opponents: str | Chooser | None = None,
        seat: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        """Environments that have not begun; after `max_episode_steps` steps a game is truncated.

        Observations are arrays of their own, as Gymnasium's vector environments give them; without `copy` they are the
        memory of the games, which the next step changes.
        """
        if isinstance(num_envs, bool) or not isinstance(num_envs, int) or num_envs < 1:
            raise Error(f"the number of environments is not `{num_envs}`: it is a whole number above 0")
        if max_episode_steps is not None and (not isinstance(max_episode_steps, int) or max_episode_steps < 1):
            raise Error(f"the number of steps is not `{max_episode_steps}`: it is a whole number above 0")
        try:
            self.autoreset_mode = AutoresetMode(autoreset_mode)
        except ValueError as problem:
            raise Error(str(problem)) from None
        self.render_mode = checked_mode(render_mode)
        try:
            self.game = game_named(ruleset, players, variants, options)
            game = self.game
            self._opponents: Opponents | None = opponents_of(game, opponents)
            self._episodes = episodes_of(
                game.engine, game.backend, num_envs, games.actions(game), games.observations(game), game.passes
            )
        except RulesetError as wrong:
            raise Error(str(wrong)) from None
        if seat is not None and not (isinstance(seat, int) and 0 <= seat < game.players):
            raise Error(f"there is no seat `{seat}`: they are 0 to {game.players - 1}")
        self.num_envs, self.copy = num_envs, copy
        self.max_episode_steps = max_episode_steps
        self.metadata = {"render_modes": list(MODES), "autoreset_mode": self.autoreset_mode}
        count = max(1, games.actions(game).count)
        self.single_action_space = spaces.Discrete(count)
        self.single_observation_space = spaces.Dict(
            {
                "observation": observation_space(game),
                "action_mask": spaces.Box(0, 1, (count,), np.int8),
            }
        )
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._arrays = VectorArrays(game, self._episodes)
        turns = np.arange(num_envs) % game.players
        self._seats = np.asarray(turns if seat is None else np.full(num_envs, seat), np.int32)
        self._learns, self._against = opponents is not None, opponents
        self._over = np.zeros(num_envs, np.bool_)
        self._elapsed = np.zeros(num_envs, np.int64)
        self._begun = False

    @property
    def native(self) -> bool:
        """True if machine code plays and observes."""
        return self._episodes.native

    def position(self, number: int = 0) -> State:
        """The state of Rulewright in one of the games."""
        return self._episodes.state(number)

    # -------------------------------------------------------------------------------------------------- beginning

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:  # fmt: skip
        """Begin all games, or those in the array ``options["reset_mask"]``.

        The game of environment *i* has seed ``seed + i``, and each that follows the next but `num_envs`; without a seed
        they go on so.
        """
        chosen = None if options is None else options.get("reset_mask")
        if chosen is None:
            chosen = np.ones(self.num_envs, np.bool_)
        elif not isinstance(chosen, np.ndarray) or chosen.dtype != np.bool_ or chosen.shape != (self.num_envs,):
            raise Error(f'`options["reset_mask"]` is an array of {self.num_envs} truths')
        super().reset(seed=seed)
        if seed is not None:
            self._arrays.lay_seeds(seed, chosen)
        elif not self._begun:
            self._arrays.lay_seeds(int(self.np_random.integers(1 << 62)), chosen)
        if not self._begun and not chosen.all():
            raise Error("the first time all environments are reset")
        self._begun = True
        self._arrays.entries["action"] = batch.PASS
        self._begin(chosen)
        self._act()
        self._begin_counting(chosen)
        return self._given(), self._info()

    def _begin(self, chosen: NDArray[np.bool_]) -> None:
        """Let some games begin with the next call."""
        arrays, entries = self._arrays, self._arrays.entries
        entries["action"][chosen] = batch.BEGIN
        entries["viewer"][chosen] = self._seats[chosen]
        inside = self._learns and (self._opponents is None)
        entries["learner"][chosen] = self._seats[chosen] if inside else -1
        arrays.next_games(chosen)
        if self._opponents is not None:
            self._opponents.begin(chosen, entries["seed"])

    def _begin_counting(self, chosen: NDArray[np.bool_]) -> None:
        self._arrays.forget(chosen)
        self._elapsed[chosen] = 0
        self._over[chosen] = False

    # --------------------------------------------------------------------------------------------------- stepping

    def step(self, actions: Any) -> tuple[Seen, Any, Any, Any, dict[str, Any]]:
        """An action for each game; of those that begin anew with this step it does nothing."""
        given, arrays = self._checked(actions), self._arrays
        acting = arrays.entries["viewer"].copy()
        arrays.entries["action"] = given
        begun = None
        if self.autoreset_mode is AutoresetMode.NEXT_STEP and self._over.any():
            begun = self._over.copy()
            self._begin(begun)
        self._act()
        if begun is not None:
            self._begin_counting(begun)
        paid = arrays.paid()
        self._elapsed += 1
        if begun is not None:
            self._elapsed[begun] = 0
            paid = arrays.without(paid, begun)
        rewards = paid[arrays.every, self._seats if self._learns else acting]
        terminated = arrays.entries["status"] == 0
        truncated = np.zeros(self.num_envs, np.bool_)
        if self.max_episode_steps is not None:
            truncated = ~terminated & (self._elapsed >= self.max_episode_steps)
        self._over = terminated | truncated
        info = self._info(paid)
        if self.autoreset_mode is AutoresetMode.SAME_STEP and self._over.any():
            self._again(info)
        return self._given(), rewards, terminated, truncated, info

    def _again(self, info: dict[str, Any]) -> None:
        """Begin the games that are over in the same step, and report how they were."""
        over = self._over.copy()
        info["final_obs"], info["_final_obs"] = self._own(self._arrays.finals(over)), over
        info["final_info"] = {"seat": info["seat"], "_seat": over, "rewards": info["rewards"], "_rewards": over}
        info["_final_info"] = over
        self._arrays.entries["action"] = batch.PASS
        self._begin(over)
        self._act()
        self._begin_counting(over)
        info["seat"] = self._arrays.entries["viewer"].copy()

    def _checked(self, actions: Any) -> NDArray[np.int64]:
        """The actions, if each is legal where a game goes on."""
        if not self._begun:
            raise Error("`reset` comes before the first step")
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise InvalidAction(f"the actions are an array of {self.num_envs} whole numbers")
        idle = self._over if self.autoreset_mode is not AutoresetMode.SAME_STEP else None
        if idle is not None and self.autoreset_mode is AutoresetMode.DISABLED and idle.any():
            raise Error(f"environment {int(idle.argmax())} is over: reset it first")
        refused = self._arrays.refused(given)
        if idle is not None:
            refused &= ~idle
        if refused.any():
            number = int(refused.argmax())
            legal = np.flatnonzero(self._arrays.masks[number])[:8].tolist()
            raise InvalidAction(f"environment {number}: action {given[number]} is not legal; legal are {legal}")
        return given

    def _act(self) -> None:
        """Let the games go on, and with agents as opponents until the learners decide."""
        entries = self._arrays.entries
        try:
            self._episodes.act()
            if self._opponents is None:
                return
            while True:
                waiting = (entries["status"] > 0) & (entries["viewer"] != self._seats)
                if not waiting.any():
                    break
                entries["action"] = batch.PASS
                self._opponents.answer(np.flatnonzero(waiting), self._episodes, self._arrays)
                self._episodes.act()
            ended = (entries["status"] == 0) & (entries["viewer"] != self._seats)
            if ended.any():
                entries["action"] = batch.PASS
                entries["action"][ended] = batch.LOOK
                entries["viewer"][ended] = self._seats[ended]
                self._episodes.act()
        except RulesetError as wrong:
            raise Error(str(wrong)) from None

    # ---------------------------------------------------------------------------------------------------- telling

    def _given(self) -> Seen:
        return self._own({"observation": self._arrays.observations, "action_mask": self._arrays.masks})

    def _own(self, seen: Seen) -> Seen:
        """Arrays to be given away: if copies are wanted, nothing that the next step changes."""
        return {key: array.copy() for key, array in seen.items()} if self.copy else seen

    def _info(self, paid: Any = None) -> dict[str, Any]:
        zeros = np.zeros((self.num_envs, self.game.players))
        return {"seat": self._arrays.entries["viewer"].copy(), "rewards": zeros if paid is None else paid}

    def sample(self, masks: NDArray[np.int8] | None = None) -> NDArray[np.int64]:
        """A legal action for each game, at random; the first where there is none."""
        given = self._arrays.masks if masks is None else masks
        lots = self.np_random.random(given.shape, np.float32)
        return np.asarray(np.where(given, lots, -1.0).argmax(1))

    def __getstate__(self) -> dict[str, Any]:
        """All but what lies in memory, and a copy of that."""
        state = {
            key: value for key, value in self.__dict__.items() if key not in ("_episodes", "_arrays", "_opponents")
        }
        kept = self._episodes.kept(), self._arrays.kept(), self._opponents and self._opponents.kept()
        return {**state, "kept": kept}

    def __setstate__(self, state: dict[str, Any]) -> None:
        episodes, arrays, dice = state.pop("kept")
        self.__dict__.update(state)
        game = self.game
        self._episodes = episodes_of(
            game.engine, game.backend, self.num_envs, games.actions(game), games.observations(game), game.passes
        )
        self._episodes.put_back(episodes)
        self._arrays = VectorArrays(game, self._episodes)
        self._arrays.put_back(arrays)
        self._opponents = opponents_of(game, self._against)
        if self._opponents is not None:
            self._opponents.put_back(dice)

    def render(self) -> Any:
        """All positions as the render mode wants them."""
        return tuple(rendered(self.game, self.position(number), self.render_mode) for number in range(self.num_envs))
