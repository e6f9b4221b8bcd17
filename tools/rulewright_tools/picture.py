"""What is to be seen of a position, for any game: places with what lies on them, and what players hold.

The terminal board and the SVG only draw pictures; :mod:`rulewright_tools.sight` makes them from a state.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Item:
    """Pieces that look alike, lying together."""

    key: str
    count: int
    back: bool = False
    """Whether only the backs are seen."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of the map."""

    key: str
    x: int
    y: int
    """Where it lies, in thousandths of a unit: x to the right, y down."""
    items: tuple[Item, ...]
    marks: tuple[str, ...]
    """Fields that point at this place, and what fields say of it."""
    region: str
    """The place that stands for the merged region it belongs to; else itself."""
    label: str = ""
    """What is written into it."""
    colour: str = ""
    """A word or colour for its ground; empty: none of its own."""


@dataclass(frozen=True, slots=True)
class Pile:
    """What lies in one zone beside the map."""

    name: str
    items: tuple[Item, ...]

    @property
    def size(self) -> int:
        """How many pieces."""
        return sum(item.count for item in self.items)


@dataclass(frozen=True, slots=True)
class Holder:
    """A seat, a party, or the table in the middle, with what it has."""

    name: str
    piles: tuple[Pile, ...]
    facts: tuple[tuple[str, str], ...]
    """Fields and their values as words."""


@dataclass(frozen=True, slots=True)
class MapStyle:
    """How the ruleset wants its map drawn."""

    places: str = ""
    """``circle``, ``square``, ``hexagon``, ``none``; empty: what suits the map."""
    labelled: bool = True
    """Whether the keys of places are written."""
    background: str = ""


@dataclass(frozen=True, slots=True)
class Picture:
    """A position as one viewer sees it."""

    title: str
    shape: str
    """Of the map: ``ring``, ``grid``, ``hexes``, ``graph``, ``growing``; empty if the game has none."""
    style: MapStyle
    spots: tuple[Spot, ...]
    links: tuple[tuple[int, int], ...]
    """Pairs of neighbouring spots, by number."""
    holders: tuple[Holder, ...]
    table: Holder

    def region_name(self, spot: Spot) -> str:
        """The places of the region that a spot belongs to: ``12–2`` on a ring, else ``a+b+c``."""
        joined = [number for number, other in enumerate(self.spots) if other.region == spot.region]
        if self.shape == "ring" and 1 < len(joined) < len(self.spots):
            # A run of the ring is named by its ends, also when it goes over the last place to the first.
            starts = [number for number in joined if (number - 1) % len(self.spots) not in joined]
            if len(starts) == 1:
                end = (starts[0] + len(joined) - 1) % len(self.spots)
                return f"{self.spots[starts[0]].key}\N{EN DASH}{self.spots[end].key}"
        return "+".join(self.spots[number].key for number in joined)

    @property
    def keys(self) -> list[str]:
        """The keys of all pieces to be seen, each once, in order."""
        piles = [pile.items for holder in (*self.holders, self.table) for pile in holder.piles]
        found = [item.key for items in (*(spot.items for spot in self.spots), *piles) for item in items]
        return sorted(set(found))
