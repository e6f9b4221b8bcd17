"""The same game in plain words (``strangers/``) and in cheap ones (``cheap/``): first that it is the same, then both.

    python tests/benchmarks/bench_pairs.py                 all of them
    python tests/benchmarks/bench_pairs.py loa quoridor    some
    python tests/benchmarks/bench_pairs.py --rounds 9 --passes -rays

Cheap words are those of somebody who knows what the compiler makes of each. That both are one game is shown in two
ways: games at random have the same questions and the same options in the same order, and of the same seeds all games
are equally long and have the same ends. Then both are measured in turn, in one process, processor time; the ratio is
the median over the rounds of how many times as long the plain words take.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import mean, median
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

import rulewright as rw

FOLDER = Path(__file__).parent
PAIRS = tuple(sorted(path.parent.name for path in (FOLDER / "cheap").glob("*/ruleset.json")))
"""The games that lie in both folders."""
SLICE = 0.2
"""Seconds for which each is measured in a round."""
BATCH = 64
"""Games a call."""


def both(name: str, passes: str = "all") -> tuple[rw.Game, rw.Game]:
    """The game in plain words and in cheap ones."""
    plain, cheap = (rw.load(str(FOLDER / words / name), passes=passes) for words in ("strangers", "cheap"))
    return plain, cheap


def in_lockstep(name: str, seed: int, most: int = 10_000) -> int:
    """Play one game at random in both; the number of answers. AssertionError if they differ."""
    plain, cheap = (game.start(seed) for game in both(name))
    r, count = Random(seed), 0
    while plain.decision is not None and count < most:
        where = f"{name}, seed {seed}, answer {count}"
        assert cheap.decision is not None, f"{where}: over in cheap words"
        keys, other = ([option.key for option in at.decision.options] for at in (plain, cheap) if at.decision)
        assert plain.decision.seat == cheap.decision.seat, f"{where}: who is asked"
        assert keys == other, f"{where}: {keys} and {other}"
        key = r.choice(keys)
        plain, cheap, count = plain.choose(key), cheap.choose(key), count + 1
    assert plain.result == cheap.result, f"{name}, seed {seed}: ends"
    return count


def equal_games(name: str, games: int, passes: str = "all") -> int:
    """Play so many games in both by machine code; the number of answers. AssertionError if they differ."""
    plain, cheap = (game.playouts(games) for game in both(name, passes))
    for what, one, other in (("answers", plain.decisions, cheap.decisions), ("places", plain.places, cheap.places)):
        assert one == other, f"{name}: {what}"
    return sum(plain.decisions)


def nanoseconds(game: rw.Game, seeds: Iterator[int]) -> float:
    """Processor time of a game."""
    games, begun = 0, time.process_time()
    while (spent := time.process_time() - begun) < SLICE:
        games += len(game.playouts(BATCH, next(seeds)))
    return spent / games * 1e9


def main(
    names: Annotated[list[str] | None, typer.Argument(help="games; without any, all")] = None,
    rounds: Annotated[int, typer.Option(help="rounds of measurements")] = 5,
    games: Annotated[int, typer.Option(help="games that have to be equal")] = 10_000,
    passes: Annotated[str, typer.Option(help="the passes that are made")] = "all",
) -> None:
    """Compare, measure and print a table."""
    table = Table("game", "answers alike", "plain, µs a game", "cheap, µs a game", "plain ÷ cheap")
    logs = []
    for name in names or PAIRS:
        alike = in_lockstep(name, 1, 30) + equal_games(name, games, passes)
        pair = both(name, passes)
        spent = []
        for seed in range(rounds):
            seeds = [iter(range(1_000_000 * seed, 2_000_000_000, BATCH)) for _ in pair]
            spent.append([nanoseconds(game, some) for game, some in zip(pair, seeds, strict=True)])
        plain, cheap = (median(column) for column in zip(*spent, strict=True))
        ratio = median(one / other for one, other in spent)
        logs.append(math.log(ratio))
        table.add_row(name, f"{alike:,}", f"{plain / 1000:,.1f}", f"{cheap / 1000:,.1f}", f"{ratio:.2f}")
    table.add_row("geometric mean", "", "", "", f"{math.exp(mean(logs)):.2f}")
    Console(width=120).print(table)


if __name__ == "__main__":
    typer.run(main)
