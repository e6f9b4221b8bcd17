"""``rulewright simulate``: many games, at random or with preference, and what they say about the rules."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Annotated

import typer
from rich import box
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

import rulewright as rw
from rulewright_tools import arguments as arg
from rulewright_tools.console import CommandError, Exit, Format, err, out, plural, print_json, say
from rulewright_tools.error_boundary import guarded
from rulewright_tools.limit_options import limited
from rulewright_tools.reports.statistics import Leak, Statistics
from rulewright_tools.session.random_picks import Lengths, wilson
from rulewright_tools.session.seat_policies import Look, Noise, Policies, policies_of, split

BATCH = 10
"""Games that are played between two looks at the keyboard."""
LOOKED_AT = 16
"""Decisions of a game at which it is tried whether they tell a secret."""
DEALS = 4
"""So often what is hidden is dealt anew then."""


@dataclass(frozen=True, slots=True)
class Task:
    """What a process needs to know to play some of the games; hashable, so that it loads the game once."""

    ruleset: str
    players: int | None
    variants: tuple[str, ...]
    options: tuple[tuple[str, str], ...]
    check_invariants: bool
    most: int
    policies: tuple[str, ...] = ()
    look: int = 8
    noise: int = 10
    check_views: bool = False

    def load(self) -> tuple[rw.Game, tuple[rw.Policy, ...]]:
        """The game and how its seats decide: one policy for all or one for each."""
        game = rw.load(self.ruleset, players=self.players, variants=self.variants, options=dict(self.options))
        return game, policies_of(game, self.policies, self.look, self.noise)


@lru_cache(maxsize=1)
def _loaded(task: Task) -> tuple[rw.Game, tuple[rw.Policy, ...]]:
    return task.load()


def play_elsewhere(task: Task, seeds: range) -> Statistics | tuple[rw.Diagnostic, ...]:
    """In another process: play the games of these seeds. What is wrong with the rules comes back as data."""
    try:
        return play_batch(*_loaded(task), task, seeds)
    except rw.RulesetError as error:
        return error.diagnostics


def play_batch(game: rw.Game, policies: tuple[rw.Policy, ...], task: Task, seeds: range) -> Statistics:
    """Play the games of these seeds."""
    tally = Statistics()
    for seed in seeds:
        play_one(game, policies, seed, tally, task)
    return tally


def play_one(game: rw.Game, policies: tuple[rw.Policy, ...], seed: int, tally: Statistics, task: Task) -> None:
    """One game: chance and picks both come from its seed, so that it can be played again."""
    fired = game.new_fired()
    played = game.playout(
        seed, fired=fired, most=task.most, policies=policies, check=task.check_invariants, keep=task.check_views
    )
    used = [name for name, times in zip(game.rule_names, fired, strict=True) if times]
    for broken in played.broken:
        tally.note_broken(broken, seed)
    for choice, leak in leaks(game, seed, played.answers) if task.check_views else ():
        tally.note_leak(choice, leak)
    result = played.state.result
    if result is None:
        tally.add_unfinished(seed, used)
    else:
        tally.add(result, played.decisions, used)


def leaks(game: rw.Game, seed: int, answers: tuple[int, ...]) -> Iterator[tuple[str, Leak]]:
    """Play a game again and look at some decisions: the choices that tell a secret, and what they tell."""
    watched = set(rw.Dice(seed, "decisions that are looked at").some(len(answers), LOOKED_AT))
    state = game.start(seed)
    for number, answer in enumerate(answers):
        decision = state.decision
        if number in watched and decision is not None and decision.seat is not None:
            for deal in range(DEALS):
                found = game.leaks(state, decision.seat, deal)
                for what in found:
                    yield decision.name, Leak(seed, number + 1, what)
                if found:
                    break
        if number == max(watched):
            break
        state = state.choose(answer)


def batches(seed: int, games: int) -> list[range]:
    """The seeds of the games, in portions. Game number i has seed ``seed + i``, whoever plays it."""
    return [range(start, min(start + BATCH, seed + games)) for start in range(seed, seed + games, BATCH)]


def run(
    game: rw.Game, policies: tuple[rw.Policy, ...], task: Task, seed: int, games: int, jobs: int
) -> Generator[Statistics, None, None]:
    """Play all games; gives a tally for each portion, in any order."""
    portions = batches(seed, games)
    if jobs == 1 or len(portions) == 1:
        for portion in portions:
            yield play_batch(game, policies, task, portion)
        return
    left = iter(portions)
    jobs = min(jobs, len(portions))
    try:
        with rw.workers(jobs) as pool:
            running: set[Future[Statistics | tuple[rw.Diagnostic, ...]]] = set()
            while True:
                # A few portions wait in front of the processes, so that none is ever idle; not all of them, for Ctrl-C.
                more = islice(left, 2 * jobs - len(running))
                running |= {pool.submit(play_elsewhere, task, portion) for portion in more}
                if not running:
                    return
                done, running = wait(running, return_when=FIRST_COMPLETED)
                for future in done:
                    found = future.result()
                    if isinstance(found, tuple):
                        raise rw.RulesetError(found)
                    yield found
    except BrokenProcessPool as error:
        raise CommandError("a process that played games was killed (out of memory?); try fewer --jobs") from error


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
        bool, typer.Option("--check-invariants", help="Look at every invariant and property at every decision.")
    ] = False,
    check_views: Annotated[
        bool,
        typer.Option(
            "--check-views",
            help=f"At {LOOKED_AT} decisions of each game deal anew what the asked player does not see: what they "
            "are offered must not change.",
        ),
    ] = False,
    policy: Policies = None,
    look: Look = 8,
    noise: Noise = 10,
    most: Annotated[
        int, typer.Option("--most", min=1, metavar="N", help="Stop a game that is not over after N decisions.")
    ] = 20_000,
    timing: Annotated[bool, typer.Option("--timing", help="Put the speed into the JSON report, too.")] = False,
    format: Annotated[Format, typer.Option("--format", help="How to report.")] = Format.TEXT,
) -> Exit:
    """Play many games and report who wins, how long they take, and which rules were never used.

    All answers are random, unless a policy says otherwise: "greedy:score" tries some options, one answer ahead, and
    takes one after which the query or value "score" of the rules is highest for the player; "lead:score" compares with
    the best other player. A policy knows no more than the player does.

    The figures are the same for any number of jobs.

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
    task = Task(ruleset, players, variants, settings, check_invariants, most, words, look, noise, check_views)
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


