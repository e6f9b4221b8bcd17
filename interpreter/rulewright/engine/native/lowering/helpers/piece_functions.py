"""Functions that move pieces, and the records that are kept with them; part of a module if it calls them.

A zone is described by a row of four numbers: its address, whether it is a stack or row, how many pieces it holds, and
whether that is declared. Kept beside it are the only piece of a zone and the places of growing maps.
"""

from __future__ import annotations

from functools import cached_property, reduce
from operator import add

from rulewright.engine.native.lowering.helpers.common_functions import Parts
from rulewright.engine.native.lowering.memo_tables import MemoTable
from rulewright.engine.native.memory_map import SMALL_BITS, WORD_BITS, words
from rulewright.engine.native.webassembly.encoding import Op
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.module import function
from rulewright.engine.native.webassembly.terms import (
    I32,
    I64,
    Local,
    Term,
    call,
    const,
    mem32,
    mem64,
    select,
    without_lowest,
)
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.ir import model as m
from rulewright.ir.graphs import origin
from rulewright.ir.model import NONE


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

    def update_maps(self, body: FunctionBody, zone: Term, comes: bool) -> None:
        """Update the growing maps: a piece comes to a zone, or leaves it."""
        for one in self._maps:
            ground = self.memory.numbers(self.layout.ground(one.graph.place, origin(one.graph)))
            place = body.local()
            with body.when(place.tee(mem32(zone << 2, ground)).ge_s(0)):
                if comes:
                    body.call(one.put, place)
                else:
                    one.table.invalidate(body)


ROW = 16
AT, ORDERED, CAPACITY, LIMITED = 0, 4, 8, 12
"""Within the row of a zone."""
UNORDERED, IN_A_ROW, STACKED = 0, 1, 2
PART = "moving pieces"


