"""Players of whole games: biased by taste, guided by a goal, or agents, so that games go where chance seldom goes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rulewright.diagnostics import RulesetError
from rulewright.engine import Agent, Decision, Dice, Mode, Option, Policy, State, choice_of, each_seat
from rulewright.engine.random_numbers import LEAST_SPREAD, PLACES, answer_near
from rulewright.findings.fuzzing.failures import FuzzArgumentError
from rulewright.findings.fuzzing.search.coverage import Answer
from rulewright.findings.fuzzing.search.universal_properties import resumed
from rulewright.play.game import Game

Pick = Callable[[int], int]
"""Takes how many options there are, gives the number of one."""

Player = Callable[[State], int]
"""Answers the question of a state with the number of an option."""


FEW = 8
"""Between so many options, and between words, a curious player takes what was seldom taken."""


def named(decision: Decision) -> bool:
    """True if the answers to a decision are counted: those of a player that are few, or words."""
    return decision.seat is not None and (len(decision.options) <= FEW or all(o.extra for o in decision.options))


def known(decision: Decision, option: Option) -> Answer:
    """As what an answer is counted; where a piece lies does not matter."""
    return decision.name, option.key.split(" in ")[0]


def curious(taken: Mapping[Answer, int], pick: Pick, other: Pick) -> Player:
    """Of two options the one that was taken less often, where that is counted; else as `other` likes."""

    def player(state: State) -> int:
        decision = state.decision
        assert decision is not None
        size = len(decision.options)
        if size == 1 or not named(decision):
            return other(size)
        one, two = pick(size), pick(size)
        return min((one, two), key=lambda number: taken.get(known(decision, decision.options[number]), 0))

    return player


def gathered(below: Pick) -> Pick:
    """Options that lie close to each other in their order, which on a board means close together.

    Walls and lines that only close when many answers fit are so closed now and then. Where all this is, and how far
    from it an answer may be, is the same in a whole game.
    """
    place, spread = below(PLACES), LEAST_SPREAD << below(3)
    return lambda size: answer_near(below, size, place, spread)


def indifferent(pick: Pick) -> Player:
    """Any option, as `pick` likes."""

    def player(state: State) -> int:
        assert state.decision is not None
        return pick(len(state.decision.options))

    return player


def first_ones(below: Pick) -> Pick:
    """A taste for the first options."""
    return lambda size: min(below(size), below(size))


def last_ones(below: Pick) -> Pick:
    """A taste for the last options."""
    return lambda size: max(below(size), below(size))


Aim = Callable[[State, int], int]
"""A function that rates a player's standing in a state."""

LOOK = 4
"""So many options are tried at most."""

NOISE = 10
"""In so many of a hundred decisions they do not mind."""


def aims(game: Game) -> list[Aim]:
    """The aims of a game: to last, and whatever a query or a field counts of one player, much or little."""
    found: list[Aim] = [lambda _state, _seat: 0]
    for query in game.program.queries:
        if query.name.isidentifier() and query.ty.kind == "int" and [s.ty.universe for s in query.params] == ["Player"]:
            found.append(_aim_of_query(query.name, game.engine.layout.universes["Player"].keys))
    for declared in game.program.fields:
        if declared.index == ("Player",) and declared.ty.kind == "int":
            found.append(_held(game.engine.layout.fields[declared.name].at))
    return found


def _aim_of_query(query: str, seats: Sequence[str]) -> Aim:
    return lambda state, seat: int(state.ask(query, seats[seat]))


def _held(at: int) -> Aim:
    return lambda state, seat: int(state.cells[at + seat])


def striving(wanted: Sequence[Aim], players: int, other: Player, dice: Dice) -> Player:
    """Each seat strives for one thing, one answer ahead; above all to be still in a game that is not over.

    Where nothing is to be gained it answers like an `other`.
    """
    mine = [wanted[dice.below(len(wanted))] for _ in range(players)]
    signs = [-1 if dice.below(4) == 0 else 1 for _ in range(players)]

    def player(state: State) -> int:
        decision = state.decision
        assert decision is not None
        size, seat = len(decision.options), decision.seat
        assert seat is not None
        if size == 1 or decision.secret or dice.below(100) < NOISE:
            return other(state)
        quiet = resumed(state, Mode(ask_chance=True))
        best, most = 0, (False, 0)
        rest: Sequence[int] = range(size) if size <= LOOK else [other(state) for _ in range(LOOK - 1)]
        for n, number in enumerate(dict.fromkeys((other(state), *rest))):
            try:
                after = quiet.choose(number)
                stays = after.decision is not None and not after.cells[after.engine.layout.out] >> seat & 1
                worth = stays, signs[seat] * mine[seat](after, seat)
            except RulesetError:
                return number  # what goes wrong is what we look for
            if n == 0 or worth > most:
                best, most = number, worth
        return best

    return player


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
        """Raise FuzzArgumentError if there are too few or too many agents for a game of so many players."""
        if len(self.words) not in (0, 1, players):
            message = f"{len(self.words)} agents are named for the seats of a game of {players} players"
            raise FuzzArgumentError(f"{message}: give one for all seats, or say by --players how many there are")

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
