"""Exchanges of positions: seats, places, members or pieces with other names, to see whether the rules treat them alike.

A position is exchanged cell by cell: keys and values of fields, zones with what lies there and in which order, what
players know, and what the functions that are going on hold. Then the same decision is prepared again there, so that its
answers can be compared (metamorphic testing).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, permutations, product

from rulewright.engine import Option, State
from rulewright.engine.cells.layout import Layout
from rulewright.engine.cells.player_memory import Partition
from rulewright.engine.runtime.canonical_form import renumbered, state_numbering
from rulewright.engine.runtime.machine import Engine
from rulewright.engine.states.state import advance
from rulewright.foundation.bit_sets import bits_of
from rulewright.ir import model as m

Permutation = Mapping[str, tuple[int, ...]]
"""For each universe that is exchanged where its members go; pieces are a universe, too."""
_Change = Callable[[list[int]], list[int]]
"""A change of the cells of a value."""


class Exchange:
    """An exchange of the positions of one engine for others of it, or of one that has other numbers for its members."""

    def __init__(self, engine: Engine, places: Permutation, to: Engine | None = None) -> None:
        self._engine, self._to = engine, to or engine
        self._places = {name: to for name, to in places.items() if to != tuple(range(len(to)))}
        layout = engine.layout
        self._fields = list(self._moved_fields(layout))
        self._zones = [
            layout.instance_number(layout.program.zones[one.zone].name, self._keys(_index(layout, one.zone), one.keys))
            for one in layout.instances
        ]
        """For each zone with its keys the one that takes its place."""
        self._piles = [number for number, one in enumerate(layout.instances) if one.ordered]
        self._last: tuple[Sequence[int], list[int]] = [], []
        self.pieces = self._places.get("Piece", tuple(range(layout.pieces)))
        """The piece in the place of each."""

    @property
    def seats(self) -> tuple[int, ...]:
        """The seat that each one gets."""
        return self._places.get("Player") or tuple(range(self._engine.layout.sizes["Player"]))

    @property
    def back(self) -> Exchange:
        """The exchange that takes this one back."""
        places = {name: tuple(map(to.index, range(len(to)))) for name, to in self._places.items()}
        return Exchange(self._to, places, self._engine)

    def member(self, universe: str, value: int) -> int:
        """The member in the place of another one."""
        places = self._places.get(universe)
        return value if places is None or value == m.NONE else places[value]

    def origin(self, universe: str, value: int) -> int:
        """The member whose place another one has got."""
        places = self._places.get(universe)
        return value if places is None or value == m.NONE else places.index(value)

    def option(self, state: State, other: State, option: Option) -> Option | None:
        """The option of the exchanged position `other` in the place of one of a position."""
        assert state.question is not None
        assert other.decision is not None
        if option.extra:
            return next((one for one in other.decision.options if one.extra and one.value == option.value), None)
        image = self.member(state.question.instr.universe, state.member(option))
        return next((one for one in other.decision.options if other.stands_for(one, image)), None)

    def position(self, state: State) -> State | None:
        """An exchanged position, with its decision prepared again; None if it is over."""
        question = state.question
        if question is None:
            return None
        cells, stack = list(self.cells(state.cells)), self.stack(state.stack)
        return advance(self._to, cells, stack, state.base, question.block, state.mode, None)

    def normal(self, cells: Sequence[int], stack: Sequence[int]) -> Sequence[int]:
        """The cells of an exchanged position in which pieces that are alike are numbered by what distinguishes them."""
        numbers = state_numbering(self._to, cells, stack)
        return renumbered(self._to, cells, stack, numbers)[0]

    def cells(self, cells: Sequence[int]) -> list[int]:
        """The cells of a position, exchanged; of the same ones again they are the same list."""
        if self._last[0] is not cells:
            self._last = cells, self._exchanged(cells)
        return self._last[1]

    def _exchanged(self, cells: Sequence[int]) -> list[int]:
        found, layout = list(cells), self._engine.layout
        if "Player" in self._places:
            found[layout.out] = _set(self.seats)([cells[layout.out]])[0]
            for seat, to in enumerate(self.seats):
                found[layout.rank + to] = cells[layout.rank + seat]
        for here, there, span, change in self._fields:
            value = list(cells[here : here + span])
            found[there : there + span] = value if change is None else change(value)
        self._exchange_pieces(cells, found)
        return found

    def stack(self, stack: list[int]) -> list[int]:
        """The stack of the functions that are going on, exchanged; slots that are not in use hold what they like."""
        found, base = list(stack), 3
        while base <= len(stack):
            function = self._engine.program.functions[stack[base - 3]]
            offsets = self._engine.compiled.offsets[stack[base - 3]]
            live = self._engine.interchange.live(stack[base - 3], stack[base - 2])
            for number, slot in enumerate(function.slots):
                change = self._change(slot.ty) if number in live else None
                if change is not None:
                    part = slice(base + offsets[number], base + offsets[number + 1])
                    found[part] = change(stack[part])
            base += offsets[-1] + 3
        return found

    def goes_on_elsewhere(self, stack: Sequence[int]) -> bool:
        """True if a loop over players goes on with another one than the one in the place of who comes next, as it takes
        them in the order of seats; the last of a round is followed by the first seat."""
        base = 3
        while base <= len(stack):
            function = self._engine.program.functions[stack[base - 3]]
            offsets = self._engine.compiled.offsets[stack[base - 3]]
            live = self._engine.interchange.live(stack[base - 3], stack[base - 2])
            for number, slot in enumerate(function.slots):
                to_come = slot.ty.kind == "set" and slot.ty.universe == "Player" and not slot.name.isidentifier()
                if to_come and number in live:
                    left = bits_of(stack[base + offsets[number]])
                    if not left or min(map(self.seats.__getitem__, left)) != self.seats[min(left)]:
                        return True
            base += offsets[-1] + 3
        return False

    def _exchange_pieces(self, cells: Sequence[int], found: list[int]) -> None:
        """Exchange the places and sides of pieces, and what players know of them."""
        layout, places = self._engine.layout, self.pieces
        if not layout.pieces:
            return
        change, instances = _set(places), layout.instances
        for number in set(cells[layout.loc : layout.loc + layout.pieces]):
            if not instances[number].ordered:
                found[instances[number].at] = 0
        for piece, to in enumerate(places):
            there = self._zones[cells[layout.loc + piece]]
            found[layout.loc + to] = there
            if not instances[there].ordered:
                found[instances[there].at] |= 1 << to
            if layout.sided:
                found[layout.side + to] = cells[layout.side + piece]
        if layout.down >= 0:
            found[layout.down] = change([cells[layout.down]])[0]
        for number in self._piles:
            instance = instances[number]
            at, size = instances[self._zones[number]].at, cells[instance.at]
            lying = [places[one] for one in cells[instance.at + 1 : instance.at + 1 + size]]
            found[at : at + 1 + instance.capacity] = [size, *lying, *[0] * (instance.capacity - size)]
        for seat, to in enumerate(self.seats if layout.known >= 0 else ()):
            knows = Partition(layout, cells, seat)
            moved = Partition(layout, cells, to)
            moved.known = change([knows.known])[0]
            moved.several = sorted((change([one])[0] for one in knows.several), key=lambda mask: mask & -mask)
            first = layout.group + to * layout.pieces
            found[first : first + layout.pieces] = [0] * layout.pieces
            moved.write(found)

    def _moved_fields(self, layout: Layout) -> Iterator[tuple[int, int, int, _Change | None]]:
        """From where to where the values of fields go, how many cells each has, and what becomes of it."""
        for declared in layout.program.fields:
            place, change = layout.fields[declared.name], self._change(declared.ty)
            if change is None and not any(universe in self._places for universe in declared.index):
                continue
            for keys in product(*(range(layout.sizes[universe]) for universe in declared.index)):
                there = place.at + _offset(place.strides, self._keys(declared.index, keys))
                yield place.at + _offset(place.strides, keys), there, place.span, change

    def _keys(self, index: tuple[str, ...], keys: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(self.member(universe, key) for universe, key in zip(index, keys, strict=True))

    def _change(self, ty: m.Ty) -> _Change | None:
        """The change of the cells of a value of a type; None if it stays."""
        places = self._places.get(ty.universe)
        if places is None:
            return None
        return _set(places) if ty.kind == "set" else _list(places) if ty.kind == "list" else _one(places)


def _one(places: tuple[int, ...]) -> _Change:
    return lambda cells: [cells[0] if cells[0] == m.NONE else places[cells[0]]]


def _set(places: tuple[int, ...]) -> _Change:
    return lambda cells: [sum(1 << places[one] for one in bits_of(cells[0]))]


def _list(places: tuple[int, ...]) -> _Change:
    def changed(cells: list[int]) -> list[int]:
        end = 1 + cells[0]
        return [cells[0], *(one if one == m.NONE else places[one] for one in cells[1:end]), *cells[end:]]

    return changed


def _index(layout: Layout, zone: int) -> tuple[str, ...]:
    return layout.program.zones[zone].index


def _offset(strides: tuple[int, ...], keys: tuple[int, ...]) -> int:
    return sum(stride * key for stride, key in zip(strides, keys, strict=True))


MOST_COLOURS = 5
"""Members of an enum that may have to go along with pieces."""
MOST_WAYS = 300
"""Ways for enums to go along that are tried."""
_ROUND = frozenset({"Player.left", "Player.right", "Player.seat"})
"""Tables of every game; who sits beside whom is the same when all move on by a seat."""
_Places = dict[str, tuple[int, ...]]


def completed(program: m.Program, core: Mapping[str, tuple[int, ...]]) -> _Places | None:
    """An exchange with all that goes along; None if something printed has no counterpart."""
    sizes = {u.name: u.size for u in program.universes}
    if any(sizes.get(name) != len(to) for name, to in core.items()):
        return None
    if any(one.name in core or one.place in core for one in program.merged):
        return None
    places = dict(core)
    _dice(program, places)
    if not _parties(program, places):
        return None
    for more in _ways(program, places):
        pieces = _pieces(program, {**places, **more})
        if pieces is not None:
            return {**places, **more, "Piece": pieces}
    return None


def _dice(program: m.Program, places: _Places) -> None:
    """Dice and other enums with all members of one that is exchanged: by their names."""
    known = {u.name: u for u in program.universes}
    for name in [name for name in places if known[name].sort == "enum"]:
        moved = known[name].keys
        for other in program.universes:
            if other.sort == "enum" and other.name not in places and set(moved) < set(other.keys):
                images = dict(zip(moved, (moved[to] for to in places[name]), strict=True))
                places[other.name] = tuple(other.keys.index(images.get(key, key)) for key in other.keys)


def _parties(program: m.Program, places: _Places) -> bool:
    """Parties of players go along with these; False if there is none in the place of one."""
    seats = places.get("Player")
    for universe in program.universes if seats is not None else ():
        if universe.sort != "party":
            continue
        assert seats is not None
        members = next((t.values for t in program.tables if t.name == f"{universe.name}.members"), ())
        held = [frozenset(bits_of(one)) if isinstance(one, int) else frozenset() for one in members]
        moved = [frozenset(seats[one] for one in players) for players in held]
        if sorted(map(sorted, held)) != sorted(map(sorted, moved)):
            return False
        places[universe.name] = tuple(
            number if not players else held.index(players) for number, players in enumerate(moved)
        )
    return all(_fits(table, places) for table in program.tables if _is_of_people(program, table))


def _is_of_people(program: m.Program, table: m.Table) -> bool:
    sorts = {u.name: u.sort for u in program.universes}
    return table.name not in _ROUND and sorts[table.universe] in ("player", "party", "enum")


def _fits(table: m.Table, places: _Places) -> bool:
    """True if a member has what the one has in whose place it is."""
    to = places.get(table.universe) or tuple(range(len(table.values)))
    return all(table.values[to[n]] == image(table.ty, value, places) for n, value in enumerate(table.values))


def image(ty: m.Ty, value: int | tuple[int, ...], places: Mapping[str, tuple[int, ...]]) -> int | tuple[int, ...]:
    """Give what stands in a table where something else is printed when all are exchanged."""
    to = places.get(ty.universe)
    if to is None or value == m.NONE:
        return value
    if isinstance(value, tuple):
        return tuple(one if one == m.NONE else to[one] for one in value)
    return sum(1 << to[one] for one in bits_of(value)) if ty.kind == "set" else to[value]


def _ways(program: m.Program, places: _Places) -> Iterator[_Places]:
    """Exchanges of the enums printed on pieces that may go along with them; first none."""
    bare = {u.name: u.size for u in program.universes if u.sort == "enum" and u.size <= MOST_COLOURS}
    printed = {t.ty.universe for t in program.tables if t.universe == "Piece"}
    with_data = {t.universe for t in program.tables}
    free = [name for name in bare if name in printed and name not in places and name not in with_data]
    several = product(*(permutations(range(bare[name])) for name in free))
    for ways in islice(several, MOST_WAYS):
        more = dict(zip(free, ways, strict=True))
        yield {name: to for name, to in more.items() if to != tuple(range(len(to)))}


def _pieces(program: m.Program, places: _Places) -> tuple[int, ...] | None:
    """The piece in the place of each: of the same kind, with what is printed on it exchanged."""
    count = next((u.size for u in program.universes if u.name == "Piece"), 0)
    printed = [t for t in program.tables if t.universe == "Piece"]
    kinds = [tuple(number for number, k in enumerate(program.kinds) if k.members >> one & 1) for one in range(count)]
    known: dict[object, list[int]] = {}
    for piece in range(count):
        known.setdefault((kinds[piece], *(t.values[piece] for t in printed)), []).append(piece)
    found = [0] * count
    taken = set[int]()
    for words, pieces in known.items():
        one = pieces[0]
        moved = (kinds[one], *(image(t.ty, t.values[one], places) for t in printed))
        there = pieces if moved == words else known.get(moved, [])
        if len(there) != len(pieces):
            return None
        for piece, to in zip(pieces, there, strict=True):
            found[piece] = to
        taken.update(there)
    return tuple(found) if len(taken) == count else None
