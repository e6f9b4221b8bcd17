"""Parts of a report about the game itself: its picture in play, players and minutes, length, wins by seats."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools.console import plural
from rulewright_tools.render.drawing import svg
from rulewright_tools.reports.game_report.gathering import Gathered
from rulewright_tools.reports.html import charts
from rulewright_tools.reports.html.distributions import distribution
from rulewright_tools.reports.html.parts import Html, figure, folded, paragraphs, section, terms
from rulewright_tools.reports.names_for_people import PeopleNames, agent_name, arm_name

SECONDS = 4.0, 12.0
"""Seconds that people take for an answer if there is a choice, quick ones and slow ones."""
FORCED_SECONDS = 1.0
"""Seconds for one that is given anyway, such as drawing a card."""


def what_it_is(found: Gathered) -> Html:
    """The picture of a game in play, and its facts."""
    picture = in_play(found)
    caption = "In the middle of a game, as all players see it"
    shown = figure(picture, caption, caption, wide=True) if picture else Html("")
    return section("The game", terms(facts(found)), shown)


def in_play(found: Gathered) -> str:
    """The board in the middle of the first game that was gone through once more."""
    if not found.replays or not found.replays[0]:
        return ""
    game, played = found.game, found.replays[0][0].played
    for _, state in game.states(played.seed, [played.decisions // 2], played.answers):
        text = svg(game, state, rw.playing.PUBLIC)
        return charts.unique(text[text.index("<svg") :])
    return ""


def facts(found: Gathered) -> dict[str, object]:
    """Facts as they stand on a box, and the players of these games."""
    game, first = found.game, found.first
    counts = rw.playing.player_counts(game.ruleset) or (game.players,)
    facts: dict[str, object] = {
        "Players": _range(counts) + (f"; on this page {plural(game.players, 'player')}" if len(counts) > 1 else ""),
        "Time": minutes_in_words(found),
    }
    decisions = first.statistics.get("decisions")
    if decisions is not None:
        each = decisions.mean / game.players
        facts["Decisions"] = f"{decisions.mean:.0f} a game, {each:.0f} for each player"
    secrets = [
        "players know what others do not" if one.game.has_private_information else "all see everything that matters"
        for one in found.arms
    ]
    facts["Secrets"] = secrets[0]
    if secrets[0] != secrets[-1]:
        facts["Secrets"] = f"{secrets[0]}; in {arm_name(found.arms[-1])}: {secrets[-1]}"
    if game.ruleset.manifest.about:
        facts["Rules"] = game.ruleset.manifest.about
    facts["Games"] = plural(first.games["finished"], "whole game")
    return facts


def who_played(found: Gathered) -> Html:
    """A sentence on whose games these are: every figure hangs on that."""
    names = PeopleNames(found.game)
    each = ", or ".join(agent_name(word, names) for word in dict.fromkeys(found.arms[0].seats))
    line = f"All figures on this page are of games among computer players, each of which {each}. People play otherwise."
    return paragraphs([line], class_="answer")


def _range(counts: tuple[int, ...]) -> str:
    low, high = min(counts), max(counts)
    return f"{low}" if low == high else f"{low} to {high}" if len(counts) > high - low else ", ".join(map(str, counts))


def minutes(found: Gathered, arm: int = 0) -> tuple[float, float] | None:
    """The minutes that quick and slow people take for a game of usual length."""
    statistics = found.main.arms[arm].statistics
    decisions, forced = statistics.get("decisions"), statistics.get("forced")
    if decisions is None:
        return None
    given = decisions.mean * (forced.mean if forced is not None else 0.0)
    quick, slow = ((given * FORCED_SECONDS + (decisions.mean - given) * each) / 60 for each in SECONDS)
    return quick, slow


def minutes_in_words(found: Gathered, arm: int = 0) -> str:
    """As on a box: "about 30 to 60 minutes"."""
    known = minutes(found, arm)
    if known is None:
        return "not known: no game came to its end"
    quick, slow = (max(1, _five(one)) for one in known)
    return f"about {quick} minutes" if quick == slow else f"about {quick} to {slow} minutes"


def _five(number: float) -> int:
    return ceil(number) if number < 8 else 5 * round(number / 5)


def length(found: Gathered) -> Html:
    """Length of games."""
    first = found.first
    measure = "moves" if "moves" in first.statistics else "decisions"
    one = first.statistics.get(measure)
    if one is None:
        return section("How long a game is", paragraphs(["No game came to its end, so nothing is known of that."]))
    low, high = one.quantile(0.1), one.quantile(0.9)
    what = "turns" if measure == "moves" else "decisions"
    lines = [
        f"A game has {one.mean:.0f} {what}; eight of ten games have between {low:.0f} and {high:.0f}. "
        f"Around a table that is {minutes_in_words(found)}."
    ]
    if high > 2 * max(low, 1):
        lines.append("Games differ much in length: the long ones take more than twice as long as the short ones.")
    lines += [*few_long(one, what), *_not_over(first)]
    arms = {
        "" if len(found.arms) == 1 else arm_name(found.arms[n]): r.statistics[measure]
        for n, r in _having(found, measure)
    }
    drawn = distribution(f"{what} a game", first.units[measure], arms)
    how = (
        f"Minutes are estimated: {SECONDS[0]:.0f} to {SECONDS[1]:.0f} seconds for each answer with a choice, "
        f"{FORCED_SECONDS:.0f} second where only one answer is possible."
    )
    return section("How long a game is", paragraphs(lines), drawn, folded("How this is known", paragraphs([how])))


def few_long(one: lab.experiments.ColumnStatistics, what: str) -> Iterator[str]:
    """A sentence if few long games make the mean of a length."""
    half = one.quantile(0.5)
    if one.mean > _SKEWED * max(half, 1):
        yield f"A few long games make this mean: half of all have at most {half:.0f} {what}, one has {one.most:.0f}."


_SKEWED = 1.4
"""A mean that is so many times the median comes from few long games."""


def _having(found: Gathered, measure: str) -> Iterator[tuple[int, lab.experiments.ArmResults]]:
    for number, one in enumerate(found.main.arms):
        if measure in one.statistics:
            yield number, one


def _not_over(first: lab.experiments.ArmResults) -> Iterator[str]:
    if first.games["unfinished"]:
        yield f"{first.games['unfinished']} of {plural(first.played, 'game')} did not come to an end and were stopped."
    if first.games["failed"]:
        yield f"{first.games['failed']} of {plural(first.played, 'game')} ended in an error of the rules."


def who_wins(found: Gathered) -> Html:
    """Wins by seats."""
    game, first = found.game, found.first
    names = PeopleNames(game)
    if game.players < 2 or not first.games["finished"]:
        return Html("")
    fair = 1 / game.players
    rows, above, below = [], [], []
    for seat in range(game.players):
        one = first.statistics[f"wins(seat {seat + 1})"]
        low, high = lab.experiments.mean_interval(one, True)
        rows.append(
            charts.Interval(names.seat(seat), one.mean, low, high, f"{100 * one.mean:.0f} %", low > fair or high < fair)
        )
        if low > fair:
            above.append(f"{names.seat(seat)} wins {100 * one.mean:.0f} of 100 games")
        elif high < fair:
            below.append(f"{names.seat(seat)} wins only {100 * one.mean:.0f} of 100 games")
    equal = f"{100 * fair:.0f} would be an equal share"
    if above or below:
        answer = f"The seat matters: {' and '.join((above + below)[:3])}; {equal}. This is no chance."
    else:
        one = first.statistics["wins(seat 1)"]
        low, high = lab.experiments.mean_interval(one, True)
        seen = 100 * (fair + lab.experiments.detectable(low, high))
        answer = (
            f"It is not sure that any seat is better than another: {names.seat(0)} wins {100 * one.mean:.0f} of 100 "
            f"games, {equal}. "
            + (
                f"A seat that wins {seen:.0f} of 100 would have been seen."
                if seen < 100
                else "So few games cannot show it."
            )
        )
    lines = [answer]
    ties = first.statistics.get("ties")
    if ties is not None:
        lines.append(
            f"{100 * ties.mean:.0f} of 100 games have no single winner."
            if ties.mean >= 0.005
            else "Games end with a single winner."
        )
    drawn = charts.forest(rows, "share of games won", True, fair)
    caption = "How often each seat wins; the dashed line is an equal share. A filled mark is no chance"
    return section("Who wins from where", paragraphs(lines), figure(drawn, caption, "Shares of games won by each seat"))
