"""Work on a real Dask cluster: a scheduler and workers in processes of their own, one of which is killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import rulewright as rw
import rulewright_lab as lab

pytest.importorskip("distributed", reason="distributed is not installed: nothing is tried on a cluster")

PATIENCE = 120.0
"""Seconds after which a process that should be there is taken to be missing."""
OTHER_VERSION = """
import rulewright
from rulewright.foundation import versions
rulewright.__version__ = versions.__version__ = "0.0.1"
from distributed.cli.dask_worker import main
main()
"""


class Squares:
    """Work that tells who has done it."""

    def __call__(self, number: int) -> tuple[int, int]:
        return number * number, os.getpid()


@contextmanager
def begun(*words: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of Python with these words, which ends with the block."""
    there = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join((str(Path(__file__).parent), os.environ.get("PYTHONPATH", ""))),
    }
    quiet = subprocess.DEVNULL
    process = subprocess.Popen([sys.executable, *words], env=there, stdout=quiet, stderr=quiet)
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@contextmanager
def scheduler(folder: Path) -> Iterator[str]:
    """The address of a scheduler."""
    file = folder / "scheduler.json"
    given = ("--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(file))
    with begun("-m", "distributed.cli.dask_scheduler", *given):
        wait_for(file.exists)
        yield json.loads(file.read_text("utf-8"))["address"]


def worker(address: str, *program: str) -> Any:
    """A worker with one thread, and nobody who would begin it again."""
    given = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1", "--local-directory", "/tmp")
    return begun(*(program or ("-m", "distributed.cli.dask_worker")), address, *given)


def wait_for(true: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < until
        time.sleep(0.05)


def workers(address: str, number: int) -> None:
    """Wait for so many workers."""
    from distributed import Client

    with Client(address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        client.wait_for_workers(number, timeout=PATIENCE)


def numbers(count: int) -> Callable[[], int | None]:
    """Tasks."""
    left = iter(range(count))
    return lambda: next(left, None)


def experiment() -> lab.experiments.Experiment:
    arms = lab.experiments.read_arms(("tic-tac-toe", "connect-four"), seats=("mcts:20", "random"))
    return lab.experiments.Experiment(arms, games=30)


def played(jobs: Any, hear: Callable[[], None] = lambda: None) -> str:
    meant = experiment()
    results = meant.begin()
    meant.run(results, jobs, hear=lambda arm, columns: hear())
    return json.dumps(results.data())


def test_a_worker_is_killed(tmp_path: Path) -> None:
    """The same bytes as in one process, by two workers of which one ends in the middle; the cluster is left healthy."""
    alone = played(1)
    with scheduler(tmp_path) as address, worker(address) as doomed, worker(address):
        workers(address, 2)
        with rw.workers.Cluster(address) as cluster:
            assert played(cluster, doomed.kill) == alone
            done = list(cluster.map_in_order(Squares(), numbers(20), str))
            assert [(task, square) for task, (square, _) in done] == [(task, task * task) for task in range(20)]
            assert doomed.poll() is not None


def test_leaving_early_takes_back_what_waits(tmp_path: Path) -> None:
    """No tasks are left behind by whoever stops, as at Ctrl-C, and others go on."""
    from distributed import Client

    with scheduler(tmp_path) as address, worker(address):
        workers(address, 1)
        with rw.workers.Cluster(address) as cluster:
            found = cluster.map_in_order(Squares(), numbers(1000), str)
            assert next(found)[0] == 0
            found.close()
            with Client(address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
                wait_for(lambda: not any(client.processing().values()))
            assert len(list(cluster.map_in_order(Squares(), numbers(3), str))) == 3


def test_another_version_is_refused(tmp_path: Path) -> None:
    """Also of a worker that comes later, when the work has begun."""
    with scheduler(tmp_path) as address:
        with pytest.raises(rw.RulesetError, match="has no workers"), rw.workers.Cluster(address):
            pass
        with worker(address):
            workers(address, 1)
            with rw.workers.Cluster(address) as cluster:
                found = cluster.map_in_order(Squares(), numbers(100_000), str)
                next(found)
                with worker(address, "-c", OTHER_VERSION):
                    workers(address, 2)
                    with pytest.raises(rw.RulesetError, match=r"has Rulewright 0\.0\.1"), rw.workers.Cluster(address):
                        pass
                    with pytest.raises(rw.RulesetError, match=r"has Rulewright 0\.0\.1"):
                        list(found)


def test_a_scheduler_that_is_gone(tmp_path: Path) -> None:
    """One sentence, whatever was going on."""
    with scheduler(tmp_path) as address, worker(address):
        workers(address, 1)
        cluster = rw.workers.Cluster(address)
        with cluster:
            found = cluster.map_in_order(Squares(), numbers(100_000), str)
            next(found)
            end(address)
            with pytest.raises(rw.RulesetError, match="is gone"):
                list(found)


def end(address: str) -> None:
    """End a scheduler."""
    from distributed import Client

    with Client(address, set_as_default=False) as client:  # type: ignore[no-untyped-call]
        client.shutdown()


def test_a_deadline_is_one_on_workers_elsewhere(tmp_path: Path) -> None:
    """A deadline holds whatever their clocks say, and is over with the block."""
    arms = lab.experiments.read_arms(("connect-four",), seats=("mcts:5000",))
    meant = lab.experiments.Experiment(arms, games=500)
    with scheduler(tmp_path) as address, worker(address):
        workers(address, 1)
        with rw.workers.Cluster(address) as cluster:
            with rw.limited(rw.Limits(seconds=1.0)), pytest.raises(rw.Stopped, match="deadline"):
                meant.run(meant.begin(), cluster)
            assert played(cluster) == played(1)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("local:0", "names no cluster"),
        ("local:many", "names no cluster"),
        ("10.0.0.5", "names no cluster"),
        ("http://127.0.0.1:80", "names no cluster"),
        ("tcp://127.0.0.1:1", "no cluster answers"),
    ],
)
def test_wrong_addresses(address: str, said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulewright.host.clusters.REACHED", 0.2)
    with pytest.raises(rw.RulesetError, match=said), rw.workers.Cluster(address):
        pass


def test_workers_on_this_machine() -> None:
    """They end with the cluster, and are as good as any."""
    with rw.workers.Cluster("local:2") as cluster:
        assert played(cluster) == played(1)
        pids = {pid for _, (_, pid) in cluster.map_in_order(Squares(), numbers(50), str)}
    assert os.getpid() not in pids
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids))


def test_workers_that_die_while_they_begin(tmp_path: Path) -> None:
    (tmp_path / "die.py").write_text("import os, signal\n\nos.kill(os.getpid(), signal.SIGKILL)\n")
    command = [sys.executable, "-m", "rulewright_tools", "experiment", "tic-tac-toe", "--games", "4"]
    there = {**os.environ, "DASK_DISTRIBUTED__WORKER__PRELOAD": str(tmp_path / "die.py")}
    found = subprocess.run([*command, "--jobs", "local:2"], env=there, capture_output=True, text=True)
    assert (found.returncode, found.stdout) == (2, "")
    assert found.stderr.startswith("error[RUN020]: the workers of local:2 do not begin\n")
    assert "Traceback" not in found.stderr
