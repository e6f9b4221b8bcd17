"""Differences of what two games say, clause by clause, as part of a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import rulewright as rw
from rulewright_tools.reports import difference_words
from rulewright_tools.reports.html.parts import Html, element, folded, html

FIRST, MOST = 8, 60
"""Clauses that are shown at once, and at most."""


def rule_differences(old: rw.Game, new: rw.Game) -> Html:
    """The clauses that differ: the old wording struck out, the new one below it."""
    found = rw.diff.compare(_side(old), _side(new))
    if found.equal:
        return element("p", "The same rules.")
    shown, more = found.differences[:FIRST], found.differences[FIRST:MOST]
    parts = [_list(shown)]
    if more:
        parts.append(folded(f"{len(more)} more clauses", _list(more)))
    left = len(found.differences) - MOST
    if left > 0:
        parts.append(element("p", f"… and {left} more; `rulewright compare` lists all."))
    return Html("".join(parts))


def _list(differences: Sequence[rw.diff.Difference]) -> Html:
    """Differences by declaration."""
    grouped = groupby(differences, key=lambda one: one.declaration)
    return element("ul", *(element("li", element("code", name), *map(_clause, group)) for name, group in grouped))


def _side(game: rw.Game) -> rw.diff.Side:
    """The rules as they are played, with the values that all parameters have."""
    return rw.diff.Side(game.ruleset, game.variants, game.parameters, game.players)


def _clause(difference: rw.diff.Difference) -> Html:
    words = difference_words.emphasis(difference)
    lines = []
    for sign, wording, _ in difference_words.sides(difference):
        tag, prefix = {"-": ("del", "was: "), "+": ("ins", "is: "), "~": ("span", "moved: ")}[sign]
        text = Html("".join(_words(words.get(sign, [(wording.text, False)]))))
        hidden = f" … and {len(wording.below)} lines in it" if wording.below else ""
        lines.append(element("div", prefix, element("code", element(tag, text)), hidden))
    remarks = difference_words.remarks(difference)
    return Html("".join(lines) + (element("div", element("i", remarks)) if remarks else ""))


def _words(parts: list[tuple[str, bool]]) -> Iterator[Html]:
    for word, strong in parts:
        yield element("b", word) if strong else html(word)
