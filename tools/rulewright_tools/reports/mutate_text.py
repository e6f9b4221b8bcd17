"""The report of ``rulewright mutate`` for a person."""

from __future__ import annotations

from collections.abc import Mapping

from rich import box
from rich.table import Table

import rulewright as rw
from rulewright_tools.console import out, plural


def show(report: rw.mutation.MutationReport) -> None:
    """The figures of each operator and of all."""
    console = out()
    total = report.total
    console.print(f"{report.title}: {total.all} of {plural(report.possible, 'mutant')}, seed {report.seed}")
    if total.all:
        console.print(_table(report))
    changing = sum(total.caught.values()) + total.survived
    if total.score is not None:
        line = f"score: {total.score:.1%}, caught {sum(total.caught.values())} of {changing} that change the game"
        if total.caught["errors"] + total.caught["check"] and total.played_score is not None:
            line += f" ({total.played_score:.1%} by playing, of those without errors)"
        console.print(line)
    if total.unchanged:
        console.print(f"no difference in {plural(report.games, 'random game')} of each kind: {total.unchanged}")
    if total.equivalent:
        console.print(f"the same game, not counted: {total.equivalent}")
    if left := report.wanted - total.all:
        console.print(f"not judged, time was up: {left}")


HEADS = ("mutants", *rw.mutation.STAGES, "survived", "no difference", "same game", "score")


def _table(report: rw.mutation.MutationReport) -> Table:
    """A row for each operator; columns in which there is nothing are left out."""
    rows = [cells(row) for row in (*report.rows, report.total)]
    shown = [number for number in range(len(HEADS)) if rows[-1][number + 1]]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("operator", no_wrap=True)
    for number in shown:
        table.add_column(HEADS[number], justify="right")
    for row in rows:
        if row is rows[-1]:
            table.add_section()
        table.add_row(row[0], *(row[number + 1] for number in shown))
    return table


def cells(row: rw.mutation.Row) -> tuple[str, ...]:
    """A row as texts: its name, and a text for each of the heads."""
    caught = [row.caught[stage] for stage in rw.mutation.STAGES]
    numbers = (row.all, *caught, row.survived, row.unchanged, row.equivalent)
    return (row.name, *(str(n) if n else "" for n in numbers), "" if row.score is None else f"{row.score:.0%}")


def show_survivors(report: rw.mutation.MutationReport, statements: Mapping[str, rw.rulesets.Statement]) -> None:
    """Print the mutants that nothing found: each with its rule, its statements and the change."""
    _list("survived: a scenario is missing", report.of("survived"), statements)
    _list("made no difference in any game", report.of("unchanged"), statements)


def _list(
    title: str, verdicts: list[rw.mutation.MutantStatus], statements: Mapping[str, rw.rulesets.Statement]
) -> None:
    console = out()
    if verdicts:
        console.print(f"\n{title}", style="bold")
    for verdict in verdicts:
        for line in mutant_lines(verdict.mutant, statements):
            console.print(line)


def mutant_lines(mutant: rw.mutation.Mutant, statements: Mapping[str, rw.rulesets.Statement]) -> list[str]:
    """A mutant, line by line."""
    lines = [f"{mutant.span.file}:{mutant.span.line}  {mutant.id}", f"  - {mutant.before}"]
    lines += [f"  + {mutant.after}"] if mutant.after else []
    for cite in mutant.cites:
        words = f": {statements[cite].statement}" if cite in statements else ""
        lines.append(f"  @{cite}{words}")
    return lines
