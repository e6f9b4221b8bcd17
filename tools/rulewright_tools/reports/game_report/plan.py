"""The plan of a report: who plays its games, and how many, so that it takes no longer than one waits for it.

What a game costs is estimated from the numbers of its decisions alone, so that equal options give equal reports on
every machine.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

import rulewright as rw

PROBES = 20
"""Games at random from which the plan follows."""
MOST = 20_000
"""A game that is not over after so many decisions is stopped."""
_OPEN, _SECRET = 1_500_000, 150_000
"""Answers a second of searches to the end of games, without secrets, and where these are dealt anew."""
_BEGUN, _BEGUN_SECRET, _BEGUN_REMEMBERED = 50_000, 6_000, 1_500
"""Continuations a second that are begun, however short: likewise, and where players remember pieces."""
_LOOKED = 2_000
"""Continuations a second of searches that are judged by a query after a few answers, where players remember pieces."""
_RANDOM = 3_000
"""Answers a second of games at random that Python plays."""
_SECONDS, _PATIENCE = 12.0, 75.0
"""Seconds for the games of the report: usually, and where each game takes long."""
_CONTEST, _LUCK = 0.6, 30.0
"""The part of that for the contest, and seconds for what shows luck."""
FEWEST, ENOUGH, USUAL, ROUNDS = 30, 80, 200, 60
EFFORTS = (320, 160, 80, 40, 20, 10)
"""Continuations that the players of the games try, the most that is affordable."""
SHORT_EFFORTS = (10, 4)
"""Efforts of players who judge by a query."""
LOOKS_AT_LEAD = 16
"""So often a game is looked at to find by search who is ahead."""


@dataclass(slots=True)
class Clock:
    """Time for a whole report, of which each part may take what the parts before it have left."""

    seconds: float | None
    begun: float = field(default_factory=time.monotonic)

    @contextmanager
    def until(self, part: float) -> Iterator[None]:
        """Work that stops, with rw.Stopped, when so much of all time is over; if it is already, it is not begun."""
        left = self.ends(part) - time.monotonic()
        with rw.limited(rw.Limits(seconds=None if self.seconds is None else max(left, _INSTANT))):
            if left < 0:
                raise rw.Stopped(rw.Diagnostic("RUN016", "no time is left"))
            yield

    def ends(self, part: float) -> float:
        """The moment at which so much of all time is over, but for what pictures take at the end."""
        return (
            math.inf if self.seconds is None else self.begun + part * max(0.75 * self.seconds, self.seconds - _DRAWING)
        )

    def affordable(self, seconds: float) -> float:
        """So many seconds for games, or the part of all time that there is for them."""
        return seconds if self.seconds is None else min(seconds, self.seconds * _FOR_GAMES)


_DRAWING = 3.0
"""Seconds for pictures and tables, once all is known."""
_INSTANT, _FOR_GAMES = 0.001, 0.35
"""The least of time, and the part of it for the games of a plan: machines are slower than its rates, or busy."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Agents, and numbers of games."""

    seats: tuple[str, ...]
    """The words of the agents, as ``--seats`` takes them."""
    games: int
    contest: tuple[str, str]
    """A strong and a middle agent; two empty words if there are no such two."""
    rounds: int
    """Rounds of their contest, in each of which both have every seat."""
    luck_games: int
    luck_seats: tuple[str, ...]
    """Games that show luck, each with two more, and the agents: answers at random where others take too long."""
    kept: int
    """Games that are gone through once more, for pictures and curves."""
    lead: str
    """The measure of who is ahead; empty if nothing shows it."""


