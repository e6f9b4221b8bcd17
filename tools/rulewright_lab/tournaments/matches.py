"""Games of a tournament: the games of a round have one seed, so that chance favours no agent.

The games of a round: every agent meets every other one, with their seats exchanged in every way.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations, product

from rulewright.foundation import dataclass
from rulewright.play import Game
from rulewright_lab.agents import agent
from rulewright_lab.agents.external_agents import AgentFailed

Lineup = tuple[int, ...]
"""The number of the agent on each seat."""


def lineups(agents: int, seats: int) -> list[Lineup]:
    """The games of a round. Where there are fewer agents than seats, two agents share them in every way; with one seat
    each agent plays alone."""
    if agents >= seats:
        return [order for some in combinations(range(agents), seats) for order in permutations(some)]
    found = []
    for one, other in combinations(range(agents), 2):
        found += [lineup for lineup in product((one, other), repeat=seats) if len(set(lineup)) == 2]
    return found


@dataclass(frozen=True, slots=True)
class Match:
    """A game that was played."""

    round: int
    lineup: Lineup
    payoffs: tuple[float, ...]
    """For each seat what it was paid, or what follows from its place."""
    decisions: int
    finished: bool
    """False if it was stopped after too many decisions."""
    failed: int | None = None
    """The seat of an agent that gave no answer that could be taken: it has lost."""
    why: str = ""

    def data(self) -> dict[str, object]:
        """Contents as plain data."""
        failure = {"failed": self.failed, "why": self.why} if self.failed is not None else {}
        return {
            "round": self.round,
            "agents": list(self.lineup),
            "payoffs": list(self.payoffs),
            "decisions": self.decisions,
            "finished": self.finished,
            **failure,
        }


@dataclass(frozen=True, slots=True)
class Tournament:
    """The agents by their words, and how they play."""

    agents: tuple[str, ...]
    seed: int = 0
    most: int = 20_000
    """A game that is not over after so many decisions is stopped, and is a draw."""
    look: int = 8
    noise: int = 0
    """In so many of a hundred decisions greedy agents take any option."""


def played_round(game: Game, tournament: Tournament, number: int) -> list[Match]:
    """All games of a round."""
    agents = [agent(game, word, tournament.look, tournament.noise) for word in tournament.agents]
    seed, found = tournament.seed + number, list[Match]()
    for lineup in lineups(len(agents), game.players):
        try:
            played = game.playout(seed, most=tournament.most, policies=[agents[one] for one in lineup])
        except AgentFailed as failure:
            payoffs = _without(failure.seat, game.players)
            why = failure.diagnostics[0].message
            found.append(Match(number, lineup, payoffs, 0, True, failure.seat, why))
            continue
        payoffs = tuple(map(float, played.payoffs)) if played.finished else (0.0,) * game.players
        found.append(Match(number, lineup, payoffs, played.decisions, played.finished))
    return found


def _without(seat: int, players: int) -> tuple[float, ...]:
    """The payoffs of a game that one seat has lost by itself."""
    return tuple(-1.0 if one == seat else 1 / max(players - 1, 1) for one in range(players))


def points(matches: Sequence[Match], agents: int) -> list[list[float]]:
    """For each two agents the points of the first against the second: of each game and two seats 1 for the higher
    payoff, a half each if they are the same."""
    found = [[0.0] * agents for _ in range(agents)]
    for match in matches:
        for first, one in enumerate(match.lineup):
            for second, other in enumerate(match.lineup):
                if one != other:
                    mine, theirs = match.payoffs[first], match.payoffs[second]
                    found[one][other] += 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0
    return found
