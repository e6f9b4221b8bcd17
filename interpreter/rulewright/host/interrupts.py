"""Ctrl-C that waits until something is whole, and processes that do not hear it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def undivided() -> Iterator[None]:
    """In here Ctrl-C is noted, and comes when this is over."""
    if threading.current_thread() is not threading.main_thread():
        yield  # Python lets only the main thread hear signals
        return
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if heard:
        signal.raise_signal(signal.SIGINT)


@contextmanager
def deaf() -> Iterator[None]:
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
