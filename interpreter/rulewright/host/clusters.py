"""Workers of a Dask cluster: on other machines, or on this one.

Futures, retries and the balance between workers are Dask's. Work travels once to each worker, as a plugin by the digest
of its bytes, so that a worker that joins later or takes the place of one that was lost has it, too; tasks are small,
and so is what comes back. Dask sends Python objects by pickle: who can reach its scheduler can run anything on its
workers.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, TypeVar, cast
from uuid import uuid4

from rulewright.diagnostics import Diagnostic, RulesetError
from rulewright.foundation.versions import __version__
from rulewright.host.budgets import export_budget, time_left
from rulewright.host.interrupts import ignore_interrupts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from distributed import Future

Task = TypeVar("Task")
Result = TypeVar("Result")
LOCAL = "local:"
SCHEMES = ("tcp", "tls", "ws", "wss")
REACHED = 5.0
"""Seconds in which a scheduler must answer."""
SOON = 0.3
"""Seconds in which it has to drop what was stopped: it does so later, if its workers are busy."""
AHEAD = 2
"""So many tasks wait for each thread of a worker, so that none is idle."""
MOST_LOCAL = 256


class Cluster:
    """The workers of a cluster, while this is entered."""

    def __init__(self, address: str) -> None:
        """``tcp://host:port`` of a scheduler, or ``local:N`` for so many workers on this machine, which end with it."""
        self.address = address
        self._local = _local_workers(address)
        self._client: Any = None

    def __enter__(self) -> Cluster:
        """Reach the workers; RulesetError if there are none, or if they are not of this version."""
        import logging

        from distributed import Client, LocalCluster

        begun, local_cluster = cast(Any, Client), cast(Any, LocalCluster)
        for name in ("distributed", "distributed.worker", "distributed.scheduler", "distributed.nanny"):
            logging.getLogger(name).setLevel(logging.CRITICAL)  # what matters is an error
        try:
            if self._local:
                with ignore_interrupts():  # only this process decides what Ctrl-C means
                    there = local_cluster(
                        n_workers=self._local,
                        threads_per_worker=1,
                        dashboard_address=None,
                        silence_logs=logging.CRITICAL,
                    )
                self._client = begun(there, set_as_default=False)
                self._client.wait_for_workers(self._local, timeout=60)
            else:
                self._client = begun(self.address, timeout=REACHED, set_as_default=False)
        except (OSError, ValueError, RuntimeError, TimeoutError) as error:
            self.__exit__()
            what = f"the workers of {self.address} do not begin", "try fewer, or --jobs"
            if not self._local:
                what = f"no cluster answers at {self.address}", "begin one with `dask scheduler`"
            raise _wrong(what[0], f"{what[1]} ({error})") from None
        try:
            self._require_workers(self._client)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Leave a cluster as it was; end one of this machine."""
        client, self._client = self._client, None
        if client is not None:
            there = client.cluster if self._local else None
            with suppress(OSError, TimeoutError):
                client.close(timeout=5)
            if there is not None:
                there.close()

    def _kill(self) -> None:
        """End the workers of this machine, whatever they are at, without waiting."""
        for nanny in self._client.cluster.workers.values() if self._local else ():
            nanny.auto_restart = False
            if nanny.pid is not None:
                with suppress(OSError):
                    os.kill(nanny.pid, signal.SIGTERM if os.name == "nt" else signal.SIGKILL)

    def _require_workers(self, client: Any) -> None:
        """RulesetError if there is no worker, or one with another version of this package, or without it."""
        from rulewright.host.cluster_worker import version

        found = client.run(version, on_error="return")
        if not found:
            raise _wrong(f"the cluster at {self.address} has no workers", f"begin some: dask worker {self.address}")
        for worker, theirs in sorted(found.items()):
            if not isinstance(theirs, str):
                raise _wrong(f"the worker {worker} has no Rulewright", f"install version {__version__} there")
            if theirs != __version__:
                raise _wrong(*other_version(worker, theirs))

    @contextmanager
    def worker_pool(
        self, work: Callable[[Task], Result], name: Callable[[Task], str]
    ) -> Iterator[Callable[[Callable[[], Task | None]], Generator[tuple[Task, Result], None, None]]]:
        """The workers, once each has learnt a piece of work, for several rounds of tasks."""
        from rulewright.host.cluster_worker import Work, plugin

        client = self._client
        assert client is not None, "a cluster is entered before it works"
        packed = pickle.dumps(work)
        digest = blake2b(packed, digest_size=16).hexdigest()
        with self._errors_reported():
            client.register_plugin(Work(packed, __version__, replace(export_budget(), until=None)), name=plugin(digest))
        patience = REACHED
        try:
            yield partial(self._round, digest, name)
        except GeneratorExit:  # the caller stops this work, and may go on with another
            raise
        except BaseException:
            patience = SOON
            self._kill()
            raise
        finally:
            if not self._local:  # a cluster that is gone has nothing to be taken back
                forget = client.scheduler.unregister_worker_plugin
                with suppress(Exception):
                    client.sync(forget, name=plugin(digest), callback_timeout=patience)

    def map_in_order(
        self, work: Callable[[Task], Result], task: Callable[[], Task | None], name: Callable[[Task], str]
    ) -> Generator[tuple[Task, Result], None, None]:
        """Each task with what has become of it, in the order in which `task` gives them, until it gives none."""
        with self.worker_pool(work, name) as ordered_map:
            yield from ordered_map(task)

    def _round(
        self, digest: str, name: Callable[[Task], str], task: Callable[[], Task | None]
    ) -> Generator[tuple[Task, Result], None, None]:
        from rulewright.host.cluster_worker import Refused, do

        client, run = self._client, uuid4().hex[:8]
        waiting: deque[tuple[Task, Future[Result]]] = deque()
        try:
            for number in range(1 << 62):
                one = task() if len(waiting) < AHEAD * self.threads else None
                if one is not None:
                    key = (f"{name(one)}-{run}", number)
                    waiting.append((one, client.submit(do, digest, one, time_left(), key=key, pure=False)))
                    continue
                if not waiting:
                    return
                one, future = waiting.popleft()
                with self._errors_reported():
                    found = future.result()
                if isinstance(found, Refused):
                    raise _wrong(*other_version(found.worker, found.version))
                yield one, found
        finally:
            with suppress(Exception):
                client.cancel([future for _, future in waiting], force=True)

    @property
    def threads(self) -> int:
        """The threads of all workers that there are now."""
        there = self._client is not None and self._client.status == "running"
        return max(1, sum(self._client.nthreads().values())) if there else 1

    @contextmanager
    def _errors_reported(self) -> Iterator[None]:
        """In here errors of Dask become errors of the cluster."""
        from distributed import CancelledError, KilledWorker
        from distributed.comm import CommClosedError

        try:
            yield
        except KilledWorker:
            message = f"a task was lost with several workers of {self.address} (out of memory?)"
            raise _wrong(message, "give workers more memory, or look at their logs") from None
        except (CancelledError, CommClosedError, OSError) as error:
            hint = "begin it again, and then the same command: what a journal or record has is not played again"
            raise _wrong(f"the cluster at {self.address} is gone ({type(error).__name__})", hint) from None


def _local_workers(address: str) -> int:
    """The number of workers that are to be begun here; 0 if it is the address of a scheduler."""
    if not address.startswith(LOCAL):
        scheme, colon, _ = address.partition("://")
        if not colon or scheme not in SCHEMES:
            raise _wrong(f"`{address}` names no cluster", "write tcp://host:8786, or local:4 for workers here")
        return 0
    text = address.removeprefix(LOCAL)
    if not text.isdecimal() or not 1 <= int(text) <= MOST_LOCAL:
        raise _wrong(f"`{address}` names no cluster", f"write local:4, with a number from 1 to {MOST_LOCAL}")
    return int(text)


def other_version(worker: str, theirs: str) -> tuple[str, str]:
    """The message and the hint about a worker with another version."""
    return f"the worker {worker} has Rulewright {theirs}, and this is {__version__}", "install the same version"


def _wrong(message: str, hint: str) -> RulesetError:
    return RulesetError(Diagnostic("RUN020", message, hint=hint))
