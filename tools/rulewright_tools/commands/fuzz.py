"""``rulewright fuzz``: attacks rules with unforeseen games, and reports what broke as a scenario."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

import typer

import rulewright as rw
import rulewright_lab as lab
from rulewright_tools import arguments as arg
from rulewright_tools.console import (
    CommandError,
    Exit,
    Format,
    json_text,
    plural,
    print_json,
    print_note,
    will_write,
    write_file,
)
from rulewright_tools.crews import ClusterOption, JobsOption, crew
from rulewright_tools.error_boundary import guarded
from rulewright_tools.extras import require
from rulewright_tools.limit_options import budgeted
from rulewright_tools.progress import working
from rulewright_tools.reports.aim_text import AimPrinter
from rulewright_tools.reports.aim_text import show as show_aimed
from rulewright_tools.reports.fuzz_text import FindingPrinter, show
from rulewright_tools.reports.pages.fuzz_page import fuzz_page
from rulewright_tools.session.seat_policies import Look, Noise, Policies, split


@guarded
@budgeted
def fuzz(
    ruleset: arg.Ruleset,
    time: Annotated[
        float | None,
        typer.Option("--time", "-t", min=0.1, metavar="SECONDS", help="How long to search; 30 if not given."),
    ] = None,
    games: Annotated[int | None, typer.Option("--games", "-g", min=1, help="How many whole games to play.")] = None,
    players: Annotated[
        int | None, typer.Option("--players", "-n", help="Number of players; else every number in turn.")
    ] = None,
    seats: Policies = None,
    look: Look = 8,
    noise: Noise = 10,
    engine: arg.Engine = arg.EngineChoice.AUTO,
    seed: Annotated[int, typer.Option("--seed", "-s", help="Equal seeds and --games, equal findings.")] = 0,
    jobs: JobsOption = 1,
    cluster: ClusterOption = None,
    variant: arg.Variants = None,
    option: arg.Options = None,
    variants: Annotated[
        Literal["all"] | None,
        typer.Option(
            "--variants",
            help="Also play all variants and named values of options, so that any two of them meet.",
        ),
    ] = None,
    most: Annotated[
        int, typer.Option("--most", min=1, metavar="N", help="A game that is not over after N decisions is a finding.")
    ] = rw.fuzzing.MOST,
    against: Annotated[
        str | None,
        typer.Option(
            "--against",
            metavar="BASE",
            help="A ruleset, as a rule the one that is changed: report only what it does "
            "not show itself, and which of its invariants and properties do not hold any more.",
        ),
    ] = None,
    keep_going: Annotated[
        bool, typer.Option("--keep-going/--first", help="Search on when something was found, or stop there.")
    ] = True,
    accept: Annotated[
        list[str] | None,
        typer.Option(
            "--accept",
            metavar="KEY",
            help="A known finding to accept, such as error/RUN007/turn; more keys may be listed in accepted.txt "
            "of the corpus, one per line.",
        ),
    ] = None,
    replay: Annotated[
        str | None,
        typer.Option("--replay", metavar="GAME", help="Play one game again: a file of a corpus, or its numbers."),
    ] = None,
    aim: Annotated[
        list[str] | None,
        typer.Option(
            "--aim",
            metavar="WHAT",
            help="Search for games that use a rule (its label), that break a property (property/NAME), or, with "
            "`rules`, that use the rules which random games do not use; several are possible.",
        ),
    ] = None,
    corpus: Annotated[
        Path | None,
        typer.Option("--corpus", metavar="DIR", help="Keep games that reached something new, and begin with them."),
    ] = None,
    save: Annotated[
        Path | None, typer.Option("--save", metavar="FILE", help="Append the scenarios to this file of scenarios.")
    ] = None,
    report: Annotated[
        Path | None,
        typer.Option("--report", metavar="FILE", help="Write which rules met, as FILE.html or FILE.json."),
    ] = None,
    triples: Annotated[
        bool, typer.Option("--triples", help="Report on three rules that meet in a turn, too, not only on two.")
    ] = False,
    format: Annotated[Format, typer.Option("--format", help="How to report.")] = Format.TEXT,
) -> Exit:
    """Play a ruleset in unforeseen ways; what breaks is shrunk to a scenario that fails until it is fixed.

    Machine code explores, millions of decisions from the beginning and from positions in which something was new, and
    beside it whole games are looked at closely. A finding is an error of the rules, an invariant or property that does
    not hold, a game that does not end, or options that reveal what is hidden.

    With --aim games are led to what is named: machine code plays on from the positions that are nearest, as far as the
    conditions measure how near they are. The report says after how many decisions it was reached, or which conditions
    stayed false and by how much. --games is then the number of flights, of many short games each. Exit code 1: a
    property or invariant was broken.

    With --seats agents play the whole games: they come to positions that random play does not reach.

    A finding is reported at once, and again as soon as it is shrunk. The search goes on after it, for other findings,
    until time or games are used up; --time is kept even while something is shrunk. Exit code 0: nothing was found but
    what is accepted, 1: something, 2: it could not run.

    Examples:

      rulewright fuzz rulesets/my-game --time 60 --jobs 4

      rulewright fuzz my-game --games 200 --variants all --save rulesets/my-game/scenarios/found.rules

      rulewright fuzz my-game --games 100 --report interactions.html

      rulewright fuzz my-variant.rules --against my-game

      rulewright fuzz my-game --players 2 --seats mcts:50,random

      rulewright fuzz my-game --aim rules --time 600

      rulewright fuzz my-game --aim property/no_debts --aim turn.sell

      rulewright fuzz my-game --corpus kept --accept invariant/no_debts --first
    """
    require("hypothesis")
    _suffix(report)
    will_write(report, save)
    _folder(corpus)
    if save is not None and save.exists() and not save.is_file():
        raise CommandError(f"--save {save}: this is not a file")
    again = _game(replay)
    printer = FindingPrinter(str(ruleset), variant or [], format is Format.JSON)
    search = rw.fuzzing.FuzzOptions(
        players,
        tuple(variant or ()),
        dict(arg.options_of(option)),
        everything=variants == "all",
        games=games,
        time=time,
        seed=seed,
        jobs=jobs,
        most=most,
        corpus=corpus,
        keep_going=keep_going,
        accept=tuple(accept or ()),
        seats=split(seats),
        look=look,
        noise=noise,
        agent=lab.agent,
        engine=engine.value,
        replay=again,
    )
    if aim:
        if against is not None or again is not None or seats or jobs != 1 or cluster or save is not None:
            options = "--against, --replay, --seats, --jobs, --cluster or --save"
            raise CommandError(f"--aim searches by itself, in one process: give no {options}")
        return _aimed(
            ruleset,
            aim,
            search,
            AimPrinter(str(ruleset), variant or [], corpus is not None, format is Format.JSON),
            report,
            format,
        )
    if against is not None and again is not None:
        raise CommandError("--replay plays one game again: there is nothing to compare it with by --against")

    def searched(progress: Progressing, report: Reporting) -> rw.fuzzing.FuzzReport:
        if against is None:
            return rw.fuzzing.fuzz(ruleset, search, progress=progress, tell=report)
        return rw.fuzzing.fuzz_against(ruleset, against, search, progress=progress, tell=report)

    with crew(jobs, cluster) as workers:
        search = replace(search, jobs=workers)
        found = _run(searched, printer.print_found)
    if format is Format.JSON:
        print_json(found.data(triples))
    else:
        show(found, triples)
    if report is not None:
        data = found.data(triples)
        write_file(report, fuzz_page(data) if report.suffix == ".html" else json_text(data))
        print_note(f"wrote {report}")
    if save is not None:
        _save(save, found)
    if found.interrupted:
        print_note("stopped; this is what was found so far")
        return Exit.INTERRUPTED
    return Exit.FINE if found.passed else Exit.FINDINGS


def _aimed(
    ruleset: str,
    aim: list[str],
    search: rw.fuzzing.FuzzOptions,
    printer: AimPrinter,
    report: Path | None,
    format: Format,
) -> Exit:
    """Search for games that reach an aim."""
    if report is not None and report.suffix != ".json":
        raise CommandError(f"--report {report}: with --aim its name must end with .json")
    with working("loading") as shown:

        def progress(so_far: rw.fuzzing.AimReport) -> None:
            shown.describe(
                f"{so_far.title}: {plural(so_far.games, 'random game')}, {plural(so_far.flights, 'flight')}, reached "
                f"{len(so_far.reached)} of {len(so_far.wanted)}{_left(so_far.seconds_left)}"
            )

        def print_attained(one: rw.fuzzing.Attained) -> None:
            with shown.aside():
                printer.print_found(one)

        try:
            found = rw.fuzzing.fuzz_at(ruleset, aim, search, progress=progress, tell=print_attained)
        except rw.fuzzing.FuzzArgumentError as error:
            raise CommandError(str(error)) from error
    if format is Format.JSON:
        print_json(found.data())
    else:
        show_aimed(found)
    if report is not None:
        write_file(report, json_text(found.data()))
        print_note(f"wrote {report}")
    if found.interrupted:
        print_note("stopped; this is what was found so far")
        return Exit.INTERRUPTED
    return Exit.FINDINGS if found.broken else Exit.FINE


def _left(seconds: float | None) -> str:
    return "" if seconds is None else f", {seconds:.0f} s left"


def _game(replay: str | None) -> Path | tuple[int, ...] | None:
    """The game that is to be played again."""
    if replay is None or Path(replay).is_file():
        return Path(replay) if replay is not None else None
    try:
        return tuple(int(number) for number in replay.split(","))
    except ValueError as error:
        raise CommandError(f"--replay {replay}: this is neither a file nor numbers between commas") from error


def _suffix(report: Path | None) -> None:
    if report is not None and report.suffix not in (".html", ".json"):
        raise CommandError(f"--report {report}: its name must end with .html or .json")


def _folder(corpus: Path | None) -> None:
    if corpus is not None and corpus.exists() and not corpus.is_dir():
        raise CommandError(f"--corpus {corpus}: this is not a folder")
    if corpus is not None:
        try:
            corpus.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            raise CommandError(f"--corpus {corpus}: {getattr(error, 'strerror', None) or error}") from error
        will_write(corpus / "portion")


Progressing = Callable[[rw.fuzzing.FuzzReport], None]
Reporting = Callable[[rw.fuzzing.Found | rw.fuzzing.Story], None]


def _run(search: Callable[[Progressing, Reporting], rw.fuzzing.FuzzReport], show: Reporting) -> rw.fuzzing.FuzzReport:
    """The search, with what it has reached shown while it runs."""
    with working("loading") as shown:

        def progress(report: rw.fuzzing.FuzzReport) -> None:
            pairs = report.pairs
            met = sum(1 for times in pairs.values() if times)
            used = len(report.rules) - len(report.never_used)
            shown.describe(
                f"{report.title}: {plural(report.games, 'game')}, {report.decisions} decisions, "
                f"{used} of {len(report.rules)} rules, {met} of {len(pairs)} pairs"
            )

        def aside(found_one: rw.fuzzing.Found | rw.fuzzing.Story) -> None:
            with shown.aside():
                show(found_one)

        try:
            return search(progress, aside)
        except rw.fuzzing.FuzzArgumentError as error:
            raise CommandError(str(error)) from error


def _save(file: Path, found: rw.fuzzing.FuzzReport) -> None:
    """Append the scenarios that the file does not have yet."""
    try:
        # Another process may be at the same file.
        with rw.files.alone_in(file.parent):
            text = rw.files.read_text(file) if file.exists() else ""
            new = [story.scenario for story in found.stories if story.scenario and story.scenario.strip() not in text]
            if not new:
                return
            write_file(file, "\n".join([part.rstrip("\n") + "\n" for part in (text, *new) if part.strip()]))
    except OSError as error:
        raise CommandError(f"cannot write {file}: {error.strerror}") from error
    print_note(
        f"wrote {plural(len(new), 'scenario')} to {file}; `rulewright test` runs them if the manifest names the file"
    )
