"""The search for an aim as a page: what was found and how sure it is, the measure over each parameter, all settings."""

from __future__ import annotations

from collections.abc import Iterator

import rulewright_lab as lab
from rulewright_tools.console import plural
from rulewright_tools.reports import balance_text
from rulewright_tools.reports.experiment_figures import figure as number_of
from rulewright_tools.reports.html import charts
from rulewright_tools.reports.html.page import page
from rulewright_tools.reports.html.parts import Html, element, figure, folded, paragraphs, row, section, table
from rulewright_tools.reports.html.repeating import repeating
from rulewright_tools.reports.html.rule_differences import rule_differences

FIRST = 12
"""Settings that are shown at once; the others are folded."""


def aim_page(found: lab.experiments.Aimed, command: str) -> str:
    """The page of a search that was played."""
    game, best = found.arm.game, found.best.arm.game
    head = ", ".join((game.title, *game.variants, plural(game.players, "player")))
    seats = ", ".join(dict.fromkeys(found.arm.seats))
    lead = f"{head}; seats {seats}. {balance_text.tried(found)}, {plural(found.games, 'game')}"
    first, fresh = found.search_seed, found.confirmed.seed
    seeds = f"{first} to {fresh - 1} in the search, {fresh} to {2 * fresh - first - 1} to confirm what was found"
    stopped = () if found.complete else ("Interrupted: this is what was found so far.",)
    body = (
        paragraphs((*stopped, *balance_text.sentences(found)), class_="answer"),
        section("What was searched", _space(found), paragraphs(_method(found)), paragraphs(_left_out(found))),
        section(f"{found.aim.measure} by parameter", _read(found), *_pictures(found)),
        section("The settings", *_settings(found)),
        section(
            "It as a variant",
            element("pre", element("code", found.variant)),
            section("What the rules say otherwise", rule_differences(game, best), level=3),
        ),
        section("How to repeat it", repeating(command, [("the game", game), ("the variant", best)], seeds)),
    )
    return page(f"{game.title}: {balance_text.aim_of(found)}?", body, lead=lead)


def _space(found: lab.experiments.Aimed) -> Html:
    now = found.arm.game.parameters
    rows = [
        (element("code", name), ", ".join(map(_word, values)), now.get(name, ""), _word(found.best.setting[name]))
        for name, values in found.swept.items()
    ]
    head = ("Parameter", "Values that were possible", "In the rules", "Found")
    return table(head, rows, "The parameters, and their values", words=len(head))


def _method(found: lab.experiments.Aimed) -> Iterator[str]:
    if found.method == "all":
        yield "Every setting with which the rules load was played." if found.unloadable else "Every setting was played."
    else:
        yield (
            "The settings were drawn, each after what those before had shown "
            "(tree-structured Parzen estimator, Bergstra and others 2011)."
        )
    yield (
        "All have equal seeds. The better half went on with twice as many games, until three were left (successive "
        "halving, Jamieson and Talwalkar 2016). As the nearest of many is partly the luckiest, the answer has the "
        "figures of games with other seeds."
    )


def _left_out(found: lab.experiments.Aimed) -> Iterator[str]:
    for line in (*balance_text.silent(found), *balance_text.unloadable(found.unloadable)):
        yield f"{line}."


def _read(found: lab.experiments.Aimed) -> Html:
    return element(
        "p",
        f"Each circle is a setting, the larger the more games it has; the diamond is the one that was found, and the "
        f"dashed line is the aim, {number_of(found.aim.value, found.unit)}.",
    )


def _pictures(found: lab.experiments.Aimed) -> Iterator[Html]:
    """The measure over the values of each parameter."""
    known = [(one, one.mean) for one in found.tried if one.mean is not None]
    most = max((one.games for one, _ in known), default=1)
    pictures = []
    for name, values in found.swept.items():
        numbers = all(isinstance(one, int) and not isinstance(one, bool) for one in values)
        dots = [
            charts.Dot(
                float(one.setting[name]) if numbers else _word(one.setting[name]),
                mean,
                max(0.15, one.games / most),
                one is found.best,
            )
            for one, mean in reversed(known)
        ]
        if dots:
            axis = [float(one) if numbers else _word(one) for one in values]
            drawn = charts.scatter(dots, axis, name, found.aim.measure, found.unit == "share", found.aim.value)
            label = f"{found.aim.measure} of all settings by {name}"
            pictures.append(figure(drawn, f"{found.aim.measure} by {name}", label))
    if pictures:
        yield row(*pictures)


def _settings(found: lab.experiments.Aimed) -> Iterator[Html]:
    rows = [
        [*(_word(one.setting[name]) for name in found.swept), one.games, one.silent, _mean(found, one.mean)]
        for one in found.tried
    ]
    head = (*found.swept, "Games", "Say nothing", found.aim.measure)
    yield table(head, rows[:FIRST], "The nearest settings of those with most games, the nearest first")
    if rows[FIRST:]:
        rest = table(head, rows[FIRST:], "The other settings")
        yield folded(f"{plural(len(rows) - FIRST, 'more setting')}", rest)


def _mean(found: lab.experiments.Aimed, mean: float | None) -> str:
    return "" if mean is None else number_of(mean, found.unit)


def _word(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
