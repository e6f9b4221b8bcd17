"""A compiled program in memory, run by wasmtime or in a browser, and the watchdog that stops it from outside.

The code compares what is left of a budget with a number in its memory, the *floor*, which is 0. Raising the floor lets
the code stop at its next test, as if the budget were spent; then the Python backend finds out why. So a deadline costs
the code nothing. One thread watches the clock for all runs that have a deadline, another polls the hosts of those that
can be cancelled. Ctrl-C stops all runs: its exception comes to the main thread afterwards.

In a browser there is no such thread: what would run long is run in small portions there (:func:`at_once`).
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from threading import Condition, Thread
from typing import Any

from rulewright.diagnostics import Diagnostic
from rulewright.engine.native.lowering.program_lowering import NativeProgram
from rulewright.engine.native.module_runners.interface import SMALLEST, ModuleRunner
from rulewright.engine.native.module_runners.interface import NoRoom as NoRoom
from rulewright.engine.native.module_runners.interface import Trap as Trap
from rulewright.host.budgets import CANCELLED, Scope, Stopped
from rulewright.host.interrupts import listening, stoppers


@cache
def runner() -> ModuleRunner:
    """The runner of modules here; an ImportError if there is none."""
    if sys.platform == "emscripten":
        from rulewright.engine.native.module_runners.browser_runner import BrowserRunner

        return BrowserRunner()
    from rulewright.engine.native.module_runners.wasmtime_runner import WasmtimeRunner

    return WasmtimeRunner()


class Instance:
    """The memory of a program, and its functions. One thread uses it at a time."""

    def __init__(self, native: NativeProgram, module: Any) -> None:
        self.native = native
        self.running = running = runner().instance(module)
        self.raw, self.failed = running.raw, running.failed
        self.read, self.write, self.numbers = running.read, running.write, running.numbers
        self.begin = self.function("begin", 1)
        self.play = self.function("play", 4)
        self.play_many = self.function("play_many", 5)
        self._functions: dict[tuple[str, bool], Callable[..., int]] = {}

    def function(self, name: str, arguments: int, release: bool = True) -> Callable[..., int]:
        """An exported function of numbers; 32 bits of its result. :class:`Trap` if the program stops with an error."""
        call, wide, narrow = self.raw(name, arguments, release)
        trapped, failed = self.running.trapped, self.failed

        def called(*given: int) -> int:
            for number, argument in enumerate(given):
                wide[number] = argument
            error = call()
            if error or trapped():
                failed(error)
            result: int = narrow[0]
            return result

        return called

    def known(self, name: str, arguments: int, release: bool = True) -> Callable[..., int]:
        """A function of the module for so many arguments, made once."""
        key = name, release
        if key not in self._functions:
            self._functions[key] = self.function(name, arguments, release)
        return self._functions[key]

    @property
    def budget(self) -> int:
        """The steps that the last run has left."""
        return self.running.budget

    def grow(self, size: int) -> None:
        """Make the memory at least so large; :class:`NoRoom` if that cannot be."""
        self.running.grow(size)

    def number(self, address: int) -> int:
        """A number in memory."""
        return int.from_bytes(self.read(address, 4), "little", signed=True)


def compiled_module(native: NativeProgram) -> Any:
    """The machine code of a program."""
    return runner().module(native.code)


def try_out() -> None:
    """Make an instance of the smallest module: :class:`NoRoom` if that cannot be."""
    runner().instance(runner().module(SMALLEST))


TICK = 0.02
"""Seconds between two looks."""
RAISED = (1 << 63) - 1

PORTION = 32
"""Simulations at once where nothing can stop them."""


def at_once(many: int, here: Scope) -> int:
    """So many of `many` simulations may be run before the next test whether they are to stop."""
    return many if runner().threads or not _can_stop(here) else min(many, PORTION)


def _can_stop(here: Scope) -> bool:
    return here.until is not None or bool(here.cancel) or listening()


class Watchdog:
    """Raises the floor of runs whose time is up, or whose hosts want them to stop. Hosts are polled in a thread of its
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
    """True if the host of a run wants it to stop; also if the call fails, which is reported in the thread of the
    run."""
    try:
        return any(cancel.is_set() for cancel in here.cancel)
    except Exception:  # this thread watches over all others
        return True


watchdog = Watchdog()
"""The watchdog of this process."""
stoppers.append(watchdog.interrupt)
