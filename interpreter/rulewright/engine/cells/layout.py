"""The layout of the block of cells, and the outcome of a game as its cells hold it."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from copy import copy
from functools import reduce
from itertools import compress, product
from math import prod
from operator import ne, or_

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir.declared_sight import DeclaredSight
from rulewright.ir.model import MAX_NUMBER_BITS, NONE, PAID, Program, Ty, Zone

SMALL = 32
"""Bits of a cell that holds a signed number."""

TRUTHS = ("false", "true")
"""Keys of truths, by their numbers."""


@dataclass(frozen=True, slots=True)
class FieldPlace:
    """The cells of a field: where they begin, how far keys are apart, and how many cells one value takes."""

    at: int
    strides: tuple[int, ...]
    span: int
    count: int


@dataclass(frozen=True, slots=True)
class ZonePlace:
    """Like :class:`FieldPlace`, with the number of the first instance; instances are numbered row by row."""

    at: int
    strides: tuple[int, ...]
    span: int
    first: int
    count: int
    ordered: bool


@dataclass(frozen=True, slots=True)
class MergedPlace:
    """The cells of a merged universe."""

    alive: int
    rep: int
    members: int
    size: int


@dataclass(frozen=True, slots=True)
class Instance:
    """One zone with its keys given."""

    zone: int
    keys: tuple[int, ...]
    at: int
    ordered: bool
    stack: bool
    faced: bool
    covered: int
    """The pieces that may lie face down here, as a set."""
    capacity: int
    name: str


def _parties_without_players(program: Program) -> Iterator[tuple[str, int]]:
    """The members of parties that have no players: the universe and the number of each."""
    tables = {table.name: table.values for table in program.tables}
    for universe in program.universes:
        if universe.sort == "party":
            held = tables.get(f"{universe.name}.members", ())
            yield from ((universe.name, member) for member, players in enumerate(held) if not players)


def _declares_moves(program: Program) -> bool:
    """True if the program declares its moves."""
    return program.move in {f.name for f in program.functions}


class Layout:
    """The plan of the cells of one program's states."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.sizes = {u.name: u.size for u in program.universes}
        self.universes = {u.name: u for u in program.universes}
        self.widths: list[int] = []
        """For each cell its bits; negative for signed numbers."""
        self.initial: list[int] = []
        self._rows: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._tables: dict[Hashable, tuple[int, ...]] = {}
        self.pieces = self.sizes.get("Piece", 0)
        players = self.sizes["Player"]
        self.seed = self._add(64)
        self.out = self._add(players)
        self.rule = self._add(16)
        self.parties_without_players = tuple(_parties_without_players(program))
        self.rank = self._add(8, players + len(self.parties_without_players) + 1)
        self.in_move = self._add(1) if _declares_moves(program) else -1
        self.counters = {s.name: self._add(64) for s in program.streams}
        self.merged = {m.name: self._merged(self.sizes[m.name]) for m in program.merged}
        self.loc = self._add(16, self.pieces)
        self.sided = any(k.sides for k in program.kinds)
        self.side = self._add(8, self.pieces) if self.sided else -1
        self.faced = any(z.faced for z in program.zones)
        self.down = self._add(self.pieces) if self.faced else -1
        hides = not all(map(DeclaredSight(players).open, program.zones))
        self.known = self._add(self.pieces, players) if hides else -1
        self.several = self._add(self.pieces, players) if hides else -1
        self.group = self._add(16, players * self.pieces) if hides else -1
        self.memory = slice(self.known, len(self.widths)) if hides else slice(0)
        """The cells of all that players know of pieces that they do not see."""
        self.fields: dict[str, FieldPlace] = {}
        for f in program.fields:
            self._field(f.name, f.index, f.ty, f.initial)
        paid = self.fields.get(PAID)
        self.paid = slice(paid.at, paid.at + players) if paid is not None else slice(0)
        """The cells of what each player was paid, if the rules pay."""
        self.field_of = {f.name: f for f in program.fields}
        self.zones: dict[str, ZonePlace] = {}
        self.zone_of = {z.name: z for z in program.zones}
        self.instances: list[Instance] = []
        for number, zone in enumerate(program.zones):
            self._zone(number, zone)
        self.ordered = any(i.ordered for i in self.instances)
        """True if there is a stack or row."""
        self.zone_at = {i.at: number for number, i in enumerate(self.instances)}
        self.where = [(i.at, i.ordered) for i in self.instances]
        self.limited = [program.zones[i.zone].limited for i in self.instances]
        self.keyed = self._zones_keyed_by_merged()
        self._grounds: dict[tuple[str, int], tuple[int, ...]] = {}
        self._lay_pieces()

    def _zones_keyed_by_merged(self) -> dict[str, list[tuple[int, int]]]:
        """For each merged universe the zones with a key in it, each with the position of that key."""
        found: dict[str, list[tuple[int, int]]] = {}
        for zone in self.program.zones:
            place = self.zones[zone.name]
            for universe in dict.fromkeys(one for one in zone.index if one in self.merged):
                positions = [position for position, one in enumerate(zone.index) if one == universe]
                found.setdefault(universe, []).extend(product(range(place.first, place.first + place.count), positions))
        return found

    @property
    def ranks(self) -> slice:
        """The cells that say how a game has ended: places of players and of parties without players, ``drawn``."""
        return slice(self.rank, self.rank + self.sizes["Player"] + len(self.parties_without_players) + 1)

    def ranked(self, universe: str, held: Sequence[int]) -> tuple[int, ...]:
        """For each member of a party, whose players are `held`, whom its place is noted for: bits of :attr:`ranks`."""
        first = self.sizes["Player"]
        bits = {
            member: 1 << first + n for n, (name, member) in enumerate(self.parties_without_players) if name == universe
        }
        return tuple(players or bits.get(member, 0) for member, players in enumerate(held))

    def ground(self, places: str, origin: int) -> tuple[int, ...]:
        """For each instance of a zone the place it lies on, if it lies on one of a growing map; after them the
        origin."""
        known = self._grounds.get((places, origin))
        if known is None:
            found = []
            for instance in self.instances:
                index = self.program.zones[instance.zone].index
                on = [k for u, k in zip(index, instance.keys, strict=True) if u == places]
                found.append(on[0] if on else NONE)
            known = self._grounds[places, origin] = (*found, origin)
        return known

    @property
    def size(self) -> int:
        """The number of cells."""
        return len(self.widths)

    def _add(self, bits: int, count: int = 1, value: int = 0) -> int:
        at = len(self.widths)
        self.widths.extend([bits] * count)
        self.initial.extend([value] * count)
        return at

    def _merged(self, size: int) -> MergedPlace:
        alive = self._add(size, 1, (1 << size) - 1)
        rep = self._add(16, size)
        members = self._add(size, size)
        for i in range(size):
            self.initial[rep + i] = i
            self.initial[members + i] = 1 << i
        return MergedPlace(alive, rep, members, size)

    def set_bits(self, ty: Ty) -> int:
        """The number of bits in a set of this type."""
        if ty.universe == "Int":
            return ty.high + 1 if 0 <= ty.high < MAX_NUMBER_BITS else MAX_NUMBER_BITS
        return 2 if ty.universe == "Bool" else self.sizes[ty.universe]

    def strides(self, index: tuple[str, ...], span: int) -> tuple[int, ...]:
        """The distances between the keys of an index, when one value takes `span` cells."""
        result = []
        for universe in reversed(index):
            result.append(span)
            span *= self.sizes[universe]
        return tuple(reversed(result))

    def _field(self, name: str, index: tuple[str, ...], ty: Ty, initial: int | tuple[int, ...]) -> None:
        span = 1 + ty.capacity if ty.kind == "list" else 1
        count = prod(self.sizes[u] for u in index)
        at = len(self.widths)
        bits = self.set_bits(ty) if ty.kind == "set" else 8 if ty.kind == "bool" and not ty.optional else -SMALL
        if ty.kind == "list":
            items = initial if isinstance(initial, tuple) else ()
            value = [len(items), *items] + [0] * (ty.capacity - len(items))
        else:
            value = [initial if isinstance(initial, int) else NONE]
        for _ in range(count):
            if span == 1:
                self._add(bits)
            else:
                self._add(16)
                self._add(-SMALL, ty.capacity)
        self.initial[at:] = value * count
        self.fields[name] = FieldPlace(at, self.strides(index, span), span, count)

    def _covered(self, zone: Zone) -> int:
        """The pieces that may lie face down in a zone."""
        if not zone.faced:
            return 0
        if not zone.covered:
            return (1 << self.pieces) - 1
        return reduce(or_, (kind.members for kind in self.program.kinds if kind.name in zone.covered), 0)

    def _zone(self, number: int, zone: Zone) -> None:
        ordered = zone.order in ("stack", "row")
        span = 1 + zone.capacity if ordered else 1
        count = prod(self.sizes[u] for u in zone.index)
        at = len(self.widths)
        first = len(self.instances)
        covered = self._covered(zone)
        for i in range(count):
            keys = self._keys(i, zone.index)
            shown = f"[{', '.join(self.key(u, k) for u, k in zip(zone.index, keys, strict=True))}]"
            name = zone.name + (shown if keys else "")
            stack, begins = zone.order == "stack", len(self.widths)
            self.instances.append(
                Instance(number, keys, begins, ordered, stack, zone.faced, covered, zone.capacity, name)
            )
            if ordered:
                self._add(16)
                self._add(16, zone.capacity)
            else:
                self._add(self.pieces)
        self.zones[zone.name] = ZonePlace(at, self.strides(zone.index, span), span, first, count, ordered)

    def _keys(self, number: int, index: tuple[str, ...]) -> tuple[int, ...]:
        if len(index) == 1:
            return (number,)
        keys = []
        for universe in reversed(index):
            number, key = divmod(number, self.sizes[universe])
            keys.append(key)
        return tuple(reversed(keys))

    def keys_of(self, number: int, index: tuple[str, ...]) -> tuple[int, ...]:
        """The keys of the value with this number, row by row."""
        return self._keys(number, index)

    def row_keys(self, index: tuple[str, ...]) -> tuple[str, ...]:
        """The keys of all values of an index as words, row by row; pieces that are alike are distinguished by
        number."""
        if index not in self._rows:
            words = [
                self.universes[u].keys
                if len(set(self.universes[u].keys)) == self.sizes[u]
                else tuple(f"{key} #{i}" for i, key in enumerate(self.universes[u].keys))
                for u in index
            ]
            self._rows[index] = tuple(", ".join(row) for row in product(*words))
        return self._rows[index]

    def keys_in(self, universe: str) -> tuple[str, ...]:
        """The keys of all members of a universe, for people; none of numbers, which are too many."""
        if universe == "Bool":
            return TRUTHS
        return self.universes[universe].keys if universe in self.universes else ()

    def key(self, universe: str, member: int) -> str:
        """The key of a member of a universe, for people."""
        if member == NONE:
            return "none"
        if universe == "Bool":
            return TRUTHS[member != 0]
        if universe in ("Int", ""):
            return str(member)
        return self.universes[universe].keys[member]

    def instance_number(self, zone: str, keys: tuple[int, ...]) -> int:
        """The number of a zone with its keys given."""
        place = self.zones[zone]
        return place.first + sum(k * s // place.span for k, s in zip(keys, place.strides, strict=True))

    def keys_of_instances(self, universe: str) -> tuple[int, ...]:
        """For each instance of a zone the one key that belongs to a universe, or none if it has none or several."""
        if universe not in self._tables:
            found = []
            for instance in self.instances:
                index = self.program.zones[instance.zone].index
                keys = [key for u, key in zip(index, instance.keys, strict=True) if u == universe]
                found.append(keys[0] if len(keys) == 1 else NONE)
            self._tables[universe] = tuple(found)
        return self._tables[universe]

    def instances_of(self, zones: Collection[str]) -> tuple[int, ...]:
        """For each instance 1 if it is one of some zones, else 0."""
        key = frozenset(zones)
        if key not in self._tables:
            named = [int(zone.name in key) for zone in self.program.zones]
            self._tables[key] = tuple([named[instance.zone] for instance in self.instances])
        return self._tables[key]

    def _lay_pieces(self) -> None:
        for piece, (zone, keys) in enumerate(self.program.begins):
            number = self.instance_number(zone, keys)
            instance = self.instances[number]
            self.initial[self.loc + piece] = number
            if instance.ordered:
                self.initial[instance.at] += 1
                self.initial[instance.at + self.initial[instance.at]] = piece
            else:
                self.initial[instance.at] |= 1 << piece


_KEPT = 8
_known: list[Layout] = []
"""The layouts that were made last."""


def layout_of(program: Program) -> Layout:
    """The layout of a program; games that declare the same have the same cells, which are laid out once."""
    for known in tuple(_known):
        if _declared(known.program) == _declared(program):
            made = copy(known)
            made.program = program
            return made
    made = Layout(program)
    _known.append(made)
    del _known[:-_KEPT]
    return made


def _declared(program: Program) -> tuple[object, ...]:
    """The parts of a program that decide upon the layout."""
    p = program
    return (
        p.universes, p.streams, p.merged, p.kinds, p.fields, p.zones, p.begins, _declares_moves(p),
        tuple(_parties_without_players(p)),
    )  # fmt: skip


_ONE_BY_ONE = 1 << 10
"""Tables of so many values are compared value by value."""


def changed(cells: Sequence[int], initial: Sequence[int], place: FieldPlace) -> Iterator[int]:
    """The numbers of the values of a field that are not the first ones; a large table is compared part by part."""
    end, span = place.at + place.span * place.count, place.span
    now, first = cells[place.at : end], initial[place.at : end]
    if now == first:
        return
    if span == 1 and len(now) <= _ONE_BY_ONE:
        yield from compress(range(len(now)), map(ne, now, first))
        return
    part = place.strides[0] if place.strides else span
    for start in range(place.at, end, part):
        if cells[start : start + part] != initial[start : start + part]:
            for at in range(start, start + part, span):
                if cells[at : at + span] != initial[at : at + span]:
                    yield (at - place.at) // span


@dataclass(frozen=True, slots=True)
class Outcome:
    """A game that came to its end, or was stopped after so many answers, as its cells hold it."""

    answers: int
    rule: int
    """1 and the number of the rule that ended it, or 0."""
    ranks: tuple[int, ...]
    """The cells of `Layout.ranks`: the players' places, then more."""
    paid: tuple[int, ...]
    """The cells of `Layout.paid`."""
    options: int = -1
    """The numbers of options of all decisions together; -1 if they were not counted."""
    forced: int = -1
    """The number of decisions with one option, if they were counted."""


def most_options(program: Program, layout: Layout) -> int:
    """The most options that a question of a program can have."""
    lists = (slot.ty.capacity for function in program.functions for slot in function.slots)
    return max(MAX_NUMBER_BITS, *layout.sizes.values(), layout.pieces, *lists) + 64
