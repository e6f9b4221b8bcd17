"""The rules that met, as one self-contained HTML page with a matrix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from math import log
from typing import Any

import rulewright as rw

STYLE = """
:root { color-scheme: light dark; --ink: #23252b; --paper: #fbfaf7; --line: #dcd8ce; --soft: #6d6f78;
  --good: #2f7d4f; --bad: #b3402e; --card: #fff; --empty: #f1eee6; }
@media (prefers-color-scheme: dark) { :root { --ink: #e9e6df; --paper: #1b1c20; --line: #36373e; --soft: #a2a1a8;
  --good: #6cc08b; --bad: #ea8773; --card: #24252b; --empty: #202126; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2.5rem 1.25rem 5rem; max-width: 84rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 "Iowan Old Style", "Palatino Linotype", Palatino, Georgia, serif; }
h1 { margin: 0; font-size: 2rem; } h2 { margin: 2.5rem 0 .5rem; font-size: 1.15rem; }
.lead { margin: .25rem 0 1.25rem; color: var(--soft); }
.figures { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: 1rem 0; padding: 0; list-style: none; }
.figures b { font-size: 1.3rem; }
.scroll { overflow-x: auto; padding-bottom: 1rem; }
table { border-collapse: collapse; font: .72rem/1 ui-monospace, Menlo, Consolas, monospace; }
th { padding: 0 .5rem 0 0; font-weight: normal; text-align: right; white-space: nowrap; }
thead th { height: 10rem; padding: 0; vertical-align: bottom; }
thead th span { display: block; width: 1.15rem; writing-mode: vertical-rl; transform: rotate(180deg);
  text-align: left; }
td { width: 1.15rem; min-width: 1.15rem; height: 1.15rem; padding: 0; border: 1px solid var(--paper);
  background: var(--empty); }
tbody th { position: sticky; left: 0; z-index: 1; background: var(--paper); }
td.met, i.met { background: var(--good); }
td.never, i.never { background: repeating-linear-gradient(45deg, var(--empty) 0, var(--empty) 3px,
  var(--bad) 3px, var(--bad) 5px); }
td.same { background: var(--line); }
tr:hover th, td:hover { outline: 1px solid var(--ink); outline-offset: -1px; } tr:hover th { outline: none;
  text-decoration: underline; }
.key { display: flex; flex-wrap: wrap; gap: 1.5rem; color: var(--soft); font-size: .9rem; }
.key i { display: inline-block; width: .9rem; height: .9rem; margin-right: .4rem; vertical-align: -.1rem; }
pre { padding: .8rem 1rem; overflow-x: auto; background: var(--card); border: 1px solid var(--line);
  border-left: .3rem solid var(--bad); font: .82rem/1.5 ui-monospace, Menlo, Consolas, monospace; }
"""


def page(report: Mapping[str, Any]) -> str:
    """The page for a report of the fuzzer (see ``schemas/fuzz-report.schema.json``)."""
    title = escape(report["title"])
    pairs = {tuple(pair["rules"]): pair["turns"] for pair in report["pairs"]}
    used = {rule["rule"]: rule["turns"] for rule in report["rules"]}
    met = sum(1 for turns in pairs.values() if turns)
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{title}: rules that met</title><style>{STYLE}</style></head><body>",
        f"<h1>{title}</h1>",
        '<p class="lead">Which rules were used together in one turn, and which never were.</p>',
        '<ul class="figures">',
        f"<li><b>{report['games']}</b> games, <b>{report['dives']}</b> short ones</li>",
        f"<li><b>{report['decisions']}</b> decisions</li>",
        f"<li><b>{sum(1 for turns in used.values() if turns)}</b> of {len(used)} rules used</li>",
        f"<li><b>{met}</b> of {len(pairs)} pairs met</li>",
        f"<li><b>{len(report['found'])}</b> found</li>",
        "</ul>",
        f'<p class="lead">{escape("; ".join(report["settings"]))}; seed {report["seed"]}</p>',
    ]
    parts += [part for story in report["found"] for part in _story(story)]
    parts += ["<h2>Rules that met in a turn</h2>", *_matrix(list(used), used, pairs), "</body></html>\n"]
    return rw.characters.printable("\n".join(parts), lines=True)


def _story(story: Mapping[str, Any]) -> list[str]:
    text = story["scenario"] or f"no scenario: {story['why_no_scenario']}\n" + "\n".join(story["log"])
    return [f"<h2>{escape(story['told'])}</h2>", f"<pre>{escape(text.rstrip())}</pre>"]


def _matrix(rules: Sequence[str], used: Mapping[str, int], pairs: Mapping[tuple[str, ...], int]) -> list[str]:
    """The matrix: below its diagonal each two rules once."""
    top = log(1 + max(pairs.values(), default=1)) or 1.0
    parts = [
        '<p class="key"><span><i class="met"></i>met often</span>'
        '<span><i class="met" style="opacity: .3"></i>met seldom</span>'
        '<span><i class="never"></i>both used, never met</span>'
        '<span><i style="background: var(--empty)"></i>one of them never used</span>'
        '<span><i style="background: var(--line)"></i>they exclude each other</span></p>',
        '<div class="scroll" tabindex="0" role="region" aria-label="Rules that met"><table><thead><tr><th></th>',
        *(f'<th scope="col"><span>{escape(rule)}</span></th>' for rule in rules),
        "</tr></thead><tbody>",
    ]
    for row, one in enumerate(rules):
        cells = [f'<tr><th scope="row">{escape(one)}</th>']
        cells += [_cell(o, one, pairs.get((o, one)), used[one] and used[o], top) for o in rules[:row]]
        cells.append(f'<td class="same" title="{escape(one)}: {used[one]} turns"></td>')
        parts.append("".join(cells) + "</tr>")
    parts.append("</tbody></table></div>")
    return parts


def _cell(one: str, other: str, turns: int | None, both_used: int, top: float) -> str:
    name = escape(f"{one} + {other}")
    if turns is None:
        return f'<td class="same" title="{name}: they exclude each other"></td>'
    if turns:
        much = 0.2 + 0.8 * log(1 + turns) / top
        return f'<td class="met" style="opacity: {much:.2f}" title="{name}: {turns} turns"></td>'
    if both_used:
        return f'<td class="never" title="{name}: never in one turn"></td>'
    return f'<td title="{name}: not both used"></td>'
