"""Registers of the machine that runs blocks, the meter of its budget, its memo, and reasons why it stops.

Each memoized query or area (:mod:`rulewright.ir.dataflow.memoized_queries`) has a dictionary of its results, which an
instruction that changes anything it reads clears. The memo is about one block of cells; the state after a run keeps it,
and the run that goes on from there first takes it over for its copy of them.

Closures take their *steps*, as they stand in the program (:mod:`rulewright.ir.step_costs`), from a register, and
test ``R.budget < 0`` where they could go on for long. What the register holds is only a slice; when it is spent, the
:class:`Meter` of the run looks at the clock and at the host's wish to stop, and hands out the next slice, as long as
the budget of the answer and all totals allow it. So one cheap test serves all limits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.engine.faults import Fault
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.host.budgets import STEPS_SPENT, Scope
from rulewright.ir.dataflow.memoized_queries import MemoizedQueries
from rulewright.ir.model import Program

SLICE = 1 << 13
"""Steps between two looks at the clock: some hundredths of a second."""


class Meter:
    """The budget that one run has left. It counts for the scope in which it was made."""

    __slots__ = ("left", "scope", "slice")

    def __init__(self, here: Scope) -> None:
        self.scope = here
        self.left = self.slice = 0

    def begin(self, R: Registers) -> None:
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

    def account(self, R: Registers) -> None:
        """Take what was spent from what others share."""
        self._share(self.slice - R.budget)
        self.slice = R.budget

    def _share(self, steps: int) -> None:
        for pool in self.scope.pools:
            pool.left -= steps

    def refill(self, R: Registers) -> None:
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


KEPT = 1 << 16
"""Results that are remembered at most, of all queries of a program together."""

Memo = list[Any]
"""First the cells it is about, then a dictionary for each remembered area and query."""


def forget(memory: Memo, cells: list[int]) -> None:
    """Start again, with other cells."""
    memory[0] = cells
    for results in memory[1:]:
        results.clear()


class MemoLayout(MemoizedQueries):
    """Results that are remembered, and where: the numbers are indices in the memory."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.most = max(64, KEPT // max(1, len(self.numbers)))
        """Results of one query that are remembered at most."""

    def new(self) -> Memo:
        """An empty memory."""
        return [None, *({} for _ in self.numbers)]


ASK, DRAW, OVER, RETURNED, DECIDED = -1, -2, -3, -4, -5
"""Reasons why the machine stops: a question, chance, the end of the game, the first function has returned, or (if only
one of those who decide at once has their turn) it is over."""


@dataclass(slots=True)
class Registers:
    """The registers of one run: closures and the machine know them as attributes."""

    base: int
    """The index in the stack at which the slots of the topmost frame begin."""
    memo: Memo
    meter: Meter
    fired: list[int] | None = None
    """A counter for each rule, if uses of rules are counted."""
    shown: list[Any] | None = None
    """Pieces that were shown to players, if they are noted."""
    watch: Any = None
    """The watch over properties, which is notified when a block begins or ends."""
    announcements: list[Any] | None = None
    """Announcements (``tells``) with the cells and the stack of their moment, if they are noted."""
    alone: bool = False
    """True if only one of those who decide at once has their turn."""
    budget: int = 0
    """The steps that are left of the current slice, see :class:`Meter`."""
    result: Any = 0
    """The value that the last function has returned."""
    legal: Any = 0
    """The members that are offered: a set as a mask, or a list as a tuple."""
    extras: int = 0
    """The words that are offered beside the members, as a mask."""
    seat: int = 0
    """The player to decide."""
    shared: Sequence[int] = ()
    """The parameters that a function hands back."""
    simultaneous_blocks: int = 0
    """The number of times that several players have begun to decide at once."""
    traces: list[Any] | None = None
    """Instructions that a player who may not know an answer could see its effect by, if there is such an answer."""
