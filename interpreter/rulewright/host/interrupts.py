"""Ctrl-C that waits until something is whole."""

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
