"""Arms of an experiment: rules, seats and how these are played, each compared with the first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from rulewright.comparison import Chosen, Side
from rulewright.compiler import OptionValue
from rulewright.engine import Agent, EngineName
from rulewright.host import digest, read_bytes
from rulewright.play import Game, load
from rulewright_lab.agents import agent
from rulewright_lab.agents.agent_word import agent_word
from rulewright_lab.agents.words import wrong

RANDOM = "random"


class Arm:
    """A game and who plays it. It can be sent to other processes: agents are made anew there, of their words."""

    def __init__(
        self,
        name: str,
        game: Game,
        seats: tuple[str, ...] = (),
        look: int = 8,
        noise: int = 10,
        options: Mapping[str, OptionValue] | None = None,
    ) -> None:
        """`seats` are the words of the agents: none, one for all seats, or one for each. `options` are the values of
        parameters with which the game was loaded."""
        self.name = name
        self.game = game
        self.look, self.noise = look, noise
        self.options = dict(options or {})
        if len(seats) not in (0, 1, game.players):
            hint = f"its seats are {', '.join(game.seats)}: give one agent for all of them, or one for each"
            raise wrong(f"the arm `{name}` has {game.players} seats, and {len(seats)} agents are named", hint)
        each = seats * game.players if len(seats) == 1 else seats or (RANDOM,) * game.players
        self.seats = tuple(word.strip() for word in each)
        """The word of the agent on each seat."""
        _ = self.agents  # fails at once if there is none such

    @property
    def agents(self) -> tuple[Agent, ...]:
        """The agents; none if all answers are random, for such games are one run of machine code."""
        return self._made

    @cached_property
    def _made(self) -> tuple[Agent, ...]:
        if all(word == RANDOM for word in self.seats):
            return ()
        return tuple(agent(self.game, word, self.look, self.noise) for word in self.seats)

    @property
    def recorded(self) -> int:
        """The number of games that were played before and are only played again; 0 where agents play."""
        return 0

    def policies(self, seed: int) -> tuple[Agent, ...]:
        """The agents that play the game of a seed; none if all answers are random."""
        return self.agents

    def seed_of(self, seed: int) -> int:
        """The seed with which the game that an experiment knows by a seed is played."""
        return seed

    def __reduce__(self) -> tuple[type[Arm], tuple[str, Game, tuple[str, ...], int, int, dict[str, OptionValue]]]:
        return Arm, (self.name, self.game, self.seats, self.look, self.noise, self.options)

    def varied(self, name: str, options: Mapping[str, OptionValue]) -> Arm:
        """Arm with other values of some parameters; RulesetError if such rules do not load."""
        game, options = self.game, {**self.options, **options}
        made = load(game.ruleset, game.players, game.variants, options, game.backend)
        return Arm(name, made, self.seats, self.look, self.noise, options)

    def identity(self) -> dict[str, object]:
        """All that its games follow from, as plain data."""
        files = [file for file in dict.fromkeys(agent_word(word).file for word in self.seats) if file]
        return {
            **self.data(),
            "rules' digest": self.game.digest,
            "look": self.look,
            "noise": self.noise,
            "weights' digest": [digest(read_bytes(Path(file))) for file in files],
        }

    def data(self) -> dict[str, object]:
        """Contents as plain data."""
        game = self.game
        return {
            "arm": self.name,
            "ruleset": game.name,
            "title": game.title,
            "players": game.players,
            "variants": list(game.variants),
            "options": dict(sorted(game.parameters.items())),
            "seats": list(self.seats),
        }


def read_arms(
    texts: tuple[str, ...],
    players: int | None = None,
    options: Mapping[str, OptionValue] | None = None,
    seats: tuple[str, ...] = (),
    look: int = 8,
    noise: int = 10,
    engine: EngineName = "auto",
    chosen: Chosen | None = None,
) -> tuple[Arm, ...]:
    """The arms that texts mean, written as sides of a comparison: ``RULESET[:VARIANT][:PARAMETER=VALUE][:PLAYERS]``.

    Without a ruleset it is that of the first arm. What is given besides holds for each arm that does not say otherwise,
    but what is `chosen` for the last one only; a single arm is compared with itself without that.
    """
    found: list[Arm] = []
    first: Side | None = None
    given: list[tuple[str, Chosen | None]] = [(text, None) for text in texts]
    if chosen is not None:
        given = [*(given if len(given) == 1 else given[:-1]), (texts[-1], chosen)]
    for text, more in given:
        side = Side.read(text, first, more)
        first = first or side
        count = side.players if side.players is not None else players
        whole = replace(side, options={**(options or {}), **side.options}, players=count)
        name = ":".join((text, *more[0], *(f"{key}={value}" for key, value in more[1].items()))) if more else text
        found.append(arm_of(whole, name, seats, look, noise, engine))
    return tuple(found)


def arm_of(
    side: Side, name: str, seats: tuple[str, ...] = (), look: int = 8, noise: int = 10, engine: EngineName = "auto"
) -> Arm:
    """The arm with the rules of a side of a comparison."""
    game = load(side.ruleset, side.players, side.variants, side.options, engine)
    return Arm(name, game, seats, look, noise, side.options)
