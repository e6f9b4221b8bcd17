"""A game between numbered seats, as environments of PettingZoo play it: actions, masks, observations and payments."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.error import Error, InvalidAction
from gymnasium.utils import seeding

from rulewright.diagnostics import RulesetError
from rulewright.engine import State
from rulewright_lab import games
from rulewright_lab.adapters.named_games import Named, Options, game_named
from rulewright_lab.adapters.observation_spaces import observation_space
from rulewright_lab.adapters.rendering import MODES, checked_mode


class Seats:
    """The seats of a game, with one state that is played forwards."""

    def __init__(
        self,
        ruleset: Named,
        players: int | None,
        variants: Iterable[str],
        options: Options | None,
        max_cycles: int | None,
        render_mode: str | None,
    ) -> None:
        self.render_mode = checked_mode(render_mode)
        try:
            self.game = game_named(ruleset, players, variants, options)
            self.actions, self.observations = games.actions(self.game), games.observations(self.game)
        except RulesetError as wrong:
            raise Error(str(wrong)) from None
        if max_cycles is not None and (not isinstance(max_cycles, int) or max_cycles < 1):
            raise Error(f"the number of cycles is not `{max_cycles}`: it is a whole number above 0")
        self.max_cycles = max_cycles
        self.names = [f"player_{seat}" for seat in range(self.game.players)]
        """The agents, in the order of the seats."""
        self.number = {name: seat for seat, name in enumerate(self.names)}
        self.action_spaces = {name: spaces.Discrete(max(1, self.actions.count)) for name in self.names}
        self._floats = observation_space(self.game)
        self.observation_spaces = {name: self._space() for name in self.names}
        self.state_space = self._floats
        self._random: np.random.Generator | None = None
        self.state: State
        self._paid: tuple[float, ...]

    def _space(self) -> spaces.Dict:
        """The space of an observation with the mask of its seat."""
        mask = spaces.Box(0, 1, (max(1, self.actions.count),), np.int8)
        return spaces.Dict({"observation": self._floats, "action_mask": mask})

    def metadata(self, at_once: bool) -> dict[str, Any]:
        """The metadata of an environment."""
        name = f"{self.game.name.replace('-', '_')}_v0"
        return {"name": name, "render_modes": list(MODES), "render_fps": 1, "is_parallelizable": at_once}

    def begin(self, seed: int | None) -> None:
        """Begin a game with a seed, or with one that follows from the last that was given."""
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        number = int(self._random.integers(1 << 62)) if seed is None else seed
        with library_errors():
            self.state = self.game.start(number)
        self._paid = (0.0,) * self.game.players

    def rewards(self) -> tuple[float, ...]:
        """The payments since this seat decided last; at the end they come to the payoffs."""
        now = tuple(map(float, self.state.payoffs)) or (0.0,) * self.game.players
        found = tuple(new - old for new, old in zip(now, self._paid, strict=True))
        self._paid = now
        return found

    @property
    def out(self) -> frozenset[str]:
        """The agents whom the rules have put out of the game."""
        gone = self.state.cells[self.game.engine.layout.out]
        return frozenset(name for seat, name in enumerate(self.names) if gone >> seat & 1)

    def observe(self, agent: str, to_move: State | None) -> dict[str, Any]:
        """The observation of a seat, with the mask of what it may answer in the state in which it decides."""
        seen = self.observations.array(self.state, self.number[agent])
        mask = self.actions.mask(to_move) if to_move is not None and to_move.seat == self.number[agent] else b""
        whole = np.zeros(max(1, self.actions.count), np.int8)
        whole[: len(mask)] = np.frombuffer(mask, np.int8)
        return {"observation": np.frombuffer(seen, np.float32).copy(), "action_mask": whole}

    def everything(self) -> Any:
        """The observation of an omniscient observer."""
        return np.frombuffer(self.observations.array(self.state, None), np.float32).copy()

    def after(self, to_move: State, action: Any) -> State:
        """The state after an action; InvalidAction if it is not legal."""
        if isinstance(action, bool) or not isinstance(action, int | np.integer):
            raise InvalidAction(f"the action is not `{action!r}`: it is a whole number")
        try:
            option = self.actions.option(to_move, int(action))
        except RulesetError as wrong:
            raise InvalidAction(str(wrong)) from None
        with library_errors():
            return to_move.choose(option)


class library_errors:
    """A block in which errors of the rules become errors of the client."""

    def __enter__(self) -> None:
        """Begin."""

    def __exit__(self, kind: object, error: BaseException | None, where: object) -> None:
        if isinstance(error, RulesetError):
            raise Error(str(error)) from None
