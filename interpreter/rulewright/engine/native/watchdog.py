"""Machine code that is stopped from outside: at a deadline, or because the host wants it.

The code compares what is left of a budget with a number in its memory, the *floor*, which is 0. Whoever raises the
floor lets the code stop at its next look, as if the budget were spent; then the Python backend finds out why. So a
deadline costs the code nothing. One thread looks at the clock for all runs that have a deadline or can be cancelled.

In a browser there is no such thread: what would run long is run in small portions there (:func:`at_once`).
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Thread

from rulewright.engine.native.instance import Instance, runner
from rulewright.host.budgets import Scope

TICK = 0.02
"""Seconds between two looks."""
RAISED = (1 << 63) - 1

PORTION = 32
"""Simulations at once where nobody can stop them."""


def at_once(many: int, here: Scope) -> int:
    """So many of `many` simulations may be run before somebody looks whether they are to stop."""
    return many if runner().threads or not _can_stop(here) else min(many, PORTION)


def _can_stop(here: Scope) -> bool:
    return here.until is not None or bool(here.cancel)


class Watchdog:
    """Raises the floor of runs whose time is up."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._running: dict[int, tuple[Callable[[int], None], Scope]] = {}
        self._next = 0
        self._process = -1
        """The process in which the thread runs: it does not live on in one that is forked."""

    @contextmanager
    def watching(self, instance: Instance, here: Scope) -> Iterator[None]:
        """Watch what an instance runs inside, if it can be stopped at all."""
        if not (_can_stop(here) and runner().threads):
            yield
            return
        set_floor = instance.running.setter(instance.native.floor)
        with self._changed:
            number = self._next = self._next + 1
            self._running[number] = set_floor, here
            if self._process != os.getpid():
                self._process = os.getpid()
                Thread(target=self._watch, name="rulewright deadlines", daemon=True).start()
            self._changed.notify()
        try:
            yield
        finally:
            with self._changed:
                del self._running[number]
                set_floor(0)

    def _watch(self) -> None:
        while True:
            with self._changed:
                self._changed.wait(TICK if self._running else None)
                runs = list(self._running.items())
            for number, (set_floor, here) in runs:  # without the lock: what the host asks may take long
                if _is_due(here):
                    with self._changed:
                        if number in self._running:
                            set_floor(RAISED)


def _is_due(here: Scope) -> bool:
    """True if a run is to stop; also if its host fails when it is asked, which is told in the thread of the run."""
    try:
        here.look()
    except Exception:  # this thread watches over all others
        return True
    return False


watchdog = Watchdog()
"""The watchdog of this process."""

__all__ = ["at_once", "watchdog"]
