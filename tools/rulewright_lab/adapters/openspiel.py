"""Rulesets as games of OpenSpiel.

    import pyspiel
    import rulewright_lab.adapters.openspiel

    game = pyspiel.load_game("rulewright(ruleset=leduc-poker)")
    game = pyspiel.load_game("rulewright", {"ruleset": "path/to/rules", "players": 3, "options": "rounds:4"})

Parameters: `ruleset`, a name or a path as everywhere; `players`, by default the least number; `variants`, titles or
files, and `options`, ``name:value``, both with ``;`` between them; `max_game_length`, by default the bound that follows
from the rules. ``name=value`` is understood, too, but not in the text of a game: OpenSpiel reads the last `=` of an
argument as the end of its name. Chance is explicit, everything that the rules ask is an action, and those who decide at
once do so in a simultaneous node if all players are among them, else one after the other.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Mapping, Sequence
from functools import cache
from math import inf
from typing import Any

import numpy as np
import pyspiel

from rulewright.diagnostics import RulesetError
from rulewright.engine import PUBLIC, State
from rulewright.play import Game
from rulewright_lab import games
from rulewright_lab.adapters.named_games import game_named
from rulewright_lab.environment.chance_outcomes import Outcome, most_outcomes, outcomes
from rulewright_lab.environment.information_state import InformationTensors, Walk
from rulewright_lab.environment.observation import Observations
from rulewright_lab.theory import decides_at_once
from rulewright_lab.theory.length_bounds import most_answers
from rulewright_lab.theory.payoff_bounds import bounds, pays, sums
from rulewright_lab.theory.positions import has_chance

NAME = "rulewright"
LONGEST = 100_000
"""The answers of a game whose rules do not bound it, those of chance not counted."""
MOST_SEATS = 64
MOST_ELEMENTS = 1 << 20
"""Arrays of information states have no more elements; games of which they would have more have none."""
GAMES = 50
"""Looked at to find out whether payoffs have one sum, where the rules leave it open."""
_OPTION = re.compile(r"\s*(\w+)\s*[:=]\s*(\S.*?)\s*")
PARAMETERS = {"ruleset": "tic-tac-toe", "players": 0, "variants": "", "options": "", "max_game_length": 0}
"""The parameters with their defaults; 0 stands for the least number of players that the rules name, and for the
greatest length that follows from them."""


def _type(game: Game | None, recalls: bool = False) -> Any:
    """The type of one game, with arrays of information states if it `recalls`; without a game that of all of them, as
    it is registered."""
    kinds = pyspiel.GameType
    dynamics, chance = kinds.Dynamics.SEQUENTIAL, kinds.ChanceMode.EXPLICIT_STOCHASTIC
    information, utility = kinds.Information.IMPERFECT_INFORMATION, kinds.Utility.GENERAL_SUM
    reward, title, least, most = kinds.RewardModel.TERMINAL, "Rulewright", 1, MOST_SEATS
    if game is not None:
        title, least, most = game.title, game.players, game.players
        if decides_at_once(game.program):
            dynamics = kinds.Dynamics.SIMULTANEOUS
        if not has_chance(game.program):
            chance = kinds.ChanceMode.DETERMINISTIC
        if not game.has_secrets:
            information = kinds.Information.PERFECT_INFORMATION
        summed = _sum(game)
        if summed is not None:
            utility = kinds.Utility.CONSTANT_SUM if summed else kinds.Utility.ZERO_SUM
        if pays(game.program):
            reward = kinds.RewardModel.REWARDS
    return kinds(
        short_name=NAME, long_name=title, dynamics=dynamics, chance_mode=chance, information=information,
        utility=utility, reward_model=reward, max_num_players=most, min_num_players=least,
        provides_information_state_string=True, provides_information_state_tensor=recalls,
        provides_observation_string=True, provides_observation_tensor=True,
        parameter_specification=PARAMETERS, default_loadable=True, provides_factored_observation_string=False,
    )  # fmt: skip


@cache
def _sum(game: Game) -> float | None:
    """The sum of all payoffs, if it is always the same. Where rules that pay leave it open, it is what some games at
    random have shown."""
    found = sums(game.program)
    if found is not None:
        return float(next(iter(found))) if len(found) == 1 else None
    least, most = games.game_theory(game, positions=0, games=GAMES).sum.value
    return float(least) if least == most else None


def _loaded(params: Mapping[str, Any]) -> Game:
    """The game that parameters name."""
    try:
        return game_named(
            str(params["ruleset"]),
            int(params["players"]) or None,
            [one for one in str(params["variants"]).split(";") if one],
            _options(str(params["options"])),
        )
    except RulesetError as wrong:
        raise pyspiel.SpielError(str(wrong)) from None


def _options(tensors_of: str) -> dict[str, int | str]:
    """The parameters and their values, of ``rounds:4;knights:3``."""
    found: dict[str, int | str] = {}
    for one in filter(str.strip, tensors_of.split(";")):
        parts = _OPTION.fullmatch(one)
        if parts is None:
            raise pyspiel.SpielError(f"the option cannot be `{one}`: it is a parameter with its value, `rounds:4`")
        name, value = parts.groups()
        found[name] = int(value) if value.removeprefix("-").isdecimal() else value
    return found


class RulewrightGame(pyspiel.Game):  # type: ignore[misc]
    """A ruleset for a number of players, as OpenSpiel sees it."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        given = {**PARAMETERS, **(params or {})}
        self.rules = _loaded(given)
        """The game of Rulewright."""
        self.actions, self.observations = games.actions(self.rules), games.observations(self.rules)
        self.decides_at_once = decides_at_once(self.rules.program)
        longest = int(given["max_game_length"]) or most_answers(self.rules.program)
        self.tensors = games.information_tensors(self.rules, longest) if longest else None
        """The arrays of information states, of games whose length is bounded."""
        if self.tensors is not None and self.tensors.size > MOST_ELEMENTS:
            self.tensors = None
        paid = bounds(self.rules.program)
        low, high = paid if paid is not None else (-inf, inf)
        info = pyspiel.GameInfo(
            num_distinct_actions=max(1, self.actions.count),
            max_chance_outcomes=most_outcomes(self.rules.engine),
            num_players=self.rules.players,
            min_utility=float(low),
            max_utility=float(high),
            utility_sum=_sum(self.rules),
            max_game_length=longest or LONGEST,
        )
        options = ";".join(f"{name}:{value}" for name, value in _options(str(given["options"])).items())
        tensors_of = {**given, "ruleset": str(given["ruleset"]), "options": options}
        super().__init__(_type(self.rules, self.tensors is not None), info, tensors_of)
        self._begin: Walk | None = None

    def begin(self) -> Walk:
        """The beginning of the game, the same for all who play it."""
        if self._begin is None:
            self._begin = Walk(self.rules.start(0, ask_chance=True), tensors=self.tensors)
        return self._begin

    def new_initial_state(self, described: str | None = None) -> RulewrightState:
        """The state in which the game begins."""
        if described is not None:
            raise pyspiel.SpielError("a game of rules begins as these say, it is not made from a text")
        return RulewrightState(self)

    def make_py_observer(self, kind: Any = None, params: Mapping[str, Any] | None = None) -> RulewrightObserver:
        """An observer: with perfect recall it has all that a player has seen, else what they see now."""
        return RulewrightObserver(self, kind)


