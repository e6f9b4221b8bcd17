"""Costs of an experiment next to bare playouts, and its memory. Prints; asserts nothing.

Rounds of bare playouts and of a whole experiment with the default measures and its report take turns in one run, so
what counts are the ratios; each is the median of all rounds. Time is the processor's.

    python tests/benchmarks/bench_experiment.py [SECONDS] [RULESET…]
    python tests/benchmarks/bench_experiment.py --memory [GAMES]      two arms of Connect Four, the peak of memory
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable
from functools import partial
from statistics import median

import rulewright as rw
import rulewright_lab as lab
from rulewright_lab.experiments.playing.game_player import GamePlayer
from rulewright_tools.session.game_batches import Task, play_batch

RULESETS = ("connect-four", "carolus-magnus", "kings-and-things")
ROUNDS = 5


def seconds(work: Callable[[], object]) -> float:
    """The time that some work takes."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def games_in(game: rw.Game, wanted: float) -> int:
    """So many games are played in some time."""
    games = 32
    game.playouts(games)  # now it is compiled
    while (took := seconds(partial(game.playouts, games))) < wanted / 4:
        games *= 2
    return max(32, round(games * wanted / took))


def row(name: str, wanted: float) -> str:
    """The line about a ruleset: µs a game, and how many times as long as bare playouts the rest takes."""
    (arm,) = lab.experiments.read_arms((name,))
    game = arm.game
    games = games_in(game, wanted)
    most = lab.experiments.Experiment((arm,)).most
    few = min(games, 1000)
    task = Task(name, game.players, (), (), 0, most)
    units = lab.experiments.Experiment((arm,)).begin().arms[0].units
    without = tuple(one for one in lab.experiments.UNITS if any(one == name.partition("(")[0] for name in units))

    def experiment(measures: tuple[str, ...] = ()) -> None:
        meant = lab.experiments.Experiment((arm,), games, measures=measures)
        results = meant.begin()
        meant.run(results)
        results.data()

    GamePlayer(arm).play(range(64))  # what is compiled is compiled
    GamePlayer(arm, without).play(range(64))
    kinds: dict[str, tuple[Callable[[], object], int]] = {
        "playouts": (lambda: game.playouts(games), games),
        "simulate": (lambda: play_batch(game, (), task, range(few)), few),
        "experiment": (experiment, games),
        "no own measures": (lambda: experiment(without), games),
    }
    spent: dict[str, list[float]] = {kind: [] for kind in kinds}
    for _ in range(ROUNDS):
        for kind, (work, count) in kinds.items():
            spent[kind].append(seconds(work) / count)
    bare, simulate, whole, own = (1e6 * median(times) for times in spent.values())
    told = f"{name:18} {games:7} games  playouts {bare:7.2f} µs  experiment {whole:7.2f} µs = {whole / bare:.2f} x"
    return f"{told}, without own measures {own / bare:.2f} x; games of simulate {simulate:7.2f} µs"


def memory(games: int) -> str:
    """The peak of memory of an experiment with two arms."""
    arms = lab.experiments.read_arms(("connect-four", ":2"))
    meant = lab.experiments.Experiment(arms, games)
    results = meant.begin()
    begun = time.perf_counter()
    meant.run(results)
    results.data()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    return f"{games} games of each of two arms: {time.perf_counter() - begun:.1f} s, peak of memory {peak:.0f} MB"


def main(words: list[str]) -> None:
    """Print the table."""
    if words[:1] == ["--memory"]:
        print(memory(int(words[1]) if len(words) > 1 else 1_000_000))
        return
    wanted = float(words[0]) if words else 0.5
    for name in words[1:] or RULESETS:
        print(row(name, wanted), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
