"""Records beside the zones, kept while pieces are moved: the only piece of a zone, the places of growing maps."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from rulewright.engine.native.lowering.answer_tables import AnswerTable, AnswerTables
from rulewright.engine.native.lowering.helpers.parts import Parts
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import Term, mem32
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.graphs import origin


@dataclass(frozen=True, slots=True)
class KeptMaps:
    """The growing maps whose places are kept."""

    answers: AnswerTables
    tables: Callable[[], tuple[tuple[m.Graph, AnswerTable], ...]]
    """The maps, each with the table that its places are kept in."""
    put: Callable[[str], int]
    """The function that keeps a map up to date when a piece is put on a place."""


class DerivedRecords:
    """Writes what is to be done when a piece comes to a zone, or leaves it."""

    def __init__(self, parts: Parts, maps: KeptMaps) -> None:
        self.memory, self.layout, self._maps = parts.memory, parts.layout, maps

    @cached_property
    def _occupants(self) -> int:
        """The address of a table: for each zone the address where its only piece is kept, or 0."""
        found = [0] * len(self.layout.instances)
        for one in self.memory.occupants.values():
            begin = self.memory.occupants_at + one.offset
            found[one.first : one.first + one.count] = range(begin, begin + one.size, 4)
        return self.memory.numbers(found)

    def occupy(self, body: FunctionBody, zone: Term, piece: Term | int) -> None:
        """Note that a piece lies alone in a zone, or none, if its only piece is kept."""
        if self.memory.occupants:
            at = body.local()
            with body.when(at.tee(mem32(zone << 2, self._occupants))):
                body.set(mem32(at), piece)

    def tell_maps(self, body: FunctionBody, zone: Term, comes: bool) -> None:
        """Tell the growing maps that a piece comes to a zone, or leaves it."""
        for graph, table in self._maps.tables():
            ground = self.memory.numbers(self.layout.ground(graph.place, origin(graph)))
            place = body.local()
            with body.when(place.tee(mem32(zone << 2, ground)).ge_s(0)):
                if comes:
                    body.call(self._maps.put(graph.name), place)
                else:
                    self._maps.answers.forget_answers(body, table)
