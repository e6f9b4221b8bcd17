"""Machine code that is stopped from outside: at a deadline, or because the host wants it.

The code compares what is left of a budget with a number in its memory, the *floor*, which is 0. Whoever raises the
floor lets the code stop at its next look, as if the budget were spent; then the Python backend finds out why. So a
deadline costs the code nothing. One thread looks at the clock for all runs that have a deadline, another one asks the
hosts of those that can be cancelled. Ctrl-C stops all runs: its exception comes to the main thread afterwards.

In a browser there is no such thread: what would run long is run in small portions there (:func:`at_once`).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Thread

from rulewright.diagnostics import Diagnostic
from rulewright.engine.native.instance import Instance, runner
from rulewright.host.budgets import CANCELLED, Scope, Stopped
from rulewright.host.interrupts import listening, stoppers

TICK = 0.02
"""Seconds between two looks."""
RAISED = (1 << 63) - 1

PORTION = 32
"""Simulations at once where nobody can stop them."""


def at_once(many: int, here: Scope) -> int:
    """So many of `many` simulations may be run before somebody looks whether they are to stop."""
    return many if runner().threads or not _can_stop(here) else min(many, PORTION)


def _can_stop(here: Scope) -> bool:
    return here.until is not None or bool(here.cancel) or listening()


class Watchdog:
    """Raises the floor of runs whose time is up, or whose hosts want them to stop. Hosts are asked in a thread of its
    own: one whose answer takes long holds up no deadline."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._running: dict[int, tuple[Callable[[int], None], Scope]] = {}
        self._interrupted: set[int] = set()
        self._next = 0
        self._threads: list[Thread] = []

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
            self._begin()
            self._changed.notify_all()
        try:
            yield
            if number in self._interrupted:  # in another thread than the main one, which has its exception by now
                raise Stopped(Diagnostic(CANCELLED, "stopped because the command was"))
        finally:
            with self._changed:
                del self._running[number]
                self._interrupted.discard(number)
                set_floor(0)

    def interrupt(self) -> None:
        """Stop all that runs now."""
        with self._changed:
            for number, (set_floor, _) in self._running.items():
                self._interrupted.add(number)
                set_floor(RAISED)

    def _begin(self) -> None:
        """Start the threads, unless they run: they do not live on in a process that is forked."""
        if self._threads and all(one.is_alive() for one in self._threads):
            return
        self._threads = [
            Thread(target=self._watch, args=(is_due,), name=f"rulewright {name}", daemon=True)
            for name, is_due in (("deadlines", _is_late), ("cancellations", _is_cancelled))
        ]
        for one in self._threads:
            one.start()

    def _watch(self, is_due: Callable[[Scope], bool]) -> None:
        while True:
            with self._changed:
                self._changed.wait(TICK if self._running else None)
                runs = list(self._running.items())
            for number, (set_floor, here) in runs:  # without the lock: what the host asks may take long
                if is_due(here):
                    with self._changed:
                        if number in self._running:
                            set_floor(RAISED)


def _is_late(here: Scope) -> bool:
    """True if the time of a run is up."""
    return here.until is not None and time.monotonic() > here.until


def _is_cancelled(here: Scope) -> bool:
    """True if the host of a run wants it to stop; also if it fails when it is asked, which is told in the thread of the
    run."""
    try:
        return any(cancel.is_set() for cancel in here.cancel)
    except Exception:  # this thread watches over all others
        return True


watchdog = Watchdog()
"""The watchdog of this process."""
stoppers.append(watchdog.interrupt)

__all__ = ["at_once", "watchdog"]
