"""``rulewright mutate``: small changes of the rules, one at a time, and whether the tests of the ruleset find them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated

import typer

import rulewright as rw
from rulewright_tools import arguments as arg
from rulewright_tools.console import Exit, Format, print_json, print_note
from rulewright_tools.crews import ClusterOption, JobsOption, crew
from rulewright_tools.error_boundary import guarded
from rulewright_tools.extras import require
from rulewright_tools.limit_options import budgeted
from rulewright_tools.progress import working
from rulewright_tools.reports.mutate_text import show, show_survivors


@guarded
@budgeted
def mutate(
    ruleset: arg.Ruleset,
    variants: arg.Variants = None,
    sample: Annotated[
        int | None,
        typer.Option(
            "--sample", min=1, metavar="N", help="At most this many mutants, spread over operators and rules."
        ),
    ] = None,
    operator: Annotated[
        list[str] | None,
        typer.Option("--operator", "-o", help="Only mutants of this operator; may be given several times."),
    ] = None,
    rule: Annotated[
        list[str] | None,
        typer.Option("--rule", "-r", help="Only in this rule, as turn or turn.too_dear; may be given several times."),
    ] = None,
    games: Annotated[
        int, typer.Option("--games", "-g", min=0, help="Random games of each mutant, for each number of players.")
    ] = rw.mutation.GAMES,
    fuzz: Annotated[
        int, typer.Option("--fuzz", min=0, help="Games of the fuzzer for each mutant that nothing else has found.")
    ] = rw.mutation.FUZZ,
    time: Annotated[
        float | None, typer.Option("--time", "-t", min=0.1, metavar="SECONDS", help="Begin no mutant after this time.")
    ] = None,
    seed: arg.Seed = 0,
    jobs: JobsOption = 1,
    cluster: ClusterOption = None,
    survivors: Annotated[
        bool, typer.Option("--survivors", help="List the mutants that nothing found, with their rules and statements.")
    ] = False,
    fail_under: Annotated[
        float, typer.Option("--fail-under", min=0, max=100, metavar="PERCENT", help="Exit code 1 below this score.")
    ] = 0.0,
    format: Annotated[Format, typer.Option("--format", help="How to report.")] = Format.TEXT,
) -> Exit:
    """Change the rules a little, one place at a time, and report how many changes the ruleset's own tests find.

    A restriction is left out, `<` becomes `<=`, a number is off by one, two statements change places. Each such
    mutant is examined by check, by the scenarios, by invariants and properties in random games, and by the fuzzer. The
    score is the share found of those that change the game. A change that made no difference in any game is
    counted separately: perhaps it cannot be noticed at all.

    With --variant the games are played with these variants alone, and other variants are not changed.

    What survives shows which scenario is missing. Exit code 0: the score is at least --fail-under, 1: it is not, 2: the
    ruleset cannot be judged, because it has errors or one of its scenarios fails as it is.

    Examples:

      rulewright mutate rulesets/my-game --sample 100 --jobs 2 --survivors

      rulewright mutate my-game --rule turn --operator comparison --operator off-by-one

      rulewright mutate my-game --variant quick-hands.rules --rule turn

      rulewright mutate my-game --time 600 --fail-under 85 --format json
    """
    if fuzz:
        require("hypothesis")
    kept: list[rw.mutation.MutationReport] = []
    options = rw.mutation.MutationOptions(
        operators=tuple(operator or ()),
        rules=tuple(rule or ()),
        variants=tuple(variants or ()),
        sample=sample,
        seed=seed,
        games=games,
        fuzz=fuzz,
        time=time,
    )
    interrupted = False
    try:
        with crew(jobs, cluster) as workers:
            options = replace(options, jobs=workers)
            _run(lambda progress: rw.mutation.mutate(ruleset, options, progress=progress), kept)
    except KeyboardInterrupt:
        if not kept:
            raise
        interrupted = True
        print_note("stopped: this is what was judged so far")
    report = kept[-1]
    if format is Format.JSON:
        print_json(report.data())
    else:
        show(report)
        if survivors:
            show_survivors(report, rw.rulesets.with_variants(ruleset, variants or ())[0].statements)
    if interrupted:
        return Exit.INTERRUPTED
    return Exit.FINE if report.score is None or 100 * report.score >= fail_under else Exit.FINDINGS


def _run(
    judge: Callable[[Callable[[rw.mutation.MutationReport], None]], rw.mutation.MutationReport],
    kept: list[rw.mutation.MutationReport],
) -> None:
    """The run, with a bar; the report so far is kept, too."""
    with working("loading") as shown:

        def progress(report: rw.mutation.MutationReport) -> None:
            kept[:] = [report]
            caught = sum(verdict.outcome == "caught" for verdict in report.verdicts)
            shown.at(f"{report.title}: {caught} caught", report.wanted)
            shown.reached(len(report.verdicts))

        kept[:] = [judge(progress)]
