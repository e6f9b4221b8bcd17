"""The share of mistakes that the checker finds: makes single mistakes in correct rulesets, and checks these.

    python tests/benchmarks/bench_mistakes.py [--ruleset NAME] [--kind NAME] [--each N] [--seed N] [--jobs N]
                                              [--list-missed] [--markdown]

Exit code 1: the checker broke, or found less than 95 % of what can be found on the right line.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer
from mistakes import report
from mistakes.kinds import KINDS
from mistakes.running import check_all, inject, rulesets
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

WANTED = 95
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "mistakes.md"


def main(
    ruleset: Annotated[list[str] | None, typer.Option(help="Only in this ruleset; may be repeated.")] = None,
    kind: Annotated[list[str] | None, typer.Option(help="Only this kind; a part of its name is enough.")] = None,
    each: Annotated[int, typer.Option(min=1, help="Mistakes of each kind.")] = 8,
    seed: Annotated[int, typer.Option(help="Decides where the mistakes are made.")] = 0,
    jobs: Annotated[int, typer.Option(min=1, help="Processes.")] = 2,
    list_missed: Annotated[bool, typer.Option("--list-missed", help="List what was not found on its line.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Write docs/reference/mistakes.md.")] = False,
) -> None:
    """Make mistakes in rulesets and count how many `rulewright check` finds, and how many on the right line."""
    folders = [f for f in rulesets() if not ruleset or f.name in ruleset]
    kinds = [k for k in KINDS if not kind or any(part in k for part in kind)]
    if unknown := sorted(set(ruleset or ()) - {f.name for f in folders}):
        raise typer.BadParameter(f"there is no ruleset {unknown[0]}: there are {', '.join(f.name for f in rulesets())}")
    if not kinds:
        raise typer.BadParameter(f"no kind is called so: there are {', '.join(KINDS)}")
    if markdown and kind:
        raise typer.BadParameter("--markdown goes with all kinds")
    console = Console()
    begun = time.perf_counter()
    made = inject(folders, kinds, each, seed)
    bar = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*bar, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("mistakes", total=len(made))
        outcomes = check_all(made, jobs, lambda: progress.advance(task))
    console.print(report.table(outcomes))
    console.print(f"{len(made)} mistakes of {len(kinds)} kinds in {time.perf_counter() - begun:.0f} s", highlight=False)
    if list_missed:
        for text in report.missed(outcomes):
            console.print(text, markup=False, highlight=False, soft_wrap=True)
    for text in report.crashes(outcomes):
        console.print(text, markup=False, highlight=False, soft_wrap=True)
    if markdown:
        report.write_page(PAGE, outcomes)
    total = report.rows(outcomes)[-1]
    if report.crashes(outcomes) or 100 * total.right < WANTED * total.findable:
        raise typer.Exit(1)


if __name__ == "__main__":
    typer.run(main)
