"""Occupants: of a zone that holds one piece at most, which one lies there stands beside its set, as a number.

``tile[c].kind`` is then two loads instead of a look through a set of all pieces.
"""

from __future__ import annotations

from array import array
from collections.abc import Collection, Iterable, Sequence

from rulewright.engine.cells.layout import Layout
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.model import NONE

_PART = 64
"""So many zones are compared at once with those that were encoded last."""


@dataclass(frozen=True, slots=True)
class Occupants:
    """The numbers of the zones of one name."""

    zone: str
    offset: int
    """Their begin, in bytes from the first of all."""
    first: int
    """The number of the first of these zones."""
    cell: int
    """The first cell of their sets."""
    count: int

    @property
    def size(self) -> int:
        """The bytes of all."""
        return 4 * self.count


def single_zones(rules: Iterable[object]) -> frozenset[str]:
    """The zones of which nodes of rules ask for the only piece."""
    asked = (node.of for node in rules if isinstance(node, m.Single))
    return frozenset(zone.zone for zone in asked if isinstance(zone, m.ZoneGet))


def find_occupants(layout: Layout, single: Collection[str]) -> tuple[Occupants, ...]:
    """The zones that are worth it, of those of which the only piece is asked for."""
    found: list[Occupants] = []
    offset = 0
    for name, place in layout.zones.items():
        here = layout.instances[place.first : place.first + place.count]
        limited = layout.limited[place.first : place.first + place.count]
        cells = layout.initial[place.at : place.at + place.count]
        if name not in single or place.ordered or place.span != 1:
            continue
        if all(limited) and all(i.capacity == 1 for i in here) and all(one.bit_count() <= 1 for one in cells):
            found.append(Occupants(name, offset, place.first, place.at, place.count))
            offset += found[-1].size
    return tuple(found)


class OccupantEncoder:
    """The numbers of some zones for the cells of one state after another, of which few change."""

    def __init__(self, zones: Sequence[Occupants]) -> None:
        self.zones = zones
        self._last: dict[str, tuple[list[int], array[int]]] = {}

    def write(self, raw: bytearray, at: int, cells: Sequence[int]) -> None:
        """Put them into bytes from a place on."""
        for one in self.zones:
            values = list(cells[one.cell : one.cell + one.count])
            before, known = self._last.get(one.zone, ([], array("i", [NONE]) * one.count))
            known = known[:]  # threads may share it
            for first in range(0, one.count, _PART):
                part = values[first : first + _PART]
                if part != before[first : first + _PART]:
                    known[first : first + _PART] = array(
                        "i", (value.bit_length() - 1 if value else NONE for value in part)
                    )
            self._last[one.zone] = values, known
            raw[at + one.offset : at + one.offset + one.size] = known.tobytes()


__all__ = ["OccupantEncoder", "Occupants", "find_occupants", "single_zones"]
