"""Random expressions under each pass alone and under all, for as many as wanted, and how many each pass has changed.

    python tests/torture/expressions.py --expressions 100000
    python tests/torture/expressions.py --only 17              the expressions of one program, to look at

The expressions of program number *n* follow from *n* alone. What is compared is said in
``tests/engine/expression_oracle.py``; every eighth program is also compared in lockstep on both engines. The exit code
is 1 if anything differs; each difference is told with the least expression that shows it.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

sys.path += [str(Path(__file__).parents[1] / folder) for folder in (".", "engine", "../interpreter")]

import typer
from expression_oracle import Figures, tried
from lockstep import Differs
from rich.console import Console
from rich.table import Table

AT_ONCE = 500
"""Expressions of one program."""
ON_ENGINES = 8
"""Of so many programs one is compared on both engines, too."""


def main(
    expressions: Annotated[int, typer.Option(help="Expressions, at least.")] = 100_000,
    first: Annotated[int, typer.Option(help="The number of the first program.")] = 0,
    only: Annotated[int | None, typer.Option(help="The number of one program.")] = None,
) -> None:
    """Compare, and print a table."""
    figures, differences, number, told = Figures(), 0, first if only is None else only, time.monotonic()
    try:
        while figures.expressions < (expressions if only is None else 1):
            try:
                figures.add(tried(number, AT_ONCE, number % ON_ENGINES == 0))
            except Differs as difference:
                differences += 1
                figures.expressions += AT_ONCE
                print(f"program {number}: {difference}", file=sys.stderr, flush=True)
            number += 1
            if time.monotonic() - told > 60:
                told = time.monotonic()
                print(f"{figures.expressions:,} of {expressions:,} expressions", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        pass
    Console(width=None if sys.stdout.isatty() else 120).print(table(figures, differences))
    raise typer.Exit(int(differences > 0))


def table(figures: Figures, differences: int) -> Table:
    """The figures for people."""
    made = Table("passes", "expressions that they changed", "evaluated by machine code")
    for name in sorted({*figures.changed, *figures.compared}, key=lambda name: (-figures.changed[name], name)):
        made.add_row(name, f"{figures.changed[name]:,}", f"{figures.compared[name]:,}")
    counts = (
        f"{figures.expressions:,} expressions, {figures.refused:,} more were refused, {figures.too_long:,} too long"
    )
    made.caption = f"{counts}; {differences} programs with differences"
    return made


if __name__ == "__main__":
    typer.run(main)
