"""Whole games at random: the native engine, the Python engine and, where it is installed, OpenSpiel.

    python tests/benchmarks/bench_native.py                 the games that the native engine plays
    python tests/benchmarks/bench_native.py connect-four    one of them, or any ruleset
    python tests/benchmarks/bench_native.py --rounds 15

All are measured in turn, in one process, processor time, medians over the rounds. The last columns are ratios, which
carry over to other machines. OpenSpiel (``pip install open_spiel``) plays its own game, written in C++ by hand: one
simulation of its MCTSBot with random rollouts, as in its own benchmarks.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib import import_module
from statistics import median
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

import rulewright as rw
from rulewright.engine import Playout
from rulewright.engine.native.backend import Backend
from rulewright.engine.native.values import Unsupported

SLICE = 0.15
"""Seconds for which each is measured in a round."""
OPEN_SPIEL = {"connect-four": "connect_four", "breakthrough": "breakthrough", "tic-tac-toe": "tic_tac_toe"}
STEPS, TOTAL, MOST = 10**6, 10**9, 10**5


def python_games(game: rw.Game) -> Callable[[int], int]:
    """Plays one game, given a seed; how many were played."""
    playout = Playout(game.program)

    def play(seed: int) -> int:
        playout.play(seed)
        return 1

    return play


def native_games(game: rw.Game) -> tuple[Callable[[int], int], float] | None:
    """Plays some games at once, and the seconds for compiling it; None if it is not compiled."""
    begun = time.process_time()
    try:
        backend = Backend(game.program)
    except Unsupported:
        return None
    seconds = time.process_time() - begun

    def play(seed: int) -> int:
        return sum(one is not None for one in backend.play_many(seed * 64, 64, MOST, STEPS, TOTAL))

    return play, seconds


def open_spiel_games(name: str) -> Callable[[int], int] | None:
    """Plays rollouts of OpenSpiel's own game."""
    try:
        pyspiel: Any = import_module("pyspiel")
    except ImportError:
        return None
    if name not in OPEN_SPIEL:
        return None
    game: Any = pyspiel.load_game(OPEN_SPIEL[name])
    state = game.new_initial_state()
    count = 64

    def play(seed: int) -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(count, seed)
        pyspiel.MCTSBot(game, evaluator, 1.0, 1, 1000, False, seed, False).step(state)
        return count

    return play


def rate(play: Callable[[int], int], first: int) -> float:
    """Games a second of processor time."""
    begun, played, seed = time.process_time(), 0, first
    while (spent := time.process_time() - begun) < SLICE:
        played += play(seed)
        seed += 1
    return played / spent


def main(
    rulesets: Annotated[list[str] | None, typer.Argument(help="Rulesets by name or folder.")] = None,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds, of each of which the median counts.")] = 7,
) -> None:
    """Measure and print."""
    table = Table("ruleset", "compile, ms", "native", "Python", "OpenSpiel", "native : Python", "native : OpenSpiel")
    for name in rulesets or [*OPEN_SPIEL, "carolus-magnus"]:
        game = rw.load(name, engine="python")
        native = native_games(game)
        players = {"Python": python_games(game), "OpenSpiel": open_spiel_games(name)}
        if native is not None:
            players["native"] = native[0]
        found: dict[str, list[float]] = {}
        for turn in range(rounds):
            for who, play in players.items():
                if play is not None:
                    found.setdefault(who, []).append(rate(play, turn * 1000))
        rates = {who: median(values) for who, values in found.items()}

        def ratio(other: str, rates: dict[str, float] = rates) -> str:
            return f"{rates['native'] / rates[other]:.1f}" if {"native", other} <= rates.keys() else "–"

        table.add_row(
            game.title,
            f"{native[1] * 1000:.0f}" if native else "–",
            *(f"{rates[who]:,.0f}" if who in rates else "–" for who in ("native", "Python", "OpenSpiel")),
            ratio("Python"),
            ratio("OpenSpiel"),
        )
    Console(width=120).print(table)


if __name__ == "__main__":
    typer.run(main)
