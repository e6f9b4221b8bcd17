"""A state at rest, as it goes from one backend to the other."""

from __future__ import annotations

from rulewright.foundation.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class SuspendedState:
    """A state at rest."""

    status: int
    """The reason why the rules have stopped."""
    cells: list[int]
    stack: list[int]
    who: int
    """The player to decide."""
    members: tuple[int, ...]
    """The members that are offered; of interchangeable ones one."""
    extras: int
    """The words that are offered beside them, a set."""
