"""An experiment as text: the arms, a table of measures with their differences, and what differs most in words."""

from __future__ import annotations

from collections.abc import Iterator

import rulewright_lab as lab
from rulewright_tools.console import plural
from rulewright_tools.reports import experiment_extras_text
from rulewright_tools.reports.experiment_figures import WIDTH, figure, histogram, letter
from rulewright_tools.reports.names_for_people import PeopleNames, arm_name
from rulewright_tools.reports.plain_differences import Row
from rulewright_tools.reports.single_arm_text import alone

WIDE = 3
"""So many arms stand beside each other."""
_STARS = "* no chance, however many measures are compared (Holm, 95 %)"
SHOWN = 3
"""The number of differences that are described in words."""
NOTHING_SURE = "No difference is sure: chance can do as much."


def lines(results: lab.experiments.Results) -> Iterator[str]:
    """The whole report."""
    compared = results.compared()
    for number, one in enumerate(results.arms):
        yield from _arm(number, one)
    yield ""
    yield from (_table if len(results.arms) <= WIDE else _list)(results, compared)
    yield from experiment_extras_text.lines(results)
    yield ""
    yield from sentences(results, compared)
    if results.stopping is not None:
        yield ""
    yield from known(results)


def _arm(number: int, one: lab.experiments.ArmResults) -> Iterator[str]:
    arm, game = one.arm, one.arm.game
    head = ", ".join((game.title, *game.variants, plural(game.players, "player")))
    seats = dict.fromkeys(arm.seats)
    played = next(iter(seats)) if len(seats) == 1 else ", ".join(arm.seats)
    yield f"{letter(number)}  {arm.name}: {head}, seats {played}; {plural(one.games['finished'], 'game')}"
    if one.games["unfinished"]:
        yield f"   {plural(one.games['unfinished'], 'game')} stopped, not over; the first has seed {one.endless}"
    for why, (times, seed) in sorted(one.failures.items()):
        yield f"   {plural(times, 'game')} failed, the first with seed {seed}: {why}"
    if one.games["finished"] and one.never_used:
        yield f"   never used: {', '.join(one.never_used)}"


def _list(results: lab.experiments.Results, compared: list[lab.experiments.Compared]) -> Iterator[str]:
    """The table for many arms: a line for each arm and measure."""
    by_name = {(one.measure, one.arm): one for one in compared}
    for name, unit in results.measures.items():
        having = [(n, mean) for n, one in enumerate(results.arms) if (mean := one.mean(name)) is not None]
        if not having:
            continue
        yield name
        shapes = _shapes(results, name)
        for number, mean in having:
            cell = _cell(by_name.get((name, number)), unit)
            shape = f"{shapes[number]}  " if shapes[number] else ""
            yield f"  {letter(number):3} {figure(mean, unit):>8}  {shape}{cell}".rstrip()
    yield _STARS


def _table(results: lab.experiments.Results, compared: list[lab.experiments.Compared]) -> Iterator[str]:
    by_name = {(one.measure, one.arm): one for one in compared}
    head = ["", *(f"{letter(number)}" for number in range(len(results.arms)))]
    rows = [[*head, *(f"{letter(number)} - A, 95 %" for number in range(1, len(results.arms)))]]
    for name, unit in results.measures.items():
        means = [one.mean(name) for one in results.arms]
        if means.count(None) == len(means):
            continue
        figures = ["" if mean is None else figure(mean, unit) for mean in means]
        cells = [f"{mean:7} {shape}".rstrip() for mean, shape in zip(figures, _shapes(results, name), strict=True)]
        rows.append([name, *cells, *(_cell(by_name.get((name, n)), unit) for n in range(1, len(results.arms)))])
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        first, *rest = (f"{cell:{width}}" for cell, width in zip(row, widths, strict=True))
        yield "  ".join((first, *rest)).rstrip()
    yield _STARS


def _shapes(results: lab.experiments.Results, name: str) -> list[str]:
    """For each arm how the games are spread between the least and the most of all arms, as bars; nothing, if all of
    them say yes or no."""
    known = [one.statistics.get(name) for one in results.arms]
    having = [one for one in known if one is not None]
    if not having or all(one.yes_or_no for one in having):
        return [""] * len(known)
    low, high = min(one.least for one in having), max(one.most for one in having)
    return [" " * WIDTH if one is None else f"{histogram(one.histogram.counts(), low, high):{WIDTH}}" for one in known]


