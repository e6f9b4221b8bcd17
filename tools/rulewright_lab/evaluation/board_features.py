"""Features of maps: the places that a seat holds, how they lie, what they touch, and what can be reached from them.

A place is held by the seat that a field names there, by the owners of the pieces that lie there, and by the seat whose
zone it is. Maps that grow are left out: they have too many places.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.engine import Engine
from rulewright.ir import NONE, Graph, unfolded
from rulewright_lab.evaluation.feature_table import CellPlan, PieceOwners, Reading, SeatsOf

LONGEST_LINE = 4
"""Lines of three up to so many places in a direction are looked at."""
MOST_PLACES = 64
"""Of larger maps they are too many."""
SHARED = "places held", "nearness to the centre", "own neighbours", "reach", "contact"


class BoardFeatures:
    """Features of one map."""

    def __init__(self, engine: Engine, seats: SeatsOf, owners: PieceOwners, plan: CellPlan, graph: Graph) -> None:
        self._seats, self._owners, self._locations = seats, owners, plan.locations(engine)
        whole, layout = unfolded(graph), engine.layout
        self._beside = whole.neighbours
        self._x, self._y = ([at[axis] for at in whole.layout] for axis in (0, 1))
        middle = sum(self._x) // len(self._x), sum(self._y) // len(self._y)
        self._near = [-abs(x - middle[0]) - abs(y - middle[1]) for x, y in zip(self._x, self._y, strict=True)]
        self._fields: list[tuple[int, int, str]] = []
        """A place of the map, the cell in which a seat is noted there, and the universe."""
        for field in engine.program.fields:
            if field.index == (graph.place,) and field.ty.kind == "entity" and field.ty.universe in seats:
                place = layout.fields[field.name]
                for number in range(place.count):
                    self._fields.append((number, plan.place(place.at + number * place.span), field.ty.universe))
        self._zones: list[tuple[int, tuple[int, ...] | None] | None] = []
        """For each instance of a zone its place, and the seats whose it is; None if it lies elsewhere."""
        for instance in layout.instances:
            index = engine.program.zones[instance.zone].index
            if index.count(graph.place) != 1:
                self._zones.append(None)
                continue
            whose, at = None, seats.position(index)
            if at >= 0:
                whose = seats.of(index[at], instance.keys[at])
            elif not owners.any:
                self._zones.append(None)
                continue
            self._zones.append((instance.keys[index.index(graph.place)], whose))
        self._piecewise = any(self._zones) and layout.pieces > 0
        lines = _lines(whole) if len(whole.layout) <= MOST_PLACES else []
        self._lines = [(n, tuple(line for length, line in lines if length == n)) for n in range(3, LONGEST_LINE + 1)]
        """Lines as sets of places, by their length."""
        keys = layout.universes["Player"].keys
        by_seat = (f"{axis} of {key}" for axis in ("x", "y", "least y", "greatest y") for key in keys)
        in_lines = [f"lines of {n}, {own} own" for n, some in self._lines if some for own in range(2, n)]
        self._first_by_seat = len(SHARED) + len(in_lines)
        named = (*SHARED, *in_lines, *by_seat)
        self.names = tuple(f"{graph.name}: {name}" for name in named) if self._fields or self._piecewise else ()

    def _held(self, reading: Reading) -> list[int]:
        """For each seat the places that it holds, as a set."""
        held, cells = [0] * self._seats.players, reading.cells
        for place, cell, universe in self._fields:
            if cells[cell] != NONE:
                for seat in self._seats.of(universe, cells[cell]):
                    held[seat] |= 1 << place
        if self._piecewise:
            zones = self._zones
            for piece, instance in enumerate(cells[self._locations]):
                if (zone := zones[instance]) is not None:
                    for seat in self._owners.of(piece) if zone[1] is None else zone[1]:
                        held[seat] |= 1 << zone[0]
        return held

    def add(self, reading: Reading, to: list[int], first: int) -> None:
        """Add what each seat has of them."""
        if not self.names:
            return
        players, held = self._seats.players, self._held(reading)
        taken = 0
        for places in held:
            taken |= places
        for seat, places in enumerate(held):
            others, beside, neighbours, near = taken & ~places, 0, 0, 0
            xs, ys = [], []
            left = places
            while left:
                place = (left & -left).bit_length() - 1
                left &= left - 1
                around = self._beside[place]
                beside |= around
                neighbours += (around & places).bit_count()
                near += self._near[place]
                xs.append(self._x[place])
                ys.append(self._y[place])
            touched = (beside & ~taken).bit_count(), (beside & others).bit_count()
            shared = places.bit_count(), near, neighbours, *touched, *self._in_lines(places, others)
            for row, value in enumerate(shared):
                to[(first + row) * players + seat] += value
            if places:
                for axis, value in enumerate((sum(xs), sum(ys), min(ys), max(ys))):
                    to[(first + self._first_by_seat + axis * players + seat) * players + seat] += value

    def _in_lines(self, places: int, others: int) -> Iterator[int]:
        """The numbers of lines in which no other player holds a place, by how many of theirs are in them: two at
        least."""
        for length, lines in self._lines:
            if lines:
                counts = [(line & places).bit_count() for line in lines if not line & others]
                yield from (counts.count(own) for own in range(2, length))


def _lines(graph: Graph) -> list[tuple[int, int]]:
    """The lines of three places and more in a row on a map with directions, each once: lengths and sets."""
    known = dict[int, int]()
    for towards in graph.towards:
        for start in range(len(graph.layout)):
            line = [start]
            while len(line) < LONGEST_LINE and (after := towards[line[-1]]) != NONE and after not in line:
                line.append(after)
                if len(line) >= 3:
                    known[sum(1 << place for place in line)] = len(line)
    return [(length, line) for line, length in known.items()]
