"""Games as a stranger writes them (``strangers/``): first the same moves as OpenSpiel, then turns a second of both.

    python tests/benchmarks/bench_strangers.py                 all of them
    python tests/benchmarks/bench_strangers.py hex havannah    some
    python tests/benchmarks/bench_strangers.py --rounds 9 --passes -floods

Both are measured in turn, in one process, processor time, medians over the rounds; the last column is the ratio of
turns a second, which carries over to other machines. OpenSpiel (``pip install open_spiel``) plays its own game, written
in C++ by hand: one simulation of its MCTSBot with random rollouts. ``--passes`` adds a column: the same
without some passes.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from importlib import import_module
from random import Random
from statistics import mean, median
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from stranger_games import STRANGERS, Stranger, in_lockstep

import rulewright as rw

SLICE = 0.2
"""Seconds for which each is measured in a round."""
BATCH = 64
"""Games a call, on both sides."""
GAMES = 12
"""Games of which the mean length is taken."""


def ours(one: Stranger, passes: str) -> tuple[Callable[[int], int], float]:
    """Plays so many games by machine code, and their mean turns."""
    game = rw.load(one.folder, engine="native", passes=passes)
    turn, lengths = game.rule_names.index("turn"), []
    for seed in range(GAMES):
        fired = game.new_fired()
        played = game.playout(seed, fired=fired)
        lengths.append(played.decisions if one.by_answer else fired[turn])
    return lambda seed: len(game.playouts(BATCH, seed)), mean(lengths)


def theirs(one: Stranger) -> tuple[Callable[[int], int], float]:
    """Plays rollouts of OpenSpiel, and their mean turns."""
    pyspiel: Any = import_module("pyspiel")
    game, lengths, r = pyspiel.load_game(one.theirs), [], Random(1)
    for _ in range(GAMES):
        at, count = game.new_initial_state(), 0
        while not at.is_terminal():
            at.apply_action(r.choice(at.legal_actions()))
            count += 1
        lengths.append(count)

    def play(seed: int) -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(BATCH, seed)
        pyspiel.MCTSBot(game, evaluator, 1.0, 1, 1000, False, seed, False).step(game.new_initial_state())
        return BATCH

    return play, mean(lengths)


def turns_a_second(play: Callable[[int], int], turns: float, seed: int) -> float:
    """Turns in a second of processor time."""
    games, begun = 0, time.process_time()
    while (spent := time.process_time() - begun) < SLICE:
        games += play(1_000_000 * seed + games)
    return games * turns / spent


def main(
    names: Annotated[list[str] | None, typer.Argument(help="games; without any, all")] = None,
    rounds: Annotated[int, typer.Option(help="rounds of measurements")] = 5,
    games: Annotated[int, typer.Option(help="games in lockstep with OpenSpiel before")] = 1,
    passes: Annotated[str, typer.Option(help="passes of another column")] = "",
) -> None:
    """Compare, measure and print a table."""
    wanted = ["all", *([passes] if passes else [])]
    table = Table("game", "turns alike", "OpenSpiel, turns/s", *(f"{text}, turns/s" for text in wanted))
    for text in wanted:
        table.add_column(f"{text} ÷ OpenSpiel")
    logs = []
    for one in STRANGERS:
        if names and one.name not in names:
            continue
        alike = sum(in_lockstep(one, seed) for seed in range(games))
        players = [theirs(one), *(ours(one, text) for text in wanted)]
        speeds = [[turns_a_second(*player, seed) for player in players] for seed in range(rounds)]
        there, *here = (median(column) for column in zip(*speeds, strict=True))
        ratios = [median(row[1 + n] / row[0] for row in speeds) for n in range(len(wanted))]
        logs.append([math.log(ratio) for ratio in ratios])
        figures = [f"{alike:,}", f"{there:,.0f}", *(f"{x:,.0f}" for x in here), *(f"{x:.2f}" for x in ratios)]
        table.add_row(one.name, *figures)
    if logs:
        means = [f"{math.exp(mean(column)):.2f}" for column in zip(*logs, strict=True)]
        table.add_row("geometric mean", *[""] * (2 + len(wanted)), *means)
    Console(width=160).print(table)


if __name__ == "__main__":
    typer.run(main)
