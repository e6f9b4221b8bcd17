"""Remembering what is costly: areas of the map, and the queries that ask for them.

An area is one flood over the map, and rules ask for the same one hundreds of times between two changes. So each area,
and each query that (itself or through others) asks for one, has a dictionary of its answers, which an instruction
that changes anything it reads clears. What is remembered belongs to one run over one block of cells; states that are
only looked at keep it as long as they live.
"""

from __future__ import annotations

from typing import Any

from rulewright.ir import model as m
from rulewright.ir.dataflow.effects import EffectAnalysis
from rulewright.ir.walk import nodes

REGISTER = 9
"""The register of the machine that holds the memory."""

KEPT = 1 << 16
"""Answers that are remembered at most, of all queries of a program together."""

LONGEST = 64
"""Longer lists are not remembered."""

Memory = list[Any]
"""First the cells it is about, then a dictionary for each remembered area and query."""


def forget(memory: Memory, cells: list[int]) -> None:
    """Start again, with other cells."""
    memory[0] = cells
    for answers in memory[1:]:
        answers.clear()


class Remembered:
    """The areas and queries of a program that are remembered, where, and what makes them be forgotten."""

    def __init__(self, program: m.Program) -> None:
        self._depend = EffectAnalysis.of(program)
        self.place: dict[str, int] = {}
        """``area x``, ``map x`` or the name of a query to its index in the memory."""
        costly: set[str] = set()
        for query in program.queries:  # those that a query asks stand before it
            if any(_is_costly(node, costly) for node in nodes(query.body)):
                costly.add(query.name)
        maps = [f"area {a.name}" for a in program.areas]
        maps += [f"map {g.name}" for g in program.graphs if g.shape == "growing"]
        for name in (*maps, *(q.name for q in program.queries if q.name in costly and _is_small(q.ty))):
            self.place[name] = len(self.place) + 1
        self.most = max(64, KEPT // max(1, len(self.place)))
        """Answers of one query that are remembered at most."""

    def new(self) -> Memory:
        """An empty memory."""
        return [None, *({} for _ in self.place)]

    def concerned(self, instruction: m.Instr) -> list[int]:
        """The entries to forget when an instruction has been carried out."""
        written = self._depend.writes(instruction)
        return [index for name, index in self.place.items() if written & self._depend.reads_of(name)]


def _is_small(ty: m.Ty) -> bool:
    return ty.kind != "list" or ty.capacity <= LONGEST


def _is_costly(node: object, costly: set[str]) -> bool:
    return isinstance(node, m.Component | m.ReachFrom | m.Grown) or (
        isinstance(node, m.CallQuery) and node.query in costly
    )
