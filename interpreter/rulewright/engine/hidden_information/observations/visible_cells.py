"""Cells as one player knows them: a computation with an unknown one is stopped.

What is found with these cells and comes to an end depends on nothing that is hidden from the player. So does whether it
is stopped: up to the first hidden cell only visible ones were looked at (dynamic information-flow control by halting:
J. S. Fenton, *Memoryless subsystems*, The Computer Journal 17(2), 1974).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rulewright.engine.cells.layout import Instance
from rulewright.engine.hidden_information.hidden_state import pieces_in
from rulewright.engine.hidden_information.observations.known_slots import KnownSlots
from rulewright.engine.hidden_information.piece_words import seen_pieces
from rulewright.engine.hidden_information.visibility import NAMED, contents, seen
from rulewright.engine.runtime.position import Position
from rulewright.ir import model as m

SEEN, COUNTED, UNSEEN = 0, 1, 2
"""Sorts of cells: a player knows all, of a set how many are in it, or nothing."""


class Unseen(Exception):
    """Raised by a read of a cell that the player does not see."""


class CountedSet(int):
    """A set of which a player knows only how many members it has."""

    def __eq__(self, other: object) -> bool:
        if other == 0:
            return int(self).bit_count() == 0
        raise Unseen

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = int.__hash__


def _stopping(self: CountedSet, *others: Any) -> Any:
    raise Unseen


_OPERATORS = (
    "add and divmod floordiv lshift mod mul or pow radd rand rlshift ror rrshift rshift rsub rxor sub truediv xor"
)
for _name in (*_OPERATORS.split(), "neg", "pos", "abs", "invert", "index", "int", "float", "lt", "le", "gt", "ge"):
    setattr(CountedSet, f"__{_name}__", _stopping)


class SeenNumbers(list[int]):
    """Numbers as a list, without access to what is hidden."""

    def __init__(self, numbers: Iterable[int], sort: Callable[[int], int]) -> None:
        """`sort` gives for each place what is known of it."""
        super().__init__(numbers)
        self._sort = sort
        self._set: set[int] = set()
        """The places to which something was written since: with what was looked at, so all that is known."""

    def __getitem__(self, place: Any) -> Any:
        if isinstance(place, slice):
            places = range(*place.indices(len(self)))
            if len(places) == len(self) and places.step == 1:  # a copy, on which to imagine something
                copied = SeenNumbers(self._plain(), self._sort)
                copied._set = set(self._set)
                return copied
            return [self[one] for one in places]
        at = place if place >= 0 else place + len(self)
        known = SEEN if at in self._set else self._sort(at)
        if known == UNSEEN:
            raise Unseen
        number = super().__getitem__(place)
        return CountedSet(number) if known == COUNTED else number

    def __setitem__(self, place: Any, value: Any) -> None:
        size = len(self)
        super().__setitem__(place, value)
        if isinstance(place, slice):
            if len(self) != size:
                raise Unseen  # places have moved
            self._set.update(range(*place.indices(size)))
        else:
            self._set.add(place if place >= 0 else place + size)

    def _plain(self) -> list[int]:
        return list(list.__iter__(self))

    def copy(self) -> SeenNumbers:
        """Another one that can be written to."""
        copied = self[:]
        assert isinstance(copied, SeenNumbers)
        return copied


def _looking_at_all(name: str) -> Callable[..., Any]:
    plain = getattr(list, name)

    def method(self: SeenNumbers, *args: Any) -> Any:
        for place in range(len(self)):
            if isinstance(self[place], CountedSet):
                raise Unseen
        return plain(self, *args)

    return method


for _name in ("__iter__", "__reversed__", "__contains__", "__eq__", "__ne__", "__add__", "count", "index"):
    setattr(SeenNumbers, _name, _looking_at_all(_name))


def visible_cells(state: Position, player: int) -> SeenNumbers:
    """The cells of a state as a player knows them."""
    sorts = _Sorts(state, player).find()
    return SeenNumbers(state.cells, sorts.__getitem__)


class _Sorts:
    """Finds what a player knows of each cell."""

    def __init__(self, state: Position, player: int) -> None:
        self.state, self.player = state, player
        self.layout = state.engine.layout
        self.known = sum(1 << piece for piece in seen_pieces(state, player))
        self.found = bytearray(len(state.cells))

    def find(self) -> bytearray:
        """The sorts of all cells."""
        layout, cells = self.layout, self.state.cells
        self._hide(layout.seed, 1)
        for at in layout.counters.values():
            self._hide(at, 1)
        for piece in range(layout.pieces):
            if not self.known >> piece & 1:
                self._hide(layout.loc + piece, 1)
                if layout.sided:
                    self._hide(layout.side + piece, 1)
        if layout.down >= 0 and cells[layout.down] & ~self.known:
            self._hide(layout.down, 1)
        if layout.known >= 0:  # the rules never ask for it
            self._hide(layout.memory.start, layout.memory.stop - layout.memory.start)
        for declared in self.state.engine.program.fields:
            self._field(declared)
        for zone in self.state.engine.program.zones:
            place = layout.zones[zone.name]
            rows = seen(self.state, zone, self.player).rows
            for instance, facets in zip(layout.instances[place.first : place.first + place.count], rows, strict=True):
                self._zone(instance, facets)
        return self.found

    def _hide(self, at: int, count: int, sort: int = UNSEEN) -> None:
        self.found[at : at + count] = bytes((sort,)) * count

    def _field(self, declared: m.Field) -> None:
        place, cells = self.layout.fields[declared.name], self.state.cells
        by_piece = declared.index.index("Piece") if "Piece" in declared.index else -1
        holds = declared.ty.universe == "Piece"
        for number, facets in enumerate(seen(self.state, declared, self.player).rows):
            at = place.at + number * place.span
            if "face" not in facets:
                self._value(declared, at, bool(facets))
            elif NAMED not in facets and (by_piece >= 0 or holds):
                pieces = pieces_in(declared.ty, cells, at) if holds else 0
                if by_piece >= 0:
                    pieces |= 1 << self.layout.keys_of(number, declared.index)[by_piece]
                if pieces & ~self.known:
                    self._value(declared, at, True)

    def _value(self, declared: m.Field, at: int, counted: bool) -> None:
        """Hide a value; of a list or set it may be known how large it is."""
        span = self.layout.fields[declared.name].span
        self._hide(at, span)
        if counted and declared.ty.kind in ("list", "set"):
            self._hide(at, 1, SEEN if declared.ty.kind == "list" else COUNTED)

    def _zone(self, instance: Instance, facets: frozenset[str]) -> None:
        if "face" in facets:
            return
        if not instance.ordered:
            unknown = self.state.cells[instance.at] & ~self.known
            if unknown or not facets:
                self._hide(instance.at, 1, COUNTED if facets else UNSEEN)
            return
        if not facets:
            self._hide(instance.at, 1 + instance.capacity)
            return
        lying = contents(self.state.cells, instance)
        order = lying[::-1] if instance.stack else lying
        for slot, piece in enumerate(order):
            if not self.known >> piece & 1:
                self._hide(instance.at + 1 + slot, 1)


def slot_sorts(state: Position, known: KnownSlots) -> Callable[[int], int]:
    """The sort of each place of the stack."""
    slots: dict[int, tuple[int, int]] = {}
    for number, frame in enumerate(known.frames):
        offsets = state.engine.compiled.offsets[frame.function]
        for slot in range(len(offsets) - 1):
            slots |= dict.fromkeys(range(frame.base + offsets[slot], frame.base + offsets[slot + 1]), (number, slot))

    def sort(place: int) -> int:
        return SEEN if place not in slots or known.knows(*slots[place]) else UNSEEN

    return sort
