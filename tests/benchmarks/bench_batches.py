"""Few games a call: games at random a second in calls of 1 to 1,000 games, divided by those in calls of 10,000.

    python tests/benchmarks/bench_batches.py                tic-tac-toe
    python tests/benchmarks/bench_batches.py connect-four   other games, by name or folder

All sizes take turns in one process; processor time, medians over the rounds.
"""

from __future__ import annotations

import time
from statistics import median
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

import rulewright as rw

SIZES = (1, 8, 64, 200, 1_000, 10_000)
"""Games a call; the last one is what the others are divided by."""
SLICE = 0.15
"""Seconds for which each is measured in a round."""


def games_a_second(game: rw.Game, size: int, seed: int) -> float:
    """Games in a second of processor time, in calls of so many."""
    played, begun = 0, time.process_time()
    while (spent := time.process_time() - begun) < SLICE:
        played += len(game.playouts(size, seed + played))
    return played / spent


def main(
    names: Annotated[list[str] | None, typer.Argument(help="games; without any, tic-tac-toe")] = None,
    rounds: Annotated[int, typer.Option(min=1, help="rounds of measurements")] = 7,
) -> None:
    """Measure and print a table."""
    table = Table("game", *(f"{size:,} a call" for size in SIZES))
    for name in names or ["tic-tac-toe"]:
        game = rw.load(name, engine="native")
        game.playouts(SIZES[-1])
        found = [[games_a_second(game, size, seed) for size in SIZES] for seed in range(rounds)]
        table.add_row(name, *(f"{median(row[at] / row[-1] for row in found):.2f}" for at in range(len(SIZES))))
    Console(width=120).print(table)


if __name__ == "__main__":
    typer.run(main)
