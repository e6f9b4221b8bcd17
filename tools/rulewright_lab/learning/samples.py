"""Games that are played to learn from them: what the features of some positions were, and how the game ended.

Who plays is drawn for every seat: any option at random, one of some agents, or, from the second round on, the learnt
player of the round before (fitted value iteration by self-play, in the manner of A. L. Samuel, *Some studies in machine
learning using the game of checkers*, IBM Journal 3(3), 1959, with the end of the game as target as in R. S. Sutton,
*Learning to predict by the methods of temporal differences*, Machine Learning 3, 1988, for lambda 1).

The features of a position are those of the whole, as it was in truth: they only teach weights, and these are the same
whatever a seat may know. Who decides by them looks at worlds that were dealt.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from fractions import Fraction

from rulewright.diagnostics import RulesetError
from rulewright.engine import Agent, Dice, Stepper, stepper_of
from rulewright.foundation import dataclass
from rulewright.play import Game
from rulewright_lab.agents import agent
from rulewright_lab.agents.learnt_player import LearntAgent
from rulewright_lab.evaluation.evaluation import Evaluation, queries_of
from rulewright_lab.evaluation.features import Features, features_of

DICE = "players who learn"
NOISE = 10
"""In so many of a hundred decisions learnt players take any option, so that games differ."""
RANDOM, OTHERS = 1, 1
"""Weights by which a seat plays at random, and as one of the agents that were named."""
LEARNT_PLAYER = 3
"""Weight of the learnt player."""


@dataclass(frozen=True, slots=True)
class Learning:
    """The games that are played, as plain data."""

    agents: tuple[str, ...] = ()
    """Words of agents that play besides."""
    seed: int = 0
    positions: int = 12
    """So many positions of a game are looked at."""
    most: int = 20_000
    """A game that is not over after so many decisions is left, and nothing is learnt from it."""
    look: int = 8
    is_derived: bool = False
    """True if features are derived from the rules alone, and a player learns from games against itself."""


@dataclass(frozen=True, slots=True)
class GameSamples:
    """Positions of a game: the values of their features, each as :meth:`Features.of` gives them, and the payoffs."""

    values: tuple[array[int], ...]
    payoffs: tuple[float, ...]


def samples_of(game: Game, learning: Learning, number: int, player: Evaluation | None = None) -> GameSamples | None:
    """The positions of the game with a number; None if it was not over in time."""
    seed = learning.seed + number
    dice = Dice(seed, DICE)
    agents = _seats(game, learning, player, dice)
    played = game.playout(seed, keep=True, most=learning.most, policies=agents)
    if not played.finished or not played.answers:
        return None
    return read_game(game, seed, played.answers, dice.some(len(played.answers), learning.positions), played.payoffs)


def _seats(game: Game, learning: Learning, player: Evaluation | None, dice: Dice) -> list[Agent]:
    """The agent of each seat."""
    each = [agent(game, "random")] * RANDOM
    each += [agent(game, word, learning.look) for word in learning.agents] * OTHERS
    if player is not None:
        each += [LearntAgent(player, NOISE)] * (LEARNT_PLAYER * (1 + len(learning.agents)))
    return [each[dice.below(len(each))] for _ in range(game.players)]


def read_game(
    game: Game, seed: int, answers: Sequence[int], at: Sequence[int], payoffs: Sequence[Fraction | float]
) -> GameSamples:
    """The positions after so many answers each of a game that was played."""
    features = features_of(game.engine)
    stepper = stepper_of(game.program, game.backend, game.passes, queries_of(game.engine))
    stepper.begin(seed)
    wanted = set(at)
    found: list[array[int]] = []
    for number, answer in enumerate(answers):
        if number in wanted and (values := _values(features, stepper)) is not None:
            found.append(values)
        stepper.apply(answer)
    return GameSamples(tuple(found), tuple(map(float, payoffs)))


def _values(features: Features, stepper: Stepper) -> array[int] | None:
    """The values of the features here; None if a query of the rules ends in an error."""
    try:
        return array("q", features.of(stepper))
    except RulesetError:
        return None
