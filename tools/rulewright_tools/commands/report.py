"""``rulewright report``: what a game is like, as a page for those who do not know this tool."""

from __future__ import annotations

from pathlib import Path

import typer

import rulewright_lab as lab
from rulewright_tools import arguments as arg
from rulewright_tools.console import Exit, print_note, write_page
from rulewright_tools.crews import crew
from rulewright_tools.error_boundary import guarded
from rulewright_tools.extras import require, require_pictures
from rulewright_tools.limit_options import Time
from rulewright_tools.outputs import sorted_out
from rulewright_tools.progress import working
from rulewright_tools.session.seat_policies import split


@guarded
def report(
    context: typer.Context,
    ruleset: arg.Ruleset,
    against: arg.Against = None,
    output: arg.Output = None,
    games: arg.GamesWanted = None,
    time: Time = None,
    seed: arg.Seed = 0,
    players: arg.Players = None,
    seats: arg.Seats = None,
    variant: arg.Variants = None,
    option: arg.Options = None,
    jobs: arg.Jobs = "1",
) -> Exit:
    """Report what a game is like, as one page that needs nothing else: to send to a publisher.

    How the game looks, how long it takes, who wins from where, how often the lead changes, how much skill and luck
    decide, what is never used. Computer players play it, or those of --seats. Equal seeds give equal pages.

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
    page_file = sorted_out(output or [Path("report.html")], ".html")[".html"]
    from rulewright_tools.reports.game_report.game_page import game_page
    from rulewright_tools.reports.game_report.gathering import gather, without_seats
    from rulewright_tools.reports.game_report.plan import planned, standing_of
    from rulewright_tools.reports.html.repeating import command_line

    words = split(seats)
    with crew(jobs) as workers, working("loading") as shown:
        base = arg.load(ruleset, players, variant, option)
        arms = [lab.experiments.Arm(ruleset, base, words, options=arg.options_of(option))]
        if against is not None:
            arms += lab.experiments.read_arms((ruleset, against), players, arg.options_of(option), words)[1:]
        shown.describe("looking for who can play it")
        standing = standing_of(base, seed)
        plan = planned(base, seed, standing, words, games)
        each = tuple(without_seats(arm, plan.seats) for arm in arms)
        found = gather(each, plan, seed, standing, workers, shown, time)
        shown.describe("drawing")
        page = game_page(found, command_line(context))
    write_page(page_file, page)
    for line in found.missing:
        print_note(line)
    return Exit.INTERRUPTED if found.interrupted else Exit.FINE
