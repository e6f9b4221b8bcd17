"""Signals that ask the command to end: all are handled as Ctrl-C is, each has its own exit code."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

_received = [int(signal.SIGINT)]
_entered: list[bool] = []


def enter() -> None:
    """A command has begun: from now on it reports itself that it was stopped."""
    _entered.append(True)


def early(code: object) -> bool:
    """True if an exit code is that of an interruption before any command had begun: typer then ends without a word."""
    return code == exit_code() and not _entered


def listen() -> None:
    """Raise KeyboardInterrupt at these signals from now on, except at those that the parent process ignores."""
    sys.unraisablehook = _unraisable
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _stop)


@contextmanager
def handled_by(stop: Callable[[], None]) -> Iterator[None]:
    """Call a function at the first of these signals in here, in the place of an exception; the second one raises it.

    An event loop that ends by itself is nowhere left halfway. Only the main thread can say what signals mean.
    """
    before: dict[int, Callable[[int, FrameType | None], object]] = {}

    def handler(number: int, frame: FrameType | None) -> None:
        restore()
        stop()

    def restore() -> None:
        while before:
            signal.signal(*before.popitem())

    if threading.current_thread() is threading.main_thread():
        for number in (getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)):
            usual = signal.getsignal(number)
            if callable(usual):
                before[number] = usual
                signal.signal(number, handler)
    try:
        yield
    finally:
        restore()


def exit_code() -> int:
    """The exit code for the shell, as is usual: 128 and the number of the signal."""
    return 128 + _received[-1]


def leave() -> NoReturn:
    """End the process at once: nothing that is half imported may be torn down with a traceback."""
    print("stopped", file=sys.stderr, flush=True)
    os._exit(exit_code())


def _stop(number: int, _frame: FrameType | None) -> NoReturn:
    _received.append(number)
    raise KeyboardInterrupt


def _unraisable(unraisable: sys.UnraisableHookArgs) -> None:
    """Send a signal again whose exception was dropped: finalizers and callbacks of weak references drop theirs."""
    if not issubclass(unraisable.exc_type, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)
    elif hasattr(signal, "pthread_kill"):
        again = (threading.main_thread().ident, _received[-1])
        threading.Timer(0.01, signal.pthread_kill, again).start()
    else:
        threading.Timer(0.01, signal.raise_signal, (_received[-1],)).start()
