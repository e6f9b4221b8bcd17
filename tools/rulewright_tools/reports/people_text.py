"""Games of people as text: how long they think, what they try and take back, whether agents choose alike, how it
was."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import rulewright as rw
from rulewright_tools.console import plural
from rulewright_tools.reports.experiment_figures import letter
from rulewright_tools.reports.names_for_people import PeopleNames, agent_name

SHOWN = 12
"""Questions, and what was refused, that are shown at most; ``--format json`` has all."""
_MINUTE, _HOUR, _DAY = 60, 3600, 86400


def lines(data: Mapping[str, Any], games: Sequence[rw.Game]) -> Iterator[str]:
    """The report on the people of some arms, from their data and the game of each."""
    for one, game in zip(data["arms"], games, strict=True):
        yield ""
        yield from _arm(one, PeopleNames(game))
    by_reason: dict[str, list[str]] = {}
    for left in data["left_out"]:
        by_reason.setdefault(left["why"], []).append(left["game"])
    if by_reason:
        yield ""
        yield f"Left out of {data['file']}:"
        yield from (f"  {', '.join(names)}: {why}" for why, names in by_reason.items())


def _arm(data: Mapping[str, Any], names: PeopleNames) -> Iterator[str]:
    games = data["games"]
    answers = sum(one["answers"] for one in games)
    yield f"{letter(data['arm'])}  {plural(len(games), 'game')} with {plural(answers, 'answer')} of people"
    if changed := [one["game"] for one in games if one["other_rules"]]:
        yield f"   the rules have changed since, but take all answers of {', '.join(changed)}"
    yield from _part("How long people think: the median, and eight of ten answers", _thinking(data, names))
    yield from _part("Answers that they tried, and that were refused", _refused(data, names))
    yield from _part("Answers that they took back", _undone(data, names))
    yield from _part("Agents in the positions of people", _agreement(data, names))
    yield from _part("How it was, from 1 to 5", _feedback(data))


def _part(title: str, found: Iterable[str]) -> Iterator[str]:
    rows = list(found)
    if rows:
        yield f"{title}:"
        yield from (f"  {row}" for row in rows[:SHOWN])
        if len(rows) > SHOWN:
            yield f"  and {len(rows) - SHOWN} more"


def _thinking(data: Mapping[str, Any], names: PeopleNames) -> Iterator[str]:
    for one in data["thinking"]:
        low, high = map(_time, one["quantiles"])
        count = plural(one["answers"], "answer")
        yield f"{_time(one['median']):>8}  ({low} to {high})  {names.question(one['question'])}  {count}"


def _refused(data: Mapping[str, Any], names: PeopleNames) -> Iterator[str]:
    for one in data["refused"]:
        tried = ", ".join(map(names.key, one["answers"]))
        why = one["why"] or "the rules as they are now do not refuse it there"
        yield f"{plural(one['times'], 'time')}  {names.question(one['question'])}  {tried}: {why}"


def _undone(data: Mapping[str, Any], names: PeopleNames) -> Iterator[str]:
    for one in data["undone"]:
        yield f"{one['undone']} of {plural(one['answers'], 'answer')}  {names.question(one['question'])}"
    if data["stayed"]:
        yield f"{plural(data['stayed'], 'time')} the others did not agree"


def _agreement(data: Mapping[str, Any], names: PeopleNames) -> Iterator[str]:
    for one in data["agreement"]:
        who = f"{one['agent']} ({agent_name(one['agent'], names)})"
        if not one["positions"]:
            yield f"{who}: there is no position in which a person had a choice"
            continue
        low, high = (f"{100 * end:.0f} %" for end in one["interval"])
        share, chance = f"{100 * one['share']:.0f} %", f"{100 * one['random']:.0f} %"
        yield f"{who} picks what the person picked in {share} of {one['positions']} ({low} to {high}); lots {chance}"


def _feedback(data: Mapping[str, Any]) -> Iterator[str]:
    for one in data["feedback"]:
        counts = " ".join(map(str, one["counts"]))
        people = "1 person" if one["people"] == 1 else f"{one['people']} people"
        yield f"{one['mean']:.1f}  {one['question']}  {people}: {counts}"
    for one in data["words"]:
        yield f"“{' '.join(one['text'].split())}” ({one['who']}, {one['game']})"


def _time(seconds: float) -> str:
    for size, unit in ((_DAY, "days"), (_HOUR, "h"), (_MINUTE, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {unit}"
    return f"{seconds:.1f} s" if seconds < 10 else f"{seconds:.0f} s"
