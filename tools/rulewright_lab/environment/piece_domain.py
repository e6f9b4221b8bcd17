"""Numbers for the pieces that a question may offer, which say no more of a piece than the player to move may know.

A piece has another number in each zone where everybody sees the faces: it follows from the zone, from what is printed
on the piece, and from its place among those offered there that look the same. Pieces that lie elsewhere are numbered by
what is printed on them alone, and those whose face the player to move does not see by their order: no number shows
where a hidden piece lies.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator

from rulewright.engine import Engine, bits_of
from rulewright.foundation import dataclass
from rulewright.ir import NONE, sight_of, source_zones
from rulewright.ir import model as m

ANYWHERE = -1
"""In place of the number of a zone: somewhere that not all may know."""


@dataclass(frozen=True, slots=True)
class OfferedPiece:
    """A piece that is offered, as its number describes it."""

    zone: int
    """The number of the zone with its keys, or ANYWHERE."""
    kind: int
    """The first of all pieces on which the same is printed; NONE if the face is not seen."""
    ordinal: int
    """The place among the pieces offered there that look the same, from 0."""


class PieceDomain:
    """The numbers of the pieces that one question of the rules may offer, from 0."""

    def __init__(self, engine: Engine, lying: dict[str, int], source: m.Expr | None, offered: int) -> None:
        """`lying` are the pieces that each zone may hold in some game, `offered` those that the question may offer, as
        sets."""
        self._engine, self._public = engine, public_zones(engine)
        self._firsts: list[int] = []
        self._runs: list[tuple[int, int]] = []
        self._first: dict[tuple[int, int], int] = {}
        self.size = 0
        layout, kinds = engine.layout, engine.interchange.kind
        among, elsewhere = source_zones(engine.program, source), Counter[int]()
        for zone in engine.program.zones:
            if among is not None and zone.name not in among:
                continue
            there = Counter(kinds[piece] for piece in bits_of(lying[zone.name] & offered))
            if zone.name in self._public:
                place = layout.zones[zone.name]
                for instance in range(place.first, place.first + place.count):
                    for kind in sorted(there):
                        self._run(instance, kind, min(there[kind], zone.capacity))
            else:
                elsewhere |= there
        for kind in sorted(elsewhere):
            self._run(ANYWHERE, kind, elsewhere[kind])
        if elsewhere:
            self._run(ANYWHERE, NONE, elsewhere.total())

    def _run(self, zone: int, kind: int, count: int) -> None:
        """Give the next numbers to so many pieces that look the same."""
        self._firsts.append(self.size)
        self._runs.append((zone, kind))
        self._first[zone, kind] = self.size
        self.size += count

    def numbers(self, zones: Iterable[int], kinds: Iterable[int]) -> Iterator[int]:
        """The numbers of pieces that are offered, in their order, from the zones where they lie and from what is seen
        to be printed on them; KeyError for one that the question never offers in a game from the beginning."""
        seen = Counter[tuple[int, int]]()
        for zone, kind in zip(zones, kinds, strict=True):
            declared = self._engine.program.zones[self._engine.layout.instances[zone].zone]
            look = (zone if kind != NONE and declared.name in self._public else ANYWHERE), kind
            yield self._first[look] + seen[look]
            seen[look] += 1

    def first(self, zone: int, kind: int) -> int:
        """For the engine: the number of the first piece of a kind that is offered from a zone with its keys, where all
        see the faces, or from ANYWHERE else; -1 if none is."""
        return self._first.get((zone, kind), -1)

    def piece(self, number: int) -> OfferedPiece:
        """The piece that a number stands for."""
        at = bisect_right(self._firsts, number) - 1
        zone, kind = self._runs[at]
        return OfferedPiece(zone, kind, number - self._firsts[at])


def public_zones(engine: Engine) -> frozenset[str]:
    """The zones in which everybody always sees the face of each piece."""
    sight = sight_of(engine.program)
    return frozenset(zone.name for zone in engine.program.zones if sight.open(zone))
