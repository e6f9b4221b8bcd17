"""Functions of games: their kind and value, their actions, observations and information states."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import get_args

from rulewright.engine import State
from rulewright.host import duration, invalid_argument, whole
from rulewright.play import Game
from rulewright_lab.environment import ActionSpace, InformationTensors, Observations
from rulewright_lab.theory import Equilibrium, GameTheory, NodeBudget, RegretMethod, Solution
from rulewright_lab.theory import equilibrium as equilibrium_of_program
from rulewright_lab.theory import game_theory as theory_of_program
from rulewright_lab.theory import solve as solve_program
from rulewright_lab.theory.length_bounds import most_answers

MOST_SECONDS = 10**9
"""A search takes no longer."""
TREE_POSITIONS = 500_000
"""So many positions may a tree have whose equilibrium is looked for, if no other number is named."""
_KEPT = 32
"""Games of which actions and observations are kept."""


@lru_cache(_KEPT)
def actions(game: Game) -> ActionSpace:
    """A number for each answer that a player can ever give: the same in every position, in each process."""
    return ActionSpace(game.engine)


@lru_cache(_KEPT)
def observations(game: Game) -> Observations:
    """The layout of arrays that hold all that a seat may know of a position, and the way to write one."""
    return Observations(game.engine, actions(game))


def information_tensors(game: Game, longest: int | None = None) -> InformationTensors:
    """Arrays of information states, all that a seat has observed, for :class:`rulewright_lab.environment.Walk`.

    `longest` is the number of answers that are counted, by default the bound that follows from the rules;
    RulesetError if no bound follows.
    """
    answers = whole("the longest game", longest) if longest is not None else most_answers(game.program)
    if answers is None or answers < 1:
        raise invalid_argument(
            "the longest game", longest, "the rules do not bound it: say how many answers are counted"
        )
    return InformationTensors(game.seats, actions(game), observations(game), answers)


def game_theory(game: Game, positions: int = 20_000, games: int = 100) -> GameTheory:
    """The kind of a game, as game theory defines it: sum, bounds of payoffs, information, chance, the longest game.

    What does not follow from the rules is found from all positions, if there are not more than so many, or else only
    observed in so many `games` at random, and is marked so.
    """
    whole("the number of positions", positions, least=0)
    whole("the number of games", games, least=0)
    return theory_of_program(game.program, game.backend, game.passes, positions, games)


def solve(
    game: Game,
    begin: State | None = None,
    positions: int | None = None,
    seconds: float | None = None,
    megabytes: int = 512,
    tell: Callable[[int], None] | None = None,
) -> Solution:
    """The exact value of a game for two who play it as well as it can be played, from its beginning or from a state
    (one of a game with chance must ask for it, see :meth:`rulewright.Game.start`).

    After so many `positions`, or `seconds`, the result holds what is known by then; `tell` is called with the number
    of positions from time to time. RulesetError if it is no game of two of perfect information and a constant sum.
    """
    whole("the megabytes", megabytes, least=1)
    own = None if begin is None else game.own_state(begin)
    budget = _budget(positions, seconds, tell)
    return solve_program(game.program, game.backend, game.passes, budget, own, megabytes << 20)


def equilibrium(
    game: Game,
    method: RegretMethod = "cfr+",
    positions: int | None = TREE_POSITIONS,
    seconds: float | None = None,
    iterations: int = 100_000,
    progress: Callable[[int], None] | None = None,
) -> Equilibrium:
    """The worth of a small game of two with secrets, and mixed strategies that are sure of it: by counterfactual regret
    minimisation (``cfr``, or ``cfr+``, which is faster), with bounds by best responses.

    The tree may have so many `positions`, `progress` is called with their number from time to time. After so many
    `iterations`, or `seconds`, the bounds are what is known by then. RulesetError if it is no game of two with a
    constant sum, or its tree is larger.
    """
    if method not in get_args(RegretMethod):
        raise invalid_argument("the method", method, "it is `cfr` or `cfr+`")
    whole("the number of iterations", iterations, least=1)
    budget = _budget(positions, seconds, progress)
    return equilibrium_of_program(game.program, game.passes, budget, method, iterations, seconds)


def _budget(positions: int | None, seconds: float | None, progress: Callable[[int], None] | None) -> NodeBudget:
    """The budget of a solver; RulesetError if there can be none such."""
    if positions is not None:
        whole("the number of positions", positions, least=1)
    if seconds is not None and duration("the seconds", seconds) > MOST_SECONDS:
        raise invalid_argument("the seconds", seconds, f"they are a number above 0, {MOST_SECONDS} at most")
    if progress is not None and not callable(progress):
        raise invalid_argument("the progress", progress, "it is a function of a number")
    return NodeBudget(positions, seconds, progress)
