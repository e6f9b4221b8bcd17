"""The part of a worker of a Dask cluster: it needs ``distributed``, and is imported only where there is a cluster."""

from __future__ import annotations

import pickle
import threading
import time
import warnings
from dataclasses import replace
from typing import Any

from distributed import WorkerPlugin, get_worker

from rulewright.foundation.versions import __version__
from rulewright.host.budgets import BudgetSnapshot, adopt_budget


class Work(WorkerPlugin):
    """A piece of work that a worker has learnt. Each of its threads has one of its own."""

    def __init__(self, packed: bytes, version: str, limits: BudgetSnapshot) -> None:
        self._packed, self._version, self._limits = packed, version, limits

    def setup(self, worker: Any) -> None:
        """Called by Dask on each worker, also on those that come later."""
        self._of_thread = threading.local()
        self._at = str(worker.address)
        # Dask draws random numbers in threads of its own, which Hypothesis takes for those of a strategy.
        warnings.filterwarnings("ignore", message="Do not use the `random` module inside strategies")

    def __call__(self, task: Any, seconds: float | None) -> Any:
        """Do the work, within the limits that are in force at its caller, and within so many seconds."""
        if self._version != __version__:
            return Refused(self._at, __version__)
        adopt_budget(replace(self._limits, until=None if seconds is None else time.monotonic() + seconds))
        if not hasattr(self._of_thread, "work"):
            self._of_thread.work = pickle.loads(self._packed)
        return self._of_thread.work(task)


class Refused:
    """Returned in place of a result by a worker that joined later and has another version."""

    def __init__(self, worker: str, version: str) -> None:
        self.worker, self.version = worker, version


def version() -> str:
    """On a worker: the version of Rulewright there."""
    return __version__


def plugin(digest: str) -> str:
    """The name of the plugin with the work of this digest."""
    return f"rulewright {digest}"


def do(digest: str, task: Any, seconds: float | None) -> Any:
    """On a worker: do the work with this digest. A deadline is given as the seconds left, as each machine has a
    clock of its own; so one that waits before it begins may end as much later."""
    work: Any = get_worker().plugins[plugin(digest)]
    return work(task, seconds)
