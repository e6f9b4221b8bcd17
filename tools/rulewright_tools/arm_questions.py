"""Questions of ``rulewright experiment`` about one arm: which values make it so, and which parameter moves what."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools.console import (
    CommandError,
    Exit,
    Format,
    plural,
    print_json,
    print_note,
    print_text,
    write_file,
    write_page,
)
from rulewright_tools.extras import require
from rulewright_tools.progress import working
from rulewright_tools.reports import balance_text, sensitivity_text

T = TypeVar("T")
Reached = Callable[[int], None]


class RunOptions(NamedTuple):
    """The way to play and to report."""

    games: int | None
    """The number of games, if one was given."""
    jobs: rw.workers.Jobs
    write: Path | None
    format: Format
    report: Path | None
    command: str
    """The command that runs, as a page repeats it."""
    journal: Path | None = None


def read(
    meant: lab.experiments.Experiment, aim: str | None, over: str | None, limit: int | None
) -> lab.experiments.Question | None:
    """The question that the options ask, if they ask one."""
    if limit is not None and (over is None or aim is not None):
        raise CommandError("--limit is about the points of --over without --aim")
    if over is None:
        if aim is not None:
            raise CommandError('--aim needs --over: --aim "wins(seat 1) = 50%" --over goal=6..14,start=0..5')
        return None
    if len(meant.arms) > 1:
        raise CommandError("--over asks about one arm: name one")
    (arm,) = meant.arms
    swept = lab.experiments.swept_by(arm, over)
    return lab.experiments.Question(None if aim is None else lab.experiments.Target.read(aim, arm), swept, limit)


def answer(
    question: lab.experiments.Question,
    meant: lab.experiments.Experiment,
    run: RunOptions,
) -> Exit:
    """Play, and report."""
    write = run.write
    if question.aim is None:
        if write is not None:
            raise CommandError("--output FILE.rules belongs to --aim: it writes the setting that was found")
        return _sensitivity(question, meant, run)
    if write is not None and (write.exists() or write.suffix != ".rules"):
        why = "exists already; nothing was played" if write.exists() else "cannot hold a variant: call it FILE.rules"
        raise CommandError(f"{write} {why}")
    (arm,) = meant.arms
    search = lab.experiments.Search(arm, question.aim, question.swept, meant.games, meant.seed, meant.most, run.jobs)
    tried, games = search.most
    print_note(f"{plural(tried, 'setting')} at most, {plural(games, 'game')} at most")
    found = _played(lambda reached: search.run(reached, run.journal), games)
    if found is None:
        return Exit.INTERRUPTED
    if run.format is Format.JSON:
        print_json(found.data())
    else:
        print_text("\n".join(balance_text.lines(found)) + "\n")
    if run.report is not None:
        from rulewright_tools.reports.html.aim_page import aim_page

        write_page(run.report, aim_page(found, run.command))
    if not found.complete:
        return _stopped(found.games, run, "" if write is None else f"; {write} was not written")
    if write is not None:
        _write(write, found)
    confirmed = found.confirmed.arms[0]
    wrong = not found.reached or confirmed.games["unfinished"] or confirmed.games["failed"]
    return Exit.FINDINGS if wrong else Exit.FINE


def _write(path: Path, found: lab.experiments.Aimed) -> None:
    """Write the variant, and see that it makes the rules that were played."""
    write_file(path, found.variant)
    arm = found.arm
    base = ":".join((str(arm.game.ruleset.folder), *arm.game.variants, str(path), str(arm.game.players)))
    (made,) = lab.experiments.read_arms((base,))
    if made.game.parameters != found.best.arm.game.parameters:
        raise CommandError(f"{path} does not make the rules that were played")
    print_note(f"{path} holds it as a variant: rulewright check {path}")


def _sensitivity(
    question: lab.experiments.Question,
    meant: lab.experiments.Experiment,
    run: RunOptions,
) -> Exit:
    require("SALib")
    (arm,) = meant.arms
    analysis = lab.experiments.SensitivityAnalysis(
        arm,
        question.swept,
        lab.experiments.SAMPLES if question.samples is None else question.samples,
        next((one for one in (run.games, question.games) if one is not None), lab.experiments.POINT_GAMES),
        meant.seed,
        meant.measures,
        meant.most,
    )
    count, unloadable = analysis.settings
    besides = f"; {plural(unloadable, 'setting')} cannot be loaded" if unloadable else ""
    print_note(f"{plural(count, 'setting')}, {plural(analysis.total, 'game')}{besides}")
    found = _played(lambda reached: analysis.run(run.jobs, reached, run.journal), analysis.total)
    if found is None:
        return Exit.INTERRUPTED
    if run.format is Format.JSON:
        print_json(found.data())
    else:
        print_text("\n".join(sensitivity_text.lines(found)) + "\n")
    if run.report is not None:
        from rulewright_tools.reports.html.sensitivity_page import sensitivity_page

        write_page(run.report, sensitivity_page(found, run.command))
    if not found.complete:
        return _stopped(sum(found.played), run)
    return Exit.FINDINGS if found.played[1] or found.played[2] else Exit.FINE


def _stopped(games: int, run: RunOptions, besides: str = "") -> Exit:
    going_on = "" if run.journal is None else f"; the same command goes on from {run.journal}"
    print_note(f"stopped after {plural(games, 'game')}; this is what was found so far{going_on}{besides}")
    return Exit.INTERRUPTED


def _played(run: Callable[[Reached], T], total: int | None = None) -> T | None:
    """The outcome of playing; None if it was interrupted."""
    with working("playing") as shown:
        shown.at("playing", total)
        try:
            return run(shown.reached)
        except KeyboardInterrupt:
            print_note("stopped before there was an answer")
            return None
