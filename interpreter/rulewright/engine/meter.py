"""The budgets that a run has left.

Generated code takes its *steps*, as they stand in the program (:mod:`rulewright.ir.step_costs`), from a register, and
asks ``R.budget < 0`` where it could go on for long. What the register holds is only a slice; when it is spent, the
:class:`Meter` of the run looks at the clock and at the host's wish to stop, and hands out the next slice, as long as
the budget of the answer and all totals allow it. So one cheap test serves all limits.
"""

from __future__ import annotations

from typing import Protocol

from rulewright.engine.faults import Fault
from rulewright.host.budgets import STEPS_SPENT, Scope

SLICE = 1 << 13
"""Steps between two looks at the clock: some hundredths of a second."""

LEFT = "R.budget + R.meter.left"
"""The rest of the budget, in generated code."""


class Metered(Protocol):
    """The registers of a run that concern its budget."""

    budget: int
    meter: Meter


class Meter:
    """The budget that one run has left. It counts for the scope in which it was made."""

    __slots__ = ("left", "scope", "slice")

    def __init__(self, here: Scope) -> None:
        self.scope = here
        self.left = self.slice = 0

    def begin(self, R: Metered) -> None:
        """Begin a budget: an answer was given, or a question put."""
        here = self.scope
        if here.until is not None or here.cancel:
            here.look()
        first = SLICE if here.steps > SLICE else here.steps
        for pool in here.pools:
            pool.left -= 1
            if pool.left < first:
                first = pool.left if pool.left > 0 else 0
        R.budget = self.slice = first
        self.left = here.steps - first

    def account(self, R: Metered) -> None:
        """Take what was spent from what others share."""
        self._share(self.slice - R.budget)
        self.slice = R.budget

    def _share(self, steps: int) -> None:
        for pool in self.scope.pools:
            pool.left -= steps

    def refill(self, R: Metered) -> None:
        """The slice of steps is spent: the next one, or the error of the limit that is reached."""
        self._share(self.slice - R.budget)
        given = self._next(self.left + R.budget)
        self.left += R.budget - given
        R.budget = self.slice = given

    def done(self) -> None:
        """Hand out nothing more."""
        self.left = 0

    def _next(self, most: int) -> int:
        """The next slice, where so much is left."""
        here = self.scope
        here.look()
        if most < 0:
            raise Fault(STEPS_SPENT, f"no question was reached in {here.steps} steps: an endless loop?")
        for pool in here.pools:
            if pool.left <= 0:
                raise Fault(pool.code, pool.message)
            most = min(most, pool.left)
        return min(SLICE, most)


def refill(R: Metered) -> None:
    """Hand out the next slice of steps; generated code calls it when one is spent."""
    R.meter.refill(R)
