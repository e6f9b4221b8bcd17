"""Sentences of an experiment with one arm: who wins, whether the first seat does more often, how long games are."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import rulewright_lab as lab
from rulewright_tools.console import plural

SHARE = "share"
Figure = Callable[[float, str], str]
"""The writer of a number of a unit."""


def alone(one: lab.experiments.ArmResults, figure: Figure) -> Iterator[str]:
    """Sentences about the requested measures that some game has a value of."""
    arm, found = one.arm, one.statistics
    agents = [word for word in dict.fromkeys(arm.seats) if f"wins({word})" in found]
    if agents:
        yield _agents(one, agents, figure)
    elif "first_seat_advantage" in found:
        yield _first_seat(found["first_seat_advantage"], found.get("wins(seat 1)"), arm.game.players, figure)
    for name in ("decisions", "moves"):
        if name in found:
            yield _length(name, found[name])
            break


def _agents(one: lab.experiments.ArmResults, agents: list[str], figure: Figure) -> str:
    """Say who wins most: certain if its interval lies above that of the next."""
    ranked = sorted(agents, key=lambda word: -one.statistics[f"wins({word})"].mean)
    wins, ends = [], []
    for word in ranked:
        found = one.statistics[f"wins({word})"]
        low, high = lab.experiments.mean_interval(found, True)
        ends.append((low, high))
        wins.append(f"{word} wins {figure(found.mean, SHARE)} ({figure(low, SHARE)} to {figure(high, SHARE)})")
    first = f"{ranked[0]} wins most" if ends[0][0] > ends[1][1] else f"Whether {ranked[0]} wins most is not certain"
    fair = (
        ""
        if len({one.arm.seats.count(word) for word in ranked}) == 1
        else ", though they do not have equally many seats"
    )
    return f"{first}{fair}: {'; '.join(wins)}, with 95 % intervals."


def _first_seat(
    found: lab.experiments.ColumnStatistics,
    won: lab.experiments.ColumnStatistics | None,
    players: int,
    figure: Figure,
) -> str:
    """Say it with the interval of the share of games that were `won`, if it is known: it has one even of all games."""
    fair = 1 / players
    low, high = (fair + end for end in lab.experiments.mean_interval(found))
    if won is not None:
        low, high = lab.experiments.mean_interval(won, True)
    mean = figure(fair + found.mean, SHARE)
    wins = f"it wins {mean} of {plural(found.count, 'game')}, where {figure(fair, SHARE)} are its share"
    ends = f"(95 % interval {figure(low, SHARE)} to {figure(high, SHARE)})"
    if low > fair:
        return f"The first seat wins more often than its share: {wins} {ends}."
    if high < fair:
        return f"The first seat wins less often than its share: {wins} {ends}."
    return f"Nothing shows that the first seat wins more often than its share, or less: {wins} {ends}."


def _length(name: str, found: lab.experiments.ColumnStatistics) -> str:
    low, high = found.quantile(0.1), found.quantile(0.9)
    return f"A game has {found.mean:.0f} {name}, eight of ten games between {low:.0f} and {high:.0f}."
