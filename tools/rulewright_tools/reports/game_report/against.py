"""Two versions side by side: what differs in plain words, whether that is sure, and what would have been seen."""

from __future__ import annotations

import re
from collections.abc import Iterator

import rulewright_lab as lab
from rulewright_tools.console import plural
from rulewright_tools.reports.experiment_figures import figure as number_text
from rulewright_tools.reports.game_report.game_parts import few_long, minutes_in_words
from rulewright_tools.reports.game_report.gathering import Gathered
from rulewright_tools.reports.html.parts import Html, element, folded, paragraphs, section, table
from rulewright_tools.reports.html.rule_differences import rule_differences
from rulewright_tools.reports.names_for_people import PeopleNames, arm_name
from rulewright_tools.reports.plain_differences import Row

SENTENCES = 5
"""Sure differences in words at most; all are in the table."""
_LEFT_OUT = frozenset({"payoff", "payoff_spread", "first_seat_advantage", "used", "turns"})
"""Measures that say again what others say: those who read further find them in the details."""


def side_by_side(found: Gathered) -> Html:
    """The whole part; nothing if there is one version only."""
    if len(found.arms) < 2:
        return Html("")
    rows = [*_measures(found), *_estimates(found)]
    other, first = arm_name(found.arms[1]), arm_name(found.arms[0])
    games = min(one.played for one in found.main.arms)
    lead = f"{_capital(other)}, beside {first}: {plural(games, 'game')} of each with equal seeds."
    return section(
        "Two versions side by side",
        element("p", lead),
        paragraphs(_own_words(found)),
        paragraphs(sentences(found, rows), class_="answer"),
        _table(rows, first, other) if rows else "",
        folded("What the rules say otherwise", rule_differences(found.arms[0].game, found.arms[1].game)),
        folded("For statisticians", _details(rows), paragraphs([_METHOD])) if rows else "",
    )


def _own_words(found: Gathered) -> list[str]:
    """The comments of their authors above the variants that the second version has more."""
    game, first = found.arms[1].game, found.arms[0].game
    new = [title for title in game.variants if title not in first.variants]
    texts = [source.text for source in game.ruleset.files]
    about = [
        match[1] for title in new for text in texts
        if (match := re.search(rf'((?:^#.*\n)+)variant "{re.escape(title)}"', text, re.MULTILINE))
    ]  # fmt: skip
    return [" ".join(line.lstrip("# ") for line in one.splitlines()) for one in about]


_METHOD = (
    "Games of equal seeds are pairs. Shares: Newcombe's interval for pairs and McNemar's exact test; other numbers: "
    "Student's t over differences of pairs; luck and skill: a bootstrap over seeds. Sure is what is no chance however "
    "many measures are compared (Holm, 5 %). What would have been seen is the difference that as many games show in "
    "eight of ten cases: 1.43 times half the interval."
)


def sentences(found: Gathered, rows: list[Row]) -> list[str]:
    """The answer: what is sure, the most important first, then what is not."""
    if not rows:
        return ["No game of both versions came to an end, so nothing can be compared."]
    sure = [one for one in rows if one.sure]
    lines = [f"Sure: {one.claim}." for one in sure[:SENTENCES]]
    for arm in found.main.arms[:2]:
        if (one := arm.statistics.get("decisions")) is not None:
            lines += [f"{_capital(arm_name(arm.arm))}: {_uncapital(text)}" for text in few_long(one, "decisions")]
    minutes = [minutes_in_words(found, number) for number in (0, 1)]
    if any(one.name == "decisions a game" for one in sure) and minutes[0] != minutes[1]:
        lines.append(f"Around a table: {minutes[1]} instead of {minutes[0]}.")
    if not sure:
        alike = not any(one.apart for one in rows)
        lines.append("The games of both are alike in all that was measured." if alike else "No difference is sure.")
    unsure = [one for one in rows if not one.sure and one.apart]
    if unsure:
        lines.append(f"Not sure: {'; '.join(one.unseen for one in unsure[:3])}.")
    return lines


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _uncapital(text: str) -> str:
    return text[:1].lower() + text[1:]


def _table(rows: list[Row], first: str, other: str) -> Html:
    head = ("", first, other, "Sure?", "What we would have seen")
    body = [
        [_capital(one.name), one.value(one.first), one.value(one.other),
         element("b", "sure") if one.sure else "not sure" if one.apart else "equal",
         "nothing: too few games" if one.in_vain else one.value(one.seen)]
        for one in rows
    ]  # fmt: skip
    return table(head, body, "What differs, the sure and the important first")


def _details(rows: list[Row]) -> Html:
    head = ("Measure", "Difference", "95 %", "")
    body = [
        [one.name, number_text(one.apart, one.unit, True),
         f"{number_text(one.low, one.unit, True)} … {number_text(one.high, one.unit, True)}", one.statistics]
        for one in rows
    ]  # fmt: skip
    return table(head, body, "Differences with their intervals", words=1)


def _measures(found: Gathered) -> Iterator[Row]:
    names = PeopleNames(found.arms[1].game)
    compared = found.main.compared()
    order = {id(one): number for number, one in enumerate(lab.experiments.most_important_first(compared))}
    ranked = sorted(compared, key=lambda one: (not one.certain, order.get(id(one), len(order))))
    for one in ranked:
        family = one.measure.partition("(")[0]
        result = one.found
        before, now = result.first, result.other
        if found.game.players == 2 and one.measure == "wins(seat 2)":  # the rest of what the first player wins
            continue
        if family in _LEFT_OUT or before == now == 0:
            continue
        effect = "" if result.effect is None else f"{result.kind} = {result.effect:+.2f}, "
        words = f"{effect}p = {one.adjusted:.3g} (adjusted), {result.pairs} pairs, {result.method}"
        yield Row(names.measure(one.measure), one.unit, before, now, result.low, result.high, one.certain, words)


def _estimates(found: Gathered) -> Iterator[Row]:
    """Luck, and skill as the share that the better player wins."""
    if found.luck is None:
        return
    extra, names = found.luck.extra, PeopleNames(found.game)
    each = [extra.estimates(number) for number in (0, 1)]
    for one in extra.differences():
        low, high = one.found.low, one.found.high
        if one.arm != 1 or one.name != "luck" or low is None or high is None or not all("luck" in e for e in each):
            continue
        first, other = (values["luck"].value for values in each)
        words = f"p = {one.adjusted:.3g} (adjusted), {plural(one.found.games, 'game')}, bootstrap"
        if first or other:
            yield Row(names.measure("luck"), "share", first, other, low, high, one.certain, words)
