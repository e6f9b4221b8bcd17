"""The rules that met, as one self-contained HTML page with a matrix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import log
from typing import Any

from rulewright_tools.reports.html.page import page
from rulewright_tools.reports.html.parts import Html, element, figures_in_words, section

STYLE = """
.rules-met table { font: .72rem/1 ui-monospace, Menlo, Consolas, monospace; }
.rules-met th { padding: 0 .5rem 0 0; border: 0; font-weight: normal; text-align: right; white-space: nowrap; }
.rules-met thead th { height: 10rem; padding: 0; vertical-align: bottom; }
.rules-met thead th span { display: block; width: 1.15rem; writing-mode: vertical-rl; transform: rotate(180deg);
  text-align: left; }
.rules-met td { width: 1.15rem; min-width: 1.15rem; height: 1.15rem; padding: 0; border: 1px solid var(--paper);
  background: var(--empty); }
.rules-met thead td { background: none; border: 0; }
.rules-met tbody th { position: sticky; left: 0; z-index: 1; background: var(--paper); }
td.met, i.met { background: var(--good); }
td.never, i.never { background: repeating-linear-gradient(45deg, var(--empty) 0, var(--empty) 3px,
  var(--bad) 3px, var(--bad) 5px); }
td.same { background: var(--line); }
tr:hover th, td:hover { outline: 1px solid var(--ink); outline-offset: -1px; } tr:hover th { outline: none;
  text-decoration: underline; }
.key { display: flex; flex-wrap: wrap; gap: 1.5rem; color: var(--soft); font-size: .9rem; }
.key i { display: inline-block; width: .9rem; height: .9rem; margin-right: .4rem; vertical-align: -.1rem; }
pre { border-left: .3rem solid var(--bad); }
"""


def fuzz_page(report: Mapping[str, Any]) -> str:
    """The page for a report of the fuzzer (see ``schemas/fuzz-report.schema.json``)."""
    pairs = {tuple(pair["rules"]): pair["turns"] for pair in report["pairs"]}
    used = {rule["rule"]: rule["turns"] for rule in report["rules"]}
    apart = {tuple(pair["rules"]): pair["why"] for pair in report["apart"]}
    met = sum(1 for turns in pairs.values() if turns)
    figures = (
        (report["games"], " games looked at"),
        (report["decisions"] + report["answers"], " decisions"),
        (sum(1 for turns in used.values() if turns), f" of {len(used)} rules used"),
        (met, f" of {len(pairs)} pairs met"),
        (len(report["found"]), " found"),
    )
    body = (
        figures_in_words(figures),
        element("p", f"{'; '.join(report['settings'])}; seed {report['seed']}", class_="lead"),
        *(section(story["told"], element("pre", _story(story))) for story in report["found"]),
        section("Rules that met in a turn", Html("\n".join(_matrix(list(used), used, pairs, apart)))),
    )
    lead = "Which rules were used together in one turn, and which never were."
    return page(f"{report['title']}: rules that met", body, report["title"], lead, STYLE)


def _story(story: Mapping[str, Any]) -> str:
    text: str = story["scenario"] or f"no scenario: {story['why_no_scenario']}\n" + "\n".join(story["log"])
    return text.rstrip()


def _matrix(
    rules: Sequence[str],
    used: Mapping[str, int],
    pairs: Mapping[tuple[str, ...], int],
    apart: Mapping[tuple[str, ...], str],
) -> list[str]:
    """The matrix: below its diagonal each two rules once."""
    top = log(1 + max(pairs.values(), default=1)) or 1.0
    parts = [
        '<p class="key"><span><i class="met"></i>met often</span>'
        '<span><i class="met" style="opacity: .3"></i>met seldom</span>'
        '<span><i class="never"></i>both used, never met</span>'
        '<span><i style="background: var(--empty)"></i>one of them never used</span>'
        '<span><i style="background: var(--line)"></i>cannot meet: point at it for the reason</span></p>',
        '<div class="scroll rules-met" tabindex="0" role="region" aria-label="Rules that met">',
        "<table><thead><tr><td></td>",
        *(f'<th scope="col"><span>{escape(rule)}</span></th>' for rule in rules),
        "</tr></thead><tbody>",
    ]
    for row, one in enumerate(rules):
        cells = [f'<tr><th scope="row">{escape(one)}</th>']
        cells += [
            _cell(o, one, pairs.get((o, one)), apart.get((o, one), ""), used[one] and used[o], top) for o in rules[:row]
        ]
        cells.append(f'<td class="same" title="{escape(one)}: {used[one]} turns"></td>')
        parts.append("".join(cells) + "</tr>")
    parts.append("</tbody></table></div>")
    return parts


def _cell(one: str, other: str, turns: int | None, why_apart: str, both_used: int, top: float) -> str:
    name = escape(f"{one} + {other}")
    if turns is None:
        return f'<td class="same" title="{name}: {escape(why_apart)}"></td>'
    if turns:
        much = 0.2 + 0.8 * log(1 + turns) / top
        return f'<td class="met" style="opacity: {much:.2f}" title="{name}: {turns} turns"></td>'
    if both_used:
        return f'<td class="never" title="{name}: never in one turn"></td>'
    return f'<td title="{name}: not both used"></td>'
