"""The trace as one self-contained HTML page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from rulewright_tools.reports.html.page import page
from rulewright_tools.reports.html.parts import Html, element, figures_in_words, section

STYLE = """
.share { height: .7rem; border-radius: .35rem; background: var(--line); overflow: hidden; }
.share i { display: block; height: 100%; background: var(--good); }
label { margin-right: 1rem; font-size: .9rem; }
.statements table { width: 100%; background: var(--card); border: 1px solid var(--line); table-layout: fixed; }
.statements th, .statements td { padding: .45rem .7rem; overflow-wrap: anywhere; }
.statements th { width: 11rem; font: .8rem/1.8 ui-monospace, Menlo, Consolas, monospace; }
.where, .note { display: block; color: var(--soft); } .note { font-style: italic; }
.dot { display: inline-block; width: .6rem; height: .6rem; margin-right: .5rem; border-radius: 50%; }
.covered .dot { background: var(--good); } .missing .dot { background: var(--bad); border-radius: 0; }
.repeat .dot, .not-applicable .dot, .not-normative .dot { border: 2px solid var(--calm); }
.missing th, .missing td { background: color-mix(in srgb, var(--bad) 9%, transparent); }
@media (max-width: 30rem) { .statements th { width: 7rem; } }
body:has(#covered:not(:checked)) tr.covered, body:has(#missing:not(:checked)) tr.missing,
body:has(#repeat:not(:checked)) tr.repeat, body:has(#not-applicable:not(:checked)) tr.not-applicable,
body:has(#not-normative:not(:checked)) tr.not-normative { display: none; }
"""

STATUSES = ("covered", "missing", "repeat", "not applicable", "not normative")


def trace_page(report: Mapping[str, Any]) -> str:
    """The page for a trace report."""
    statements: Sequence[Mapping[str, Any]] = report["statements"]
    counts = Counter(one["status"] for one in statements)
    figures = (
        (f"{report['percent']:g} %", " covered"),
        (report["covered"], f" of {report['applicable']} applicable statements"),
        (sum(1 for one in statements if one["scenarios"]), " with a scenario"),
    )
    boxes = [
        element("label", Html(f'<input type="checkbox" id="{_slug(one)}" checked> '), f"{one} ({counts[one]})")
        for one in STATUSES
    ]
    sections = groupby(statements, key=lambda one: one["section"])
    body = (
        element("div", element("i", style=f"width: {report['percent']:g}%"), class_="share", aria_hidden="true"),
        figures_in_words(figures),
        element("p", *boxes),
        *_problems(report),
        *(_part(name or "Rulebook", map(_row, group)) for name, group in sections),
    )
    lead = "Every statement of the rulebook, and the rules that transcribe it."
    return page(f"{report['title']}: rulebook and rules", body, report["title"], lead, STYLE)


def _part(title: str, rows: Iterable[Html]) -> Html:
    return section(title, element("div", element("table", element("tbody", *rows)), class_="statements"))


def _row(one: Mapping[str, Any]) -> Html:
    status = one["status"]
    uncovered = element("span", status, class_="where") if status != "covered" else ""
    head = element("th", element("span", class_="dot"), one["id"], uncovered, scope="row")
    note = element("span", one["note"], class_="note") if one["note"] else ""
    places = (*_places("", one["rules"]), *_places("shown by ", one["scenarios"]))
    return element("tr", head, element("td", one["statement"], note, *places), class_=_slug(status), id=one["id"])


def _places(word: str, places: Sequence[Mapping[str, Any]]) -> Iterator[Html]:
    for place in places:
        same = (", as ", element("code", place["same_as"]), ", which says the same") if "same_as" in place else ()
        at = f" {place['file']}:{place['line']}"
        yield element("span", word, element("code", place["rule"]), at, *same, class_="where")


def _problems(report: Mapping[str, Any]) -> Iterator[Html]:
    if report["unknown"]:
        yield _part(
            "Cited, but not in the rulebook index",
            (_problem(one["id"], one, class_="missing") for one in report["unknown"]),
        )
    if report["uncited_rules"]:
        yield _part("Rules that cite nothing", (_problem(one["word"], one) for one in report["uncited_rules"]))


def _problem(name: str, one: Mapping[str, Any], **attributes: str) -> Html:
    dot = element("span", class_="dot") if attributes else ""
    return element("tr", element("th", dot, name, scope="row"), element("td", *_places("", [one])), **attributes)


def _slug(status: str) -> str:
    return status.replace(" ", "-")
