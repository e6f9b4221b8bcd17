"""``rulewright simulate``: many games, at random or with preference, and what they say about the rules."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from dataclasses import replace
from enum import StrEnum
from functools import partial
from itertools import chain
from time import monotonic, perf_counter
from typing import Annotated

import typer

import rulewright as rw
from rulewright_tools import arguments as arg
from rulewright_tools.console import CommandError, Exit, Format, plural, print_json, print_note, print_text, write_page
from rulewright_tools.crews import crew
from rulewright_tools.error_boundary import guarded
from rulewright_tools.extras import require_pictures
from rulewright_tools.limit_options import Ending, Time, ending_at
from rulewright_tools.outputs import by_ending
from rulewright_tools.progress import Working, working
from rulewright_tools.reports import simulation_text
from rulewright_tools.session.game_batches import Task, run
from rulewright_tools.session.seat_policies import split
from rulewright_tools.session.statistics import Statistics
from rulewright_tools.session.suspicions import OFTEN, Kind, Series, Suspicion, of_series, unused
from rulewright_tools.vocabulary import named


class Check(StrEnum):
    """Checks at every decision of all games."""

    INVARIANTS = "invariants"
    VIEWS = "views"
    NOTHING = "nothing"


STORY = 20.0
"""Seconds in which a short way to an invariant that is broken is looked for."""

CHECKED = 50
"""Invariants and properties are looked at in so many games of each number of players, by default."""


@guarded
def simulate(
    context: typer.Context,
    ruleset: arg.Ruleset,
    games: arg.Games = 1000,
    players: arg.Players = None,
    seed: arg.Seed = 0,
    jobs: arg.Jobs = "1",
    variant: arg.Variants = None,
    option: arg.Options = None,
    check: Annotated[list[Check] | None, named("--check")] = None,
    seats: arg.Seats = None,
    decisions: arg.Decisions = 20_000,
    accept: arg.Accept = None,
    time: Time = None,
    output: arg.Output = None,
    format: Annotated[Format, named("--format")] = Format.TEXT,
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
    Exit code 1: there is a warning that --accept does not name ("one ending", "lost ending", "never used", "cut off"),
    or something is broken.

    Invariants and properties are looked at in the first 50 games of each number of players; with --check invariants in
    all, with --check nothing in none. With --check views a choice is reported whose options, or reasons against others,
    depend on what the player to decide does not see; only some decisions of each game are tried, with a few
    deals each. --output FILE.html writes a page with pictures, which needs nothing else.

    A random game can be looked at again with "rulewright play RULESET --seats random --seed S".

    Examples:

      rulewright simulate breakthrough --option size=6 --games 200
      rulewright simulate connect-four --games 50 --seats random,mcts:50
      rulewright simulate my-game --output games.html
      rulewright simulate quick.rules --games 200 --format json
      rulewright simulate baron --games 20 --players 3 --check views
      rulewright simulate my-game --accept "one ending" --jobs 2
    """
    report = by_ending(output, ".html").page
    if report is not None:
        require_pictures()
    wanted = set(check or ())
    if Check.NOTHING in wanted and len(wanted) > 1:
        raise CommandError("--check nothing stands alone")
    checked = games if Check.INVARIANTS in wanted else 0 if Check.NOTHING in wanted else min(games, CHECKED)
    plan = Task(
        ruleset,
        players,
        tuple(variant or ()),
        tuple(sorted(arg.options_of(option).items())),
        seed + checked,
        decisions,
        split(seats),
        check_views=Check.VIEWS in wanted,
        backend=arg.MACHINE.backend,
        passes=arg.MACHINE.passes,
    )
    with crew(jobs) as workers, working("loading") as shown:
        simulation = Simulation(plan, seed, games, workers, format is Format.TEXT, _accepted(accept))
        with ending_at(time) as simulation.ending:
            simulation.play_all(shown)
        if not simulation.ending.early:
            simulation.look_back(shown)
    if format is Format.JSON:
        print_json(simulation.report())
    else:
        simulation_text.end(simulation.everywhere, _speed(simulation))
    if report is not None and simulation.ended:
        from rulewright_tools.reports.html.repeating import command_line
        from rulewright_tools.reports.pages.simulation_page import simulation_page

        found = zip(simulation.played, simulation.suspicions, simulation.agents, strict=True)
        write_page(report, simulation_page(list(found), simulation.everywhere, seed, decisions, command_line(context)))
    if simulation.ending.early:
        print_note(simulation.ending.note(plural(simulation.ended, "game")))
        return simulation.ending.exit(Exit.FINDINGS if simulation.found else Exit.FINE)
    return Exit.FINDINGS if simulation.found else Exit.FINE


