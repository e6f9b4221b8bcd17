"""Registers of the machine that runs generated code, its memo tables, and the reasons why it stops.

Each memoized query or area (:mod:`rulewright.ir.dataflow.memoized_queries`) has a dictionary of its results, which an
instruction that changes anything it reads clears. The tables belong to one run over one block of cells; states that
are only looked at keep them as long as they live.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulewright.engine.meter import Meter
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir.dataflow.memoized_queries import MemoizedQueries
from rulewright.ir.model import Program

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
    """Results that Python code remembers, and where: the numbers are indices in the memory."""

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
    """The registers of one run: generated code and the machine know them as attributes."""

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
    """The steps that are left of the current slice, see :mod:`rulewright.engine.meter`."""
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
