"""``rulewright report``: what a game is like, as a page for those who do not know this tool."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools import arguments as arg
from rulewright_tools.console import Exit, Format, print_json, print_note, write_page
from rulewright_tools.crews import crew
from rulewright_tools.error_boundary import guarded
from rulewright_tools.extras import require, require_pictures
from rulewright_tools.limit_options import Time
from rulewright_tools.outputs import by_ending
from rulewright_tools.progress import working
from rulewright_tools.session.seat_policies import split
from rulewright_tools.vocabulary import named

TIME = 120.0
"""Seconds for the whole report, unless others are given."""

PAIRS = 12
"""Pairs of games from which curves are drawn, where nothing else is wanted."""


@guarded
def report(
    context: typer.Context,
    ruleset: arg.Ruleset,
    against: arg.Against = None,
    output: arg.Output = None,
    games: arg.GamesWanted = None,
    time: Time = TIME,
    seed: arg.Seed = 0,
    players: arg.Players = None,
    seats: arg.Seats = None,
    variant: arg.Variants = None,
    option: arg.Options = None,
    jobs: arg.Jobs = "1",
    format: Annotated[Format, named("--format")] = Format.TEXT,
) -> Exit:
    """Report what a game is like, as one page that needs nothing else: to send to a publisher.

    How the game looks, how long it takes, who wins from where, how often the lead changes, how much skill and luck
    decide, what is never used. Computer players play it, or those of --seats. Equal seeds give equal pages, unless
    --time ends the games.

    --against sets another version beside it: a title or file of variants, `:goal=9`, another ruleset. As many games of
    each are played as soon are, or --games; --time writes what is known by then. The page is report.html, or --output.

    Examples:

      rulewright report tic-tac-toe --games 20
      rulewright report connect-four --against ":rows=5" --time 5
      rulewright report breakthrough --option size=5 --games 20 --output small.html
    """
    require("scipy.stats")
    require("choix")
    require_pictures()
    page_file = by_ending(output or [Path("report.html")], ".html")[".html"]
    from rulewright_tools.reports.game_report.game_page import game_page
    from rulewright_tools.reports.game_report.gathering import gather, without_seats
    from rulewright_tools.reports.game_report.paired_curves import paired_curves
    from rulewright_tools.reports.game_report.plan import Clock, planned, standing_of
    from rulewright_tools.reports.html.repeating import command_line

    words, clock = split(seats), Clock(time)
    with crew(jobs) as workers, working("loading") as shown:
        base = arg.load(ruleset, players, variant, option)
        arms = [lab.experiments.Arm(ruleset, base, words, options=arg.options_of(option))]
        if against is not None:
            arms.append(_other(base, ruleset, against, variant, option))
        if format is Format.JSON:
            shown.at("pairs of games", games or PAIRS)
            curves = paired_curves(arms, seed, games or PAIRS, lambda data: shown.found(lambda: data))
            print_json(curves)
            return Exit.FINE
        shown.describe("looking for who can play it")
        standing = standing_of(base, seed, clock)
        plan = planned(base, seed, standing, clock, words, games)
        each = tuple(without_seats(arm, plan.seats) for arm in arms)
        found = gather(each, plan, seed, standing, workers, shown, clock)
        shown.describe("drawing")
        page = game_page(found, command_line(context))
    write_page(page_file, page)
    for line in found.missing:
        print_note(line)
    return Exit.INTERRUPTED if found.interrupted else Exit.FINE


def _other(
    base: rw.Game, ruleset: str, against: str, variants: list[str] | None, options: list[str] | None
) -> lab.experiments.Arm:
    """The version beside the game: with its variants, options and players, but for what is different."""
    text = f":{against}" if against in rw.playing.setup_choices(base.ruleset).variants else against
    chosen: tuple[tuple[str, ...], dict[str, rw.playing.OptionValue]] | None = (
        (tuple(variants), {}) if variants and text.startswith(":") else None
    )
    texts = (ruleset, text)
    return lab.experiments.read_arms(texts, base.players, arg.options_of(options), (), chosen=chosen)[-1]
