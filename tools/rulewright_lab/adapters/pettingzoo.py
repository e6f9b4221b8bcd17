"""Rulesets as environments of PettingZoo.

    from rulewright_lab.adapters import pettingzoo

    env = pettingzoo.env("connect-four", render_mode="ansi")
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        over = termination or truncation
        env.step(None if over else env.action_space(agent).sample(observation["action_mask"]))

Agents are ``player_0``, ``player_1``, … in the order of the seats. An observation is a dict: what the seat may know as
an array (:func:`rulewright_lab.observations`), and the mask of the actions that are legal for it now. Rewards are what
was paid since the last answer; in the end they come to the payoff of a seat.

An eliminated seat never decides again. By default it stays among the agents, as the end of the game may still pay it;
with ``eliminated="leave"`` it is terminated at once, with what it was paid by then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, ParamSpec

from gymnasium.error import Error
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import wrappers

from rulewright.engine import State
from rulewright.play import Game
from rulewright_lab.adapters.named_games import Named, Options
from rulewright_lab.adapters.rendering import rendered
from rulewright_lab.adapters.seats import Seats
from rulewright_lab.theory import decides_only_at_once
from rulewright_lab.theory.payoff_bounds import bounds

DEFAULT = "tic-tac-toe"
_Arguments = ParamSpec("_Arguments")


class _Shown:
    """The parts that both kinds of environments have."""

    _seats: Seats
    render_mode: str | None
    possible_agents: list[str]

    def _take(self, seats: Seats, at_once: bool) -> None:
        self._seats = seats
        self.render_mode = seats.render_mode
        self.possible_agents = list(seats.names)
        self.metadata = seats.metadata(at_once)
        self.state_space = seats.state_space

    @property
    def game(self) -> Game:
        """The game of Rulewright."""
        return self._seats.game

    @property
    def position(self) -> State:
        """The state of Rulewright."""
        return self._seats.state

    def action_space(self, agent: str) -> Any:
        """All actions of the game, see :func:`rulewright_lab.actions`."""
        return self._seats.action_spaces[agent]

    def observation_space(self, agent: str) -> Any:
        """Observations with masks."""
        return self._seats.observation_spaces[agent]

    def state(self) -> Any:
        """All that there is, as an array."""
        return self._seats.everything()

    def render(self) -> Any:
        """The position as the render mode wants it."""
        return rendered(self.game, self.position, self.render_mode)

    def close(self) -> None:
        """Do nothing: there are no windows."""

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()


class raw_env(_Shown, AECEnv):  # type: ignore[misc]
    """A ruleset whose seats act one after the other; those who decide at once too, and none hears of the others."""

    def __init__(
        self,
        ruleset: Named = DEFAULT,
        players: int | None = None,
        variants: Iterable[str] = (),
        options: Options | None = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        eliminated: str = "stay",
    ) -> None:
        """A ruleset by its name or path; without `players` the least number. After `max_cycles` answers for each seat,
        counted together, the game is truncated."""
        super().__init__()
        if eliminated not in ("stay", "leave"):
            raise Error(f"eliminated seats do not `{eliminated}`: they `stay` or `leave`")
        self._leaves = eliminated == "leave"
        seats = Seats(ruleset, players, variants, options, max_cycles, render_mode)
        self._take(seats, decides_only_at_once(seats.game.program))
        self.agents: list[str] = []

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; without a seed one that follows from the last."""
        self._seats.begin(seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._skip_agent_selection = None
        self._answers = 0
        self._look()
        self._show()

    def observe(self, agent: str) -> dict[str, Any]:
        """The observation of a seat; its mask is empty unless it decides."""
        over = self.terminations.get(agent, True) or self.truncations.get(agent, True)
        return self._seats.observe(agent, None if over else self.position)

    def step(self, action: Any) -> None:
        """The answer of the agent that is selected; None of one that is out."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._seats.state = self._seats.after(self.position, action)
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._answers += 1
        self._look()
        self._accumulate_rewards()
        self._show()

    def _look(self) -> None:
        """Note who is to move, who is out, and what was paid."""
        seats, state = self._seats, self.position
        for agent, paid in zip(seats.names, seats.rewards(), strict=True):
            if agent in self.rewards:
                self.rewards[agent] = paid
        if state.seat is not None:
            self.agent_selection = seats.names[state.seat]
        most = seats.max_cycles
        if state.decision is None:
            self.terminations = dict.fromkeys(self.agents, True)
        elif most is not None and self._answers >= most * len(seats.names):
            self.truncations = dict.fromkeys(self.agents, True)
        for agent in seats.out.intersection(self.agents):
            self.infos[agent] = {"out": True}
            if self._leaves:
                self.terminations[agent] = True
        self._deads_step_first()


def _wrapped(make: Callable[_Arguments, Any]) -> Callable[_Arguments, Any]:
    """An environment in PettingZoo's usual wrappers: an action that is not legal ends the game with the least payoff
    for its seat. The arguments are those of :class:`raw_env`."""

    @wraps(make, ("__doc__",), ())
    def wrapped(*given: _Arguments.args, **named: _Arguments.kwargs) -> Any:
        raw = make(*given, **named)
        paid = bounds(raw.game.program)
        lost = float(paid[0]) if paid is not None else -1.0
        legal = wrappers.TerminateIllegalWrapper(raw, illegal_reward=lost)
        return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(legal))

    return wrapped


env = _wrapped(raw_env)


class parallel_env(_Shown, ParallelEnv):  # type: ignore[misc]
    """A ruleset in which everything is decided at once; the arguments are those of :class:`raw_env`.

    In each step all seats that decide answer one question. A seat that does not decide has an empty mask, and what it
    answers does nothing.
    """

    def __init__(
        self,
        ruleset: Named = DEFAULT,
        players: int | None = None,
        variants: Iterable[str] = (),
        options: Options | None = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
        eliminated: str = "stay",
    ) -> None:
        """A ruleset by its name or path; after `max_cycles` steps the game is truncated."""
        if eliminated not in ("stay", "leave"):
            raise Error(f"eliminated seats do not `{eliminated}`: they `stay` or `leave`")
        self._leaves = eliminated == "leave"
        seats = Seats(ruleset, players, variants, options, max_cycles, render_mode)
        if not decides_only_at_once(seats.game.program):
            raise Error(f"in {seats.game.title} players decide one after the other: take `env`")
        self._take(seats, True)
        self.agents: list[str] = []

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a game; without a seed one that follows from the last."""
        self._seats.begin(seed)
        self.agents = list(self.possible_agents)
        self._cycles = 0
        self._seats.rewards()
        self._show()
        return self._observed(), {agent: {} for agent in self.agents}

    def step(self, actions: dict[str, Any]) -> tuple[dict[str, Any], ...]:
        """The answers of all agents; each of those that decide must give one."""
        seats, state = self._seats, self.position
        for decision in state.decisions:
            seat = decision.seat
            assert seat is not None
            if seats.names[seat] not in actions:
                raise Error(f"`{seats.names[seat]}` is asked, and there is no action of theirs")
            state = seats.after(state.turn_of(seat) or state, actions[seats.names[seat]])
        seats.state = state
        self._cycles += 1
        over, out = state.decision is None, seats.out
        stopped = not over and seats.max_cycles is not None and self._cycles >= seats.max_cycles
        rewards = dict(zip(seats.names, seats.rewards(), strict=True))
        acting = list(self.agents)
        ended = {agent: over or (self._leaves and agent in out) for agent in acting}
        found = (
            self._observed(),
            {agent: rewards[agent] for agent in acting},
            ended,
            dict.fromkeys(acting, stopped),
            {agent: {"out": True} if agent in out else {} for agent in acting},
        )
        self.agents = [agent for agent in acting if not (ended[agent] or stopped)]
        self._show()
        return found

    def _observed(self) -> dict[str, Any]:
        """The observations of all agents, each with the mask of its own question."""
        state = self.position
        to_move = {decision.seat for decision in state.decisions}
        found = {}
        for agent in self.agents:
            seat = self._seats.number[agent]
            here = (state.turn_of(seat) or state) if seat in to_move else None
            found[agent] = self._seats.observe(agent, here)
        return found
