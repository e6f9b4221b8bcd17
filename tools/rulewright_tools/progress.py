"""A line on stderr that shows from the first moment that a command works, and how far it is."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rulewright_tools.console import err

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID


VARIABLE = "RULEWRIGHT_PROGRESS"
"""With `json` in this variable of the environment progress is written as lines of JSON on stderr, for other
programs."""

_PAUSE = 0.2
"""Seconds between two such lines at least."""


class Working:
    """The line, while a command works; where stderr is no terminal there is none, and nothing happens."""

    def __init__(self, bar: Progress | None = None, task: TaskID | None = None) -> None:
        self._shown = (bar, task) if bar is not None and task is not None else None

    def at(self, what: str, total: int | None = None) -> None:
        """Begin another part of the work; `total` is its number of steps, if that is known."""
        if self._shown is not None:
            bar, task = self._shown
            bar.update(task, description=what, total=total, completed=0)

    def describe(self, what: str) -> None:
        """Describe in other words what is being done."""
        if self._shown is not None:
            bar, task = self._shown
            bar.update(task, description=what)

    def reached(self, done: int) -> None:
        """Show the number of steps that are done."""
        if self._shown is not None:
            bar, task = self._shown
            bar.update(task, completed=done)

    def found(self, data: Callable[[], object]) -> bool:
        """Hand something that was found to the program that reads the progress; False if a person reads it."""
        return False

    @contextmanager
    def aside(self) -> Iterator[None]:
        """In here something else may be printed."""
        if self._shown is None:
            yield
            return
        self._shown[0].stop()
        yield
        self._shown[0].start()


class JsonProgress(Working):
    """Progress as lines such as ``{"progress": "games", "done": 20, "total": 100}``."""

    def __init__(self, what: str, total: int | None) -> None:
        super().__init__()
        self._next = 0.0
        self.at(what, total)

    def at(self, what: str, total: int | None = None) -> None:
        """Begin another part of the work."""
        self._what, self._total, self._done = what, total, 0
        self._write()

    def describe(self, what: str) -> None:
        """Describe in other words what is being done."""
        self._what = what
        self._write(False)

    def reached(self, done: int) -> None:
        """Show the number of steps that are done."""
        self._done = done
        self._write(done == self._total)

    def found(self, data: Callable[[], object]) -> bool:
        """Hand it over as a line such as ``{"found": {"rule": "turn"}}``."""
        print(json.dumps({"found": data()}), file=sys.stderr, flush=True)
        return True

    def _write(self, now: bool = True) -> None:
        if now or time.monotonic() >= self._next:
            self._next = time.monotonic() + _PAUSE
            line = {"progress": self._what, "done": self._done, "total": self._total}
            print(json.dumps(line), file=sys.stderr, flush=True)


@contextmanager
def working(what: str, total: int | None = None) -> Iterator[Working]:
    """Show what is done, in so many parts if that is known, and for how long, until this is over."""
    if os.environ.get(VARIABLE) == "json":
        yield JsonProgress(what, total)
        return
    if not sys.stderr.isatty():
        yield Working()
        return
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=err(), transient=True) as bar:
        yield Working(bar, bar.add_task(what, total=total))
