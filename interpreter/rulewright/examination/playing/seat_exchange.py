"""Exchanges of seats: positions in which each has changed its name, to see whether the rules treat them alike.

A position is exchanged cell by cell: keys and values of fields, zones, and what the functions that are going on hold.
Then the same question is asked again there, so that its answers can be compared (metamorphic testing).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product

from rulewright.engine import State
from rulewright.engine.cells.support import bits_of
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.states.state import advance
from rulewright.ir import model as m
from rulewright.theory.symmetry.automorphisms import candidates

MOST = 12
"""Exchanges of a game that are tried."""
_ROUND = frozenset({"Player.left", "Player.right", "Player.seat"})
"""Tables of every game; who sits beside whom is the same when all move on by a seat."""
Permutation = Mapping[str, tuple[int, ...]]
"""For each universe that is exchanged where its members go."""


class Exchange:
    """An exchange of the positions of one engine."""

    def __init__(self, engine: Engine, places: Permutation) -> None:
        self._engine, self._places = engine, dict(places)
        layout = engine.layout
        self._fields = [
            (place.at + _offset(place.strides, keys), place.at + _offset(place.strides, self._keys(f.index, keys)), f)
            for f in engine.program.fields
            for place in (layout.fields[f.name],)
            for keys in product(*(range(layout.sizes[universe]) for universe in f.index))
        ]
        numbers = {(i.zone, i.keys): at for at, number in layout.zone_at.items() for i in (layout.instances[number],)}
        self._zones = {
            at: numbers[zone, self._keys(engine.program.zones[zone].index, keys)]
            for (zone, keys), at in numbers.items()
        }
        self._spans = {f.name: layout.fields[f.name].span for f in engine.program.fields}

    @property
    def seats(self) -> tuple[int, ...] | None:
        """The seat that each one gets; None if all stay."""
        return self._places.get("Player")

    @property
    def in_words(self) -> str:
        """The things that are exchanged."""
        return "seats exchanged" + (", and the map mirrored or turned," if len(self._places) > 1 else "")

    def member(self, universe: str, value: int) -> int:
        """The member in the place of another one."""
        places = self._places.get(universe)
        return value if places is None or value == m.NONE else places[value]

    def origin(self, universe: str, value: int) -> int:
        """The member whose place another one has got."""
        places = self._places.get(universe)
        return value if places is None or value == m.NONE else places.index(value)

    def cells(self, cells: list[int]) -> list[int]:
        """The cells of a position, exchanged."""
        found, layout = list(cells), self._engine.layout
        for here, there, declared in self._fields:
            for number in range(self._spans[declared.name]):
                found[there + number] = self._value(declared.ty, cells[here + number])
        for piece in range(layout.loc, layout.loc + layout.pieces):
            found[piece] = self._zones.get(cells[piece], cells[piece])
        return found

    def position(self, state: State) -> State | None:
        """A position exchanged, with its question asked again; None if it is over."""
        question = state.question
        if question is None:
            return None
        cells, stack = self.cells(state.cells), self._stack(state.stack)
        return advance(self._engine, cells, stack, state.base, question.block, state.mode, None)

    def _keys(self, index: tuple[str, ...], keys: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(self.member(universe, key) for universe, key in zip(index, keys, strict=True))

    def _value(self, ty: m.Ty, value: int) -> int:
        if ty.universe not in self._places or value == m.NONE:
            return value
        if ty.kind == "entity":
            return self.member(ty.universe, value)
        return sum(1 << self.member(ty.universe, one) for one in bits_of(value)) if ty.kind == "set" else value

    def _stack(self, stack: list[int]) -> list[int]:
        """The stack of the functions that are going on, exchanged; slots that are not in use hold what they like."""
        found, base = list(stack), 3
        while base <= len(stack):
            function = self._engine.program.functions[stack[base - 3]]
            offsets = self._engine.compiled.offsets[stack[base - 3]]
            live = self._engine.interchange.live(stack[base - 3], stack[base - 2])
            for number, slot in enumerate(function.slots):
                if number in live and slot.ty.kind in ("entity", "set"):
                    found[base + offsets[number]] = self._value(slot.ty, stack[base + offsets[number]])
            base += offsets[-1] + 3
        return found


def exchanges(program: m.Program) -> Iterator[Permutation]:
    """Exchanges of seats, and of the places of a map with them, that may leave a game what it is.

    None for games with stacks, or with pieces and places that belong to a seat by what is printed on them.
    """
    if (
        program.merged
        or any(zone.order in ("stack", "row") for zone in program.zones)
        or any(map(_belongs, program.tables))
    ):
        return
    count = next((u.size for u in program.universes if u.name == "Player"), 0)
    if count > 1:
        maps = [{}, *_together(list(islice(candidates(program), MOST)))]
        yield from ({"Player": (*range(1, count), 0), **places} for places in maps)


def _together(found: list[Permutation]) -> list[Permutation]:
    """Some exchanges with those that two of them come to, one after the other; where all stay is none."""
    waiting = list(found)
    while waiting and len(found) < MOST:
        new = waiting.pop()
        for one in [one for one in found if one.keys() == new.keys()]:
            both = {universe: tuple(new[universe][to] for to in places) for universe, places in one.items()}
            if both not in found and any(to != n for places in both.values() for n, to in enumerate(places)):
                found.append(both)
                waiting.append(both)
    return found[:MOST]


def _belongs(table: m.Table) -> bool:
    return "Player" in (table.ty.universe, table.universe) and table.name not in _ROUND


def _offset(strides: tuple[int, ...], keys: tuple[int, ...]) -> int:
    return sum(stride * key for stride, key in zip(strides, keys, strict=True))


__all__ = ["MOST", "Exchange", "Permutation", "exchanges"]
