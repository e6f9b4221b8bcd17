"""``rulewright simulate``: many games, at random or with preference, and what they say about the rules."""

from __future__ import annotations

import time
from contextlib import closing
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from rulewright_tools import arguments as arg
from rulewright_tools.console import Exit, Format, err, plural, print_json, say
from rulewright_tools.error_boundary import guarded
from rulewright_tools.limit_options import limited
from rulewright_tools.reports.simulation_text import show
from rulewright_tools.session.game_batches import LOOKED_AT, Task, run
from rulewright_tools.session.seat_policies import Look, Noise, Policies, split
from rulewright_tools.session.statistics import Statistics


@guarded
@limited
def simulate(
    ruleset: arg.Ruleset,
    games: Annotated[int, typer.Option("--games", "-g", min=1, help="How many games.")] = 1000,
    players: arg.Players = None,
    seed: Annotated[int, typer.Option("--seed", "-s", help="Seed of the first game; the next has one more.")] = 0,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=1, help="Processes that play at the same time.")] = 1,
    variant: arg.Variants = None,
    option: arg.Options = None,
    check_invariants: Annotated[
        bool, typer.Option("--check-invariants", help="Check every invariant and property at every decision.")
    ] = False,
    check_views: Annotated[
        bool,
        typer.Option(
            "--check-views",
            help=f"At {LOOKED_AT} decisions of each game, re-deal what the asked player does not see: their options "
            "must not change.",
        ),
    ] = False,
    policy: Policies = None,
    look: Look = 8,
    noise: Noise = 10,
    most: Annotated[
        int, typer.Option("--most", min=1, metavar="N", help="Stop a game that is not over after N decisions.")
    ] = 20_000,
    engine: arg.Engine = arg.EngineChoice.AUTO,
    timing: Annotated[bool, typer.Option("--timing", help="Put the speed into the JSON report, too.")] = False,
    format: Annotated[Format, typer.Option("--format", help="How to report.")] = Format.TEXT,
) -> Exit:
    """Play many games and report who wins, how long they take, and which rules were never used.

    All answers are random, unless a policy says otherwise: "greedy:score" tries some options, one answer ahead, and
    takes one after which the query or value "score" of the rules is highest for the player; "lead:score" compares with
    the best other player. A policy knows no more than the player does.

    The figures are the same for any number of jobs, and with every engine.

    With --check-views a choice is reported whose options, or reasons against others, depend on what the player who is
    asked does not see; only some decisions of each game are tried, with a few deals each.

    A random game can be looked at again with "rulewright play RULESET --auto --seed S".

    Examples:

      rulewright simulate rulesets/breakthrough --option size=6 --jobs 4

      rulewright simulate rulesets/connect-four --games 200 --format json

      rulewright simulate rulesets/my-game --games 50 --policy random,greedy:score

      rulewright simulate rulesets/my-game --games 20 --check-views
    """
    settings = tuple(sorted(arg.options_of(option).items()))
    words = split(policy)
    variants = tuple(variant or ())
    task = Task(
        ruleset, players, variants, settings, check_invariants, most, words, look, noise, check_views, engine.value
    )
    game, policies = task.load()
    tally = Statistics()
    begun = time.perf_counter()
    interrupted = False
    if not err().is_terminal:
        say(f"{game.title}, {plural(len(game.seats), 'player')}: {plural(games, 'game')}")
    with Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=err(),
        transient=True,
    ) as progress:
        bar = progress.add_task(f"{game.title}, {plural(len(game.seats), 'player')}", total=games)
        try:
            with closing(run(game, policies, task, seed, games, jobs)) as parts:
                for part in parts:
                    tally.join(part)
                    progress.update(bar, completed=tally.games + tally.unfinished)
        except KeyboardInterrupt:
            interrupted = True
    seconds = time.perf_counter() - begun
    report: dict[str, object] = {
        "ruleset": game.name,
        "players": len(game.seats),
        "variants": list(task.variants),
        "options": dict(settings),
        "policies": list(words),
        "seed": seed,
        "complete": not interrupted,
        **tally.report(game.seats, list(game.rule_names)),
    }
    if interrupted:
        say(f"stopped after {plural(tally.games, 'game')} of {games}; these are the figures so far")
    if format is Format.JSON:
        if timing:
            report["timing"] = _timing(tally, seconds, jobs)
        print_json(report)
    else:
        show(report, tally, _timing(tally, seconds, jobs), most)
    if interrupted:
        return Exit.INTERRUPTED
    return Exit.FINDINGS if tally.broken or tally.leaks or tally.unfinished else Exit.FINE


def _timing(tally: Statistics, seconds: float, jobs: int) -> dict[str, object]:
    decisions = sum(length * times for length, times in tally.lengths.items())
    rate = decisions / seconds if seconds else 0.0
    return {"seconds": round(seconds, 3), "jobs": jobs, "decisions_per_second": round(rate)}
