"""The type of an agent that answers for a player; apart from `drawing`, so that it is known without Hypothesis."""

from __future__ import annotations

from collections.abc import Callable

Pick = Callable[[int], int]
"""Takes how many options there are, gives the number of one."""
