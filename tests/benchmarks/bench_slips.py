"""The share of slips of meaning whose cause is told: examines variants with one slip each, and their right versions.

    python tests/benchmarks/bench_slips.py [--game NAME] [--kind NAME] [--slip NAME] [--jobs N]
                                           [--half seen|held|blind|blind-2|blind-3|blind-4|blind-5]
                                           [--games N] [--check] [--record FILE]
                                           [--format json] [--list] [--markdown]

Exit code 1: there is a false alarm, or something cannot be examined.
"""

from __future__ import annotations

import json
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from slips import tables
from slips.collection import HALVES, PARTS, PairedSlip, collection
from slips.judging import Outcome, Verdict
from slips.pages import write_page
from slips.record import Record
from slips.running import run

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "mistakes.md"


class Format(StrEnum):
    """Formats of the counts."""

    TEXT = "text"
    JSON = "json"


def main(
    game: Annotated[list[str] | None, typer.Option(help="Only slips of this game; may be repeated.")] = None,
    kind: Annotated[list[str] | None, typer.Option(help="Only this kind; a part of its name is enough.")] = None,
    slip: Annotated[list[str] | None, typer.Option(help="Only this slip; a part of its name is enough.")] = None,
    half: Annotated[str, typer.Option(help="Only one part: seen, held, blind, blind-2 to blind-5.")] = "",
    games: Annotated[int | None, typer.Option(min=0, help="Games of each kind, however long; 0: none.")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes.")] = 2,
    check: Annotated[bool, typer.Option("--check", help="Ask the checker, too; takes far longer.")] = False,
    record: Annotated[Path | None, typer.Option(help="File of what was said, to go on from.")] = None,
    format: Annotated[Format, typer.Option("--format", help="How to report.")] = Format.TEXT,
    list_: Annotated[bool, typer.Option("--list", help="List each slip that is not held, with its verdict.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Write docs/reference/mistakes.md.")] = False,
) -> None:
    """Examine variants with one slip each, and judge what is said of them."""
    if half and half not in PARTS:
        raise typer.BadParameter(f"there is no part {half!r}: there are {', '.join(PARTS)}")
    chosen = [one for one in collection(game or ()) if _fits(one, kind, slip, half)]
    if not chosen:
        raise typer.BadParameter("there is no such slip")
    outcomes = _with_progress(chosen, jobs, check, games, Record(record))
    console = Console()
    if format is Format.JSON:
        sys.stdout.write(json.dumps(tables.data(outcomes), indent=2) + "\n")
    else:
        _show(console, outcomes, list_)
    if markdown:
        write_page(PAGE, outcomes)
    if any(one.failed or one.false_alarms for one in outcomes):
        raise typer.Exit(1)


def _fits(one: PairedSlip, kinds: list[str] | None, names: list[str] | None, half: str) -> bool:
    return (
        (not kinds or any(part in one.kind for part in kinds))
        and (not names or any(part in one.key for part in names))
        and half in ("", one.half)
    )


def _with_progress(
    chosen: list[PairedSlip], jobs: int, check: bool, games: int | None, record: Record
) -> list[Outcome]:
    bar = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    told = 0
    with Progress(*bar, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("slips", total=len(chosen))

        def done(outcome: Outcome) -> None:
            nonlocal told
            told += outcome.verdict is Verdict.CAUSE
            progress.update(task, advance=1, description=f"slips, {told} causes told")

        return run(chosen, jobs, check, games, done, record)


def _show(console: Console, outcomes: list[Outcome], listed: bool) -> None:
    console.print(tables.table("by half", tables.by_half(outcomes)))
    console.print(tables.table("by kind", tables.by_kind(outcomes)))
    console.print(tables.table("by game", tables.by_game(outcomes)))
    console.print(tables.table_of_analyses(tables.by_analysis(outcomes)))
    for one in outcomes:
        if listed and one.slip.half != HALVES[1]:
            console.print(f"{one.verdict.value:10} {one.slip.key} ({one.slip.kind}): {one.slip.slip}", highlight=False)
            for said in one.news:
                console.print(f"           {said.code} {said.text}", markup=False, highlight=False)
        for said in one.false_alarms:
            text = f"of the right version of {one.slip.key}: {said.code} {said.text} [{said.line}]"
            console.print(text, markup=False, highlight=False)
        if one.failed:
            console.print(f"{one.slip.key} cannot be examined: {one.failed}", markup=False, highlight=False)


if __name__ == "__main__":
    typer.run(main)