def _accepted(keys: list[str] | None) -> frozenset[Kind]:
    """The kinds of warnings with these keys."""
    known = {kind.value: kind for kind in Kind}
    for key in keys or ():
        if key not in known:
            raise CommandError(f"--accept {key}: the warnings of this command are {', '.join(known)}")
    return frozenset(known[key] for key in keys or ())


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
        self.ending = Ending()
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
            except (KeyboardInterrupt, rw.Stopped):
                self._print_figures(series, shown)
                raise
            self._print_figures(series, shown)
            self._find_stories(series, task, shown)

    def _print_figures(self, series: Series, shown: Working) -> None:
        if self.prints:
            with shown.aside():
                simulation_text.figures(self.one(-1), series, self.games, self.suspicions[-1])

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
        begun = perf_counter()
        with closing(run(series.game, policies, task, self.seed, self.games, self.jobs)) as parts:
            for part in parts:
                tally.join(part)
                shown.reached(tally.games + tally.unfinished)
                self.seconds += perf_counter() - begun
                begun = perf_counter()

    def _find_stories(self, series: Series, task: Task, shown: Working) -> None:
        """Find short ways to the invariants and properties that are broken, and the changes that broke them, and print
        them; of each it is looked for so long at most."""
        names = {broken.partition(" ")[0]: seed for broken, seed in sorted(series.tally.broken.items(), reverse=True)}
        for name, seed in sorted(names.items()):
            shown.at(f"looking for what breaks {name}, for {STORY:.0f} s at most")
            ends = monotonic() + STORY
            try:
                with rw.limited(rw.Limits(seconds=STORY)):
                    found = rw.fuzzing.story_of_seed(series.game, seed, name, dict(task.options), self.plan.most)
            except rw.Stopped:
                if monotonic() < ends:
                    raise  # all time is over
                print_note(f"what breaks {name} was not found within {STORY:.0f} s: play the game of seed {seed}")
                continue
            if found is not None:
                series.stories[name] = found
                if self.prints:
                    with shown.aside():
                        simulation_text.story(name, found)

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
            "complete": not self.ending.early,
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

    def report(self) -> dict[str, object]:
        """The whole report as plain data: of one number of players, or of several."""
        reports = [self.one(number) for number in range(len(self.played))]
        everywhere = [one.data() for one in self.everywhere]
        if len(reports) == 1:
            found = self.suspicions[0]
            return reports[0] | {"warnings": [*(one.data() for one in found), *everywhere]}
        return {
            "ruleset": reports[0]["ruleset"] if reports else "",
            "title": reports[0]["title"] if reports else "",
            "seed": self.seed,
            "complete": not self.ending.early,
            "reports": reports,
            "warnings": everywhere,
        }


def _speed(simulation: Simulation) -> dict[str, object]:
    decisions, seconds = sum(one.tally.answered for one in simulation.played), simulation.seconds
    rate = decisions / seconds if seconds else 0.0
    return {
        "seconds": round(seconds, 3),
        "jobs": simulation.jobs if isinstance(simulation.jobs, int) else simulation.jobs.threads,
        "decisions_per_second": round(rate) if rate >= 10 else round(rate, 3),
    }
