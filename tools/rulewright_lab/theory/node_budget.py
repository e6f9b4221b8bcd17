"""The budget of a solver: so many positions, or so much time; where it is spent the search stops with what it knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

from rulewright.host import scope

_LOOK = 1 << 10
"""Positions between two looks at the clock."""

Tell = Callable[[int], None]
"""A callback that gets the number of positions looked at, from time to time."""


class BudgetSpent(Exception):
    """Raised when there is no budget left."""


class NodeBudget:
    """Counts positions."""

    def __init__(self, positions: int | None, seconds: float | None = None, tell: Tell | None = None) -> None:
        self.positions = 0
        self.most, self._tell = positions, tell
        self._until = None if seconds is None else monotonic() + seconds
        self._next = 0
        self._plan()

    @contextmanager
    def at_most(self, positions: int) -> Iterator[None]:
        """Allow so many positions more for something, within the budget."""
        most = self.most
        here = self.positions + positions
        self.most = here if most is None else min(most, here)
        self._plan()
        try:
            yield
        finally:
            self.most = most
            self._plan()

    def _plan(self) -> None:
        self._next = self.positions + _LOOK
        if self.most is not None:
            self._next = min(self._next, self.most)

    def count(self, positions: int) -> None:
        """Note that so many positions were looked at; :class:`BudgetSpent` if no more may be."""
        self.positions += positions
        if self.positions >= self._next:
            self._look()

    def _look(self) -> None:
        scope().look()
        if self._tell is not None:
            self._tell(self.positions)
        if self.most is not None and self.positions >= self.most:
            raise BudgetSpent
        if self._until is not None and monotonic() >= self._until:
            raise BudgetSpent
        self._plan()
