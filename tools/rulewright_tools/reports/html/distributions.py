"""Distributions of measures over games, as part of a page: a histogram for each arm, or quantiles of many arms."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import floor, log10

import rulewright_lab as lab
from rulewright_tools.reports.html import charts
from rulewright_tools.reports.html.parts import Html, figure, table

BINS = 20
ARMS = 4
"""More arms than this have quantiles instead of histograms."""

Statistics = Mapping[str, lab.experiments.ColumnStatistics]
"""By the names of arms."""


def distribution(name: str, unit: str, arms: Statistics) -> Html:
    """A measure in all arms that have it; nothing if it varies in none."""
    counts = {arm: one.histogram.counts() for arm, one in arms.items()}
    if max((len(one) for one in counts.values()), default=0) < 3:
        return Html("")
    if len(arms) > ARMS:
        return _quantiles(name, arms)
    return histograms(name, unit, counts, {arm: one.mean for arm, one in arms.items()})


def histograms(name: str, unit: str, counts: Mapping[str, Mapping[float, int]], means: Mapping[str, float]) -> Html:
    """The numbers of games with each value, for each arm, with the means."""
    arms = tuple(counts)
    edges = edges_of([value for one in counts.values() for value in one])
    shares = {arm: _shares(one, edges) for arm, one in counts.items()}
    parts = [charts.Bars(arm, shares[arm], means[arm], number) for number, arm in enumerate(arms)]
    rows = [
        [f"{low:g} to below {high:g}", *(f"{100 * shares[arm][at]:.1f} %" for arm in arms)]
        for at, (low, high) in enumerate(pairwise(edges))
    ]
    caption = f"{name}: shares of games"
    drawn = charts.histograms(parts, edges, name if unit in (name, "number") else f"{name} ({unit})")
    return figure(drawn, f"{name}; the dashed line is the mean", caption, table((name, *arms), rows, caption))


def edges_of(values: Sequence[float]) -> list[float]:
    """The edges of intervals of equal, round width that hold all values; whole numbers have whole ones."""
    low, high = min(values), max(values)
    least = 1.0 if all(value == floor(value) for value in values) else 0.0
    width = max(_round_up((high - low) / BINS), least) or 1.0
    begin = floor(low / width)
    count = floor(high / width) - begin + 1
    return [round((begin + number) * width, 9) for number in range(count + 1)]


def _round_up(width: float) -> float:
    """The next of 1, 2, 5, 10, 20 …"""
    if width <= 0:
        return 0.0
    power = 10.0 ** floor(log10(width))
    return next(power * step for step in (1, 2, 5, 10) if width <= power * step * (1 + 1e-9))


def _shares(counts: Mapping[float, int], edges: Sequence[float]) -> list[float]:
    found = [0] * (len(edges) - 1)
    width = edges[1] - edges[0]
    for value, games in counts.items():
        found[min(floor((value - edges[0]) / width + 1e-9), len(found) - 1)] += games
    total = sum(found)
    return [games / total for games in found]


def _quantiles(name: str, arms: Statistics) -> Html:
    """Of many arms the median, with the interval that holds eight of ten games."""
    points = {arm: [one.quantile(share) for share in (0.1, 0.5, 0.9)] for arm, one in arms.items()}
    rows = [
        charts.Interval(arm, middle, low, high, f"{middle:g} ({low:g} … {high:g})", True, 0)
        for arm, (low, middle, high) in points.items()
    ]
    caption = f"{name}: the median, and the range of eight of ten games"
    numbers = table(
        ("Arm", "10 %", "Median", "90 %"), [[a, *(f"{v:g}" for v in p)] for a, p in points.items()], caption
    )
    return figure(charts.forest(rows, name, reference=None), caption, caption, numbers)
