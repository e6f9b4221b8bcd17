"""An analysis of a game as a page: the chances of all seats over its decisions, turning points, better answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import rulewright as rw
from rulewright_tools.console import plural
from rulewright_tools.reports.html import charts
from rulewright_tools.reports.html.page import page
from rulewright_tools.reports.html.parts import Html, element, figure, paragraphs, section, table
from rulewright_tools.reports.html.repeating import repeating


def analysis_page(report: Mapping[str, Any], game: rw.Game, command: str) -> str:
    """The page for a report of an analysis (see ``schemas/analysis-report.schema.json``)."""
    decisions: Sequence[Mapping[str, Any]] = report["decisions"]
    turning = [one for one in decisions if one["turning"]]
    lines: dict[str, list[tuple[float, float]]] = {
        seat: [(one["number"], one["chances"][at]) for one in decisions if one["chances"]]
        for at, seat in enumerate(report["seats"])
    }
    drawn: tuple[Html, ...] = ()
    if any(len(points) > 1 for points in lines.values()):
        caption = "Chances of each seat to win, as the agent sees them at each decision"
        drawn = (
            figure(charts.curves(lines, "chance", True, "decision"), caption, "Lines of the chances of all seats"),
        )
    rows = [_row(one, report["seats"]) for one in decisions]
    head = ("Decision", "Who", "Answer", "Better", *report["seats"], "Lost")
    body = (
        paragraphs(_answer(turning, decisions), class_="answer"),
        section("Chances", *drawn),
        section("Decisions", table(head, rows, "All decisions with a choice; turning points are bold", words=4)),
        section("How to repeat it", repeating(command, [(game.title, game)], "that of the game")),
    )
    lead = f"{plural(len(decisions), 'decision')} with a choice, looked at by {report['agent']}"
    return page(f"{report['title']}: a game analysed", body, lead=lead)


def _answer(turning: Sequence[Mapping[str, Any]], decisions: Sequence[Mapping[str, Any]]) -> list[str]:
    if not turning:
        return [f"None of the {plural(len(decisions), 'decision')} was a turning point."]
    sentences = [
        f"Decision {one['number']}: {one['seat']} answered {one['answer']}; "
        f"{one['best']} was better by {one['lost']:.2f}."
        for one in turning
    ]
    worst = max(range(len(turning)), key=lambda at: turning[at]["lost"])
    if len(turning) == 1:
        return [f"One turning point. {sentences[0]}"]
    return [f"{len(turning)} turning points; the largest: {sentences[worst]}", *sentences]


def _row(one: Mapping[str, Any], seats: Sequence[str]) -> list[object]:
    better = "" if one["answer"] == one["best"] else one["best"]
    answer = element("b", one["answer"]) if one["turning"] else one["answer"] or ""
    chances = [f"{100 * chance:.0f} %" for chance in one["chances"]] or [""] * len(seats)
    lost = f"{one['lost']:.2f}" if one["lost"] and better else ""
    return [one["number"], one["seat"], answer, better, *chances, lost]
