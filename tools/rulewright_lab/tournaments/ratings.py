"""Ratings on the scale of Elo, by the model of Bradley and Terry, fitted by the library choix.

In the model one agent beats another with odds that are the ratio of their strengths (R. A. Bradley, M. E. Terry, *Rank
analysis of incomplete block designs*, Biometrika 39, 1952); choix maximizes its likelihood by iterative Luce spectral
ranking (L. Maystre, M. Grossglauser, *Fast and accurate inference of Plackett-Luce models*, NIPS 2015). A draw is half
a win of each.

Intervals are those of a Bayesian bootstrap over whole rounds, as games of one seed belong together (D. B. Rubin, *The
Bayesian bootstrap*, The Annals of Statistics 9, 1981), with a round more that each has won against each other one: so
where all of `n` rounds went alike, won, drawn or always to the first seat, as many may still go otherwise as the
posterior of `n` hits of `n` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log

from rulewright.foundation import dataclass
from rulewright_lab.tournaments.matches import Match, points

PER_UNIT = 400 / log(10)
PRIOR = 1.0
"""So many points has each agent against each other one before any game, as in BayesElo by R. Coulom: who has won all
games is not infinitely strong."""
SAMPLES = 200
OUTSIDE = 0.025
"""The part of the samples beyond each end of an interval."""


@dataclass(frozen=True, slots=True)
class Standing:
    """An agent at the end of a tournament."""

    agent: int
    games: int
    score: float
    """The mean of its points against each other seat."""
    elo: float
    """Rating; the mean of all is 0."""
    low: float
    high: float
    failed: int
    """The games that it has lost because it gave no answer that could be taken."""


def standings(matches: Sequence[Match], agents: int, seed: int = 0) -> list[Standing]:
    """The agents, the strongest first."""
    rounds: dict[int, list[Match]] = {}
    for match in matches:
        rounds.setdefault(match.round, []).append(match)
    each = [points(some, agents) for _, some in sorted(rounds.items())]
    strengths = rated(_sum(each, agents))
    ends = _intervals(each, agents, seed)
    won = _sum(each, agents)
    found = []
    for agent in range(agents):
        gained = sum(won[agent])
        lost = sum(won[other][agent] for other in range(agents))
        failed = sum(match.failed is not None and match.lineup[match.failed] == agent for match in matches)
        games = sum(agent in match.lineup for match in matches)
        score = gained / (gained + lost) if gained + lost else 0.0
        found.append(Standing(agent, games, score, strengths[agent], *ends[agent], failed))
    return sorted(found, key=lambda one: (-one.elo, one.agent))


def _sum(each: Sequence[Sequence[Sequence[float]]], agents: int) -> list[list[float]]:
    return [[sum(one[a][b] for one in each) for b in range(agents)] for a in range(agents)]


def rated(won: Sequence[Sequence[float]], prior: float = PRIOR) -> list[float]:
    """The ratings that fit points best: for each agent those against each other one."""
    import choix
    import numpy as np

    matrix = np.array(won, dtype=float)
    matrix[~np.eye(len(matrix), dtype=bool)] += prior
    strengths = choix.ilsr_pairwise_dense(matrix)
    return [float(one - strengths.mean()) * PER_UNIT for one in strengths]


def _intervals(each: Sequence[Sequence[Sequence[float]]], agents: int, seed: int) -> list[tuple[float, float]]:
    """The interval of each rating, by rounds that are weighed again and again."""
    import numpy as np

    dice, rounds = np.random.default_rng(seed), np.array(each)
    stakes = np.maximum((rounds + rounds.transpose(0, 2, 1)).max(0), 1 - np.eye(agents))
    samples = []
    for _ in range(SAMPLES):
        weights, imagined = dice.exponential(size=len(each)), dice.exponential(size=(agents, agents))
        won = np.tensordot(weights, rounds, 1) + imagined * stakes
        samples.append(rated(won.tolist(), 0.0))
    ends = np.quantile(np.array(samples), [OUTSIDE, 1 - OUTSIDE], axis=0)
    return [(float(low), float(high)) for low, high in ends.T]
