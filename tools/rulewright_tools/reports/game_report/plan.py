"""The plan of a report: who plays its games, and how many, so that it takes no longer than one waits for it.

What a game costs is estimated from the numbers of its decisions alone, so that equal options give equal reports on
every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import rulewright as rw

PROBES = 20
"""Games at random from which the plan follows."""
MOST = 20_000
"""A game that is not over after so many decisions is stopped."""
_OPEN, _SECRET, _REMEMBERED = 1_500_000, 150_000, 60_000
"""Decisions a second of searches: without secrets, where these are dealt anew, and where players remember some."""
_STEPS = 3_000, 400
"""Decisions a second of those who look one answer ahead, without and with pieces that players remember."""
_SECONDS = 10.0
"""Seconds that the games of the report are to take, and the rounds of the contest again."""
FEWEST, USUAL = 40, 200
EFFORTS = (80, 40, 20, 10)
"""Continuations that the players of the games try, the most that is affordable."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Agents, and numbers of games."""

    seats: tuple[str, ...]
    """The words of the agents, as ``--seats`` takes them."""
    games: int
    contest: tuple[str, str]
    """A strong and a middle agent."""
    rounds: int
    """Rounds of their contest, in each of which everybody has every seat."""
    kept: int
    """Games that are gone through once more, for pictures and curves."""


def planned(game: rw.Game, seed: int, standing: str, seats: tuple[str, ...] = (), games: int | None = None) -> Plan:
    """The plan for a game; `standing` is a query of who is ahead, if there is one."""
    decisions = _decisions(game, seed)
    remembers = game.engine.layout.known >= 0
    rate = _REMEMBERED if remembers else _SECRET if game.has_private_information else _OPEN

    def seconds(effort: int) -> float:
        return decisions * decisions * effort / 2 / rate

    affordable = [effort for effort in EFFORTS if seconds(effort) * FEWEST <= _SECONDS]
    if affordable:
        middle, strong = f"mcts:{affordable[0]}", f"mcts:{4 * affordable[0]}"
        each, contest = seconds(affordable[0]), (strong, middle)
        round_takes = game.players * seconds(3 * affordable[0])
    else:
        each = decisions / _STEPS[remembers]
        middle = f"lead:{standing}" if standing else "random"
        contest = (middle, "random") if standing else ("", "")
        round_takes = game.players * each
    number = games or _rounded(min(USUAL, max(FEWEST, _SECONDS / max(each, 1e-9))))
    rounds = min(number, max(10, int(_SECONDS / max(round_takes, 1e-9)))) if contest[0] else 0
    kept = max(6, min(number, 40, int(20_000 / max(decisions, 1.0))))
    return Plan(seats or (middle,), number, contest, min(rounds, 100), min(kept, number))


def _rounded(number: float) -> int:
    """A round number of games, of at most that."""
    return int(number) if number < 100 else int(number) // 10 * 10


def _decisions(game: rw.Game, seed: int) -> float:
    """The mean number of decisions of a game at random; 1 if no game can be played."""
    found = []
    for number in range(PROBES):
        try:
            found.append(game.playout(seed + number, most=MOST).decisions)
        except rw.RulesetError:
            continue
    return sum(found) / len(found) if found else 1.0


def standing_of(game: rw.Game, seed: int) -> str:
    """The query about players that goes best with winning in the end, measures of the rules first; empty if none does.

    Found from games at random: the correlation of what a player has more than the others with the payoff.
    """
    about = [query for query in game.program.queries if _is_standing(query)]
    wanted = [query.name for query in about if query.is_measure] or [query.name for query in about]
    rows: dict[str, list[float]] = {name: [] for name in wanted}
    payoffs: list[float] = []
    for number in range(PROBES if wanted and game.players > 1 else 0):
        try:
            played = game.playout(seed + number, most=MOST)
            state = played.state
            values = {name: [float(state.ask(name, seat)) for seat in game.seats] for name in wanted}
        except rw.RulesetError:
            continue
        if not played.finished:
            continue
        for name, each in values.items():
            rows[name] += [value - sum(each) / len(each) for value in each]
        best = [float(place == 1) / played.places.count(1) for place in played.places]
        payoffs += best
    rated = {name: _correlation(row, payoffs) for name, row in rows.items()}
    name = max(rated, key=lambda name: rated[name], default="")
    return name if name and rated[name] > _LEAST else ""


_LEAST = 0.2
"""A query whose correlation with winning is no higher does not say who is ahead."""


def _is_standing(query: Any) -> bool:
    about = [slot.ty.universe for slot in query.params]
    return bool(query.name.isidentifier() and about == ["Player"] and query.ty.kind == "int" and not query.ty.optional)


def _correlation(values: Sequence[float], others: Sequence[float]) -> float:
    from scipy import stats

    if len(values) < PROBES or len(set(values)) < 2 or len(set(others)) < 2:
        return 0.0
    return float(stats.pearsonr(values, others).statistic)
