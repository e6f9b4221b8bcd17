"""The effort of a search for a decision: so many simulations, with the same answer everywhere, or so much time."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

from rulewright.foundation.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Effort:
    """One of both; the other is 0."""

    simulations: int = 0
    milliseconds: int = 0

    def __str__(self) -> str:
        return f"{self.milliseconds}ms" if self.milliseconds else str(self.simulations)

    def rounds(self) -> Iterator[int]:
        """The numbers of the simulations, from 0, as long as there are any left; of time at least one."""
        if not self.milliseconds:
            yield from range(self.simulations)
            return
        until, number = perf_counter() + self.milliseconds / 1000, 0
        while True:
            yield number
            number += 1
            if perf_counter() >= until:
                return
