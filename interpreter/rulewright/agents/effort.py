"""The effort of a search for a decision: so many simulations, with the same answer everywhere, or so much time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter

from rulewright.foundation.lazy_dataclass import dataclass

KeepGoing = Callable[[int, float], bool]
"""Told how much has been looked at, and the part of the effort that is spent, from 0 to 1; false to stop now."""
_FIRST, _MOMENT = 4, 0.02
"""The simulations of the first slice, and the seconds that the others take."""


def always(done: int, part: float) -> bool:
    """Never stop early."""
    return True


@dataclass(frozen=True, slots=True)
class Effort:
    """One of both; the other is 0."""

    simulations: int = 0
    milliseconds: int = 0

    def __str__(self) -> str:
        return f"{self.milliseconds}ms" if self.milliseconds else str(self.simulations)

    def slices(self, keep_going: KeepGoing = always) -> Iterator[int]:
        """Numbers of simulations to be made one after the other: each takes a moment, in which nobody can say stop."""
        begun = perf_counter()
        done, left, most = 0, self.milliseconds / 1000, _FIRST
        while done < self.simulations or (self.milliseconds and left > 0):
            size = most if self.milliseconds else min(most, self.simulations - done)
            yield size
            done += size
            took = perf_counter() - begun
            part = 1000 * took / self.milliseconds if self.milliseconds else done / self.simulations
            if not keep_going(done, min(part, 1.0)):
                return
            left = self.milliseconds / 1000 - took
            moment = min(_MOMENT, left) if self.milliseconds else _MOMENT
            most = max(1, min(2 * most, int(done / took * moment)))

    def rounds(self, keep_going: KeepGoing = always) -> Iterator[int]:
        """The numbers of the simulations, from 0, as long as there are any left; at least one."""
        begun, number = perf_counter(), 0
        while True:
            yield number
            number += 1
            part = (
                1000 * (perf_counter() - begun) / self.milliseconds if self.milliseconds else number / self.simulations
            )
            if part >= 1 or not keep_going(number, part):
                return
