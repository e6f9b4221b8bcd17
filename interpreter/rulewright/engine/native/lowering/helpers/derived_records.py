"""Records beside the zones, kept while pieces are moved: the only piece of a zone, the places of growing maps."""

from __future__ import annotations

from functools import cached_property

from rulewright.engine.native.lowering.helpers.parts import Parts
from rulewright.engine.native.lowering.memo_tables import MemoTable
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.terms import Term, mem32
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.graphs import origin


@dataclass(frozen=True, slots=True)
class KeptMap:
    """A growing map whose places are kept, its table, and the function that puts a piece on a place of it."""

    graph: m.Graph
    table: MemoTable
    put: int


class DerivedRecords:
    """Writes what is to be done when a piece comes to a zone, or leaves it."""

    def __init__(self, parts: Parts, maps: tuple[KeptMap, ...]) -> None:
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
        for one in self._maps:
            ground = self.memory.numbers(self.layout.ground(one.graph.place, origin(one.graph)))
            place = body.local()
            with body.when(place.tee(mem32(zone << 2, ground)).ge_s(0)):
                if comes:
                    body.call(one.put, place)
                else:
                    one.table.invalidate(body)
