"""The picture of a position, for any game: places with what lies on them, and what players hold.

The terminal board and the SVG only draw pictures; :mod:`rulewright_tools.render.position_picture` makes them from a
state.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from rulewright_tools.render.ground import Ground


@dataclass(frozen=True, slots=True)
class Item:
    """Pieces that look alike, lying together."""

    key: str
    """The name of the pieces, or what their backs show."""
    count: int
    back: bool = False
    """True if only the backs are seen."""
    name: str = ""
    """The name of the item; empty: its key."""
    note: str = ""
    """Text that is written beside it, such as its price."""
    badge: str = ""
    """A short text that is written on it, such as its value."""
    down: bool = False
    """True if it lies face down, but the viewer knows what it is."""
    owner: str = ""
    """The key of a seat or party in whose colour it is drawn; empty: in its own."""
    covered: str = "face down"
    """The words for what lies face down."""
    zone: str = ""
    """The zone in which it lies, as keys of options name it: ``hand[anna]``; empty for what is no piece."""

    @property
    def hue(self) -> str:
        """The key whose colour it has."""
        return self.owner or self.key

    @property
    def identity(self) -> str:
        """The piece as the viewer distinguishes it from others, wherever it lies; empty if only its back is seen."""
        return "" if self.back else f"{self.owner} {self.key}".strip()

    @property
    def title(self) -> str:
        """The name in words, with the badge; of a back what it shows."""
        shown = (self.name or self.key).replace("_", " ")
        shown = _back(self, shown) if self.back or not shown else shown
        return f"{shown} {self.badge}" if self.badge else shown


@dataclass(frozen=True, slots=True)
class Stack:
    """Pieces of one owner on a place."""

    owner: str
    """The key of a seat or party; empty: without an owner."""
    items: tuple[Item, ...]

    @property
    def up(self) -> int:
        """The number of pieces that lie face up."""
        return sum(item.count for item in self.items if not (item.back or item.down))

    @property
    def down(self) -> int:
        """The number of pieces that lie face down."""
        return sum(item.count for item in self.items if item.back or item.down)


@dataclass(frozen=True, slots=True)
class Marker:
    """A small sign on a place."""

    kind: str
    """The hint that it comes from: the name of its :class:`MarkerStyle`."""
    value: str = ""
    """A key in whose colour it is drawn, or a number that is written on it; empty: neither."""


@dataclass(frozen=True, slots=True)
class MarkerStyle:
    """The look of a kind of marker."""

    kind: str
    name: str
    sign: str
    icon: str = ""
    colour: str = ""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of the map."""

    key: str
    x: int
    y: int
    """The position, in thousandths of a unit: x to the right, y down."""
    items: tuple[Item, ...]
    marks: tuple[str, ...]
    """Fields that point at this place, and what fields say of it."""
    region: str
    """The place that stands for the merged region it belongs to; else itself."""
    label: str = ""
    """The text that is written into it."""
    ground: str = ""
    """The kind of ground of the place; empty: none of its own."""
    tint: str = ""
    """A key in whose colour the place is tinted: the owner of the land; empty: without an owner."""
    rim: str = ""
    """A key in whose colour the rim of its land is drawn."""
    stacks: tuple[Stack, ...] = ()
    markers: tuple[Marker, ...] = ()


@dataclass(frozen=True, slots=True)
class Edge:
    """A wall, road or the like between two places."""

    key: str
    one: int
    other: int
    """The two places, by number."""
    walls: tuple[str, ...] = ()
    """The names of the walls that stand on it."""
    marked: bool = False
    """True if a short line is drawn across it."""
    lines: tuple[tuple[str, str], ...] = ()
    """Lines from the one place to the other: the name of each, and the key whose colour it has; empty: none of its
    own."""


@dataclass(frozen=True, slots=True)
class Pile:
    """The pieces in one zone beside the map."""

    name: str
    items: tuple[Item, ...]
    under: int = 0
    """The number of further pieces under these, which are not shown one by one."""
    note: str = ""
    """The words that say so."""

    @property
    def beneath(self) -> str:
        """The words that say how many more there are; empty: none."""
        return (self.note or f"on {self.under} more") if self.under else ""

    @property
    def size(self) -> int:
        """The number of pieces."""
        return sum(item.count for item in self.items) + self.under


@dataclass(frozen=True, slots=True)
class Holder:
    """A seat, a party, or the table in the middle, with what it has."""

    name: str
    """The key of a seat or party; empty: the table."""
    piles: tuple[Pile, ...]
    facts: tuple[tuple[str, str], ...]
    """Fields and their values as words."""
    title: str = ""
    """The name that is shown instead of the key; empty: the key itself."""

    @property
    def shown(self) -> str:
        """The name that is shown."""
        return self.title or self.name or "table"