def planned(
    game: rw.Game, seed: int, standing: str, clock: Clock, seats: tuple[str, ...] = (), games: int | None = None
) -> Plan:
    """The plan for a game; `standing` is a query of who is ahead, if there is one."""
    decisions = _decisions(game, seed, clock)
    rate, begun = (_SECRET, _BEGUN_SECRET) if game.has_private_information else (_OPEN, _BEGUN)
    begun = _BEGUN_REMEMBERED if game.remembers else begun

    def to_the_end(effort: int) -> float:
        return decisions * effort * (decisions / 2 / rate + 1 / begun)

    def to_a_query(effort: int) -> float:
        return decisions * effort / _LOOKED

    patience = clock.affordable(_SECONDS)
    wanted = ((effort, games) for games in (ENOUGH, FEWEST) for effort in EFFORTS)
    effort = next((one for one, games in wanted if to_the_end(one) * games <= patience), 0)
    word, each = f"mcts:{effort}", to_the_end(effort)
    middle = f"mcts:{max(2, effort // 4)}"
    if not effort or (game.remembers and decisions > PROBES):
        patience = clock.affordable(_PATIENCE)
        least = SHORT_EFFORTS[-1] if patience == _PATIENCE else 0
        effort = next((one for one in SHORT_EFFORTS if to_a_query(one) * FEWEST <= patience), least) if standing else 0
        if effort:
            word, each, middle = f"mcts:{effort}:{standing}", to_a_query(effort), f"mcts:2:{standing}"
    if not effort:
        word, each, middle = "random", decisions / _RANDOM, ""
    number = games or _rounded(min(USUAL, max(FEWEST, patience / max(each, 1e-9))))
    rounds = min(ROUNDS, number, max(6, int(_CONTEST * patience / max(0.6 * game.players * each, 1e-9))))
    luckily = clock.affordable(_LUCK)
    thoughtful = 3 * each * FEWEST <= luckily
    luck = each if thoughtful else decisions / _RANDOM
    every = max(1, round(decisions / LOOKS_AT_LEAD))
    lead = f"drama({standing})" if standing else f"drama({middle} every {every})" if middle else ""
    return Plan(
        seats or (word,),
        number,
        (word, middle) if middle else ("", ""),
        rounds if middle else 0,
        min(USUAL, max(FEWEST, int(luckily / max(3 * luck, 1e-9))), max(number, FEWEST)),
        (seats or (word,)) if thoughtful else ("random",),
        max(6, min(number, 40, int(20_000 / max(decisions, 1.0)))) if number > 6 else number,
        lead if game.players > 1 else "",
    )


def _rounded(number: float) -> int:
    """A round number of games, of at most that."""
    return int(number) if number < 100 else int(number) // 10 * 10


def _decisions(game: rw.Game, seed: int, clock: Clock) -> float:
    """The mean number of decisions of a game at random; 1 if no game can be played."""
    found = []
    for number in range(PROBES):
        try:
            with clock.until(0.35 if number else 1):
                found.append(game.playout(seed + number, most=MOST).decisions)
        except rw.RulesetError:
            continue
        except rw.Stopped:
            break
    return sum(found) / len(found) if found else 1.0


def standing_of(game: rw.Game, seed: int, clock: Clock) -> str:
    """The query about players that goes best with winning in the end, measures of the rules first; empty if none does,
    or if a quarter of the time is over before that is known.

    Found from games at random: the correlation of what a player has more than the others with the payoff.
    """
    wanted = [name for name in game.player_numbers if name in game.measures] or list(game.player_numbers)
    rows: dict[str, list[float]] = {name: [] for name in wanted}
    payoffs: list[float] = []
    for number in range(PROBES if wanted and game.players > 1 else 0):
        try:
            with clock.until(0.25):
                played = game.playout(seed + number, most=MOST)
                state = played.state
                values = {name: [float(state.ask(name, seat)) for seat in game.seats] for name in wanted}
        except rw.RulesetError:
            continue
        except rw.Stopped:
            break
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


def _correlation(values: Sequence[float], others: Sequence[float]) -> float:
    from scipy import stats

    if len(values) < PROBES or len(set(values)) < 2 or len(set(others)) < 2:
        return 0.0
    return float(stats.pearsonr(values, others).statistic)
