"""An experiment as a page: what was compared, the answer in words, intervals, distributions, how to repeat it."""

from __future__ import annotations

from collections.abc import Iterator

import rulewright_lab as lab
from rulewright_tools.console import plural
from rulewright_tools.reports import experiment_figures, experiment_text
from rulewright_tools.reports.html import charts
from rulewright_tools.reports.html.board_use import Boards
from rulewright_tools.reports.html.distributions import ARMS, distribution
from rulewright_tools.reports.html.extra_parts import extra_parts
from rulewright_tools.reports.html.page import page
from rulewright_tools.reports.html.parts import (
    Html,
    element,
    figure,
    folded,
    grouped_table,
    html,
    paragraphs,
    row,
    section,
    table,
    terms,
)
from rulewright_tools.reports.html.repeating import repeating
from rulewright_tools.reports.html.rule_differences import rule_differences
from rulewright_tools.reports.html.rule_use import RuleUse, rule_use
from rulewright_tools.reports.names_for_people import PeopleNames
from rulewright_tools.session.place_use import place_use

ROWS = 24
"""Intervals that a picture has at most; the table has all."""
DISTRIBUTIONS = 9
"""Distributions that are drawn at most."""
BOARDS = 2
"""Arms whose boards are drawn: the first, and what is compared with it."""
_MEANINGS = {
    "wins": "the part of the first place that a seat or an agent has",
    "payoff": "what a game is worth to a seat or an agent",
    "first_seat_advantage": "wins of the first seat less an equal share",
    "ties": "games without a single winner",
    "payoff_spread": "how far the payoffs of a game lie apart",
    "decisions": "answers that players give in a game",
    "moves": "moves in a game",
    "options": "possible answers at a decision",
    "forced": "decisions with only one possible answer",
    "unfinished": "games that were stopped because they did not end",
    "failed": "games that ended in an error of the rules",
}
"""The measures of every ruleset in a few words; docs/reference/measures.md defines them."""
_AXES = {"share": "difference of shares", "number": "difference"}
_CAPTIONS = {"share": "Shares of games or decisions", "number": "Measures of the rules themselves"}


def experiment_page(meant: lab.experiments.Experiment, results: lab.experiments.Results, command: str) -> str:
    """The page of an experiment whose games are played; for the boards some are played again."""
    compared = results.compared()
    names = [one.arm.name for one in results.arms]
    title = meant.about or _title(results)
    games = max(one.played for one in results.arms)
    each = f" of each of {plural(len(names), 'arm')}, with equal seeds" if len(names) > 1 else ""
    lead = f"{_title(results)}. {plural(games, 'game')}{each}" if meant.about else f"{plural(games, 'game')}{each}"
    answer = list(experiment_text.sentences(results, compared))
    seeds = f"{results.seed} to {results.seed + games - 1}, the same in every arm"
    body = (
        paragraphs(answer, class_="answer"),
        paragraphs(experiment_text.known(results)),
        section("What was compared", _arms(results), *_changes(results)),
        section(
            "Differences" if compared else "Measures",
            *_intervals(results, compared),
            _figures(results, compared),
            _glossary(results),
        ),
        *extra_parts(results, [_named(results, number) for number in range(len(names))]),
        section("How single games differ", *_distributions(results)),
        section("On the board", *_boards(results, meant.most)),
        section("Rules", rule_use(_uses(results))),
        section("How to repeat it", repeating(command, [(one.arm.name, one.arm.game) for one in results.arms], seeds)),
    )
    return page(title, body, lead=lead)


def _title(results: lab.experiments.Results) -> str:
    titles = dict.fromkeys(one.arm.game.title for one in results.arms)
    others = [one.arm.name for one in results.arms[1:]]
    names = ", ".join(titles)
    if not others:
        return names
    return f"{names}: {others[0]} against {results.arms[0].arm.name}" if len(others) == 1 else f"{names}: an experiment"


def _arms(results: lab.experiments.Results) -> Html:
    rows = []
    for number, one in enumerate(results.arms):
        arm, game = one.arm, one.arm.game
        wrong = [f"{one.games[kind]} {kind}" for kind in ("unfinished", "failed") if one.games[kind]]
        seats = dict.fromkeys(arm.seats)
        rows.append(
            [
                f"{experiment_figures.letter(number)}: {arm.name}",
                ", ".join((game.title, *game.variants)),
                next(iter(seats)) if len(seats) == 1 else ", ".join(arm.seats),
                game.players,
                ", ".join((str(one.games["finished"]), *wrong)),
            ]
        )
    return table(("Arm", "Rules", "Played by", "Players", "Games"), rows, "The arms", words=3)


def _changes(results: lab.experiments.Results) -> Iterator[Html]:
    first = results.arms[0].arm
    for number, one in enumerate(results.arms[1:], 1):
        name = f"{experiment_figures.letter(number)}: {one.arm.name}"
        yield section(f"What {name} says otherwise", rule_differences(first.game, one.arm.game), level=3)


