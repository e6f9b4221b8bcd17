"""Whole games in which each seat is played by an agent, so that they go where only those get who want something."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rulewright.engine import Agent, Dice, Mode, Policy, State, choice_of, each_seat
from rulewright.fuzzing.failures import FuzzArgumentError
from rulewright.fuzzing.search.biased_players import Player
from rulewright.fuzzing.search.universal_properties import resumed
from rulewright.play.game import Game

AgentOf = Callable[[Game, str, int, int], Agent]
"""Gives the agent of a game that a word names, with `look` and `noise`; RulesetError if it names none."""


@dataclass(frozen=True, slots=True)
class Seats:
    """The words of the agents in their order, or one for all seats; without any the players have tastes."""

    words: tuple[str, ...] = ()
    look: int = 8
    """So many options `greedy` and `lead` try."""
    noise: int = 10
    """In so many of a hundred decisions these take any option."""
    agent: AgentOf = Game.policy

    def fit(self, players: int) -> None:
        """Nothing; FuzzArgumentError if there are too few or too many for a game of so many players."""
        if len(self.words) not in (0, 1, players):
            said = f"{len(self.words)} agents are named for the seats of a game of {players} players"
            raise FuzzArgumentError(f"{said}: give one for all seats, or say by --players how many there are")

    def agents(self, game: Game) -> tuple[Agent, ...]:
        """The agent of each seat, none if all decide at random; RulesetError if a word names none."""
        return each_seat([self.agent(game, word, self.look, self.noise) for word in self.words], game.players)


def played_by(agents: Sequence[Agent], game: Game, dice: Dice) -> Player:
    """The players of one game. What they think is theirs alone: it counts as no rule that was used."""
    choices = [_choice(agent, game) for agent in agents]

    def player(state: State) -> int:
        decision = state.decision
        assert decision is not None
        assert decision.seat is not None
        if len(decision.options) == 1:
            return 0
        return choices[decision.seat](resumed(state, Mode(ask_chance=True)), dice)

    return player


def _choice(agent: Agent, game: Game) -> Callable[[State, Dice], int]:
    """The way in which an agent chooses in one game."""
    if isinstance(agent, Policy):
        return lambda state, dice: game.pick(state, agent, dice)
    choice = choice_of(agent, game.program, game.backend, game.passes, None)
    assert choice is not None
    return choice
