"""Remembering what is costly: areas of the map, and the queries that ask for them.

An area is one flood over the map, and rules ask for the same one hundreds of times between two changes. So each area,
and each query that (itself or through others) asks for one, has a dictionary of its answers, which an instruction
that changes anything it reads clears. What is remembered belongs to one run over one block of cells; states that are
only looked at keep it as long as they live.
"""

from __future__ import annotations

from typing import Any

from rulewright.program import model as m
from rulewright.program.walk import nodes

PIECES, PLAYERS, REGIONS = "pieces", "players", "regions"
"""What an instruction can change besides fields (``field x``): where pieces lie and how, who plays, what is merged."""

REGISTER = 9
"""The register of the machine that holds the memory."""

Memory = list[Any]
"""First the cells it is about, then a dictionary for each remembered area and query."""


def forget(memory: Memory, cells: list[int]) -> None:
    """Begin anew, with other cells."""
    memory[0] = cells
    for answers in memory[1:]:
        answers.clear()


class Remembered:
    """Which areas and queries of a program are remembered, where, and what they depend on."""

    def __init__(self, program: m.Program) -> None:
        self._queries = {q.name: q for q in program.queries}
        self._areas = {a.name: a for a in program.areas}
        self._merged = {x.name for x in program.merged}
        self._by_region = {f.name for f in program.fields if self._merged & set(f.index)}
        self._reads: dict[str, frozenset[str]] = {}
        self._costly: dict[str, bool] = {}
        self.place: dict[str, int] = {}
        """``area x`` or the name of a query to its index in the memory."""
        for area in program.areas:
            self.place[f"area {area.name}"] = len(self.place) + 1
        for query in program.queries:
            if self._is_costly(query.name):
                self.place[query.name] = len(self.place) + 1

    def new(self) -> Memory:
        """An empty memory."""
        return [None, *({} for _ in self.place)]

    def concerned(self, changed: tuple[str, ...]) -> list[int]:
        """What must be forgotten when something changes."""
        tokens = set(changed)
        return [index for name, index in self.place.items() if tokens & self.reads(name)]

    def _is_costly(self, query: str) -> bool:
        if query not in self._costly:
            self._costly[query] = False
            for node in nodes(self._queries[query].body):
                inner = isinstance(node, m.Ask) and node.query in self._queries and self._is_costly(node.query)
                if inner or isinstance(node, m.Component | m.ReachFrom):
                    self._costly[query] = True
                    break
        return self._costly[query]

    def reads(self, name: str) -> frozenset[str]:
        """What an area or query depends on."""
        if name not in self._reads:
            self._reads[name] = frozenset()
            area = name.removeprefix("area ")
            body = self._areas[area].across if area != name else self._queries[name].body
            found: set[str] = set()
            for node in nodes(body):
                found |= self._read(node)
            self._reads[name] = frozenset(found)
        return self._reads[name]

    def _read(self, node: object) -> frozenset[str]:
        match node:
            case m.FieldGet(field):
                return frozenset({f"field {field}", REGIONS} if field in self._by_region else {f"field {field}"})
            case m.ZoneGet() | m.ZoneList() | m.Top() | m.PlaceOf() | m.SlotOf() | m.InZone() | m.SideOf():
                return frozenset({PIECES})
            case m.Alive(universe):
                return frozenset({PLAYERS, REGIONS} if universe == "Player" or universe in self._merged else ())
            case m.ClockwiseFrom():
                return frozenset({PLAYERS})
            case m.Canon() | m.PlacesOf() | m.RegionsBeside() | m.Ahead():
                return frozenset({REGIONS})
            case m.Component(area):
                return self.reads(f"area {area}")
            case m.Ask(query) if query in self._queries:
                return self.reads(query)
        return frozenset()
