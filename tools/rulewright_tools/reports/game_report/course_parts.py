"""Parts of a report about the course of a game: the lead, skill and luck, what grows, where things stand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools.console import plural
from rulewright_tools.reports.game_report.gathering import Gathered
from rulewright_tools.reports.game_report.replays import LOOKS, Replay
from rulewright_tools.reports.html import charts
from rulewright_tools.reports.html.board_use import Boards
from rulewright_tools.reports.html.parts import Html, figure, folded, grouped_table, paragraphs, row, section
from rulewright_tools.reports.names_for_people import PeopleNames, agent_name
from rulewright_tools.session.place_use import use_of

CURVES = 8
"""Curves at most: those that part winners from others most."""
_LUCKY, _SKILFUL = 0.6, 0.35
_PART = ("early", "halfway", "late", "only at the very end")


def lead(found: Gathered) -> Html:
    """Changes of the lead, and when a game is decided."""
    names, statistics = PeopleNames(found.game), found.first.statistics
    by_family = {name.partition("(")[0]: name for name in statistics}
    if "lead_changes" not in by_family:
        return Html("")
    about = by_family["lead_changes"].partition("(")[2].removesuffix(")")
    changes = statistics[by_family["lead_changes"]].mean
    often = "hardly ever" if changes < 0.5 else "about once" if changes < 1.5 else f"about {changes:.0f} times"
    lines = [f"The lead changes {often} in a game."]
    if "decided_at" in by_family:
        at = statistics[by_family["decided_at"]]
        late = _PART[0] if at.mean < 0.35 else _PART[1] if at.mean < 0.65 else _PART[2] if at.mean < 0.9 else _PART[3]
        lines.append(
            f"Who wins is decided {late}: the winner is ahead for good after {100 * at.mean:.0f} % of the game."
        )
    if "behind" in by_family:
        behind = statistics[by_family["behind"]].mean
        lines.append(f"The later winner is behind for {100 * behind:.0f} % of the game.")
    searched = ":" in about
    ahead = (
        "the chances to win that a search finds" if searched else f"“{names.word(about)}”, which goes best with winning"
    )
    games = plural(statistics[by_family["lead_changes"]].count, "game")
    how = f"Who is ahead is measured by {ahead}, in the positions of {games}."
    return section("Who is ahead", paragraphs(lines), folded("How this is known", paragraphs([how])))


def skill_and_luck(found: Gathered) -> Html:
    """The parts of skill and of luck in results."""
    estimates: dict[str, lab.experiments.Estimate] = {}
    for results in (found.contest, found.luck):
        estimates |= results.extra.estimates(0) if results is not None else {}
    lines = [*_skill(found, estimates), *_luck(found, estimates)]
    if not lines:
        return Html("")
    return section("Skill and luck", paragraphs(lines), folded("How this is known", paragraphs(_methods(found))))


def _skill(found: Gathered, estimates: Mapping[str, lab.experiments.Estimate]) -> Iterator[str]:
    one = next((value for name, value in estimates.items() if name.startswith("skill(")), None)
    if one is None:
        return
    share = _share_of(one.value)
    strong, middle = (agent_name(word, PeopleNames(found.game)) for word in found.plan.contest)
    sentence = f"A player who {strong} wins {100 * share:.0f} of 100 games against one who {middle}"
    if one.low is None or one.high is None:
        yield f"{sentence}; so few games say little of that."
    elif one.low > 0:
        yield f"Better play wins: {_lower(sentence)} (at least {100 * _share_of(one.low):.0f})."
    elif one.high < 0:
        yield f"Looking further ahead does not help: {_lower(sentence)}."
    else:
        yield (
            f"Whether better play wins is not sure: {_lower(sentence)}, and an equal share is possible. "
            f"{100 * _share_of(one.high - one.value):.0f} of 100 would have been seen."
        )


def _lower(text: str) -> str:
    return text[0].lower() + text[1:]


def _share_of(elo: float) -> float:
    """The share of games that a difference of ratings means."""
    return float(1 / (1 + 10 ** (-elo / 400)))


def _luck(found: Gathered, estimates: Mapping[str, lab.experiments.Estimate]) -> Iterator[str]:
    one = estimates.get("luck")
    if one is None:
        return
    by_lot = found.plan.luck_seats == ("random",) != found.plan.seats
    among = ", among players who answer by lot" if by_lot else ""
    share = f"{100 * one.value:.0f} % of the differences between results come from chance, the rest from the answers"
    share += among
    if one.value == 0:
        yield "There is no luck of dice or cards: only the answers of players decide."
    elif one.low is None or one.high is None:
        yield f"{share}; so few games say little of that."
    else:
        kind = (
            "Luck decides most"
            if one.low > _LUCKY
            else "Luck decides little"
            if one.high < _SKILFUL
            else "Both luck and answers decide"
        )
        ends = f"{100 * one.low:.0f} and {100 * one.high:.0f} %"
        yield f"{kind}: {share}. That is an estimate from these games; the true share is hardly outside of {ends}."


def _methods(found: Gathered) -> list[str]:
    plan = found.plan
    lines = [
        "Luck: each game is played twice more, once with the same chance and other answers, once with the same answers "
        "and other chance; the shares of the variance of results that each explains are Sobol' indices, and what only "
        "both explain is halved (Shapley)."
    ]
    if plan.contest[0]:
        lines.insert(
            0,
            f"Skill: {plural(plan.rounds, 'round')} of a contest in which a stronger and a middle computer player have "
            "every seat once with equal chance; from their ratings (Bradley and Terry) follows the share that the "
            "stronger one wins.",
        )
    return lines


def growth(found: Gathered) -> Html:
    """Curves of what players have over a game: the later winner beside the others."""
    replays = found.replays[0] if found.replays else []
    ended = [one for one in replays if one.played.finished and 1 in one.played.places]
    curves = [curve for name in _varying(ended) if (curve := _curve(found, ended, name)) is not None]
    if not curves:
        return Html("")
    shown = sorted(curves, key=lambda one: -one[0])[:CURVES]
    both = found.game.players > 1
    line = f"What players have in the course of {plural(len(ended), 'game')}, on average" + (
        ": who will win, and the others." if both else "."
    )
    return section("What grows, and when", paragraphs([line]), row(*(one[1] for one in shown)))


def _varying(replays: list[Replay]) -> list[str]:
    names = dict.fromkeys(name for one in replays for name in one.resources)
    return [
        name for name in names
        if all(name in one.resources for one in replays)
        and len({row for one in replays for row in one.resources[name]}) > 2
    ]  # fmt: skip


def _curve(found: Gathered, replays: list[Replay], name: str) -> tuple[float, Html] | None:
    """A picture, and how far it parts winners from others."""
    groups: dict[str, list[list[float]]] = {}
    for one in replays:
        first = [seat for seat, place in enumerate(one.played.places) if place == 1]
        others = [seat for seat in range(found.game.players) if seat not in first]
        for who, seats in (("winner", first), ("others", others)):
            if seats:
                series = [sum(row[seat] for seat in seats) / len(seats) for row in one.resources[name]]
                groups.setdefault(who, []).append(series)
    points = {
        who: [mean_of([series[look] for series in games]) for look in range(LOOKS)] for who, games in groups.items()
    }
    lines = {
        who: [(100 * look / (LOOKS - 1), mean) for look, (mean, _) in enumerate(row)] for who, row in points.items()
    }
    title = title_of(found.game, name)
    rows = [
        (who, [[f"{100 * look / (LOOKS - 1):.0f} %", f"{mean:.1f}", f"± {half:.1f}"] for look, (mean, half) in
               enumerate(row) if look % 4 == 0 or look == LOOKS - 1])
        for who, row in points.items()
    ]  # fmt: skip
    numbers = grouped_table(("", "Of the game", "Mean", "95 %"), rows, f"{title}: means over games")
    spread = max((mean for row in points.values() for mean, _ in row), default=0.0) - min(
        (mean for row in points.values() for mean, _ in row), default=0.0
    )
    if not spread:
        return None
    ends = [row[-1][0] for row in points.values()]
    apart = abs(ends[0] - ends[-1]) / spread
    drawn = charts.curves(lines, title, step="percent of the game")
    return apart, figure(drawn, title, f"{title} over the game", numbers)


def title_of(game: rw.Game, name: str) -> str:
    """The name of what players have."""
    kind, colon, zone = name.partition(": ")
    names = PeopleNames(game)
    return f"pieces in {names.word(zone)}" if colon and kind == "pieces" else names.word(name)


def mean_of(values: list[float]) -> tuple[float, float]:
    """A mean, and half the width of its interval."""
    from statistics import fmean

    sums = lab.experiments.Sums()
    sums.add(_whole(values))
    point = sums.point()
    half = 0.0 if point.high is None else (point.high - point.mean) / SCALE
    return fmean(values), half


SCALE = 1000
"""Values are counted in thousandths, so that sums are exact."""


def _whole(values: list[float]) -> Any:
    import numpy as np

    return np.round(np.array(values) * SCALE)


def board(found: Gathered) -> Html:
    """The board with the share of games in which each place is used."""
    replays = found.replays[0] if found.replays else []
    use = use_of(found.game, (one.played for one in replays))
    if use is None or not use.shares:
        return Html("")
    never = [
        sum(1 for share in shares.values() if not share) for kind, shares in use.shares.items() if kind == "stands"
    ]
    lines = []
    if never:
        lines.append(
            f"{plural(never[0], 'place')} held nothing at the end of any of {plural(use.games, 'game')}."
            if never[0]
            else f"Every place held something at the end of some of {plural(use.games, 'game')}."
        )
    return section("What of the board is used", paragraphs(lines), Boards().part(None, found.game, use))
