"""``rulewright mutate``: small changes of the rules, one at a time, and whether the tests of the ruleset find them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated

import rulewright as rw
from rulewright_tools import arguments as arg
from rulewright_tools.console import Exit, Format, print_json, print_note
from rulewright_tools.crews import crew
from rulewright_tools.error_boundary import guarded
from rulewright_tools.extras import require
from rulewright_tools.limit_options import Time
from rulewright_tools.progress import working
from rulewright_tools.reports.mutate_text import show, show_survivors
from rulewright_tools.vocabulary import named


@guarded
def mutate(
    ruleset: arg.Ruleset,
    variants: arg.Variants = None,
    limit: arg.Limit = None,
    select: arg.Select = None,
    games: arg.Games = rw.mutation.GAMES,
    time: Time = None,
    seed: arg.Seed = 0,
    jobs: arg.Jobs = "1",
    all: arg.All = False,
    fail_under: arg.FailUnder = 0.0,
    format: Annotated[Format, named("--format")] = Format.TEXT,
) -> Exit:
    """Change the rules a little, one place at a time, and report how many changes the ruleset's own tests find.

    A restriction is left out, `<` becomes `<=`, a number is off by one, two statements change places. Each such
    mutant is examined by check, by the scenarios, by invariants and properties in random games, and by the fuzzer. The
    score is the share found of those that change the game. A change that made no difference in any game is
    counted separately: perhaps it cannot be noticed at all.

    With --variant the games are played with these variants alone, and other variants are not changed.

    --select keeps to rules (turn, turn.too_dear) or operators (comparison, off-by-one), --limit to so many, spread over
    both; no mutant is begun after --time. --games is that of random games of each mutant, for each number of players;
    with 0 the fuzzer is left out, too.

    What survives shows which scenario is missing; --all lists it, with the rules and statements. Exit code 0: the score
    is at least --fail-under, 1: it is not, 2: the ruleset cannot be judged, because it has errors or one of its
    scenarios fails as it is.

    Examples:

      rulewright mutate my-game --limit 20 --all
      rulewright mutate tic-tac-toe --select comparison --select off-by-one
      rulewright mutate connect-four --limit 10 --games 0 --fail-under 50
      rulewright mutate my-game --variant quick-hands.rules --select turn
      rulewright mutate my-game --time 600 --fail-under 85 --jobs 2 --format json
    """
    if games:
        require("hypothesis")
    words = tuple(select or ())
    operators = tuple(one for one in words if one in rw.mutation.OPERATORS)
    kept: list[rw.mutation.MutationReport] = []
    options = rw.mutation.MutationOptions(
        operators=operators,
        rules=tuple(one for one in words if one not in operators),
        variants=tuple(variants or ()),
        sample=limit,
        seed=seed,
        games=games,
        fuzz=rw.mutation.FUZZ if games else 0,
        time=time,
    )
    interrupted = False
    try:
        with crew(jobs) as workers:
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
        if all:
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