def show(report: dict[str, object], tally: Statistics, timing: dict[str, object], most: int) -> None:
    """The report for a person."""
    console = out()
    lengths = Lengths.of(tally.lengths)
    console.print(f"{plural(tally.games, 'game')}, seed {report['seed']}")
    if tally.games:
        console.print(_wins(tally, report))
        console.print(
            f"decisions a game: mean {float(lengths.mean):.1f}, median {lengths.median}, "
            f"8 of 10 games {lengths.low} to {lengths.high}, all {lengths.least} to {lengths.most}",
        )
        endings = ", ".join(f"{rule or 'no rule'} {times}" for rule, times in tally.endings.most_common())
        console.print(f"ended by: {endings}")
    never = report["never_fired"]
    if isinstance(never, list) and tally.games:
        console.print(f"rules that never fired: {', '.join(never) or 'none'}")
    if tally.unfinished:
        games = plural(tally.unfinished, "game")
        console.print(f"not over after {most} decisions: {games} (the first has seed {tally.endless})")
    for invariant, seed in sorted(tally.broken.items()):
        console.print(f"broken invariant: {invariant} (first in the game of seed {seed})")
    for leak in sorted(tally.leaks.values()):
        console.print(f"secret told: {leak.what} (game of seed {leak.seed}, decision {leak.decision})")
    console.print(
        f"{timing['decisions_per_second']} decisions a second, "
        f"{timing['seconds']} s with {plural(int(str(timing['jobs'])), 'job')}",
    )


def _wins(tally: Statistics, report: dict[str, object]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("winner")
    for title in ("games", "share", "95 % interval"):
        table.add_column(title, justify="right")
    seats = report["seats"]
    assert isinstance(seats, list)
    for row in seats:
        low, high = row["interval"]
        table.add_row(row["seat"], str(row["wins"]), f"{row['share']:.1%}", f"{low:.1%} to {high:.1%}")
    shared = [(who, times) for who, times in tally.winners.items() if len(who) > 1]
    shared.sort(key=lambda item: (-item[1], item[0]))
    for who, times in shared:
        low, high = wilson(times, tally.games)
        name = "all (draw)" if len(who) == len(seats) else "together: " + ", ".join(who)
        table.add_row(name, str(times), f"{times / tally.games:.1%}", f"{low:.1%} to {high:.1%}", style="dim")
    return table