class PieceFunctions:
    """The numbers of the functions; each is written when it is first needed."""

    def __init__(self, parts: Parts, maps: tuple[KeptMap, ...]) -> None:
        self.memory, self.layout, self.module, self._lists = parts.memory, parts.layout, parts.module, parts.lists
        self._beside = DerivedRecords(parts, maps)
        self._small = self.layout.pieces <= SMALL_BITS
        self._load = Op.I64_LOAD32_U if self._small else Op.I64_LOAD

    @cached_property
    def rows(self) -> int:
        """The address of a row about each zone."""
        found: list[int] = []
        for number, i in enumerate(self.layout.instances):
            order = (STACKED if i.stack else IN_A_ROW) if i.ordered else UNORDERED
            found += (self.memory.cell_at[i.at], order, i.capacity, int(self.layout.limited[number]))
        return self.memory.numbers(found)

    @cached_property
    def _covers(self) -> int:
        """The address of a table: for each zone the address of the set of pieces that may lie face down there."""
        count = words(self.layout.pieces)
        return self.memory.numbers(self.memory.sets([i.covered], count) for i in self.layout.instances)

    @property
    def _zones(self) -> int:
        """The address of the zones of all pieces."""
        return self.memory.cell_at[self.layout.loc]

    def _row(self, zone: Term) -> Term:
        return (zone << ROW.bit_length() - 1) + self.rows

    def _locate(self, body: FunctionBody, piece: Term, zone: Term, row: Local, at: Local) -> None:
        """Note that a piece lies in a zone; find the row about the zone and the address of its first cell."""
        body.set(mem32(piece << 2, self._zones), zone)
        body.set(row, self._row(zone))
        body.set(at, mem32(row, AT))

    def _change_bit(self, body: FunctionBody, at: Term, piece: Term) -> None:
        """Change the bit of a piece in the set at an address."""
        where = body.local()
        if self._small:
            body.set(mem32(where.tee(at)), mem32(where) ^ 1 << piece)
        else:
            body.set(mem64(where.tee(at + (piece >> 6 << 3))), mem64(where) ^ 1 << piece.extend_u())

    @function(PART, I32)
    def take_out(self, body: FunctionBody, piece: Local) -> None:
        """Take a piece out of the zone in which it lies; a stack or row closes its gap."""
        row, at, length, slot, zone = body.locals(I32, I32, I32, I32, I32)
        body.set(row, self._row(zone.tee(mem32(piece << 2, self._zones))))
        self._beside.update_maps(body, zone, False)
        body.set(at, mem32(row, AT))
        with body.when(mem32(row, ORDERED)):
            body.trap_if(slot.tee(call(self._lists.position, at, piece)).lt_s(0))
            body.set(length, mem32(at) - 1)
            body.copy(_item(at, slot) + 4, _item(at, slot) + 8, length - slot << 2)
            body.set(mem32(_item(at, length), 4), 0)
            body.set(mem32(at), length)
        with body.otherwise():
            self._change_bit(body, at, piece)
            self._beside.occupy(body, zone, NONE)

    @function(PART, I32, I32, I32)
    def put(self, body: FunctionBody, piece: Local, to: Local, bottom: Local) -> None:
        """Put a piece that lies nowhere into a zone; the third argument is 1 for the bottom, or before all others."""
        row, at, length = body.locals(I32, I32, I32)
        self._locate(body, piece, to, row, at)
        self._beside.update_maps(body, to, True)
        with body.when(mem32(row, ORDERED)):
            body.trap_if(length.tee(mem32(at)).ge_u(mem32(row, CAPACITY)))
            with body.when(bottom):
                body.copy(at + 8, at + 4, length << 2)
                body.set(mem32(at, 4), piece)
            with body.otherwise():
                body.set(mem32(_item(at, length), 4), piece)
            body.set(mem32(at), length + 1)
        with body.otherwise():
            self._change_bit(body, at, piece)
            self._beside.occupy(body, to, piece)

    @function(PART, I32, I32, I32)
    def turn(self, body: FunctionBody, piece: Local, zone: Local, face: Local) -> None:
        """Lay a piece face up (third argument 0), down (1) or as it lies (-1) in a zone: up if it cannot lie down."""
        word, down, bit = body.locals(I32, I64, I64)
        at = self.memory.cell_at[self.layout.down]
        body.set(down, mem64(word.tee(piece >> 6 << 3), at, self._load))
        body.set(bit, 1 << piece.extend_u())
        # what it keeps: its own bit, a 1 or a 0, where the set of the zone has it
        kept = select(down, select(const(-1, I64), 0, face), face.lt_s(0))
        covered = mem64(mem32(zone << 2, self._covers) + word)
        body.set(mem64(word, at, self._load), down & ~bit | kept & (covered & bit))

    @function(PART, I32)
    def check(self, body: FunctionBody, zone: Local) -> None:
        """Stop if there are more pieces in a set or bag than it may hold."""
        row, at = body.locals(I32, I32)
        body.set(row, self._row(zone))
        body.set(at, mem32(row, AT))
        with body.when(mem32(row, LIMITED) & mem32(row, ORDERED).eqz()):
            counts = (mem64(at, 8 * word, self._load).popcnt() for word in range(words(self.layout.pieces)))
            body.trap_if(reduce(add, counts).wrap().gt_u(mem32(row, CAPACITY)))

    @function(PART, I32, I32)
    def content(self, body: FunctionBody, zone: Local, target: Local) -> None:
        """Write the pieces in a zone to an address (the second argument) as a list: a stack from the bottom."""
        row, at, end, word = body.locals(I32, I32, I32, I64)
        body.set(row, self._row(zone))
        body.set(at, mem32(row, AT))
        with body.when(mem32(row, ORDERED)):
            body.copy(target, at, (mem32(at) << 2) + 4)
            body.give()
        body.set(end, target)
        for number in range(words(self.layout.pieces)):
            body.set(word, mem64(at, 8 * number, self._load))
            with body.until(word.eqz()):
                body.set(mem32(end.tee(end + 4)), word.ctz().wrap() + WORD_BITS * number)
                body.set(word, without_lowest(word))
        body.set(mem32(target), end - target >> 2)

    @function(PART, I32, I32, I32, I32)
    def swap(self, body: FunctionBody, at: Local, first: Local, second: Local, stack: Local) -> None:
        """Exchange two positions of a list, counted from its end if the last argument is 1; stop if there are none."""
        held = body.local()
        for position in (first, second):
            body.trap_if(position.ge_u(mem32(at)))
            with body.when(stack):
                body.set(position, mem32(at) - (1 + position))
        body.set(held, mem32(_item(at, first), 4))
        body.set(mem32(_item(at, first), 4), mem32(_item(at, second), 4))
        body.set(mem32(_item(at, second), 4), held)


def _item(at: Term, number: Term) -> Term:
    """The address of an item but for the length before them all."""
    return at + (number << 2)
