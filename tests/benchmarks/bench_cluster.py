"""Work on a cluster of this machine: the cost of a task, and games a second by the number of workers.

    python tests/benchmarks/bench_cluster.py [--turns N]

Prints what a task costs beside its work (empty tasks, one after the other and as many as fit), how many bytes a portion
of games is when it comes back, and how long processes take to start. Then the seconds that two experiments take in this
process, in others, and on one and two workers of a Dask cluster, in turns, as the best of some: games of agents that
think, and games at random, of which there are so many that each takes about ten seconds. Other work on the machine
lessens what two of anything gain, so the load is printed, too.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable
from time import perf_counter

import rulewright as rw
import rulewright_lab as lab
from rulewright_lab.experiments.playing.portions import Portion, PortionPlayer

TASKS, FEW = 2_000, 16
EXPERIMENTS = {
    "Connect Four, mcts:100": ("mcts:100", 500),
    "Connect Four at random": ("random", 2_500_000),
}
"""The agent on both seats, and the games of each of two arms."""


class Nothing:
    """Work that takes no time."""

    def __call__(self, number: int) -> int:
        return number


def numbers(count: int) -> Callable[[], int | None]:
    """Tasks."""
    left = iter(range(count))
    return lambda: next(left, None)


def seconds_of(work: Callable[[], object]) -> float:
    """The time that something takes."""
    begun = perf_counter()
    work()
    return perf_counter() - begun


def experiment(seats: str = "random", games: int = FEW) -> lab.experiments.Experiment:
    """Games that are compared."""
    arms = lab.experiments.read_arms(("connect-four", ":columns=8"), seats=(seats,))
    return lab.experiments.Experiment(arms, games=games)


def played(jobs: rw.workers.Jobs, seats: str = "random", games: int = FEW) -> float:
    """The seconds that all of its games take."""
    meant = experiment(seats, games)
    results = meant.begin()
    return seconds_of(lambda: meant.run(results, jobs))


def tasks() -> None:
    """Print what tasks cost."""
    player = PortionPlayer(experiment().arms, (), 20_000)
    for games in (1_000, 30_000):
        columns, _ = player(Portion(0, range(games)))
        print(f"a portion of {games:,} games: {len(pickle.dumps(columns)) / games:.1f} bytes a game")
    print(f"the work, sent once to each worker: {len(pickle.dumps(player)) / 1000:.0f} kB")
    for workers in (1, 2):
        with rw.workers.Cluster(f"local:{workers}") as cluster:
            taken = seconds_of(lambda cluster=cluster: list(cluster.map_in_order(Nothing(), numbers(TASKS), str)))  # type: ignore[misc]
            print(f"{workers} workers: {TASKS / taken:,.0f} empty tasks a second, {1000 * taken / TASKS:.2f} ms each")
    for processes in (1, 2):
        begun = min(played(processes) for _ in range(3))
        name = "this process" if processes == 1 else f"{processes} processes, which have to start"
        print(f"{2 * FEW} games in {name}: {begun:.2f} s")


def scaling(name: str, turns: int) -> None:
    """Print the seconds of an experiment by who plays."""
    seats, games = EXPERIMENTS[name]
    found: dict[str, list[float]] = {}
    for _ in range(turns):
        for workers in (1, 2):
            with rw.workers.Cluster(f"local:{workers}") as cluster:
                played(cluster)  # each worker has compiled the rules
                found.setdefault(f"cluster, {workers} workers", []).append(played(cluster, seats, games))
        for jobs in (1, 2):
            found.setdefault(f"{jobs} processes", []).append(played(jobs, seats, games))
    best = {who: min(each) for who, each in found.items()}
    for who, taken in best.items():
        ratio = best[f"{who.split('2')[0]}1{who.split('2')[1]}"] / taken if "2" in who else 1.0
        print(f"{name}, {who}: {taken:.1f} s, {2 * games / taken:,.0f} games a second, {ratio:.2f} times one")


def main(words: list[str]) -> None:
    """Print what was measured."""
    print(f"{os.cpu_count()} cores, {os.getloadavg()[0]:.1f} processes that run on average")
    tasks()
    for name in EXPERIMENTS:
        scaling(name, int(words[1]) if words[:1] == ["--turns"] else 3)


if __name__ == "__main__":
    main(sys.argv[1:])
