"""``rulewright simulate``: many games, at random or with preference, and what they say about the rules."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Annotated

import typer

import rulewright as rw
from rulewright_tools import arguments as arg
from rulewright_tools.console import Exit, Format, plural, print_json, print_note, print_text, will_write, write_page
from rulewright_tools.crews import ClusterOption, JobsOption, crew
from rulewright_tools.error_boundary import guarded
from rulewright_tools.extras import require_pictures
from rulewright_tools.limit_options import limited
from rulewright_tools.progress import Working, working
from rulewright_tools.reports import simulation_text
from rulewright_tools.session.game_batches import LOOKED_AT, Task, run
from rulewright_tools.session.seat_policies import Look, Noise, Policies, split
from rulewright_tools.session.statistics import Statistics
from rulewright_tools.session.suspicions import OFTEN, Kind, Series, Suspicion, of_series, unused

CHECKED = 50
"""Invariants and properties are looked at in so many games of each number of players, by default."""


@guarded
@limited
def simulate(
    context: typer.Context,
    ruleset: arg.Ruleset,
    games: Annotated[
        int, typer.Option("--games", "-g", min=1, help="How many games, of each number of players.")
    ] = 1000,
    players: Annotated[
        int | None, typer.Option("--players", "-n", help="Number of players; else every number in turn.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", "-s", help="Seed of the first game; the next has one more.")] = 0,
    jobs: JobsOption = 1,
    cluster: ClusterOption = None,
    variant: arg.Variants = None,
    option: arg.Options = None,
    check_invariants: Annotated[
        bool | None,
        typer.Option(
            "--check-invariants/--no-check-invariants",
            help="Check every invariant and property at every decision of all games, or of none; "
            f"by default of the first {CHECKED} games.",
            show_default=False,
        ),
    ] = None,
    check_views: Annotated[
        bool,
        typer.Option(
            "--check-views",
            help=f"At {LOOKED_AT} decisions of each game, re-deal what the player to decide does not see: their "
            "options must not change.",
        ),
    ] = False,
    policy: Policies = None,
    look: Look = 8,
    noise: Noise = 10,
    most: Annotated[
        int, typer.Option("--most", min=1, metavar="N", help="Stop a game that is not over after N decisions.")
    ] = 20_000,
    accept: Annotated[
        list[Kind] | None,
        typer.Option(
            "--accept", help="Kind of warnings that are meant to be so, and change no exit code; several are possible."
        ),
    ] = None,
    engine: arg.Engine = arg.EngineChoice.AUTO,
    passes: arg.Passes = "all",
    report: arg.Report = None,
    timing: Annotated[bool, typer.Option("--timing", help="Put the speed into the JSON report, too.")] = False,
    format: Annotated[Format, typer.Option("--format", help="How to report.")] = Format.TEXT,
) -> Exit:
    """Play many games and report who wins, how long they take, and which rules were never used.

    Games of every number of players are played, unless --players gives one. All answers are random, unless --seats
    gives agents: "greedy:score" tries some options, one answer ahead, and takes one after which the query or value
    "score" of the rules is highest for the player; "lead:score" compares with the best other player; "mcts:1000"
    searches with a thousand simulations for each decision, "mcts:50ms" for so long. No agent knows more than the player
    does: it decides alike in all positions that they cannot distinguish. Hidden numbers it draws each by itself; where
    they follow from each other this is reported, and is no more than a guess (see INF329).

    The figures are the same for any number of jobs, and with every engine.

    It warns if all games end by one rule though others could end them, if games had to be stopped, and of a variant if
    an end by which games of the base end never comes any more, or if a rule that it has brought was never of any use.
    Exit code 1: there is a warning that --accept does not name, or something is broken.

    With --check-views a choice is reported whose options, or reasons against others, depend on what the player who is
    to decide does not see; only some decisions of each game are tried, with a few deals each.

    A random game can be looked at again with "rulewright play RULESET --auto --seed S".

    Examples:

      rulewright simulate rulesets/breakthrough --option size=6 --jobs 4

      rulewright simulate quick-hands.rules --players 3

      rulewright simulate rulesets/connect-four --games 200 --format json

      rulewright simulate rulesets/my-game --games 50 --seats random,greedy:score,mcts:1000

      rulewright simulate rulesets/my-game --games 20 --check-views

      rulewright simulate rulesets/my-game --accept "one ending"
    """
    if report is not None:
        require_pictures()
    will_write(report)
    words = split(policy)
    checked = {None: min(games, CHECKED), True: games, False: 0}[check_invariants]
    plan = Task(
        ruleset,
        players,
        tuple(variant or ()),
        tuple(sorted(arg.options_of(option).items())),
        seed + checked,
        most,
        words,
        look,
        noise,
        check_views,
        engine.value,
        passes,
    )
    with crew(jobs, cluster) as workers, working("loading") as shown:
        simulation = Simulation(plan, seed, games, workers, format is Format.TEXT, frozenset(accept or ()))
        simulation.play_all(shown)
        if not simulation.interrupted:
            simulation.look_back(shown)
    speed = _speed(simulation)
    if format is Format.JSON:
        print_json(simulation.report(speed if timing else None))
    else:
        simulation_text.end(simulation.everywhere, speed)
    if report is not None and simulation.ended:
        from rulewright_tools.reports.html.repeating import command_line
        from rulewright_tools.reports.pages.simulation_page import simulation_page

        found = zip(simulation.played, simulation.suspicions, simulation.agents, strict=True)
        write_page(report, simulation_page(list(found), simulation.everywhere, seed, most, command_line(context)))
    if simulation.interrupted:
        print_note(f"stopped after {plural(simulation.ended, 'game')}; these are the figures so far")
        return Exit.INTERRUPTED
    return Exit.FINDINGS if simulation.found else Exit.FINE


class Simulation:
    """The games of all numbers of players that are meant, and what is suspicious about them."""

    def __init__(
        self,
        plan: Task,
        seed: int,
        games: int,
        jobs: rw.workers.Jobs,
        prints: bool,
        accepted: frozenset[Kind] = frozenset(),
    ) -> None:
        self.plan, self.seed, self.games, self.jobs, self.prints = plan, seed, games, jobs, prints
        self.accepted = accepted
        self.played: list[Series] = []
        self.suspicions: list[list[Suspicion]] = []
        """For each number of players."""
        self.agents: list[tuple[rw.playing.Agent, ...]] = []
        """Likewise: who has played."""
        self.everywhere: list[Suspicion] = []
        """Suspicions about all of them together."""
        self.interrupted = False
        self.seconds = 0.0

    def play_all(self, shown: Working) -> None:
        """Play all games; the figures are printed after those of each number of players."""
        for count in self._counts():
            task = replace(self.plan, players=count)
            game, policies = task.load()
            game.playouts(0)  # raises if the engine that is meant cannot play it
            series = Series(game, Statistics(), rw.counterparts.beneath(game, dict(task.options)))
            self.played.append(series)
            self.suspicions.append([])
            self.agents.append(policies)
            with shown.aside():
                head = simulation_text.head(game, self.plan.options, self.games, self.seed)
                if self.prints:
                    print_text(f"{head}\n")
                    sys.stdout.flush()
                else:
                    print_note(head)
            try:
                self._play(series, policies, task, shown)
                base_endings = partial(self._base_endings, series, task, shown)
                self.suspicions[-1] += self._judged(of_series(series, base_endings, self.plan.most))
                self._find_stories(series, task, shown)
            except KeyboardInterrupt:
                self.interrupted = True
            if self.prints:
                with shown.aside():
                    simulation_text.figures(self.one(-1), series, self.games, self.suspicions[-1])
            if self.interrupted:
                break

    def _counts(self) -> tuple[int | None, ...]:
        if self.plan.players is not None:
            return (self.plan.players,)
        ruleset, _ = rw.rulesets.with_variants(rw.open_ruleset(self.plan.ruleset), self.plan.variants)
        counts = rw.playing.player_counts(ruleset)
        seats = len(self.plan.policies)
        fitting = tuple(count for count in counts if seats in (0, 1, count))
        return fitting or counts[:1] or (None,)

    def _play(self, series: Series, policies: tuple[rw.playing.Agent, ...], task: Task, shown: Working) -> None:
        tally, guessed = series.tally, series.game.correlated_secrets if policies else ()
        if guessed:
            names = ", ".join(f"`{name}`" for name in guessed)
            print_note(f"the policies can only guess {names}, each value by itself (INF329)")
        shown.at(simulation_text.title(series.game, self.plan.options), self.games)
        begun = time.perf_counter()
        with closing(run(series.game, policies, task, self.seed, self.games, self.jobs)) as parts:
            for part in parts:
                tally.join(part)
                shown.reached(tally.games + tally.unfinished)
                self.seconds += time.perf_counter() - begun
                begun = time.perf_counter()

    def _find_stories(self, series: Series, task: Task, shown: Working) -> None:
        """Find short ways to the invariants and properties that are broken, and the changes that broke them."""
        for broken, seed in sorted(series.tally.broken.items()):
            name = broken.partition(" ")[0]
            if name not in series.stories:
                shown.at(f"looking for what breaks {name}")
                found = rw.fuzzing.story_of_seed(series.game, seed, name, dict(task.options), self.plan.most)
                if found is not None:
                    series.stories[name] = found

    def _base_endings(self, series: Series, task: Task, shown: Working, wanted: frozenset[str]) -> frozenset[str]:
        """The endings among the wanted ones by which random games of the base end often, of as many as were played."""
        base = series.base
        if base is None or not wanted:
            return frozenset()
        shown.at(f"{base.title} without what is new", self.games)
        plain = replace(task, ruleset=str(base.ruleset.folder), variants=(), policies=(), check_views=False)
        own = tuple(pair for pair in task.options if pair[0] in base.parameters)
        plain = replace(plain, checked=self.seed, options=own)
        seen: Counter[str] = Counter()
        done = 0
        with closing(run(base, (), plain, self.seed, self.games, self.jobs)) as parts:
            for part in parts:
                done += part.games + part.unfinished
                shown.reached(done)
                seen.update({rule: part.endings[rule] for rule in wanted.intersection(part.endings)})
                if all(seen[rule] >= OFTEN for rule in wanted):
                    break
        return frozenset(rule for rule in wanted if seen[rule] >= OFTEN)

    def look_back(self, shown: Working) -> None:
        """Look at what no game has used, now that all are played."""
        shown.at("looking for rules without use")
        self.everywhere = self._judged(unused(self.played, self.seed, self.plan.most))

    def _judged(self, found: Iterable[Suspicion]) -> list[Suspicion]:
        return [replace(one, accepted=one.kind in self.accepted) for one in found]

    @property
    def ended(self) -> int:
        """The number of games that were played, of all numbers of players."""
        return sum(one.tally.games + one.tally.unfinished for one in self.played)

    @property
    def found(self) -> bool:
        """True if anything is suspicious, and not accepted, or wrong."""
        wrong = any(one.tally.broken or one.tally.leaks for one in self.played)
        suspicions = chain(self.everywhere, *self.suspicions)
        return wrong or any(not one.accepted for one in suspicions)

    def one(self, number: int) -> dict[str, object]:
        """The report of one number of players as plain data."""
        game, tally = self.played[number].game, self.played[number].tally
        return {
            "ruleset": game.name,
            "title": game.title,
            "players": game.players,
            "variants": list(game.variants),
            "options": dict(self.plan.options),
            "policies": list(self.plan.policies),
            "seed": self.seed,
            "complete": not self.interrupted,
            **tally.report(game.seats, list(game.rule_names), game.idle_rules),
            "broken_invariants": [self._broken(self.played[number], one) for one in sorted(tally.broken)],
            "warnings": [one.data() for one in self.suspicions[number]],
        }

    def _broken(self, series: Series, broken: str) -> dict[str, object]:
        data: dict[str, object] = {"invariant": broken, "seed": series.tally.broken[broken]}
        story = series.stories.get(broken.partition(" ")[0])
        if story is not None and story.causes:
            data["causes"] = [cause.data() for cause in story.causes]
        if story is not None and story.scenario:
            data["scenario"] = story.scenario
        return data

    def report(self, speed: dict[str, object] | None) -> dict[str, object]:
        """The whole report as plain data: of one number of players, or of several."""
        reports = [self.one(number) for number in range(len(self.played))]
        everywhere = [one.data() for one in self.everywhere]
        timed = {} if speed is None else {"timing": speed}
        if len(reports) == 1:
            found = self.suspicions[0]
            return reports[0] | {"warnings": [*(one.data() for one in found), *everywhere]} | timed
        return {
            "ruleset": reports[0]["ruleset"] if reports else "",
            "title": reports[0]["title"] if reports else "",
            "seed": self.seed,
            "complete": not self.interrupted,
            "reports": reports,
            "warnings": everywhere,
            **timed,
        }


def _speed(simulation: Simulation) -> dict[str, object]:
    decisions, seconds = sum(one.tally.answered for one in simulation.played), simulation.seconds
    rate = decisions / seconds if seconds else 0.0
    return {
        "seconds": round(seconds, 3),
        "jobs": simulation.jobs if isinstance(simulation.jobs, int) else simulation.jobs.threads,
        "decisions_per_second": round(rate) if rate >= 10 else round(rate, 3),
    }
