"""Remembering what is costly: the results of areas and queries (:mod:`rulewright.ir.dataflow.memoized_queries`).

Each has a dictionary of its results, which an instruction that changes anything it reads clears. What is remembered
belongs to one run over one block of cells; states that are only looked at keep it as long as they live.
"""

from __future__ import annotations

from typing import Any

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