class RulewrightState(pyspiel.State):  # type: ignore[misc]
    """A state; its position never changes, so that a copy costs nothing."""

    def __init__(self, game: RulewrightGame) -> None:
        super().__init__(game)
        self._walk = game.begin()
        self._paid: tuple[float, ...] = (0.0,) * game.rules.players
        """The payments to each seat up to the last decision."""

    @property
    def position(self) -> State:
        """The state of Rulewright."""
        return self._walk.state

    @property
    def _game(self) -> RulewrightGame:
        found: RulewrightGame = self.get_game()
        return found

    # -------------------------------------------------------------------------------------------------- asking

    def current_player(self) -> int:
        """The player who is to move, or one of OpenSpiel's numbers for chance, for all at once, and for none."""
        state = self.position
        if state.decision is None:
            return int(pyspiel.PlayerId.TERMINAL)
        if state.seat is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.SIMULTANEOUS) if self._all_at_once() else state.seat

    def _all_at_once(self) -> bool:
        """True for a simultaneous decision of all players."""
        state = self.position
        if not self._game.decides_at_once or state.simultaneous_node is None:
            return False
        return len(state.decisions) == self._game.rules.players

    def _turn(self, player: int) -> State:
        """The position in which a player decides."""
        return (self.position.turn_of(player) if self._all_at_once() else None) or self.position

    def _legal_actions(self, player: int) -> list[int]:
        return sorted(self._game.actions.legal(self._turn(player)))

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes of chance with their probabilities."""
        return [(one.number, float(one.probability)) for one in self._outcomes()]

    def _outcomes(self) -> list[Outcome]:
        return sorted(outcomes(self.position), key=lambda one: one.number)

    # ------------------------------------------------------------------------------------------------- playing

    def _apply_action(self, action: int) -> None:
        state = self.position
        if state.seat is None:
            chosen = next((one.option for one in self._outcomes() if one.number == action), None)
            if chosen is None:
                raise pyspiel.SpielError(f"chance does not give {action} here")
            self._go(state.choose(chosen), False)
        else:
            self._go(self._answered(state, action), True)

    def _apply_actions(self, actions: Sequence[int]) -> None:
        state = self.position
        for player, action in enumerate(actions):
            state = self._answered(state.turn_of(player) or state, action)
        self._go(state, True)

    def _answered(self, state: State, action: int) -> State:
        try:
            return state.choose(self._game.actions.option(state, action))
        except RulesetError as wrong:
            raise pyspiel.SpielError(str(wrong)) from None

    def _go(self, state: State, is_decision: bool) -> None:
        if is_decision:
            self._paid = self._payoffs()
        self._walk = self._walk.step(state)

    # ------------------------------------------------------------------------------------------------- telling

    def is_terminal(self) -> bool:
        """True if the game is over."""
        return self.position.decision is None

    def _payoffs(self) -> tuple[float, ...]:
        return tuple(map(float, self.position.payoffs)) or (0.0,) * self._game.rules.players

    def returns(self) -> list[float]:
        """The payoffs of the game that is over; before, what was paid so far."""
        return list(self._payoffs())

    def rewards(self) -> list[float]:
        """The payments since the last decision."""
        return [now - before for now, before in zip(self._payoffs(), self._paid, strict=True)]

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return next((one.text for one in self._outcomes() if one.number == action), str(action))
        return self._game.actions.text(action)

    def information(self, player: int) -> str:
        """The observation history of a player."""
        return self._walk.information_state(player)

    def recalled(self, player: int) -> array[float]:
        """Array of the information state of a player."""
        return self._walk.tensor(player)

    def resample_from_infostate(self, player: int, sampler: Any) -> RulewrightState:
        """A state that a player could be in as well; `sampler` gives a number from 0 to 1."""
        found: RulewrightState = self.clone()
        found._walk = self._walk.in_world(player, int(sampler() * (1 << 53)))
        return found

    def __str__(self) -> str:
        return self._game.observations.text(self.position, None)


class RulewrightObserver:
    """The observation of a player, as an array of floats and as a text."""

    def __init__(self, game: RulewrightGame, kind: Any) -> None:
        self._game = game
        self._recalls = kind is not None and kind.perfect_recall
        self._public = kind is not None and kind.private_info == pyspiel.PrivateInfoType.NONE
        tensors_of: Observations | InformationTensors | None = game.observations
        if self._recalls:
            tensors_of = None if self._public else game.tensors
        self.tensor = np.zeros(tensors_of.size, np.float32) if tensors_of is not None else None
        self.dict: dict[str, Any] = {}
        if self.tensor is not None and tensors_of is not None:
            for part in tensors_of.parts:
                self.dict[part.name] = self.tensor[part.offset : part.offset + part.size].reshape(part.shape)

    def set_from(self, state: RulewrightState, player: int) -> None:
        """Write the observation of a player into :attr:`tensor`."""
        if self.tensor is None:
            return
        viewer = PUBLIC if self._public else player
        array = state.recalled(player) if self._recalls else self._game.observations.array(state.position, viewer)
        self.tensor[:] = np.frombuffer(array, np.float32)

    def string_from(self, state: RulewrightState, player: int) -> str:
        """The observation of a player as a text."""
        if self._recalls and not self._public:
            return state.information(player)
        return self._game.observations.text(state.position, PUBLIC if self._public else player)


pyspiel.register_game(_type(None), RulewrightGame)
