"""``rulewright report``: what a game is like, as a page for those who do not know this tool."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import rulewright_lab as lab
from rulewright_tools import arguments as arg
from rulewright_tools.console import Exit, print_note, will_write, write_page
from rulewright_tools.crews import JobsOption, crew
from rulewright_tools.error_boundary import guarded
from rulewright_tools.extras import require, require_pictures
from rulewright_tools.limit_options import limited
from rulewright_tools.progress import working
from rulewright_tools.session.seat_policies import Policies, split


@guarded
@limited
def report(
    context: typer.Context,
    ruleset: arg.Ruleset,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="VARIANT",
            help="Another version, side by side: a title or file of variants, `:goal=9`, another ruleset.",
        ),
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE.html", help="The page.")] = Path(
        "report.html"
    ),
    games: Annotated[
        int | None, typer.Option("--games", "-g", min=2, help="Games of each version; else as many as soon are played.")
    ] = None,
    time: Annotated[
        float | None,
        typer.Option("--time", "-t", min=1, metavar="SECONDS", help="Write what is known after so long."),
    ] = None,
    seed: arg.Seed = 0,
    players: arg.Players = None,
    seats: Policies = None,
    variant: arg.Variants = None,
    option: arg.Options = None,
    jobs: JobsOption = 1,
) -> Exit:
    """Report what a game is like, as one page that needs nothing else: to send to a publisher.

    Examples:

      rulewright report carolus-magnus --output report.html

      rulewright report my-game --against ":hill_bonus=3"

      rulewright report my-game --players 3 --games 100 --time 120

    How the game looks, how long it takes, who wins from where, how often the lead changes, how much skill and luck
    decide, what is never used. Computer players play it, or those of --seats. Equal seeds give equal pages.
    """
    require("scipy.stats")
    require("choix")
    require_pictures()
    will_write(output)
    from rulewright_tools.reports.game_report.game_page import game_page
    from rulewright_tools.reports.game_report.gathering import gather, without_seats
    from rulewright_tools.reports.game_report.plan import planned, standing_of
    from rulewright_tools.reports.html.repeating import command_line

    words = split(seats)
    with crew(jobs, None) as workers, working("loading") as shown:
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
    write_page(output, page)
    for line in found.missing:
        print_note(line)
    return Exit.INTERRUPTED if found.interrupted else Exit.FINE
