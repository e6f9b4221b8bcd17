"""Whole games at random: the native engine, the Python engine and, where it is installed, OpenSpiel.

    python tests/benchmarks/bench_native.py                 the games that the native engine plays
    python tests/benchmarks/bench_native.py connect-four    one of them, or any ruleset
    python tests/benchmarks/bench_native.py --rounds 15

All are measured in turn, in one process, processor time, medians over the rounds. The last columns are ratios, which
carry over to other machines. OpenSpiel (``pip install open_spiel``) plays its own game, written in C++ by hand: one
simulation of its MCTSBot with random rollouts, as in its own benchmarks.

The second table is about games that are driven from Python: microseconds for an answer with the number of the next
options (of OpenSpiel: ``apply_action`` and ``legal_actions``), and for the same in a batch of games.

The third is about one thread and two, by the clock. That tells something only on two cores that do nothing else: the
last column is how much more two threads do here, in the same seconds, that share nothing at all.
"""

from __future__ import annotations

import bz2
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib import import_module
from random import Random
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
OPEN_SPIEL = {
    "connect-four": "connect_four", "breakthrough": "breakthrough", "tic-tac-toe": "tic_tac_toe",
    "hex": "hex(board_size=11)", "othello": "othello",
}  # fmt: skip
OTHERS = ("carolus-magnus", "domaine", "loewenherz", "baron", "kings-and-things")
BATCH = 1024
"""Games in a batch, if they are short."""
ANSWERS = 1 << 16
"""Answers in a batch of long games, about."""
PICKS = [number.random() for number in [Random(1)] for _ in range(BATCH)]
"""Parts of the number of options, to pick with: random numbers would cost as much as an answer."""


def python_games(game: rw.Game) -> Callable[[int], int]:
    """Plays one game, given a seed; how many were played."""
    playout = Playout(game.program)

    def play(seed: int) -> int:
        playout.play(seed)
        return 1

    return play


def native_games(name: str, game: rw.Game) -> tuple[Callable[[int], int], float, float] | None:
    """Plays so many games at once that it takes a while, the seconds for compiling it and for reading that again; None
    if it is not compiled."""
    begun = time.process_time()
    try:
        with rw.disk_cache.without_cache():
            Backend(game.program)
    except Unsupported:
        return None
    seconds = time.process_time() - begun
    Backend(game.program)
    begun = time.process_time()
    Backend(game.program)
    again = time.process_time() - begun

    native, count, spent = rw.load(name, engine="native"), 1, 0.0
    while spent < SLICE / 8:
        count *= 2
        begun = time.process_time()
        native.playouts(count)
        spent = time.process_time() - begun

    def play(seed: int) -> int:
        return len(native.playouts(count, seed * count))

    return play, seconds, again


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
    count = BATCH

    def play(seed: int) -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(count, seed)
        pyspiel.MCTSBot(game, evaluator, 1.0, 1, 1000, False, seed, False).step(state)
        return count

    return play


def stepping(stepper: rw.playing.Stepper) -> Callable[[int], int]:
    """Answers the questions of a game; how many they were."""

    def play(seed: int) -> int:
        size, count, apply = stepper.begin(seed), 0, stepper.apply
        while size:
            size = apply(int(PICKS[count & 1023] * size))
            count += 1
        return count

    return play


