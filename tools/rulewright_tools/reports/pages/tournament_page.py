"""A tournament as a page: who is stronger, by how much, and who met whom."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import rulewright as rw
from rulewright_tools.console import plural
from rulewright_tools.reports.html import charts
from rulewright_tools.reports.html.page import page
from rulewright_tools.reports.html.parts import figure, paragraphs, section, table
from rulewright_tools.reports.html.repeating import repeating


def tournament_page(report: Mapping[str, Any], game: rw.Game, command: str) -> str:
    """The page for a report of a tournament (see ``schemas/tournament-report.schema.json``)."""
    agents = sorted(report["agents"], key=lambda one: -one["elo"])
    rows = [
        charts.Interval(one["agent"], one["elo"], one["interval"][0], one["interval"][1], f"{one['elo']:+.0f}")
        for one in agents
    ]
    figures = [
        [one["agent"], f"{one['elo']:+.0f}", "{:+.0f} … {:+.0f}".format(*one["interval"]), f"{one['score']:.1%}",
         one["games"], one["failed"]]
        for one in agents
    ]  # fmt: skip
    caption = "Ratings with 95 % intervals; the dashed line is the mean of all"
    ratings = (
        figure(charts.forest(rows, "Elo"), caption, "Intervals of the ratings"),
        table(("Agent", "Elo", "95 %", "Score", "Games", "Lost without an answer"), figures, "Ratings"),
    )
    meetings = [
        [
            f"{one['agent']} against {one['against']}",
            f"{one['points']:g} of {one['of']:g}",
            f"{one['points'] / one['of']:.1%}",
        ]
        for one in report["meetings"]
    ]
    body = (
        paragraphs([_answer(agents), *report["failures"]], class_="answer"),
        section("Ratings", *ratings),
        section("Meetings", table(("Who", "Points", "Share"), meetings, "Points of each against each")),
        section("How to repeat it", repeating(command, [(game.title, game)], f"from {report['seed']} on")),
    )
    lead = f"{plural(len(agents), 'agent')}, {plural(game.players, 'player')}, {plural(report['games'], 'game')}"
    return page(f"{report['title']}: a tournament", body, lead=lead)


def _answer(agents: list[Mapping[str, Any]]) -> str:
    """Say who is strongest, and whether that is certain."""
    first, second = agents[:2]
    apart = first["elo"] - second["elo"]
    lead = f"{first['agent']} is the strongest, {apart:.0f} Elo above {second['agent']}"
    if first["interval"][0] > second["interval"][1]:
        return f"{lead}: their 95 % intervals do not meet."
    return f"Who is strongest is not certain: {lead}, but their 95 % intervals meet."
