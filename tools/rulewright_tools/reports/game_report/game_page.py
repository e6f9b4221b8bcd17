"""The report of a game as a page: one file that a publisher reads from above to below."""

from __future__ import annotations

from rulewright_tools.console import plural
from rulewright_tools.reports.game_report import game_parts
from rulewright_tools.reports.game_report.gathering import Gathered
from rulewright_tools.reports.html.page import page
from rulewright_tools.reports.html.parts import folded, paragraphs, section
from rulewright_tools.reports.html.repeating import repeating
from rulewright_tools.reports.names_for_people import arm_name


def game_page(found: Gathered, command: str) -> str:
    """The whole page."""
    game = found.game
    variants = ", ".join(game.variants)
    lead = ", ".join(filter(None, (variants, plural(game.players, "player"), game_parts.minutes_in_words(found))))
    seeds = f"{found.seed} to {found.seed + max(0, found.first.played - 1)}"
    body = (
        paragraphs(found.missing, class_="answer") if found.missing else "",
        game_parts.what_it_is(found),
        game_parts.length(found),
        game_parts.who_wins(found),
        section(
            "Behind this page",
            folded("How to repeat it", repeating(command, [(arm_name(arm), arm.game) for arm in found.arms], seeds)),
        ),
    )
    return page(f"{game.title}: a report", body, game.title, lead)
