"""The sensitivity of measures to parameters as text: a table of shares of variance, and what moves most in words."""

from __future__ import annotations

from collections.abc import Iterator

import rulewright_lab as lab
from rulewright_tools.console import plural
from rulewright_tools.reports.balance_text import unloadable
from rulewright_tools.reports.experiment_figures import figure, sparkline

_LEGEND = (
    "Each: the share of the measure's variance that the parameter has by itself, ± its 95 % interval, / together",
    "with the others and chance; bars: the mean for each of its values.",
    "* no chance, however many are compared (Kruskal and Wallis, Holm, 95 %)",
)


def lines(found: lab.experiments.Sensitivity) -> Iterator[str]:
    """The whole report."""
    game = found.arm.game
    head = ", ".join((game.title, *game.variants, plural(game.players, "player")))
    yield f"{head}, seats {', '.join(dict.fromkeys(found.arm.seats))}"
    finished, unfinished, failed = found.played
    points = f"{found.samples} points, each varied in {plural(len(found.swept), 'parameter')} and in chance"
    yield f"{points}; {plural(found.games, 'game')} of each, {plural(finished, 'game')} in all"
    for games, why in ((unfinished, "stopped, not over"), (failed, "failed")):
        if games:
            yield f"{plural(games, 'game')} {why}"
    yield from unloadable(found.unloadable)
    if found.left_out:
        yield f"{found.left_out} of {found.samples} points are left out for that"
    if not found.complete:
        yield "interrupted: these are the shares of the points that were played so far"
    yield ""
    yield from _table(found)
    yield from _LEGEND
    yield ""
    yield from sentences(found)


def _table(found: lab.experiments.Sensitivity) -> Iterator[str]:
    rows = [["", "mean", *(f"  {name} {value_range(values)}" for name, values in found.swept.items()), "chance"]]
    for one in found.moves:
        cells = [_cell(moved) for moved in one.parameters] or [_nothing(one)] + [""] * (len(found.swept) - 1)
        chance = "" if one.chance is None else _share(one.chance)
        mean = figure(one.mean, one.unit) if one.mean == one.mean else ""
        rows.append([one.measure, mean, *cells, chance])
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()


def _nothing(one: lab.experiments.Moves) -> str:
    return "  does not vary" if one.enough else f"  {plural(one.points, 'point')} are too few"


def value_range(values: tuple[object, ...]) -> str:
    """The first and the last of some values."""
    shown = [str(value).lower() if isinstance(value, bool) else str(value) for value in values]
    return f"{shown[0]} … {shown[-1]}" if len(shown) > 2 else " … ".join(shown)


def _share(index: lab.experiments.Index) -> str:
    return f"{100 * index.share:.0f} ± {100 * index.off:.0f} %"


def _cell(moved: lab.experiments.Moved) -> str:
    star = "*" if moved.certain else " "
    return f"{star} {_share(moved.first):>10} / {100 * moved.total.share:3.0f} %  {sparkline(moved.means)}"


def sentences(found: lab.experiments.Sensitivity) -> Iterator[str]:
    """For each parameter what it moves most, in words; of several that move the same those that do it more first."""
    most: dict[str, list[tuple[lab.experiments.Moves, lab.experiments.Moved]]] = {}
    for name in found.swept:
        moves = [(one, moved) for one in found.moves for moved in one.parameters if moved.parameter == name]
        certain = [(one, moved) for one, moved in moves if moved.certain]
        if not certain:
            yield f"{name} moves nothing by itself that could not be chance."
            continue
        one, moved = max(certain, key=lambda both: both[1].first.share * lab.experiments.importance(both[0].measure))
        most.setdefault(one.measure, []).append((one, moved))
    for measure, those in most.items():
        (one, first), *others = sorted(those, key=lambda both: -both[1].first.share)
        if not others:
            yield f"{first.parameter} moves {measure} most: {_share_text(found, one, first)}."
            continue
        rest = (f"then by {moved.parameter}: {_share_text(found, one, moved)}" for _, moved in others)
        yield f"{measure} is moved most by {first.parameter}: {'; '.join((_share_text(found, one, first), *rest))}."


def _share_text(found: lab.experiments.Sensitivity, one: lab.experiments.Moves, moved: lab.experiments.Moved) -> str:
    name, means = moved.parameter, zip(found.swept[moved.parameter], moved.means, strict=True)
    known = [(value, mean) for value, mean in means if mean == mean]
    low, high = min(known, key=lambda both: both[1]), max(known, key=lambda both: both[1])
    shown = (f"{figure(mean, one.unit)} with {lab.experiments.describe({name: value})}" for value, mean in (low, high))
    share = f"{100 * moved.first.share:.0f} % of what it varies (± {100 * moved.first.off:.0f})"
    return f"{share}, {' to '.join(shown)}"
