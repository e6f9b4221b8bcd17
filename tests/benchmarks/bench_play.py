"""Decisions and games a second, next to a fixed loop of plain Python. Prints; asserts nothing.

The loop makes figures of different machines and days comparable: what counts is the ratio, how many decisions are
made in the time in which the loop does a million steps.

    python tests/benchmarks/bench_play.py rulesets/tic-tac-toe [SECONDS]
"""

from __future__ import annotations

import sys
import time

import rulewright as rw
from rulewright_tools.chances import pick

STEPS = 1_000_000


def calibrate() -> float:
    """Seconds for a million steps of integer arithmetic, list access and calls, the best of three."""

    def step(cells: list[int], at: int) -> int:
        cells[at & 63] = (cells[at & 63] * 1103515245 + 12345 + at) & 0x7FFFFFFF
        return cells[at & 63] >> 3

    best = float("inf")
    for _ in range(3):
        cells = list(range(64))
        at = 1
        begun = time.perf_counter()
        for _ in range(STEPS):
            at = step(cells, at)
        best = min(best, time.perf_counter() - begun)
    return best


def in_place(game: rw.Game, seconds: float) -> tuple[int, int, float]:
    """Decisions, games and time of random playouts that change one state in place."""
    decisions = games = 0
    begun = time.perf_counter()
    while (spent := time.perf_counter() - begun) < seconds:
        decisions += game.playout(games).decisions
        games += 1
    return decisions, games, spent


def state_by_state(game: rw.Game, seconds: float) -> tuple[int, int, float]:
    """The same with a new, immutable state for every decision."""
    decisions = games = 0
    begun = time.perf_counter()
    while (spent := time.perf_counter() - begun) < seconds:
        state = game.start(seed=games)
        number = 0
        while (decision := state.decision) is not None:
            state = state.choose(pick(games, number, len(decision.options)))
            number += 1
        decisions += number
        games += 1
    return decisions, games, spent


def main() -> None:
    path = sys.argv[1] if len(sys.argv) > 1 else "rulesets/tic-tac-toe"
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 5.0
    million = calibrate()
    print(f"calibration: {STEPS / million:,.0f} steps a second")
    counts = rw.player_counts(rw.sources(rw.open_ruleset(path)).rules)
    for players in counts:
        begun = time.perf_counter()
        game = rw.load(path, players=players)
        loaded = time.perf_counter() - begun
        print(f"{game.title}, {players} players (loaded in {loaded:.2f} s)")
        for name, run in (("in place", in_place), ("state by state", state_by_state)):
            decisions, games, spent = run(game, seconds)
            rate = decisions / spent
            print(
                f"  {name:<15} {rate:>9,.0f} decisions/s  {games / spent:>8,.1f} games/s  "
                f"{rate * million:>8,.0f} decisions per million steps"
            )


if __name__ == "__main__":
    main()
