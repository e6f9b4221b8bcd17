"""Skill: the difference in strength between agents of different effort, as the ratings of a tournament between them.

If the first of two agents, which looks further ahead, is not rated higher, then what it finds out does not decide who
wins. The distance of ratings as a measure of a game's depth: F. Lantz, A. Isaksen, A. Jaffe, A. Nealen, J. Togelius,
*Depth in strategic games*, AAAI Workshop on What's Next for AI in Games, 2017; for agents of different effort
T. S. Nielsen, G. A. B. Barros, J. Togelius, M. J. Nelson, *General video game evaluation using relative algorithm
performance profiles*, EvoApplications 2015.
"""

from __future__ import annotations

from itertools import permutations
from typing import TYPE_CHECKING

from rulewright.diagnostics import RulesetError
from rulewright_lab.agents import agent
from rulewright_lab.experiments.arms import Arm
from rulewright_lab.experiments.columns.wanted import Contest
from rulewright_lab.tournaments import PRIOR, Match, Tournament, lineups, played_round, points, rated

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Column = NDArray[np.float64]


class ContestPlayer:
    """Plays rounds: every agent meets every other one on every seat, with the same chance."""

    def __init__(self, arm: Arm, contest: Contest, most: int) -> None:
        for word in contest.agents:
            agent(arm.game, word, arm.look, arm.noise)  # fails at once if there is none such
        self._arm, self._contest = arm, contest
        self._tournament = Tournament(contest.agents, 0, most, arm.look, arm.noise)

    def columns(self, seed: int) -> dict[str, float]:
        """The points of each agent against each other one in a round; none if a rule has failed."""
        try:
            matches = played_round(self._arm.game, self._tournament, seed)
        except RulesetError:
            return {}
        found = points(matches, len(self._contest.agents))
        each = permutations(range(len(self._contest.agents)), 2)
        return {name: found[one][other] for name, (one, other) in zip(columns_of(self._contest), each, strict=True)}


def columns_of(contest: Contest) -> tuple[str, ...]:
    """The columns that are estimated from."""
    return tuple(f"skill: {one} against {other}" for one, other in permutations(contest.agents, 2))


def names_of(contest: Contest) -> tuple[str, ...]:
    """The estimates: the distance from the first to the last, and the rating of each if there are more."""
    each = contest.agents if len(contest.agents) > 2 else ()
    return (f"skill({contest})", *(f"elo({one})" for one in each))


def imagined(contest: Contest, players: int) -> tuple[tuple[float, ...], ...]:
    """A round more that each has won against each other one, as the intervals of a tournament have it."""
    agents, size = len(contest.agents), len(columns_of(contest))
    drawn = points([Match(0, lineup, (0.0,) * players, 0, True) for lineup in lineups(agents, players)], agents)
    return tuple(tuple(2 * drawn[0][1] * (one == other) for one in range(size)) for other in range(size))


def ratings(rows: Column, weights: Column) -> Column:
    """Distance and ratings: from the points of a round in each column, and how often it counts in each set of rounds, a
    row for each set. Where the rounds of :func:`imagined`, which are the last, count, no other prior is needed."""
    import numpy as np

    agents = next(count for count in range(len(rows) + 2) if count * (count - 1) == len(rows))
    found = []
    for sums, prior in zip(weights @ rows.T, np.where(weights[:, -1] > 0, 0.0, PRIOR), strict=True):
        won = [[0.0] * agents for _ in range(agents)]
        for value, (one, other) in zip(sums, permutations(range(agents), 2), strict=True):
            won[one][other] = float(value)
        each = rated(won, float(prior))
        found.append([each[0] - each[-1], *(each if agents > 2 else ())])
    return np.array(found)
