"""The sensitivity of measures to parameters as a page: shares of variance as forest plots, means by value as curves."""

from __future__ import annotations

from collections.abc import Iterator

import rulewright_lab as lab
from rulewright_tools.console import plural
from rulewright_tools.reports import sensitivity_text
from rulewright_tools.reports.balance_text import unloadable
from rulewright_tools.reports.experiment_figures import figure as number_of
from rulewright_tools.reports.html import charts
from rulewright_tools.reports.html.page import page
from rulewright_tools.reports.html.parts import Html, element, figure, grouped_table, paragraphs, row, section
from rulewright_tools.reports.html.repeating import repeating

MEASURES = 16
"""Measures in a picture at most; the table has all."""
CURVES = 4
"""Curves of a parameter at most."""


def sensitivity_page(found: lab.experiments.Sensitivity, command: str) -> str:
    """The page of an analysis that was played."""
    game = found.arm.game
    points = f"{found.samples} points, each varied in {plural(len(found.swept), 'parameter')} and in chance"
    lead = f"{points}; {plural(found.games, 'game')} of each, {plural(sum(found.played), 'game')} in all"
    last = found.seed + found.samples * found.games - 1
    body = (
        paragraphs(sensitivity_text.sentences(found), class_="answer"),
        paragraphs(_left_out(found)),
        section("What moves by itself", _read(), *_shares(found)),
        section("Which way it moves", *_means(found)),
        section("All shares", _table(found)),
        section("How to repeat it", repeating(command, [(found.arm.name, game)], f"{found.seed} to {last}")),
    )
    return page(f"{game.title}: which parameter moves what", body, lead=lead)


def _left_out(found: lab.experiments.Sensitivity) -> Iterator[str]:
    if not found.complete:
        yield "Interrupted: these are the shares of the points that were played so far."
    _, unfinished, failed = found.played
    for games, why in ((unfinished, "were stopped, not over"), (failed, "failed")):
        if games:
            yield f"{plural(games, 'game')} {why}."
    yield from unloadable(found.unloadable)
    if found.left_out:
        yield f"{found.left_out} of {found.samples} points are left out for that."


def _read() -> Html:
    return element(
        "p",
        "Each diamond is the share of a measure's variance that the parameter has by itself (Sobol's index of first "
        "order); its line is the 95 % interval. A filled diamond is no chance, however many are looked at.",
    )


def _shares(found: lab.experiments.Sensitivity) -> Iterator[Html]:
    """A forest plot for each parameter, of what it moves most."""
    pictures = []
    for tone, name in enumerate(found.swept):
        moves = [(one, moved) for one in found.moves for moved in one.parameters if moved.parameter == name]
        most = sorted(moves, key=lambda both: -both[1].first.share)[:MEASURES]
        rows = [
            charts.Interval(
                one.measure,
                moved.first.share,
                moved.first.share - moved.first.off,
                moved.first.share + moved.first.off,
                f"{100 * moved.first.share:.0f} %",
                moved.certain,
                tone,
            )
            for one, moved in moves
            if (one, moved) in most
        ]
        if rows:
            values = sensitivity_text.value_range(found.swept[name])
            drawn = charts.forest(rows, "share of the variance", percent=True)
            pictures.append(figure(drawn, f"{name}, {values}", f"Shares of variance that {name} has by itself"))
    if pictures:
        yield row(*pictures)


def _means(found: lab.experiments.Sensitivity) -> Iterator[Html]:
    """The mean of what a parameter moves for each of its values, if they are numbers."""
    pictures = []
    for name, values in found.swept.items():
        if not all(isinstance(one, int) and not isinstance(one, bool) for one in values):
            continue
        moves = [(one, moved) for one in found.moves for moved in one.parameters if moved.parameter == name]
        certain = sorted((both for both in moves if both[1].certain), key=lambda both: -both[1].first.share)
        for one, moved in certain[:CURVES]:
            points = [(float(x), y) for x, y in zip(values, moved.means, strict=True) if y == y]
            drawn = charts.curves({"": points}, one.measure, one.unit == "share", name)
            pictures.append(figure(drawn, f"{one.measure} by {name}", f"The mean of {one.measure} by {name}"))
    if pictures:
        yield row(*pictures)


def _table(found: lab.experiments.Sensitivity) -> Html:
    groups = []
    for one in found.moves:
        mean = number_of(one.mean, one.unit) if one.mean == one.mean else "no point measures anything"
        rows = [
            [
                moved.parameter,
                _share_cell(moved.first, moved.certain),
                _share_cell(moved.total),
                ", ".join("" if y != y else number_of(y, one.unit) for y in moved.means),
            ]
            for moved in one.parameters
        ]
        if one.chance is not None:
            rows.append(["chance", _share_cell(one.chance), "", ""])
        groups.append((f"{one.measure}, {mean}", rows or [["does not vary", "", "", ""]]))
    head = ("Measure, mean", "Parameter", "By itself", "With the others", "Means of its values")
    return grouped_table(head, groups, "Shares of variance with 95 % intervals; a star marks what is no chance")


def _share_cell(index: lab.experiments.Index, certain: bool = False) -> str:
    star = "* " if certain else ""
    return f"{star}{100 * index.share:.0f} ± {100 * index.off:.0f} %"