@dataclass(frozen=True, slots=True)
class MapStyle:
    """The style in which the ruleset wants its map drawn."""

    places: str = ""
    """``circle``, ``square``, ``hexagon``, ``none``; empty: what suits the map."""
    labelled: bool = True
    """True if the keys of places are written."""
    background: str = ""
    mark: str = ""
    """The name of the lines across edges."""
    wall: str = ""
    """The colour of walls; empty: one for each kind."""
    line: str = ""
    """The colour of lines from place to place without an owner."""
    stacked: bool = False
    """True if places may hold stacks, for which there must be room."""
    markers: tuple[MarkerStyle, ...] = ()
    owners: tuple[str, ...] = ()
    """The keys of all seats and parties, who may own land and stacks."""
    land: str = ""
    """The words for whose land a place is."""
    possible: str = "possible"
    """The word for possible answers."""
    to_move: str = "to move"
    """The words for the seat whose turn it is."""


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
    edges: tuple[Edge, ...] = ()
    """The edges that the rules mention."""
    grounds: tuple[Ground, ...] = ()
    """All kinds of ground there can be."""
    turn: str = ""
    """The player to act, as a seat."""
    seats: tuple[str, ...] = ()
    """All seats."""
    place: str = ""
    """The universe of its places; empty if the game has no map."""
    base: str = ""
    """The universe of the places of the map on which this one is drawn: its places are their corners; empty: none."""
    name: str = ""
    """The name of the map, where there are several."""
    further: tuple[Picture, ...] = ()
    """The other maps of the game: the same picture with other spots, links and edges."""

    @property
    def maps(self) -> tuple[Picture, ...]:
        """All maps that have places, this one first, each without the others."""
        return tuple(one for one in (replace(self, further=()), *self.further) if one.spots)

    @property
    def everywhere(self) -> tuple[Spot, ...]:
        """The places of all maps."""
        return tuple(spot for one in (self, *self.further) for spot in one.spots)

    def _edges(self) -> Iterator[Edge]:
        return (edge for one in (self, *self.further) for edge in one.edges)

    @property
    def walls(self) -> tuple[str, ...]:
        """The kinds of walls to be seen, in order."""
        return tuple(sorted({wall for edge in self._edges() for wall in edge.walls}))

    @property
    def lines(self) -> tuple[str, ...]:
        """The kinds of lines between places to be seen, in order."""
        return tuple(sorted({name for edge in self._edges() for name, _ in edge.lines}))

    @property
    def markers(self) -> tuple[MarkerStyle, ...]:
        """The kinds of markers to be seen, in order."""
        seen = {marker.kind for spot in self.everywhere for marker in spot.markers}
        return tuple(style for style in self.style.markers if style.kind in seen)

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
        spots = self.everywhere
        stacks = [stack.items for spot in spots for stack in spot.stacks]
        every = [item for items in (*(spot.items for spot in spots), *stacks, *piles) for item in items]
        found = [item.key for item in every if not item.back]
        return sorted(set(found))


def gathered(items: Sequence[Item]) -> list[tuple[Item, str]]:
    """Items as words, those that only differ by a number at their end joined into one: ``black disc 1\N{EN DASH}3, 5``.

    The first of them stands for all, for its colour and shape.
    """
    found: list[tuple[Item, str]] = []
    for (stem, loose), group in groupby(items, _stem):
        members = list(group)
        if loose and len(members) > 1:
            found.append((members[0], f"{stem} {_runs([int(item.key.rpartition(' ')[2]) for item in members])}"))
            continue
        for item in members:
            name = _back(item, _name(item)) if item.back else _name(item)
            name += f" {item.badge}" if item.badge else ""
            name += f" ({item.note})" if item.note else ""
            found.append((item, f"{item.count} {name}" if item.count > 1 else name))
    return found


def _name(item: Item) -> str:
    return item.name or item.key


def _back(item: Item, shown: str) -> str:
    return f"{item.covered} ({shown})" if shown else item.covered


def _stem(item: Item) -> tuple[str, bool]:
    """The words before the number at the end of the key, and whether there is one and the item lies alone."""
    stem, _, number = _name(item).rpartition(" ")
    if (
        stem
        and number == item.key.rpartition(" ")[2]
        and number.isascii()
        and number.isdigit()
        and len(number) < 6
        and item.count == 1
        and not (item.back or item.note or item.badge)
    ):
        return stem, True
    return _name(item), False


def _runs(numbers: Sequence[int]) -> str:
    """``1\N{EN DASH}3, 5``: runs upwards in one."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and runs[-1][-1] == number - 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [f"{run[0]}\N{EN DASH}{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in runs]
    return ", ".join(parts)
