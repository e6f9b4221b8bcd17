"""Differences of what two games say, clause by clause, as part of a page."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import rulewright as rw
from rulewright_tools.reports import compare_report
from rulewright_tools.reports.html.parts import Html, element, html

MOST = 40
"""Clauses that are shown at most."""


def rule_differences(old: rw.Game, new: rw.Game) -> Html:
    """The clauses that differ: the old wording struck out, the new one below it."""
    found = rw.diff.compare(_side(old), _side(new))
    if found.equal:
        return element("p", "The same rules.")
    told = [_clause(one) for one in found.differences[:MOST]]
    grouped = groupby(zip(found.differences, told, strict=False), key=lambda pair: pair[0].declaration)
    items = [element("li", element("code", name), *(clause for _, clause in group)) for name, group in grouped]
    left = len(found.differences) - len(told)
    more = element("p", f"… and {left} more; `rulewright compare` lists all.") if left > 0 else ""
    return Html(element("ul", *items) + more)


def _side(game: rw.Game) -> rw.diff.Side:
    """The rules as they are played, with the values that all parameters have."""
    return rw.diff.Side(game.ruleset, game.variants, game.parameters, game.players)


def _clause(difference: rw.diff.Difference) -> Html:
    words = compare_report.emphasis(difference)
    lines = []
    for sign, wording, _ in compare_report.sides(difference):
        tag, said = {"-": ("del", "was: "), "+": ("ins", "is: "), "~": ("span", "moved: ")}[sign]
        text = Html("".join(_words(words.get(sign, [(wording.text, False)]))))
        hidden = f" … and {len(wording.below)} lines in it" if wording.below else ""
        lines.append(element("div", said, element("code", element(tag, text)), hidden))
    remarks = compare_report.remarks(difference)
    return Html("".join(lines) + (element("div", element("i", remarks)) if remarks else ""))


def _words(parts: list[tuple[str, bool]]) -> Iterator[Html]:
    for word, strong in parts:
        yield element("b", word) if strong else html(word)
