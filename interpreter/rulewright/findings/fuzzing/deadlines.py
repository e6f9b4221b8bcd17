"""Limits of a search: the time, and the number of decisions."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace


class OutOfTime(BaseException):
    """Raised in the middle of a game when time is up.

    It is no `Exception`: Hypothesis takes those for tests that fail and goes on to shrink them, anything else passes
    through it at once.
    """


Now = Callable[[], float]
"""A clock: the time in seconds; :func:`time.time`, for processes must agree about it."""


@dataclass(slots=True)
class Limits:
    """Limits after which to stop. Checked before every decision, so that even a single long game is left in time."""

    until: float | None = None
    """A time of the clock `now`."""
    decisions: int | None = None
    """So many more may be played; unlike time the same on every machine."""
    now: Now = time.time
    interrupted: bool = False
    """True after Ctrl-C."""

    def over(self) -> bool:
        """True if time is up."""
        return self.until is not None and self.now() >= self.until

    def left(self) -> float | None:
        """Seconds until time is up, if it ever is."""
        return None if self.until is None else max(0.0, self.until - self.now())

    def spend(self) -> None:
        """One more decision is about to be played."""
        if self.decisions is not None:
            self.decisions -= 1
        if (self.decisions is not None and self.decisions < 0) or self.over():
            raise OutOfTime

    def share(self, parts: int, decisions: int) -> Limits:
        """Limits for a piece of work that may take one of this many parts of the time that is left."""
        left = self.left()
        return replace(self, until=None if left is None else self.now() + left / parts, decisions=decisions)


UNLIMITED = Limits()
"""No limits."""
