"""One construct of the language each (``micro/``): machine instructions and nanoseconds of a use.

    python tests/benchmarks/bench_micro.py                     all of them
    python tests/benchmarks/bench_micro.py ray_first in_reach  some
    python tests/benchmarks/bench_micro.py --passes -floods    the same without a pass

Each ruleset does one construct in a loop. Its parameter ``which`` takes the construct (1), another way to say it (2),
or neither (0), whose cost is taken off. The last column is how much more the construct costs than the other way, in
instructions: what an author could gain by choosing words, and the compiler should by itself. Instructions are those of
the machine code (``explain-plan``) and do not depend on the machine; nanoseconds are of processor time, the best of
three. ``micro/lines.c`` has the same in C as one would write it who knows the game, with masks and tables; that is
measured in the same run if there is a compiler (``cc``), its loop taken off as well. The last column is how many times
as long ours takes; what costs C less than a cycle counts as one.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

import rulewright as rw
from rulewright.engine import parsed_passes
from rulewright.engine.native.profile import profile

FOLDER = Path(__file__).parent / "micro"
LINES, HEXES = 10 * 360, 169
USES = {
    "built_set": LINES, "cases": LINES, "chariot": 10 * 90, "connected_set": 2 * HEXES, "distinct_count": 10 * HEXES,
    "edge_between": 10 * 324, "fixed_owner": 500 * 2, "fixed_relation": 4 * 160, "fixed_set": LINES,
    "fixed_sides": 10 * HEXES, "full_board": 10 * HEXES, "horse": 10 * 90, "in_reach": 2 * HEXES, "leading_on": 1000,
    "merged_chains": HEXES, "neighbour_count": 10 * HEXES, "occupied_stacks": 217, "ray_count": LINES,
    "ray_first": LINES, "ray_none": LINES, "ray_while": LINES // 5, "reach_after": 10 * 64, "reach_chain": 10 * HEXES,
    "reach_to_rim": HEXES, "reach_walls": 10 * 144, "repetition": 200, "sowing": 500 * 12, "what_if": 10 * 322,
}  # fmt: skip
"""Uses of the construct in one game."""
FLAGS = ["-O3", "-march=native", "-fno-tree-vectorize"]
"""Of the C compiler. It would copy sets as vectors that were just written word by word, which stalls for 12 ns."""
CYCLE = 0.3
"""Nanoseconds below which a figure is chance."""


def instructions(name: str, which: int, passes: str) -> float:
    """Machine instructions of one game."""
    program = rw.load(str(FOLDER / name), options={"which": which}).program
    found = profile(program, 3, passes=parsed_passes(passes)).profile
    return found.instructions / found.games


def nanoseconds(name: str, which: int, passes: str) -> float:
    """Processor time of one game, in the best of three rounds."""
    game = rw.load(str(FOLDER / name), options={"which": which}, passes=passes)
    game.playouts(10)
    best = float("inf")
    for _ in range(3):
        games, begun = 0, time.process_time()
        while time.process_time() - begun < 0.1:
            game.playouts(4, games)
            games += 4
        best = min(best, (time.process_time() - begun) / games * 1e9)
    return best


def in_c() -> dict[str, float]:
    """Nanoseconds of a use in C; nothing where no compiler is."""
    if (compiler := shutil.which("cc")) is None:
        return {}
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "lines"
        subprocess.run([compiler, *FLAGS, "-o", made, FOLDER / "lines.c"], check=True)
        told = subprocess.run([made], check=True, capture_output=True, text=True).stdout
    return {name: float(number) for name, number in map(str.split, told.splitlines())}


def main(
    names: Annotated[list[str] | None, typer.Argument(help="constructs; without any, all")] = None,
    passes: Annotated[str, typer.Option(help="the passes that are made")] = "all",
) -> None:
    """Measure and print a table."""
    table = Table("construct", "instructions", "ns", "otherwise, instructions", "ns", "÷ otherwise", "C, ns", "÷ C")
    by_hand = in_c()
    for name in names or USES:
        cost = [[f(name, which, passes) for f in (instructions, nanoseconds)] for which in (0, 1, 2)]
        if name == "leading_on":  # it has no 0
            cost[0] = [0.0, 0.0]
        (one, ns), (other, other_ns) = (
            [(x - nothing) / USES[name] for x, nothing in zip(cost[which], cost[0], strict=True)] for which in (1, 2)
        )
        ratio = f"{one / other:.1f}" if other > 0 else ""
        in_lines = [f"{by_hand[name]:.2f}", f"{max(ns, CYCLE) / max(by_hand[name], CYCLE):.1f}"] if by_hand else []
        table.add_row(name, f"{one:,.0f}", f"{ns:,.1f}", f"{other:,.0f}", f"{other_ns:,.1f}", ratio, *in_lines)
    Console(width=120).print(table)


if __name__ == "__main__":
    typer.run(main)
