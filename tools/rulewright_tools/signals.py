"""Signals that ask the command to end: all are handled as Ctrl-C is, each has its own exit code."""

from __future__ import annotations

import os
import signal
import sys
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
    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, _stop)


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
