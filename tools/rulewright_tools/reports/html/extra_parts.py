"""Parts of a page beside measures of games: curves, estimates from many games, answers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import rulewright_lab as lab
from rulewright_tools.reports.experiment_figures import figure as number_text
from rulewright_tools.reports.html import charts
from rulewright_tools.reports.html.parts import Html, figure, folded, grouped_table, row, section, table

POINTS = 12
"""Points of a curve that are in its table at most; the JSON report has all."""
REACHED = 0.25
"""Points that no larger share of the games reaches are left out."""
LINES = 6
"""Lines in a picture at most."""
ANSWERS = 40
"""Answers of a table at most: those that were taken most seldom."""


def extra_parts(results: lab.experiments.Results, arms: Sequence[str]) -> Iterator[Html]:
    """The parts of all extra results that were requested; `arms` are the names of the arms."""
    extra = results.extra
    families: dict[str, list[str]] = {}
    for name in extra.series:
        families.setdefault(_family(name), []).append(name)
    pictures = [_curves(results, family, names, arms) for family, names in families.items()]
    yield section("In the course of a game", row(*pictures) if pictures else "")
    yield section("From many games together", _estimates(results, arms))
    yield section("Answers", *_answers(results, arms))


def _family(name: str) -> str:
    """The name of a curve without the seat that it is about."""
    head, _, rest = name.partition(" after ")
    return f"{head.partition('(')[0]} after {rest}"


def _curves(results: lab.experiments.Results, family: str, names: Sequence[str], arms: Sequence[str]) -> Html:
    """The curves of a query: a line for each seat, or for each arm if there are several."""
    rule = family.partition(" after ")[2]
    lines: dict[str, list[tuple[float, float]]] = {}
    groups = []
    for name in names:
        for number, arm in enumerate(arms):
            points = _known(results.extra.curves.points(number, name))
            who = name.partition("(")[2].partition(")")[0]
            label = ", ".join(filter(None, (who, arm.partition(":")[0] if len(arms) > 1 else "")))
            if points:
                lines[label or family] = [(index, one.mean) for index, one in points.items()]
                step = -(-len(points) // POINTS)
                rows = [
                    [index, f"{one.mean:.2f}", "" if one.low is None else f"{one.low:.2f} … {one.high:.2f}", one.games]
                    for index, one in list(points.items())[::step]
                ]
                groups.append((label or family, rows))
    shown = dict(list(lines.items())[:LINES])
    more = f"; {len(shown)} of {len(lines)} lines" if len(shown) < len(lines) else ""
    numbers = grouped_table(("", f"After {rule}", "Mean", "95 %", "Games"), groups, f"{family}: means over games")
    drawn = charts.curves(shown, family.partition(" after ")[0], step=f"times that {rule} is over")
    return figure(drawn, f"{family}: the mean over games{more}", f"{family}: lines over the game", numbers)


def _known(points: Mapping[int, lab.experiments.Point]) -> dict[int, lab.experiments.Point]:
    """The points that enough games reach: behind them a line stands for a few long games only."""
    most = max((one.games for one in points.values()), default=0)
    return {index: one for index, one in points.items() if one.games >= REACHED * most}


def _estimates(results: lab.experiments.Results, arms: Sequence[str]) -> Html:
    extra = results.extra
    found = [extra.estimates(number) for number in range(len(arms))]
    groups = []
    for name, unit in extra.units.items():
        rows = [
            [arm, number_text(one.value, unit), _ends(one.low, one.high, unit), one.games]
            for arm, each in zip(arms, found, strict=True)
            if (one := each.get(name)) is not None
        ]
        if rows:
            groups.append((name, rows))
    differences = [
        [
            f"{one.name}, {arms[one.arm]}",
            ("* " if one.certain else "") + number_text(one.found.value, one.unit, True),
            _ends(one.found.low, one.found.high, one.unit, True),
        ]
        for one in extra.differences()
    ]
    if not groups:
        return Html("")
    below = table(("Difference", "Value", "95 %"), differences, "A star marks what is no chance") if differences else ""
    return Html(grouped_table(("Estimate", "Arm", "Value", "95 %", "Games"), groups, "Estimates of each arm") + below)


def _ends(low: float | None, high: float | None, unit: str, signed: bool = False) -> str:
    return (
        "" if low is None or high is None else f"{number_text(low, unit, signed)} … {number_text(high, unit, signed)}"
    )


def _answers(results: lab.experiments.Results, arms: Sequence[str]) -> Iterator[Html]:
    for number, arm in enumerate(arms):
        found = sorted(results.extra.answer_shares(number), key=lambda one: one.share)
        rows = [
            [f"{one.question}: {one.option}", one.offered, one.taken, f"{100 * one.share:.1f} %"]
            for one in found[:ANSWERS]
        ]
        if rows:
            more = f", the {len(rows)} of {len(found)} that were taken most seldom" if len(rows) < len(found) else ""
            caption = f"{arm}: how often answers were taken{more}"
            yield folded(caption, table(("Answer", "Offered", "Taken", "Share"), rows, caption))
