"""Registers of the machine that runs generated code, its memo tables, and the reasons why it stops.

Each memoized query or area (:mod:`rulewright.ir.dataflow.memoized_queries`) has a dictionary of its results, which an
instruction that changes anything it reads clears. The tables belong to one run over one block of cells; states that
are only looked at keep them as long as they live.
"""

from __future__ import annotations

from typing import Any

from rulewright.engine.meter import METER
from rulewright.ir.dataflow.memoized_queries import MemoizedQueries
from rulewright.ir.model import Program

REGISTER = 9
"""The register of the machine that holds the memory."""

KEPT = 1 << 16
"""Results that are remembered at most, of all queries of a program together."""

Memory = list[Any]
"""First the cells it is about, then a dictionary for each remembered area and query."""


def forget(memory: Memory, cells: list[int]) -> None:
    """Start again, with other cells."""
    memory[0] = cells
    for results in memory[1:]:
        results.clear()


class Remembered(MemoizedQueries):
    """Results that Python code remembers, and where: the numbers are indices in the memory."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self.most = max(64, KEPT // max(1, len(self.numbers)))
        """Results of one query that are remembered at most."""

    def new(self) -> Memory:
        """An empty memory."""
        return [None, *({} for _ in self.numbers)]


ASK, DRAW, OVER, RETURNED, DECIDED = -1, -2, -3, -4, -5
"""Reasons why the machine stops: a question, chance, the end of the game, the first function has returned, or (if only
one of those who decide at once has their turn) it is over."""

BASE, RESULT, _, LEGAL, EXTRAS, WHO, FIRED, SHOWN, WATCH = range(9)
"""The registers, before that of the memory; for the budget and the meter see `budgets`."""

SHARED = REGISTER + 1
"""The register in which a function hands its parameters back."""

TOLD = METER + 1
"""The register for what the rules tell, if somebody listens."""

ALONE = TOLD + 1
"""The register that is true if only one of those who decide at once has their turn."""

GATHERED = ALONE + 1
"""The register that counts how often several have begun to decide at once."""

DONE = GATHERED + 1
"""The register for what is done because of an answer that not all have heard, if there is one."""
