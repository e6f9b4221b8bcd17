"""Decisions and games a second, next to a fixed loop of plain Python. Prints; asserts nothing.

The loop makes figures of different machines and days comparable: what counts is the ratio, how many decisions are
made in the time in which the loop does a million steps. Time is the processor's, so a busy machine matters little.

    python tests/benchmarks/bench_play.py rulesets/tic-tac-toe [SECONDS]
    python tests/benchmarks/bench_play.py all [SECONDS]                     every shipped ruleset
"""

from __future__ import annotations

import sys
import time

import rulewright as rw
from rulewright.compiler import player_counts, sources
from rulewright.engine import State
from rulewright.engine.runtime.query_calls import declared_queries
from rulewright_tools.session.game_session import random_pick

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
        begun = time.process_time()
        for _ in range(STEPS):
            at = step(cells, at)
        best = min(best, time.process_time() - begun)
    return best


def in_place(game: rw.Game, seconds: float) -> tuple[int, int, float]:
    """Decisions, games and time of random playouts that change one state in place."""
    decisions = games = 0
    begun = time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        decisions += game.playout(games).decisions
        games += 1
    return decisions, games, spent


def state_by_state(game: rw.Game, seconds: float) -> tuple[int, int, float]:
    """The same with a new, immutable state for every decision."""
    decisions = games = 0
    begun = time.process_time()
    while (spent := time.process_time() - begun) < seconds:
        state = game.start(seed=games)
        number = 0
        while (decision := state.decision) is not None:
            state = state.choose(random_pick(games, number, len(decision.options)))
            number += 1
        decisions += number
        games += 1
    return decisions, games, spent


def remembering(game: rw.Game) -> tuple[float, float] | None:
    """Microseconds for an answer of a query that asks for an area: worked out afresh, and from memory.

    All queries about one thing that are remembered are asked about all of these things, in positions of one game.
    """
    engine = game.engine
    remembered = engine.compiled.ctx.memo_layout.numbers
    asked = [
        (name, key)
        for name, query in declared_queries(engine).items()
        if name in remembered and len(query.params) == 1 and query.params[0].ty.kind == "entity"
        for key in dict.fromkeys(engine.layout.universes[query.params[0].ty.universe].keys)
    ]
    if not asked:
        return None
    fresh = known = 0.0
    answers = 0
    state = game.start(seed=1)
    for number in range(120):
        if state.decision is None:
            break
        state = state.choose(random_pick(1, number, len(state.decision.options)))
        if number % 20 != 19:
            continue
        begun = time.process_time()
        for name, key in asked:
            State.at_rest(engine, state.cells, state.mode, None).ask(name, key)
        middle = time.process_time()
        for name, key in asked:
            state.ask(name, key)
        known += time.process_time() - middle
        fresh += middle - begun
        answers += len(asked)
    return fresh / answers * 1e6, known / answers * 1e6


def main() -> None:
    given = sys.argv[1] if len(sys.argv) > 1 else "rulesets/tic-tac-toe"
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 5.0
    million = calibrate()
    print(f"calibration: {STEPS / million:,.0f} steps a second")
    for path in map(str, rw.shipped_rulesets()) if given == "all" else (given,):
        bench(path, seconds, million)


def bench(path: str, seconds: float, million: float) -> None:
    """Print the figures of one ruleset."""
    counts = player_counts(sources(rw.open_ruleset(path)).rules)
    for players in counts:
        begun = time.process_time()
        game = rw.load(path, players=players)
        loaded = time.process_time() - begun
        print(f"{game.title}, {players} players (loaded in {loaded:.2f} s)")
        for name, run in (("in place", in_place), ("state by state", state_by_state)):
            decisions, games, spent = run(game, seconds)
            rate = decisions / spent
            print(
                f"  {name:<15} {rate:>9,.0f} decisions/s  {games / spent:>8,.1f} games/s  "
                f"{rate * million:>8,.0f} decisions per million steps"
            )
        found = remembering(game)
        if found is not None:
            fresh, known = found
            print(f"  areas: an answer takes {fresh:.1f} µs afresh, {known:.1f} µs remembered ({fresh / known:.1f} x)")


if __name__ == "__main__":
    main()
