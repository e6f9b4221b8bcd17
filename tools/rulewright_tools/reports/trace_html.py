"""The trace as one self-contained HTML page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import rulewright as rw

STYLE = """
:root { color-scheme: light dark; --ink: #23252b; --paper: #fbfaf7; --line: #dcd8ce; --soft: #6d6f78;
  --good: #2f7d4f; --bad: #b3402e; --calm: #8a8578; --card: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9e6df; --paper: #1b1c20; --line: #36373e; --soft: #a2a1a8;
  --good: #6cc08b; --bad: #ea8773; --calm: #8d8a83; --card: #24252b; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2.5rem 1.25rem 5rem; max-width: 68rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 "Iowan Old Style", "Palatino Linotype", Palatino, Georgia, serif; }
h1 { margin: 0; font-size: 2rem; } h2 { margin: 2.5rem 0 .5rem; font-size: 1.15rem; }
.lead { margin: .25rem 0 1.25rem; color: var(--soft); }
.bar { height: .7rem; border-radius: .35rem; background: var(--line); overflow: hidden; }
.bar i { display: block; height: 100%; background: var(--good); }
.figures { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: 1rem 0; padding: 0; list-style: none; }
.figures b { font-size: 1.3rem; }
label { margin-right: 1rem; white-space: nowrap; font-size: .9rem; }
table { width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); }
td { padding: .45rem .7rem; border-top: 1px solid var(--line); vertical-align: top; }
td:first-child { width: 11rem; font: .8rem/1.8 ui-monospace, Menlo, Consolas, monospace; }
code { font: .8rem/1.5 ui-monospace, Menlo, Consolas, monospace; }
.where { display: block; color: var(--soft); } .note { display: block; color: var(--soft); font-style: italic; }
.dot { display: inline-block; width: .6rem; height: .6rem; margin-right: .5rem; border-radius: 50%; }
.covered .dot { background: var(--good); } .missing .dot { background: var(--bad); }
.repeat .dot, .not-applicable .dot, .not-normative .dot { background: var(--calm); }
.missing td { background: color-mix(in srgb, var(--bad) 9%, transparent); }
body:has(#covered:not(:checked)) tr.covered, body:has(#missing:not(:checked)) tr.missing,
body:has(#repeat:not(:checked)) tr.repeat, body:has(#not-applicable:not(:checked)) tr.not-applicable,
body:has(#not-normative:not(:checked)) tr.not-normative { display: none; }
"""

STATUSES = ("covered", "missing", "repeat", "not applicable", "not normative")


def page(report: Mapping[str, Any]) -> str:
    """The page for a trace report."""
    statements: Sequence[Mapping[str, Any]] = report["statements"]
    counts = {status: sum(1 for one in statements if one["status"] == status) for status in STATUSES}
    title = escape(report["title"])
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}: rulebook and rules</title><style>{STYLE}</style></head><body>",
        f"<h1>{title}</h1>",
        '<p class="lead">Every statement of the rulebook, and the rules that transcribe it.</p>',
        f'<div class="bar"><i style="width: {report["percent"]:g}%"></i></div>',
        '<ul class="figures">',
        f"<li><b>{report['percent']:g} %</b> covered</li>",
        f"<li><b>{report['covered']}</b> of {report['applicable']} applicable statements</li>",
        f"<li><b>{sum(1 for one in statements if one['scenarios'])}</b> with a scenario</li>",
        "</ul><p>",
    ]
    for status in STATUSES:
        name = _slug(status)
        parts.append(f'<label><input type="checkbox" id="{name}" checked> {status} ({counts[status]})</label>')
    parts.append("</p>")
    parts.extend(_problems(report))
    section = None
    for one in statements:
        if one["section"] != section:
            if section is not None:
                parts.append("</table>")
            section = one["section"]
            parts.append(f"<h2>{escape(section or 'Rulebook')}</h2><table>")
        parts.append(_row(one))
    if section is not None:
        parts.append("</table>")
    parts.append("</body></html>\n")
    return rw.characters.printable("\n".join(parts), lines=True)


def _row(one: Mapping[str, Any]) -> str:
    note = f'<span class="note">{escape(one["note"])}</span>' if one["note"] else ""
    return (
        f'<tr class="{_slug(one["status"])}" id="{escape(one["id"], quote=True)}">'
        f'<td title="{one["status"]}"><span class="dot"></span>{escape(one["id"])}</td>'
        f"<td>{escape(one['statement'])}{note}{_places('', one['rules'])}"
        f"{_places('shown by ', one['scenarios'])}</td></tr>"
    )


def _places(word: str, places: Sequence[Mapping[str, Any]]) -> str:
    return "".join(
        f'<span class="where">{word}<code>{escape(place["rule"])}</code> {escape(place["file"])}:{place["line"]}'
        f"{_same(place)}</span>"
        for place in places
    )


def _same(place: Mapping[str, Any]) -> str:
    return f", as <code>{escape(place['same_as'])}</code>, which says the same" if "same_as" in place else ""


def _problems(report: Mapping[str, Any]) -> list[str]:
    parts = []
    if report["unknown"]:
        parts.append("<h2>Cited, but not in the rulebook index</h2><table>")
        parts.extend(
            f'<tr class="missing"><td><span class="dot"></span>{escape(one["id"])}</td>'
            f"<td>{_places('', [one])}</td></tr>"
            for one in report["unknown"]
        )
        parts.append("</table>")
    if report["uncited_rules"]:
        parts.append("<h2>Rules that cite nothing</h2><table>")
        parts.extend(
            f"<tr><td>{escape(one['word'])}</td><td>{_places('', [one])}</td></tr>" for one in report["uncited_rules"]
        )
        parts.append("</table>")
    return parts


def _slug(status: str) -> str:
    return status.replace(" ", "-")
