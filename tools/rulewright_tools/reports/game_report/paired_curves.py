"""Curves of two versions beside each other, from few games of equal seeds: drawn anew with each pair that is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain

import rulewright_lab as lab
from rulewright_tools.reports.game_report.course_parts import mean_of, title_of
from rulewright_tools.reports.game_report.replays import LOOKS, Replay, replayed
from rulewright_tools.reports.names_for_people import arm_name

FEW, MOST = 2, 20_000
"""Pairs from which on a difference has an interval, and decisions after which a game is stopped."""
Curve = dict[str, object]


def paired_curves(
    arms: Sequence[lab.experiments.Arm], seed: int, games: int, drawn: Callable[[dict[str, object]], object]
) -> dict[str, object]:
    """The curves of all games; `drawn` is given those of the first pair, of the first two, and so on."""
    played: list[list[Replay]] = [[] for _ in arms]
    found: dict[str, object] = {}
    for number in range(seed, seed + games):
        pair = [one for arm in arms for one in replayed(arm, number, 1, MOST)]
        if len(pair) < len(arms):
            continue  # a rule failed in one of both
        for replays, replay in zip(played, pair, strict=True):
            replays.append(replay)
        found = _data(arms, played, games)
        drawn(found)
    return found or _data(arms, played, games)


def _data(arms: Sequence[lab.experiments.Arm], played: Sequence[Sequence[Replay]], games: int) -> dict[str, object]:
    named = [dict.fromkeys(chain.from_iterable(one.resources for one in replays)) for replays in played]
    names = [name for name in named[0] if all(name in others for others in named)]
    curves = [curve for name in names if (curve := _curve(arms[0], played, name)) is not None]
    values = {
        "decisions a game": [[float(one.played.decisions) for one in replays] for replays in played],
        "games won by the first player, of 100": [[100.0 * _won(one) for one in replays] for replays in played],
    }
    return {
        "arms": [arm_name(arm) for arm in arms],
        "games": len(played[0]),
        "of": games,
        "curves": curves,
        "differences": [_difference(name, each) for name, each in values.items()],
    }


def _won(one: Replay) -> float:
    places = one.played.places
    return (places[0] == 1) / max(1, places.count(1))


def _curve(arm: lab.experiments.Arm, played: Sequence[Sequence[Replay]], name: str) -> Curve | None:
    """The mean over games and players at each look, of every arm; None if it never changes."""
    lines = []
    for replays in played:
        rows = [one.resources[name] for one in replays if name in one.resources]
        lines.append([round(sum(sum(row[at]) / len(row[at]) for row in rows) / len(rows), 3) for at in range(LOOKS)])
    return {"name": title_of(arm.game, name), "lines": lines} if len({*chain(*lines)}) > 1 else None


def _difference(name: str, values: Sequence[Sequence[float]]) -> Mapping[str, object]:
    """The means, the interval of their difference over pairs, and the smallest difference that would be seen."""
    first, other = values[0], values[-1]
    means = [round(sum(each) / len(each), 2) if each else 0.0 for each in values]
    apart = [b - a for a, b in zip(first, other, strict=True)]
    if len(apart) < FEW:
        return {"name": name, "means": means, "sure": False, "seen": None}
    mean, half = mean_of(apart)
    seen = lab.experiments.detectable(mean - half, mean + half)
    return {"name": name, "means": means, "sure": abs(mean) > half, "seen": round(seen, 2)}
