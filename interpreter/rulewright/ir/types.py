"""Run-time types and the integer that stands for none."""

from __future__ import annotations

from typing import Literal

from rulewright.foundation.lazy_dataclass import dataclass

NONE = -(2**31)
"""The integer that stands for none."""

MAX_NUMBER_BITS = 1024
"""Sets of whole numbers hold 0 to 1023."""
MAX_DRAWN = 1 << 18
"""Chance draws from a range of numbers below this: no set of them is made, so that a shuffle may be of more pieces."""

INT_MAX = 2**31 - 1

FINGERPRINT = 4
"""The numbers that stand for one position in a record."""


@dataclass(frozen=True, slots=True)
class Ty:
    """A run-time type."""

    kind: Literal["bool", "int", "entity", "set", "list"]
    universe: str = ""
    """Of an entity, or of the members of a set or list, where it may also be ``Int`` or ``Bool``."""
    low: int = -INT_MAX
    high: int = INT_MAX
    """Bounds of an int, or of the ints in a set or list."""
    optional: bool = False
    capacity: int = 0
    """Most elements of a list."""
    keys: str = ""
    """Of a list that has a value for each member of a universe, in the order of these: that universe."""


BOOL = Ty("bool")
INT = Ty("int")
