"""``rulewright experiment``: is a variant better? Arms with equal seeds, and what differs between them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

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
    will_write,
    write_page,
)
from rulewright_tools.crews import ClusterOption, JobsOption, crew
from rulewright_tools.error_boundary import guarded
from rulewright_tools.extras import require, require_pictures
from rulewright_tools.limit_options import limited
from rulewright_tools.progress import working
from rulewright_tools.reports import experiment_tables, experiment_text
from rulewright_tools.reports.experiment_progress import ExperimentProgress
from rulewright_tools.session.seat_policies import Look, Noise, Policies, split


@guarded
@limited
def experiment(
    context: typer.Context,
    arms: Annotated[
        list[str],
        typer.Argument(
            metavar="ARM…",
            help="RULESET[:VARIANT or FILE.rules][:PARAM=VALUE][:PLAYERS], or a file of variants; without a ruleset "
            "(`:goal=9`) it is that of the first. All are compared with the first. Or one file, .toml or .json, that "
            "says all of it.",
        ),
    ],
    games: Annotated[
        int | None, typer.Option("--games", "-g", help="How many games, of each arm; 1000 by default.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option("--seed", "-s", help="Seed of the first game, or 0; the next has one more.")
    ] = None,
    seats: Policies = None,
    players: arg.Players = None,
    option: arg.Options = None,
    variant: Annotated[
        list[str] | None,
        typer.Option(
            "--variant",
            "-v",
            help="Title of a variant of the last arm, or a file of variants, laid over it; a single arm is compared "
            "with itself without.",
        ),
    ] = None,
    value: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="Set a parameter of the last arm only, in the same way."),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(
            "--measure",
            "-m",
            metavar="NAME",
            help=f"Compare only this: {', '.join(lab.experiments.UNITS)}, or a measure or query of the rules, asked "
            f"at the end. Or find this, too, which takes longer: {', '.join(lab.experiments.FORMS)}. Several are "
            "possible.",
        ),
    ] = None,
    jobs: JobsOption = 1,
    cluster: ClusterOption = None,
    until: Annotated[
        str | None,
        typer.Option(
            "--until",
            metavar="AIM",
            help='Stop as soon as this is known: "wins(seat 1) ± 1%" or "payoff(seat 1) +- 0.05", of several arms the '
            "differences. --games is then the most, or 100000.",
        ),
    ] = None,
    journal: Annotated[
        Path | None,
        typer.Option(
            "--journal",
            metavar="FILE",
            help="Keep what was played in this file, and go on from there: after Ctrl-C, a crash, with more --games.",
        ),
    ] = None,
    csv: Annotated[
        Path | None,
        typer.Option(
            "--csv",
            metavar="FOLDER",
            help="Write tables there: a row for each game, one for each measure, and datapackage.json: what "
            "their columns mean.",
        ),
    ] = None,
    parquet: Annotated[
        Path | None, typer.Option("--parquet", metavar="FOLDER", help="The same tables in Parquet.")
    ] = None,
    look: Look = 8,
    noise: Noise = 10,
    most: Annotated[
        int | None,
        typer.Option("--most", min=1, metavar="N", help="Stop a game that is not over after N decisions, or 20000."),
    ] = None,
    sensitivity: Annotated[
        str | None,
        typer.Option(
            "--sensitivity",
            metavar="PARAM=VALUES,…",
            help="Of one arm: which of these parameters moves which measure, as in "
            "goal=8..12,hand=3..7,first=dealer|lot, or a name alone for all of its named values.",
        ),
    ] = None,
    samples: Annotated[
        int | None,
        typer.Option("--samples", min=1, metavar="N", help="With --sensitivity: so many points, a power of two."),
    ] = None,
    aim: Annotated[
        str | None,
        typer.Option(
            "--aim",
            metavar="MEASURE=VALUE",
            help='Of one arm: look for values of parameters with which it is so, as in "wins(seat 1) = 50%".',
        ),
    ] = None,
    over: Annotated[
        str | None,
        typer.Option("--over", metavar="PARAM=VALUES,…", help="With --aim: the parameters, written in the same way."),
    ] = None,
    write: Annotated[
        Path | None,
        typer.Option("--write", metavar="FILE.rules", help="With --aim: write what was found as a variant."),
    ] = None,
    engine: arg.Engine = arg.EngineChoice.AUTO,
    format: Annotated[Format, typer.Option("--format", help="How to report.")] = Format.TEXT,
    report: arg.Report = None,
) -> Exit:
    """Play rulesets, variants and agents with equal seeds, and report which measures differ, by how much, and whether
    that is chance.

    Each difference comes with the interval that holds the true one in 95 of a hundred cases; a star marks those that
    are no chance, although so many are compared. Chance is drawn from a stream for each place in the rules, so what a
    variant leaves alone falls alike in all arms.

    The figures are the same for any number of jobs, and with every engine.

    Exit code 1: a game was stopped or has failed. It is counted and named, and the others go on.

    Examples:

      rulewright experiment baron quick-hands.rules --games 2000

      rulewright experiment my-game ":Long war" ":goal=9" --players 3 --seats mcts:50 --jobs 4

      rulewright experiment my-game:2 :3 :4 --measure decisions --measure ties --format json

      rulewright experiment baron --measure "points after turn" --measure "drama(points)" --measure luck

      rulewright experiment my-game --games 50 --measure "skill(mcts:200, mcts:20, random)"

      rulewright experiment experiment.toml --games 200 --report out.html

      rulewright experiment my-game ":goal=9" --until "wins(seat 1) ± 1%" --journal goal.journal

      rulewright experiment baron ":3" --games 5000 --csv baron-tables

      rulewright experiment my-game --sensitivity goal=8..12,hand=3..7 --samples 128

      rulewright experiment my-game --aim "wins(seat 1) = 50%" --over goal=6..14,start=0..5 --write even.rules
    """
    require("scipy.stats")  # now, not behind the games, or when they are stopped
    if report is not None:
        require_pictures()
    will_write(report, write)
    if any(map(lab.experiments.is_experiment, arms)):
        if len(arms) > 1 or seats or players or option or variant or value:
            without = "--seats, --players, --option, --variant and --set"
            raise CommandError(f"a file describes its arms whole: give it alone, without {without}")
        meant = lab.experiments.read_experiment(arms[0], engine.value)
    else:
        options = arg.options_of(option)
        chosen = (tuple(variant or ()), arg.options_of(value)) if variant or value else None
        read = lab.experiments.read_arms(tuple(arms), players, options, split(seats), look, noise, engine.value, chosen)
        meant = lab.experiments.Experiment(read)
    given = {
        "games": games,
        "seed": seed,
        "measures": tuple(measure) if measure else None,
        "most": most,
        "until": until,
        "rows": True if csv is not None or parquet is not None else None,
    }
    if until is not None:
        lab.experiments.Aim.read(until)
    if until and games is None:
        given["games"] = lab.experiments.MOST_GAMES
    meant = replace(meant, **{name: value for name, value in given.items() if value is not None})  # type: ignore[arg-type]
    question = arm_questions.read(meant, aim, over, sensitivity, samples)
    if question is None and lab.experiments.is_experiment(arms[0]):
        question = lab.experiments.read_question(arms[0], meant)
    if question is not None:
        if meant.until or meant.rows:
            only_arms = "--until, --csv and --parquet are"
            raise CommandError(f"{only_arms} for a comparison of arms, not for this question")
        from rulewright_tools.reports.html.repeating import command_line

        with crew(jobs, cluster) as workers:
            run = arm_questions.RunOptions(games, workers, write, format, report, command_line(context), journal)
            return arm_questions.answer(question, meant, run)
    if write is not None:
        raise CommandError("--write belongs to --aim: it writes the setting that was found")
    if lab.experiments.Wanted.read(meant.measures).contests:
        require("choix")
    if parquet is not None:
        require("pyarrow")
    if csv is not None and parquet is not None and csv.resolve() == parquet.resolve():
        raise CommandError("--csv and --parquet name one folder: each describes its own tables, so give them two")
    results = meant.begin()
    interrupted = False
    with (
        crew(jobs, cluster) as workers,
        experiment_tables.written(results, csv, parquet) as tables,
        working("playing") as shown,
    ):
        progress = ExperimentProgress(shown, results, meant.games * len(meant.arms))
        try:
            meant.run(results, workers, progress.reached, journal, tables.add)
        except KeyboardInterrupt:
            interrupted = tables.interrupted = True
    if format is Format.JSON:
        print_json(results.data(not interrupted))
    else:
        print_text("\n".join(experiment_text.lines(results)) + "\n")
    if report is not None:
        from rulewright_tools.reports.html.repeating import command_line
        from rulewright_tools.reports.pages.experiment_page import experiment_page

        write_page(report, experiment_page(meant, results, command_line(context)))
    if interrupted:
        played = plural(sum(one.played for one in results.arms), "game")
        print_note(f"stopped after {played}; these are the figures so far{_going_on(journal)}")
        return Exit.INTERRUPTED
    if results.stopping is not None and not results.stopping.reached:
        print_note(f"{plural(meant.games, 'game')} of each arm are not enough to know {results.stopping.aim.text}")
    wrong = any(one.games["unfinished"] or one.games["failed"] for one in results.arms)
    return Exit.FINDINGS if wrong else Exit.FINE


def _going_on(journal: Path | None) -> str:
    return "" if journal is None else f"; the same command goes on from {journal}"
