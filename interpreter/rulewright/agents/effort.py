"""The effort of a search for a decision: so many simulations, with the same answer everywhere, or so much time."""

from __future__ import annotations

from collections.abc import Iterator
from time import perf_counter

from rulewright.foundation.lazy_dataclass import dataclass

_FIRST, _MOMENT = 32, 0.02
"""The simulations of the first slice, and the seconds that the others take."""


@dataclass(frozen=True, slots=True)
class Effort:
    """One of both; the other is 0."""

    simulations: int = 0
    milliseconds: int = 0

    def __str__(self) -> str:
        return f"{self.milliseconds}ms" if self.milliseconds else str(self.simulations)

    def slices(self) -> Iterator[int]:
        """Numbers of simulations to be made one after the other: each takes a moment, in which nobody can say stop."""
        begun = perf_counter()
        done, left, most = 0, self.milliseconds / 1000, _FIRST
        while done < self.simulations or (self.milliseconds and left > 0):
            size = most if self.milliseconds else min(most, self.simulations - done)
            yield size
            done += size
            took = perf_counter() - begun
            left = self.milliseconds / 1000 - took
            moment = min(_MOMENT, left) if self.milliseconds else _MOMENT
            most = max(1, min(2 * most, int(done / took * moment)))

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
