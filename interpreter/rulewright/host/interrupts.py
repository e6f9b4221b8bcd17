"""Ctrl-C that waits until something is whole, that stops machine code, and processes that do not hear it."""

from __future__ import annotations

import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""The signals that ask for an end."""

stoppers: list[Callable[[], None]] = []
"""Functions that are called at once when such a signal comes, in another thread: they stop what Python cannot."""

_listening: list[bool] = []


def listening() -> bool:
    """True while the :data:`stoppers` are notified of signals."""
    return bool(_listening)


@contextmanager
def stopping_at_once() -> Iterator[None]:
    """Notify the :data:`stoppers` of signals that mean what they do now.

    The handlers of Python, and so KeyboardInterrupt, wait until the main thread has come back from machine code.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or sys.platform == "emscripten" or _listening:
        yield
        return
    meant = {number: signal.getsignal(number) for number in ENDING}
    receiver, signal_end = socket.socketpair()
    signal_end.setblocking(False)

    def listen() -> None:
        with receiver:
            while numbers := receiver.recv(64):
                if any(number in meant and signal.getsignal(number) is meant[number] for number in numbers):
                    for stop in stoppers:
                        stop()

    listener = threading.Thread(target=listen, name="rulewright signals", daemon=True)
    listener.start()
    before = signal.set_wakeup_fd(signal_end.fileno(), warn_on_full_buffer=False)
    _listening.append(True)
    try:
        yield
    finally:
        _listening.clear()
        with suppress(ValueError):  # the receiver of signals before is gone
            signal.set_wakeup_fd(before)
        signal_end.close()
        listener.join()


@contextmanager
def defer_interrupts() -> Iterator[None]:
    """In here Ctrl-C is noted, and comes when this is over."""
    if threading.current_thread() is not threading.main_thread():
        yield  # Python lets only the main thread hear signals
        return
    pending: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: pending.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pending:
        signal.raise_signal(signal.SIGINT)


@contextmanager
def ignore_interrupts() -> Iterator[None]:
    """Processes that start in here do not hear Ctrl-C from their first moment on; this one hears it afterwards."""
    if threading.current_thread() is not threading.main_thread():
        yield  # Python lets only the main thread say what signals mean
        return
    if hasattr(signal, "pthread_sigmask"):
        from multiprocessing import resource_tracker

        resource_tracker.ensure_running()  # when it starts it lets signals through again
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
