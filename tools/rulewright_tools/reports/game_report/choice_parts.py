"""Parts of a report about choices: turns without one, answers that pay, what is never used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import rulewright_lab as lab
from rulewright_tools.console import plural
from rulewright_tools.reports.game_report.gathering import Gathered
from rulewright_tools.reports.html import charts
from rulewright_tools.reports.html.parts import Html, element, figure, folded, paragraphs, section, table
from rulewright_tools.reports.names_for_people import PeopleNames

OFTEN = 20
"""So often an answer must be offered before it matters that it was never taken."""
ROWS, SHOWN = 40, 14
"""Answers in the table at most, and intervals in the picture."""
NAMED = 12
"""Names in a sentence at most."""
MANY = 10
"""Games in which some have taken an answer more often than others, for its worth to be looked at."""


def choices(found: Gathered) -> Html:
    """The freedom of players, and all questions."""
    statistics = found.first.statistics
    dead, turns, forced = (statistics.get(name) for name in ("dead_turns", "turns", "forced"))
    lines = []
    if dead is not None and turns is not None:
        share = 100 * dead.mean
        lines.append(
            "Every turn has a choice." if not dead.mean else
            f"{share:.0f} of 100 turns have no choice at all: only one thing can be done."
            if share >= 1 else "Fewer than one of 100 turns has no choice at all."
        )  # fmt: skip
    options = statistics.get("options")
    if options is not None:
        lines.append(f"At a decision there are {options.mean:.1f} possible answers on average.")
    if forced is not None and forced.mean >= 0.01:
        lines.append(f"{100 * forced.mean:.0f} of 100 decisions have only one possible answer.")
    return section("Choices", paragraphs(lines), _questions(found))


def _questions(found: Gathered) -> Html:
    """Each question: how often it comes, and how one-sided the answers are."""
    names, games = PeopleNames(found.game), max(1, found.first.played)
    by_question: dict[str, list[lab.experiments.AnswerShare]] = {}
    for one in found.main.extra.answer_shares(0):
        by_question.setdefault(one.question, []).append(one)
    rows = []
    for question, answers in by_question.items():
        times, favourite = sum(one.taken for one in answers), max(answers, key=lambda one: (one.taken, one.option))
        offered_most = f"{names.key(favourite.option)} ({100 * favourite.share:.0f} %)"
        rows.append((times / games, [names.question(question), f"{times / games:.1f}", len(answers), offered_most]))
    if not rows:
        return Html("")
    ordered = [line for _, line in sorted(rows, key=lambda one: (-one[0], str(one[1][0])))]
    head = ("Question", "Times a game", "Different answers", "Taken most, when possible")
    caption = "The questions at which there was a choice, the most frequent first"
    return folded("All questions", table(head, ordered, caption))


def paying(found: Gathered) -> Html:
    """Answers, cards, buildings: how often each is taken, and whether that goes with winning."""
    if found.game.players < 2:
        return Html("")
    names, games = PeopleNames(found.game), max(1, found.first.played)
    judged = judged_answers(_of_things(found, found.main.extra.answer_shares(0)))
    if not judged:
        return Html("")
    certain = [one for one, sure in judged if sure]
    lines = [_sentence(names, one) for one in certain[:4]]
    if not lines:
        half = sorted((one.pays[3] - one.pays[2]) / 2 for one, _ in judged if one.pays)
        lines = [
            "Of no single answer is it sure that those who take it more often win more, or less. These games would "
            f"show it if they won about {100 * half[len(half) // 2]:.0f} of 100 games more than the others; smaller "
            "differences may be there unseen."
        ]
    rows = [
        [
            f"{names.question(one.question)} {names.key(one.option)}", f"{one.taken / games:.1f}",
            f"{100 * one.share:.0f} %", f"{100 * one.pays[1]:+.0f}", "sure" if sure else "not sure",
        ]
        for one, sure in judged[:ROWS] if one.pays
    ]  # fmt: skip
    shown = [one for one in judged if one[0].pays][:SHOWN]
    drawn = charts.forest(
        [
            charts.Interval(
                names.key(one.option), one.pays[1], one.pays[2], one.pays[3], f"{100 * one.pays[1]:+.0f}", sure
            )
            for one, sure in shown if one.pays
        ],
        "games won more, of those who take it more often", True,
    )  # fmt: skip
    caption = (
        "What goes with winning; a filled mark is no chance. It need not be the reason: who is ahead may afford more"
    )
    head = ("Answer", "Times a game", "When possible", "Games won more, of 100", "")
    whole = table(head, rows, "How often each answer is taken, and for whom it pays; the largest differences first")
    how = (
        "In each game those who have taken an answer more often than the mean of all who could are compared with those "
        "who have taken it less often: by how much they win more. Intervals are Student's t over games, "
        "and what is sure is so however many answers are looked at (Bonferroni)."
    )
    return section(
        "What is used, and for whom it pays",
        paragraphs(lines),
        figure(drawn, caption, "Answers that go with winning"),
        folded("All of them", whole),
        folded("How this is known", paragraphs([how])),
    )


def _of_things(found: Gathered, shares: Sequence[lab.experiments.AnswerShare]) -> list[lab.experiments.AnswerShare]:
    """Answers but those to questions about places: these are on the board's own map."""
    universes = found.game.model.universes.values()
    places = {key for universe in universes if universe.sort in _PLACES for key in universe.keys}
    options: dict[str, set[str]] = {}
    for one in shares:
        options.setdefault(one.question, set()).add(one.option)
    about = {question for question, keys in options.items() if len(keys & places) > max(WIDE, len(keys) // 2)}
    return [one for one in shares if one.question not in about]


_PLACES = frozenset({"place", "edge", "corner", "region"})
WIDE = 6
"""A question with more places than this among its answers is one about places."""


def judged_answers(
    shares: Sequence[lab.experiments.AnswerShare],
) -> list[tuple[lab.experiments.AnswerShare, bool]]:
    """The answers that some have taken more often than others, those first that part winners most, each with whether
    that is sure."""
    known = [one for one in shares if one.pays is not None and one.pays[0] >= MANY]
    return sorted(
        ((one, _is_sure(one, len(known))) for one in known),
        key=lambda one: (not one[1], -abs(one[0].pays[1]) if one[0].pays else 0.0, one[0].question, one[0].option),
    )


def _is_sure(one: lab.experiments.AnswerShare, among: int) -> bool:
    """True if 0 lies outside of the interval that is right for all of so many at once."""
    from scipy import stats

    if one.pays is None:
        return False
    games, mean, low, high = one.pays
    half = (high - low) / 2
    if not half:
        return bool(mean) and 2.0 ** (1 - games) * among < 0.05
    wider = stats.t.ppf(1 - 0.025 / max(1, among), games - 1) / stats.t.ppf(0.975, games - 1)
    return abs(mean) > half * float(wider)


def _sentence(names: PeopleNames, one: lab.experiments.AnswerShare) -> str:
    assert one.pays is not None
    more = "more" if one.pays[1] > 0 else "fewer"
    return (
        f"Who answers “{names.question(one.question)}” more often with {names.key(one.option)} wins "
        f"{100 * abs(one.pays[1]):.0f} of 100 games {more} than who does so less often. This is sure."
    )


def never_used(found: Gathered) -> Html:
    """Rules and answers that no game has used."""
    names, first = PeopleNames(found.game), found.first
    if not first.games["finished"]:
        return Html("")
    games = plural(first.played, "game")
    rules = [names.rule(name) for name in first.never_used]
    answers: dict[str, list[str]] = {}
    for one in _of_things(found, found.main.extra.answer_shares(0)):
        if not one.taken and one.offered >= OFTEN:
            answers.setdefault(names.question(one.question), []).append(names.key(one.option))
    lines = [
        f"Of the rules, {_listed(rules)} {'was' if len(rules) == 1 else 'were'} never used in {games}."
        if rules else f"Every rule was used in some of {games}."
    ]  # fmt: skip
    lines += [f"{question} Never chosen: {_listed(options)}." for question, options in answers.items()]
    if not answers:
        lines.append(f"Every answer that was possible {OFTEN} times or more was chosen at least once.")
    low = 100 * 3 / max(3, first.played)
    seldom = f"What happens in fewer than {low:.1f} of 100 games may be missed by so few games."
    return section("What is never used", paragraphs(lines), element("p", seldom, class_="soft"), _uses(found))


def _listed(names: Sequence[str]) -> str:
    shown = [f"“{name}”" for name in names[:NAMED]]
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return (", ".join(shown) if more or len(shown) < 2 else f"{', '.join(shown[:-1])} and {shown[-1]}") + more


def _uses(found: Gathered) -> Html:
    rows = list(_rule_rows(found))
    caption = "In how many of 100 games each rule was used, the least used first"
    return folded("All rules", table(("Rule", "Games of 100"), rows, caption)) if rows else Html("")


def _rule_rows(found: Gathered) -> Iterator[list[object]]:
    names, first = PeopleNames(found.game), found.first
    shares = {name: first.used[n] / max(1, first.played) for n, name in enumerate(found.game.rule_names)}
    idle = set(found.game.idle_rules)
    for name in sorted(shares, key=lambda name: (shares[name], name)):
        if name not in idle:
            yield [names.rule(name), f"{100 * shares[name]:.0f}"]
