"""Work on a cluster of this machine: the cost of a task, and games a second by the number of workers.

    python tests/benchmarks/bench_cluster.py

Prints what a task costs beside its work (empty tasks, one after the other and as many as fit), how many bytes a portion
of games is when it comes back, and the seconds that an experiment takes in this process, in others, and on one and two
workers of a Dask cluster, in turns, as the best of three.
"""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from time import perf_counter

import rulewright as rw
from rulewright.experiments.playing.portions import Portion, PortionPlayer

TASKS, GAMES, TURNS = 2_000, 60_000, 3


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


def experiment() -> rw.experiments.Experiment:
    """Games that are compared."""
    return rw.experiments.Experiment(rw.experiments.read_arms(("connect-four", "connect-four")), games=GAMES)


def played(jobs: rw.workers.Jobs) -> None:
    """All of its games."""
    meant = experiment()
    meant.run(meant.begin(), jobs)


def main() -> None:
    """Print what was measured."""
    print(f"{os.cpu_count()} cores")
    player = PortionPlayer(experiment().arms, (), 20_000)
    for games in (1_000, 30_000):
        columns, _ = player(Portion(0, range(games)))
        print(f"a portion of {games:,} games: {len(pickle.dumps(columns)) / games:.1f} bytes a game")
    print(f"the work, sent once to each worker: {len(pickle.dumps(player)) / 1000:.0f} kB")
    found: dict[str, list[float]] = {}
    for workers in (1, 2):
        with rw.workers.Cluster(f"local:{workers}") as cluster:
            taken = seconds_of(lambda cluster=cluster: list(cluster.all_in_order(Nothing(), numbers(TASKS), str)))  # type: ignore[misc]
            print(f"{workers} workers: {TASKS / taken:,.0f} empty tasks a second, {1000 * taken / TASKS:.2f} ms each")
            for _ in range(TURNS):
                found.setdefault(f"cluster, {workers} workers", []).append(seconds_of(lambda c=cluster: played(c)))  # type: ignore[misc]
    for _ in range(TURNS):
        found.setdefault("this process", []).append(seconds_of(lambda: played(1)))
        found.setdefault("2 processes", []).append(seconds_of(lambda: played(2)))
    for name, each in found.items():
        print(f"{name}: {min(each):.2f} s, {2 * GAMES / min(each):,.0f} games a second")


if __name__ == "__main__":
    main()