def stepping_batch(game: rw.Game) -> Callable[[int], int]:
    """Answers the questions of many games at once."""
    games = min(BATCH, max(1, ANSWERS // stepping(game.stepper())(0)))
    batch, picks = game.batch(games), deque(PICKS)

    def play(seed: int) -> int:
        options, count = batch.begin(seed * games), 0
        while any(options):
            answers = [int(pick * size) if size else -1 for pick, size in zip(picks, options, strict=False)]
            picks.rotate(1)  # who always takes the same part of the options may never come to an end
            count += games - answers.count(-1)
            options = batch.apply(answers)
        return count

    return play


def stepping_open_spiel(name: str) -> Callable[[int], int] | None:
    """Answers the questions of OpenSpiel's own game."""
    try:
        pyspiel: Any = import_module("pyspiel")
    except ImportError:
        return None
    if name not in OPEN_SPIEL:
        return None
    game: Any = pyspiel.load_game(OPEN_SPIEL[name])

    def play(seed: int) -> int:
        state, count = game.new_initial_state(), seed & 0
        legal = state.legal_actions()
        while legal:
            state.apply_action(legal[int(PICKS[count & 1023] * len(legal))])
            legal = state.legal_actions()
            count += 1
        return count

    return play


def rate(play: Callable[[int], int], first: int) -> float:
    """Games, or answers, a second of processor time."""
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
    table = Table(
        "ruleset", "compile, ms", "cached, ms", "native", "Python", "OpenSpiel", "native : Python", "native : OpenSpiel"
    )
    with rw.disk_cache.without_cache():
        Backend(rw.load("tic-tac-toe").program)  # the library takes a while when it is used first
    for name in rulesets or [*OPEN_SPIEL, *OTHERS]:
        game = rw.load(name, engine="python")
        native = native_games(name, game)
        players: dict[str, Callable[[int], int] | None] = {
            "Python": python_games(game),
            "OpenSpiel": open_spiel_games(name),
        }
        if native is not None:
            players["native"] = native[0]
        rates = medians(players, rounds)

        def ratio(other: str, rates: dict[str, float] = rates) -> str:
            return f"{rates['native'] / rates[other]:.1f}" if {"native", other} <= rates.keys() else "–"

        table.add_row(
            game.title,
            f"{native[1] * 1000:.0f}" if native else "–",
            f"{native[2] * 1000:.0f}" if native else "–",
            *(f"{rates[who]:,.0f}" if who in rates else "–" for who in ("native", "Python", "OpenSpiel")),
            ratio("Python"),
            ratio("OpenSpiel"),
        )
    console = Console(width=120)
    console.print(table)
    console.print(driven(rulesets or [*OPEN_SPIEL, *OTHERS], rounds))
    console.print(threaded(rulesets or [*OPEN_SPIEL, *OTHERS], rounds))


def medians(players: dict[str, Callable[[int], int] | None], rounds: int) -> dict[str, float]:
    """The median rate of each, measured in turn."""
    found: dict[str, list[float]] = {}
    for turn in range(rounds):
        for who, play in players.items():
            if play is not None:
                found.setdefault(who, []).append(rate(play, turn * 1000))
    return {who: median(values) for who, values in found.items()}


def threaded(rulesets: list[str], rounds: int) -> Table:
    """Measure games that one thread plays, and two."""
    table = Table("games a second", "one thread", "two threads", "two : one", "compressing, two : one")
    for name in rulesets:
        game, count = rw.load(name, engine="native"), 1
        played = partial(playing, game)
        played(2, 2)  # which compiles it
        while clocked(played, count, 1) < 2 * SLICE:
            count *= 2
        blocks = 1
        while clocked(compressing, blocks, 1) < SLICE:
            blocks *= 2
        taken: dict[tuple[Callable[[int, int], object], int], list[float]] = {}
        for _ in range(rounds):
            for work, much in ((played, count), (compressing, blocks)):
                for threads in (1, 2):
                    taken.setdefault((work, threads), []).append(clocked(work, much, threads))
        one, two, packed_by_one, packed_by_two = (median(found) for found in taken.values())
        rates = (f"{count / one:,.0f}", f"{count / two:,.0f}")
        table.add_row(game.title, *rates, f"{one / two:.2f}", f"{packed_by_one / packed_by_two:.2f}")
    return table


def playing(game: rw.Game, count: int, threads: int) -> None:
    """Play some games."""
    game.playouts(count, threads=threads)


def compressing(count: int, threads: int) -> None:
    """Compress some blocks, work that is all in memory as games are, but shares nothing with another thread."""
    block = Random(1).randbytes(1 << 18)
    with ThreadPoolExecutor(threads) as pool:
        deque(pool.map(lambda _: bz2.compress(block), range(2 * count)), maxlen=0)


def clocked(work: Callable[[int, int], object], count: int, threads: int) -> float:
    """Seconds by the clock for some work."""
    begun = time.perf_counter()
    work(count, threads)
    return time.perf_counter() - begun


def driven(rulesets: list[str], rounds: int) -> Table:
    """Measure games that are driven from Python."""
    heads = ("one by one", "many at once", "Python engine", "OpenSpiel")
    table = Table("µs an answer", *heads, "one by one : OpenSpiel")
    for name in rulesets:
        game = rw.load(name)
        try:
            stepper = rw.load(name, engine="native").stepper()
        except rw.RulesetError:
            continue
        python = rw.load(name, engine="python").stepper()
        players = (stepping(stepper), stepping_batch(game), stepping(python), stepping_open_spiel(name))
        rates = medians(dict(zip(heads, players, strict=True)), rounds)
        times = {who: 1e6 / value for who, value in rates.items()}
        ratio = f"{times['one by one'] / times['OpenSpiel']:.2f}" if "OpenSpiel" in times else "–"
        table.add_row(game.title, *(f"{times[who]:.2f}" if who in times else "–" for who in heads), ratio)
    return table


if __name__ == "__main__":
    typer.run(main)
