"""``rulewright fuzz``: attacks rules with unforeseen games, and reports what broke as a scenario."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Annotated

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
from rulewright_tools.crews import crew
from rulewright_tools.error_boundary import guarded
from rulewright_tools.extras import require
from rulewright_tools.limit_options import Time
from rulewright_tools.outputs import by_ending
from rulewright_tools.progress import working
from rulewright_tools.reports.aim_text import AimPrinter
from rulewright_tools.reports.aim_text import show as show_aimed
from rulewright_tools.reports.fuzz_text import FindingPrinter, show
from rulewright_tools.reports.pages.fuzz_page import fuzz_page
from rulewright_tools.session.seat_policies import split
from rulewright_tools.vocabulary import named

EVERYTHING = "all"
"""As a variant: all of them."""


@guarded
def fuzz(
    ruleset: arg.Ruleset,
    played: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="Play only this again: a file of a game, or its numbers.")
    ] = None,
    time: Time = None,
    games: arg.GamesWanted = None,
    players: arg.Players = None,
    seats: arg.Seats = None,
    seed: arg.Seed = 0,
    jobs: arg.Jobs = "1",
    variant: arg.Variants = None,
    option: arg.Options = None,
    decisions: arg.Decisions = rw.fuzzing.MOST,
    against: arg.Against = None,
    reach: Annotated[list[str] | None, named("--reach")] = None,
    until: arg.Until = None,
    accept: arg.Accept = None,
    keep: arg.Keep = None,
    output: arg.Output = None,
    format: Annotated[Format, named("--format")] = Format.TEXT,
) -> Exit:
    """Play a ruleset in unforeseen ways; what breaks is shrunk to a scenario that fails until it is fixed.

    Machine code explores, millions of decisions from the beginning and from positions in which something was new, and
    beside it whole games are looked at closely. A finding is an error of the rules, an invariant or property that does
    not hold, a game that does not end, or options that reveal what is hidden.

    It takes 30 seconds, or --time, or until --games are played; of every number of players, unless --players gives
    one. Equal seeds and --games, equal findings. With `--variant all` all variants and named values of options are
    played, so that any two of them meet. With --seats agents play the whole games: they come to positions that random
    play does not reach. A game that is not over after --decisions is a finding.

    With --reach games are led to what is named, a rule by its label, property/NAME, or `rules`: all that random games
    do not use. Machine code plays on from the positions that are nearest, as far as the conditions measure how near
    they are. The report says after how many decisions it was reached, or which conditions stayed false and by how much.
    --games is then the number of flights, of many short games each. Exit code 1: a property or invariant was broken.

    With --against BASE, as a rule the ruleset that is changed, only that is reported which it does not show itself, and
    which of its invariants and properties do not hold any more.

    A finding is reported at once, and again as soon as it is shrunk. The search goes on after it, for other findings,
    until time or games are used up, or with `--until found` ends; --time is kept even while something is shrunk.
    --keep DIR keeps games that reached something new, and begins with them; known findings, such as
    error/RUN007/turn, may be listed in accepted.txt there, one a line. --output takes FILE.rules, to which the
    scenarios are appended, and FILE.html or FILE.json for which rules met.

    Exit code 0: nothing was found but what is accepted, 1: something, 2: it could not run.

    Examples:

      rulewright fuzz my-game --time 5 --jobs 2
      rulewright fuzz quick.rules --against tic-tac-toe --time 5
      rulewright fuzz connect-four --reach rules --time 10
      rulewright fuzz my-game --games 100 --variant all --output found.rules
      rulewright fuzz my-game --games 100 --output interactions.html
      rulewright fuzz my-game --games 20 --seats mcts:50,random --players 2
      rulewright fuzz my-game --reach property/no_debts --reach turn.sell
      rulewright fuzz my-game --keep kept --accept invariant/no_debts --until found
    """
    require("hypothesis")
    outputs = by_ending(output, ".html", ".json", ".rules")
    save = outputs.pop(".rules", None)
    _folder(keep)
    if save is not None and save.exists() and not save.is_file():
        raise CommandError(f"--output {save}: this is not a file")
    if until not in (None, "found"):
        raise CommandError(f"--until {until}: the search can only end early when something is found: --until found")
    if seats and reach:
        raise CommandError("--reach searches by itself: give no --seats")
    variants = [title for title in variant or () if title != EVERYTHING]
    again = _game(played)
    printer = FindingPrinter(str(ruleset), variants, format is Format.JSON)
    search = rw.fuzzing.FuzzOptions(
        players,
        tuple(variants),
        dict(arg.options_of(option)),
        everything=EVERYTHING in (variant or ()),
        games=games,
        time=time,
        seed=seed,
        most=decisions,
        corpus=keep,
        keep_going=until is None,
        accept=tuple(accept or ()),
        seats=split(seats),
        agent=lab.agent,
        engine=arg.MACHINE.backend,
        replay=again,
    )
    if reach:
        if against is not None or again is not None or jobs != "1" or save is not None or ".html" in outputs:
            options = "GAME, --against, --jobs or --output but FILE.json"
            raise CommandError(f"--reach searches by itself, in one process: give no {options}")
        printer_of_reached = AimPrinter(str(ruleset), variants, keep is not None, format is Format.JSON)
        return _reached(ruleset, reach, search, printer_of_reached, outputs.get(".json"), format)
    if against is not None and again is not None:
        raise CommandError("one game is played again: there is nothing to compare it with by --against")

    def searched(progress: Progressing, report: Reporting) -> rw.fuzzing.FuzzReport:
        if against is None:
            return rw.fuzzing.fuzz(ruleset, search, progress=progress, tell=report)
        return rw.fuzzing.fuzz_against(ruleset, against, search, progress=progress, tell=report)

    with crew(jobs) as workers:
        search = replace(search, jobs=workers)
        found = _run(searched, printer.print_found)
    if format is Format.JSON:
        print_json(found.data())
    else:
        show(found)
    for ending, file in outputs.items():
        write_file(file, fuzz_page(found.data()) if ending == ".html" else json_text(found.data()))
        print_note(f"wrote {file}")
    if save is not None:
        _save(save, found)
    if found.interrupted:
        print_note("stopped; this is what was found so far")
        return Exit.INTERRUPTED
    return Exit.FINE if found.passed else Exit.FINDINGS


def _reached(
    ruleset: str,
    reach: list[str],
    search: rw.fuzzing.FuzzOptions,
    printer: AimPrinter,
    report: Path | None,
    format: Format,
) -> Exit:
    """Search for games that reach an aim."""
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
            found = rw.fuzzing.fuzz_at(ruleset, reach, search, progress=progress, tell=print_attained)
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


def _game(played: str | None) -> Path | tuple[int, ...] | None:
    """The game that is to be played again."""
    if played is None or Path(played).is_file():
        return Path(played) if played is not None else None
    try:
        return tuple(int(number) for number in played.split(","))
    except ValueError as error:
        raise CommandError(f"{played}: this is neither a file nor numbers between commas") from error


def _folder(corpus: Path | None) -> None:
    if corpus is not None and corpus.exists() and not corpus.is_dir():
        raise CommandError(f"--keep {corpus}: this is not a folder")
    if corpus is not None:
        try:
            corpus.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            raise CommandError(f"--keep {corpus}: {getattr(error, 'strerror', None) or error}") from error
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
