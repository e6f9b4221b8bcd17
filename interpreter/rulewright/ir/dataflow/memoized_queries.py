"""Choice of what is worth remembering: areas of the map, and the queries that ask for them.

An area is one flood over the map, and rules ask for the same one hundreds of times between two changes. So each area,
and each query that (itself or through others) asks for one, keeps its answers until an instruction changes what it
reads.
"""

from __future__ import annotations

from collections.abc import Collection

from rulewright.ir import model as m
from rulewright.ir.assertion_queries import compares
from rulewright.ir.dataflow.effects import EffectAnalysis, Tokens
from rulewright.ir.walk import nodes

LONGEST = 64
"""Longer lists are not remembered."""


class MemoizedQueries:
    """The areas, growing maps and queries of a program that are remembered, and what makes them be forgotten."""

    def __init__(self, program: m.Program, more: Collection[str] = ()) -> None:
        """Also `more` queries are remembered; none that compares states is."""
        self._depend = EffectAnalysis.of(program)
        self.place: dict[str, int] = {}
        """``area x``, ``map x`` or the name of a query to its number, from 1."""
        costly: set[str] = set(more)
        for query in program.queries:  # those that a query asks stand before it
            if any(_is_costly(node, costly) for node in nodes(query.body)) and not compares(query.body):
                costly.add(query.name)
        maps = [f"area {a.name}" for a in program.areas]
        maps += [f"map {g.name}" for g in program.graphs if g.shape == "growing"]
        for name in (*maps, *(q.name for q in program.queries if q.name in costly and _is_small(q.ty))):
            self.place[name] = len(self.place) + 1

    def concerned(self, instruction: m.Instr) -> list[int]:
        """The numbers of what is forgotten when an instruction has been carried out."""
        return self.depending(self._depend.writes(instruction))

    def depending(self, written: Tokens) -> list[int]:
        """The numbers of what is forgotten when something has been written."""
        return [index for name, index in self.place.items() if written & self._depend.reads_of(name)]


def _is_small(ty: m.Ty) -> bool:
    return ty.kind != "list" or ty.capacity <= LONGEST


def _is_costly(node: object, costly: set[str]) -> bool:
    return isinstance(node, m.Closure | m.Component | m.ReachFrom | m.Grown) or (
        isinstance(node, m.CallQuery) and node.query in costly
    )
