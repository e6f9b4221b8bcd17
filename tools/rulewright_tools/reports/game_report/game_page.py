"""The report of a game as a page: one file that a publisher reads from above to below."""

from __future__ import annotations

from rulewright_tools.console import plural
from rulewright_tools.reports.game_report import choice_parts, course_parts, game_parts
from rulewright_tools.reports.game_report.against import side_by_side
from rulewright_tools.reports.game_report.gathering import Gathered, drawn
from rulewright_tools.reports.game_report.nearest import nearest_games
from rulewright_tools.reports.game_report.story import sample_game
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
    first = found.replays[0] if found.replays else []
    story = drawn(found, "a game in sentences", lambda: sample_game(game, first, found.standing))
    board = drawn(found, "the map of the board", lambda: course_parts.board(found))
    body = (
        game_parts.who_played(found),
        paragraphs(found.missing, class_="answer") if found.missing else "",
        side_by_side(found),
        game_parts.what_it_is(found),
        story,
        game_parts.length(found),
        game_parts.who_wins(found),
        course_parts.lead(found),
        course_parts.skill_and_luck(found),
        choice_parts.choices(found),
        choice_parts.never_used(found),
        choice_parts.paying(found),
        course_parts.growth(found),
        board,
        nearest_games(found),
        section(
            "Behind this page",
            folded("How to repeat it", repeating(command, [(arm_name(arm), arm.game) for arm in found.arms], seeds)),
        ),
    )
    return page(f"{game.title}: a report", body, game.title, lead)
