"""Results besides measures, as text: estimates, curves as sparklines, and which answers were taken."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import rulewright_lab as lab
from rulewright_tools.console import plural
from rulewright_tools.reports.experiment_figures import figure, letter

BARS = "▁▂▃▄▅▆▇█"
WIDTH = 40
"""Bars of a curve at most."""
FEW_GAMES = 10
"""A curve is shown as far as one of so many games has come."""
MOST_OPTIONS = 6
"""The number of options of a question that are listed, those that are taken most often."""
MOST_NEVER = 12
SELDOM = 0.2
"""An option is called never taken only if it is surely taken more seldom than this."""
NONE = "nothing to report"
"""Of an estimate where payoffs do not vary, or no game is over."""


def lines(results: lab.experiments.Results) -> Iterator[str]:
    """The lines of all extra results; none if none were requested."""
    extra, arms = results.extra, range(len(results.arms))
    if extra.units:
        yield from _estimates(extra, arms)
        yield from _sentences(results)
    if extra.series:
        yield ""
        for name in extra.series:
            yield from _curve(extra, arms, name)
    for arm in arms:
        yield from _answers(extra, arm, results.arms[arm].played)


def _estimates(extra: lab.experiments.ExtraResults, arms: Sequence[int]) -> Iterator[str]:
    each = [extra.estimates(arm) for arm in arms]
    apart = {(one.name, one.arm): one for one in extra.differences()}
    rows = [["estimates, 95 %", *map(letter, arms), *(f"{letter(arm)} - A" for arm in arms[1:])]]
    for name, unit in extra.units.items():
        cells = [_cell(one[name].value, one[name].low, one[name].high, unit) if name in one else NONE for one in each]
        for arm in arms[1:]:
            found = apart.get((name, arm))
            star = "" if found is None else "* " if found.certain else "  "
            cell = "" if found is None else _cell(found.found.value, found.found.low, found.found.high, unit, True)
            cells.append(star + cell)
        rows.append([name, *cells])
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    yield ""
    for row in rows:
        yield "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()


def _sentences(results: lab.experiments.Results) -> Iterator[str]:
    """The differences that are no chance, in words."""
    extra = results.extra
    certain = [one for one in extra.differences() if one.certain]
    if certain:
        yield ""
    first = extra.estimates(0)
    for one in certain:
        other = extra.estimates(one.arm)
        way = "higher" if one.found.value > 0 else "lower"
        before, now = (figure(some[one.name].value, one.unit) for some in (first, other))
        arm, base = (results.arms[number].arm.name for number in (one.arm, 0))
        yield f"In {arm}, {one.name} is {way} than in {base}: {now} instead of {before}."


def _cell(value: float, low: float | None, high: float | None, unit: str, signed: bool = False) -> str:
    mean = figure(value, unit, signed)
    return mean if low is None or high is None else f"{mean} ({figure(low, unit)} … {figure(high, unit)})"


def _curve(extra: lab.experiments.ExtraResults, arms: Sequence[int], name: str) -> Iterator[str]:
    """A line for each arm, all with the same scale: the first and the last mean, and bars between them. What but few
    games have come to is left out, as its interval is wide."""
    points = [list(extra.curves.points(arm, name).values()) for arm in arms]
    curves = [[one.mean for one in some if one.games * FEW_GAMES >= some[0].games] for some in points]
    least = min((mean for one in curves for mean in one), default=0.0)
    most = max((mean for one in curves for mean in one), default=0.0)
    longest = max(map(len, curves))
    if not longest:
        yield f"{name}: it was never used"
        return
    left = any(len(some) > len(one) for some, one in zip(points, curves, strict=True))
    yield f"{name}: mean at 1 to {longest}{', to which one game in ten has come' if left else ''}"
    for arm, means in zip(arms, curves, strict=True):
        if means:
            ends = f"{figure(means[0], 'number')} {bars(means, least, most, longest)} {figure(means[-1], 'number')}"
            yield f"  {letter(arm)}  {ends}"


def bars(means: Sequence[float], least: float, most: float, longest: int) -> str:
    """Means as bars; where they are too many each stands for several."""
    step = max(1, -(-longest // WIDTH))
    some = [sum(part) / len(part) for at in range(0, len(means), step) if (part := means[at : at + step])]
    span = most - least
    return "".join(BARS[round((one - least) / span * (len(BARS) - 1)) if span else 0] for one in some)


def _answers(extra: lab.experiments.ExtraResults, arm: int, games: int) -> Iterator[str]:
    """A line for each question. What is seldom offered has wide intervals, and is left to the other forms of the
    report."""
    shares = extra.answer_shares(arm)
    if not shares:
        return
    yield ""
    yield f"answers in {letter(arm)}, of the times that they were offered:"
    seldom = 0
    for question, found in groupby(shares, key=lambda one: one.question):
        some = [one for one in found if one.games * FEW_GAMES >= games]
        seldom += not some
        if not some:
            continue
        taken = [one for one in some if one.taken]
        listed = ", ".join(f"{one.option} {figure(one.share, 'share')}" for one in taken[:MOST_OPTIONS])
        more = f", and {len(taken) - MOST_OPTIONS} more" if len(taken) > MOST_OPTIONS else ""
        yield f"  {question}: {listed}{more}"
        never = [one.option for one in some if not one.taken and one.high < SELDOM]
        if never:
            rest = f", and {len(never) - MOST_NEVER} more" if len(never) > MOST_NEVER else ""
            yield f"    never taken: {', '.join(never[:MOST_NEVER])}{rest}"
    if seldom:
        yield f"  {plural(seldom, 'question')} with options of less than one game in ten: --format json has them"