def _cell(one: lab.experiments.Compared | None, unit: str) -> str:
    if one is None:
        return ""
    found = one.found
    if found.low == found.high == 0:
        return "  equal in all pairs"
    ends = f"{figure(found.low, unit, True)} … {figure(found.high, unit, True)}"
    return f"{'*' if one.certain else ' '} {figure(found.mean, unit, True)}  ({ends})"


def differences(
    results: lab.experiments.Results, compared: list[lab.experiments.Compared]
) -> tuple[list[str], list[str]]:
    """The largest differences in words of players: those that are sure, and those that are not."""
    certain = list(lab.experiments.most_important_first(compared))[:SHOWN]
    left = {one.measure: _row(results, one) for one in compared if not one.certain and one.found.mean}
    return [_claim(results, one) for one in certain], [one.unseen for one in list(left.values())[:SHOWN]]


def findings(results: lab.experiments.Results) -> list[dict[str, object]]:
    """The differences as data, those that are sure first."""
    sure, unsure = differences(results, results.compared())
    first = sure or [NOTHING_SURE]
    return [{"sure": number < len(sure), "text": text} for number, text in enumerate([*first, *unsure])]


def sentences(results: lab.experiments.Results, compared: list[lab.experiments.Compared]) -> Iterator[str]:
    """The largest differences in words of players; then their effects in numbers, and the gain by equal seeds."""
    if len(results.arms) < 2:
        yield from alone(results.arms[0], figure)
        return
    sure, unsure = differences(results, compared)
    yield from (f"Sure: {text}." for text in sure) if sure else (NOTHING_SURE,)
    if unsure:
        yield f"Not sure: {'; '.join(unsure)}."
    certain = list(lab.experiments.most_important_first(compared))
    if certain:
        yield ""
        yield f"In numbers: {'; '.join(_effect(results, one) for one in certain[:SHOWN])}."
    ratios = sorted(one.found.variance_ratio for one in compared if one.found.variance_ratio is not None)
    if ratios:
        middle = ratios[len(ratios) // 2]
        yield f"Equal seeds leave {100 * middle:.0f} % of the variance of independent games (median of the measures)."


def called(arm: lab.experiments.Arm) -> str:
    """The name of an arm in a sentence; in quotes if it is several words."""
    by_rules = arm.name.endswith(".rules") or (":" in arm.name and (arm.options or arm.game.variants))
    name = arm_name(arm) if by_rules else arm.name
    return f'"{name}"' if " " in name else name


def _row(results: lab.experiments.Results, one: lab.experiments.Compared) -> Row:
    name = PeopleNames(results.arms[0].arm.game).measure(one.measure)
    return Row(name, one.unit, one.found.first, one.found.other, one.found.low, one.found.high, one.certain)


def _claim(results: lab.experiments.Results, one: lab.experiments.Compared) -> str:
    first, other = results.arms[0], results.arms[one.arm]
    where = f"in {called(other.arm)} beside {called(first.arm)}, " if len(results.arms) > 2 else ""
    return where + _row(results, one).claim


def _effect(results: lab.experiments.Results, one: lab.experiments.Compared) -> str:
    found, unit = one.found, one.unit
    size = "" if found.effect is None else f", {found.kind} {found.effect:+.2f}"
    ends = f"{figure(found.low, unit, True)} to {figure(found.high, unit, True)}"
    arm = f" in {called(results.arms[one.arm].arm)}" if len(results.arms) > 2 else ""
    return f"{_row(results, one).name}{arm} {ends} (95 % interval of the difference{size})"


def known(results: lab.experiments.Results) -> Iterator[str]:
    """The intervals of what was waited for, if it was; the others are those of a number of games that was fixed
    before."""
    stopping = results.stopping
    if stopping is None:
        return
    for (name, arm), one in stopping.sequences.items():
        unit = results.measures[name]
        what = f"{name}, {letter(arm)} - A" if arm else name
        if one.low < one.high < float("inf"):
            ends = f"{figure(one.low, unit, bool(arm))} … {figure(one.high, unit, bool(arm))}"
            yield f"{what}: {ends} after {plural(one.games, 'game')} ({one.method} confidence sequence, 95 %)"
        else:
            yield f"{what}: nothing is known yet after {plural(one.games, 'game')}"
    if stopping.reached:
        yield f"Stopped as {stopping.aim.text} is reached. Only these intervals hold whenever one stops."