def _intervals(results: lab.experiments.Results, compared: list[lab.experiments.Compared]) -> Iterator[Html]:
    """A forest plot for each unit: of the differences, or of what one arm has."""
    by_unit: dict[str, list[charts.Interval]] = {}
    several, names = len(results.arms) > 2, PeopleNames(results.arms[0].arm.game)
    for one in compared:
        found = one.found
        letter = f"{experiment_figures.letter(one.arm)}: " if several else ""
        label = "equal" if found.low == found.high == 0 else experiment_figures.figure(found.mean, one.unit, True)
        name = f"{letter}{names.measure(one.measure)}"
        by_unit.setdefault(one.unit, []).append(
            charts.Interval(name, found.mean, found.low, found.high, label, one.certain, one.arm)
        )
    if len(results.arms) == 1:
        yield from _wins(results.arms[0])
        return
    pictures = []
    for unit, rows in by_unit.items():
        if all(one.low == one.high == 0 for one in rows):
            continue
        shown = sorted(rows, key=lambda one: -abs(one.mean))[:ROWS]
        shown = [one for one in rows if one in shown]
        drawn = charts.forest(shown, _AXES.get(unit, f"difference in {unit}"), unit == "share")
        left = len(rows) - len(shown)
        more = f". The {len(shown)} largest of {len(rows)}; all are in the table" if left else ""
        caption = _CAPTIONS.get(unit, unit.capitalize())
        pictures.append(figure(drawn, f"{caption}{more}", f"Intervals of differences: {caption}"))
    if pictures:
        yield Html(
            element(
                "p",
                "Each diamond is a difference from ",
                element("b", results.arms[0].arm.name),
                "; its line is the interval that holds the true one in 95 of a hundred cases, and the dashed line is "
                "no difference. A filled diamond is no chance, however many measures are compared (Holm).",
            )
        )
        yield row(*pictures)


def _wins(one: lab.experiments.ArmResults) -> Iterator[Html]:
    """Draw who wins, if there is only one arm: beside an equal share."""
    rows = []
    for name, found in one.statistics.items():
        if name.startswith("wins("):
            low, high = lab.experiments.mean_interval(found, True)
            label = experiment_figures.figure(found.mean, "share")
            rows.append(charts.Interval(name, found.mean, low, high, label))
    if rows:
        drawn = charts.forest(rows, "share of games", True, 1 / one.arm.game.players)
        caption = "Who wins: shares with 95 % intervals; the dashed line is an equal share of a seat"
        yield figure(drawn, caption, "Intervals of who wins")


def _named(results: lab.experiments.Results, number: int) -> str:
    return f"{experiment_figures.letter(number)}: {results.arms[number].arm.name}"


def _figures(results: lab.experiments.Results, compared: list[lab.experiments.Compared]) -> Html:
    """All measures of all arms, and what differs."""
    by_name = {(one.measure, one.arm): one for one in compared}
    several = len(results.arms) > 1
    groups = []
    for name, unit in results.measures.items():
        rows = []
        for number, one in enumerate(results.arms):
            found = one.statistics.get(name)
            if found is None:
                continue
            low, high = lab.experiments.mean_interval(found, unit == "share")
            difference = by_name.get((name, number))
            rows.append(
                [
                    *([experiment_figures.letter(number)] if several else []),
                    experiment_figures.figure(found.mean, unit),
                    _ends(low, high, unit),
                    *(_difference(difference) if compared else ()),
                ]
            )
        if rows:
            groups.append((name, rows))
    head = ["Measure", *(["Arm"] if several else []), "Mean", "95 %"] + (
        ["Difference", "95 %", "Effect"] if compared else []
    )
    caption = "All measures; a star marks what is no chance" if compared else "All measures"
    return grouped_table(head, groups, caption)


def _distributions(results: lab.experiments.Results) -> Iterator[Html]:
    """Of measures that are no shares; of those about seats only the first seat's."""
    families: dict[str, str] = {}
    for name, unit in results.measures.items():
        if unit not in ("share", "payoff") and not name.startswith("payoff"):
            families.setdefault(name.partition("(")[0], name)
    pictures = []
    for name in families.values():
        arms = {
            _named(results, number): one.statistics[name]
            for number, one in enumerate(results.arms)
            if name in one.statistics
        }
        pictures.append(distribution(name, results.measures[name], arms))
    drawn = [one for one in pictures if one][:DISTRIBUTIONS]
    if drawn:
        yield row(*drawn)


def _boards(results: lab.experiments.Results, most: int) -> Iterator[Html]:
    boards = Boards()
    for number, one in enumerate(results.arms[:BOARDS]):
        arm = one.arm
        if not one.games["finished"] or arm.recorded:
            continue
        use = place_use(arm.game, arm.agents, results.seed, one.played, most)
        if use is not None and use.shares:
            title = _named(results, number) if len(results.arms) > 1 else None
            yield boards.part(title, arm.game, use)


def _uses(results: lab.experiments.Results) -> list[RuleUse]:
    several = len(results.arms) > 1
    return [
        RuleUse(
            experiment_figures.letter(number) if several else "",
            one.arm.game,
            one.played,
            {name: one.used[rule] for rule, name in enumerate(one.arm.game.rule_names)},
        )
        for number, one in enumerate(results.arms[:ARMS])
    ]


def _glossary(results: lab.experiments.Results) -> Html:
    families = dict.fromkeys(name.partition("(")[0] for name in results.measures)
    known: dict[str, object] = {name: _MEANINGS[name] for name in families if name in _MEANINGS}
    own = [name for name in families if name not in _MEANINGS]
    if own:
        known[", ".join(own)] = "what the rules or the command line say"
    return folded("What the measures mean", terms(known)) if known else Html("")


def _difference(one: lab.experiments.Compared | None) -> tuple[object, object, object]:
    if one is None:
        return "", "", ""
    found, unit = one.found, one.unit
    if found.low == found.high == 0:
        return "equal", "in all pairs", ""
    star = "* " if one.certain else ""
    effect = "" if found.effect is None else f"{found.kind[-1]} = {found.effect:+.2f}"
    shown = star + experiment_figures.figure(found.mean, unit, True)
    return element("b", shown) if one.certain else shown, _ends(found.low, found.high, unit, True), html(effect)


def _ends(low: float, high: float, unit: str, signed: bool = False) -> str:
    return f"{experiment_figures.figure(low, unit, signed)} … {experiment_figures.figure(high, unit, signed)}"
