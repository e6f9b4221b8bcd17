"""``rulewright experiment``: is a variant better? Arms with equal seeds, and what differs between them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools import arguments as arg
from rulewright_tools import arm_questions
from rulewright_tools.console import (
    CommandError,
    Exit,
    Format,
    plural,
    print_json,
    print_note,
    print_text,
    write_page,
)
from rulewright_tools.crews import crew
from rulewright_tools.error_boundary import guarded
from rulewright_tools.extras import require, require_pictures
from rulewright_tools.limit_options import Time, ending_at
from rulewright_tools.outputs import FOLDER, by_ending
from rulewright_tools.people_games import People
from rulewright_tools.progress import working
from rulewright_tools.reports import experiment_tables, experiment_text, people_text
from rulewright_tools.reports.experiment_progress import ExperimentProgress
from rulewright_tools.session.seat_policies import split
from rulewright_tools.vocabulary import named


@guarded
def experiment(
    context: typer.Context,
    arms: Annotated[
        list[str],
        typer.Argument(
            metavar="ARM…",
            help="RULESET[:VARIANT|FILE.rules][:NAME=VALUE][:PLAYERS]; `:goal=9` is of the first's. Or a file .toml "
            "with all of it.",
        ),
    ],
    games: Annotated[int | None, named("--games")] = None,
    seed: Annotated[int | None, named("--seed")] = None,
    seats: arg.Seats = None,
    players: arg.Players = None,
    option: arg.Options = None,
    variant: arg.Variants = None,
    value: Annotated[list[str] | None, named("--set")] = None,
    measure: Annotated[list[str] | None, named("--measure")] = None,
    jobs: arg.Jobs = "1",
    until: arg.Until = None,
    keep: arg.Keep = None,
    people: Annotated[Path | None, named("--people")] = None,
    agent: Annotated[list[str] | None, named("--agent", hidden=True)] = None,
    aim: Annotated[str | None, named("--aim")] = None,
    over: Annotated[str | None, named("--over")] = None,
    limit: arg.Limit = None,
    decisions: Annotated[int | None, named("--decisions", min=1)] = None,
    time: Time = None,
    output: arg.Output = None,
    format: Annotated[Format, named("--format")] = Format.TEXT,
) -> Exit:
    """Play rulesets, variants and agents with equal seeds, and report what differs.

    Each difference comes with the interval that holds the true one in 95 of a hundred cases; a star marks those that
    are no chance, although so many are compared. Chance is drawn from a stream for each place in the rules, so what a
    variant leaves alone falls alike in all arms.

    --variant and --set change the last arm; a single arm is compared with itself without. --measure takes wins,
    payoff, first_seat_advantage, ties, payoff_spread, decisions, moves, options, forced, unfinished, failed, or a
    measure or query of the rules, asked at the end; also what takes longer: QUERY after RULE, drama(QUERY),
    drama(mcts:100 every 5), skill(mcts:1000, mcts:10, random), luck, tree, answers, uses, used, time.

    --until stops as soon as this is known: "wins(seat 1) ± 1%" or "payoff(seat 1) +- 0.05", of several arms the
    differences; --games is then the most, or 100000. --keep FILE goes on from there after Ctrl-C, a crash, or with more
    --games.

    With --over one arm is looked into: which of these parameters moves which measure; with --aim too: values of them
    with which the measure is so. --limit is the number of points that are tried, a power of two. More stands in a
    file (page `experiments`): sweeps, names of arms, agents of each, how far greedy ones look.

    --people takes the file in which a studio keeps its games. Those of people that are over and have the rules of an
    arm stand in a column of their own. It is shown besides how long people think, what they tried in vain and took
    back, how it was, and how often each --agent, and those of --seats, would have chosen as they did (page
    `playtests`).

    --output takes FILE.html for a page, FOLDER for tables (CSV: games, measures, and what their columns mean),
    FOLDER.parquet for tables in Parquet, and with --aim FILE.rules for the setting that was found, as a variant.

    The figures are the same for any number of jobs, and with every engine. Exit code 1: a game was stopped or has
    failed. It is counted and named, and the others go on.

    Examples:

      rulewright experiment baron baron:3 --games 200
      rulewright experiment quick.rules --games 200 --output out.html
      rulewright experiment breakthrough ":size=6" --until "decisions ± 2"
      rulewright experiment breakthrough --option size=5 --games 50 --measure "skill(mcts:50, mcts:5, random)"
      rulewright experiment baron --games 50 --measure "points after turn" --measure "drama(points)" --measure luck
      rulewright experiment sizes.toml --games 100 --seats random --jobs 2
      rulewright experiment my-game ":goal=9" --games 500 --keep goal.journal
      rulewright experiment baron ":3" --games 100 --output baron-tables
      rulewright experiment breakthrough --over size=4..8 --limit 16
      rulewright experiment my-game --people evening.sqlite3 --agent mcts:50
      rulewright experiment my-game --aim "wins(seat 1) = 50%" --over goal=6..14 --output even.rules
    """
    require("scipy.stats")  # now, not behind the games, or when they are stopped
    outputs = by_ending(output, ".html", ".rules", ".parquet", FOLDER, folders=(FOLDER, ".parquet"))
    report, csv, parquet, write = (outputs.get(one) for one in (".html", FOLDER, ".parquet", ".rules"))
    if report is not None:
        require_pictures()
    engine = arg.MACHINE.backend
    if any(map(lab.experiments.is_experiment, arms)):
        if len(arms) > 1 or seats or players or option or variant or value:
            without = "--seats, --players, --option, --variant and --set"
            raise CommandError(f"a file describes its arms whole: give it alone, without {without}")
        meant = lab.experiments.read_experiment(arms[0], engine)
    else:
        options = arg.options_of(option)
        chosen = (tuple(variant or ()), arg.options_of(value)) if variant or value else None
        read = lab.experiments.read_arms(tuple(arms), players, options, split(seats), engine=engine, chosen=chosen)
        meant = lab.experiments.Experiment(read)
    given = {
        "games": games,
        "seed": seed,
        "measures": tuple(measure) if measure else None,
        "most": decisions,
        "until": until,
        "rows": True if csv is not None or parquet is not None else None,
    }
    if until is not None:
        lab.experiments.Aim.read(until)
    if until and games is None:
        given["games"] = lab.experiments.MOST_GAMES
    meant = replace(meant, **{name: one for name, one in given.items() if one is not None})  # type: ignore[arg-type]
    question = arm_questions.read(meant, aim, over, limit)
    if question is None and lab.experiments.is_experiment(arms[0]):
        question = lab.experiments.read_question(arms[0], meant)
    if question is not None:
        if meant.until or meant.rows or people is not None:
            raise CommandError("--until, --people and tables are for a comparison of arms, not for this question")
        from rulewright_tools.reports.html.repeating import command_line

        with crew(jobs) as workers, rw.limited(rw.Limits(seconds=time)):
            run = arm_questions.RunOptions(games, workers, write, format, report, command_line(context), keep)
            return arm_questions.answer(question, meant, run)
    if write is not None:
        raise CommandError("--output FILE.rules belongs to --aim: it writes the setting that was found")
    if lab.experiments.Wanted.read(meant.measures).contests:
        require("choix")
    if parquet is not None:
        require("pyarrow")
    guests = None
    if people is not None:
        guests, meant = People.read(people, meant)
    elif agent:
        raise CommandError("--agent belongs to --people: it is compared with what people have chosen")
    results = meant.begin()
    with (
        crew(jobs) as workers,
        experiment_tables.written(results, csv, parquet) as tables,
        working("playing") as shown,
    ):
        progress = ExperimentProgress(shown, results, meant.games * len(meant.arms))
        with ending_at(time) as ending:
            meant.run(results, workers, progress.reached, keep, tables.add)
            if guests is not None:
                tables.also = guests.write
                guests.compare(agent or (), shown)
        if len(results.arms) > 1:
            shown.found(lambda: {"findings": experiment_text.findings(results)})
        tables.interrupted = ending.early
    if format is Format.JSON:
        print_json(results.data(not ending.early) | ({} if guests is None else {"people": guests.data()}))
    else:
        found = [*experiment_text.lines(results)]
        if guests is not None:
            found += people_text.lines(guests.data(), [one.arm.game for one in guests.studies])
        print_text("\n".join(found) + "\n")
    if report is not None:
        from rulewright_tools.reports.html.repeating import command_line
        from rulewright_tools.reports.pages.experiment_page import experiment_page

        write_page(report, experiment_page(meant, results, command_line(context)))
    if ending.early:
        played = plural(sum(one.played for one in results.arms), "game")
        print_note(f"{ending.note(played)}{_going_on(keep)}")
        return ending.exit()
    if results.stopping is not None and not results.stopping.reached:
        print_note(f"{plural(meant.games, 'game')} of each arm are not enough to know {results.stopping.aim.text}")
    wrong = any(one.games["unfinished"] or one.games["failed"] for one in results.arms)
    return Exit.FINDINGS if wrong else Exit.FINE


def _going_on(keep: Path | None) -> str:
    return "" if keep is None else f"; the same command goes on from {keep}"
