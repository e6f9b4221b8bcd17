"""Processes that work for this one, and never outlive it.

What makes processes is imported where there are to be some: a browser has none, and most commands need none.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeVar

from rulewright.host.budgets import BudgetSnapshot, adopt_budget, export_budget
from rulewright.host.clusters import Cluster as Cluster
from rulewright.host.interrupts import ignore_interrupts

if TYPE_CHECKING:
    from concurrent.futures import Future, ProcessPoolExecutor
    from multiprocessing.connection import Connection

Task = TypeVar("Task")
Result = TypeVar("Result")
Jobs = int | Cluster
"""The workers: so many processes, of which 1 is this one, or the workers of a cluster."""


@contextmanager
def process_pool(
    jobs: int, prepare: Callable[..., None] | None = None, *given: object
) -> Iterator[ProcessPoolExecutor]:
    """So many processes; each begins with ``prepare(*given)``.

    They do not hear Ctrl-C: only the process that has begun them decides what it means. When the block is left by an
    exception, Ctrl-C among them, they are killed, whatever they are at. They also end when this process is killed.
    """
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    context = get_context("spawn")
    end, signal_end = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(
        jobs, mp_context=context, initializer=_begin, initargs=(end, export_budget(), prepare, given)
    )
    try:
        with ignore_interrupts():
            for _ in range(jobs):
                pool.submit(os.getpid)
        yield pool
    except BaseException:
        for process in [*(getattr(pool, "_processes", None) or {}).values()]:  # Python 3.14 has `kill_workers`
            process.kill()
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        signal_end.close()
        end.close()


OrderedMap = Callable[[Callable[[], Task | None]], Generator[tuple[Task, Result], None, None]]
"""Does tasks: each with what has become of it, in the order in which a function gives them, until it gives none."""


@contextmanager
def worker_pool(
    work: Callable[[Task], Result], jobs: Jobs = 1, name: Callable[[Task], str] | str = "work"
) -> Iterator[OrderedMap[Task, Result]]:
    """The workers, while this lasts: they learn the work once, for as many rounds of tasks as there are.

    With several jobs other processes do the work, and a few more tasks are requested than are taken, so that none is
    idle. So within a round a task may depend on how long earlier ones took, but not on their results. A cluster shows
    the tasks by their `name`.
    """
    if isinstance(jobs, Cluster):
        with jobs.worker_pool(work, name if callable(name) else lambda _: name) as ordered_map:
            yield ordered_map
    elif jobs == 1:
        yield partial(_here, work)
    else:
        with process_pool(jobs, _learn, work) as pool:
            yield partial(_elsewhere, pool, 2 * jobs)


def map_in_order(
    work: Callable[[Task], Result],
    task: Callable[[], Task | None],
    jobs: Jobs = 1,
    name: Callable[[Task], str] | str = "work",
) -> Generator[tuple[Task, Result], None, None]:
    """Each task with what has become of it, by those who work for one round: see :func:`at_work`."""
    with worker_pool(work, jobs, name) as ordered_map:
        yield from ordered_map(task)


def _here(
    work: Callable[[Task], Result], task: Callable[[], Task | None]
) -> Generator[tuple[Task, Result], None, None]:
    while (one := task()) is not None:
        yield one, work(one)


def _elsewhere(
    pool: ProcessPoolExecutor, ahead: int, task: Callable[[], Task | None]
) -> Generator[tuple[Task, Result], None, None]:
    waiting: deque[tuple[Task, Future[Result]]] = deque()
    left = iter(task, None)
    try:
        while True:
            for one in islice(left, ahead - len(waiting)):
                waiting.append((one, pool.submit(_do, one)))
            if not waiting:
                return
            one, future = waiting.popleft()
            yield one, future.result()
    finally:
        for _, future in waiting:
            future.cancel()


_work: list[Callable[[Any], Any]] = []
"""In another process: the work that it has learnt."""


def _learn(work: Callable[[Any], Any]) -> None:
    _work[:] = [work]


def _do(task: Any) -> Any:
    return _work[0](task)


def _begin(
    end: Connection, limits: BudgetSnapshot, prepare: Callable[..., None] | None, given: tuple[object, ...]
) -> None:
    """The first thing that a worker does; limits that are in force here are in force there."""
    adopt_budget(limits)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_watch, args=(end,), daemon=True).start()
    if prepare is not None:
        prepare(*given)


def _watch(end: Connection) -> None:
    """End this process as soon as the one that has begun it says so, or is gone."""
    from multiprocessing import connection, parent_process

    parent = parent_process()
    connection.wait([end, *([parent.sentinel] if parent is not None else [])])
    os._exit(1)
