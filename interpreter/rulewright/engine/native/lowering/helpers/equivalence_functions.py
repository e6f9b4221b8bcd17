"""Interchangeable pieces: one stands for its class, in canonical order (:mod:`rulewright.engine.cells.interchange`).

The Python backend lets that piece stand for its class which players remember best, here it is the first one: as no rule
can distinguish them, the games are the same but for the numbers of pieces.

Most of a colour, by which pieces are distinguished, is one number, the *key*: the kind, the zone, the place in a stack
or row, the face, the side. Only pieces of one key are compared in the values of fields over them and in the places
where the rules hold them. If two pieces of one colour are both related to others, the game stops, and the Python
backend plays it: it refines colours.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from rulewright.engine.cells.interchange import Interchange
from rulewright.engine.native.lowering.helpers.common_functions import Parts
from rulewright.engine.native.lowering.helpers.mention_functions import PART, MentionFunctions, members
from rulewright.engine.native.memory_map import LEGAL, WORD_BITS, cell_bytes, words
from rulewright.engine.native.webassembly.encoding import Op
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.module import function
from rulewright.engine.native.webassembly.terms import I32, I64, Local, Memory, Term, call, mem32, mem64, select
from rulewright.foundation.lazy_dataclass import dataclass

CLASS, ZONE, PLACE, DOWN = 41, 25, 9, 8
"""Begins of the parts of a key; the side is last."""


@dataclass(frozen=True, slots=True)
class Column:
    """A field over pieces."""

    at: int
    """The address of the value for the first piece."""
    apart: int
    """The bytes from piece to piece."""
    numbers: int
    """The words of 32 bits that a value has."""
    is_set: bool
    """True of sets: the last number counts first, and none is below 0."""


class ColourFunctions:
    """The numbers of the functions; each is written when it is first needed."""

    def __init__(self, parts: Parts, interchange: Interchange) -> None:
        self._program, self.memory, self.layout, self.module = parts.program, parts.memory, parts.layout, parts.module
        self._lists, self.interchange = parts.lists, interchange
        self.mentions = MentionFunctions(parts, interchange)
        self.lowest = self.memory.reserve(4 * self.layout.pieces)
        """The address of a table of 0: for each class 1 and the first of it that was looked at."""
        self.ranked = mem32(0, self.memory.reserve(4))
        """The truth of the pieces being ranked: it takes long, and is seldom needed."""

    def _columns(self) -> Iterator[Column]:
        for at, step, count in self.interchange.columns:
            address, size = self.memory.cell_at[at], cell_bytes(self.layout.widths[at + count - 1])
            apart = self.memory.cell_at[at + step] - address if self.layout.pieces > 1 else 0
            numbers = (self.memory.cell_at[at + count - 1] - address + size) // 4
            yield Column(address, apart, numbers, self._is_set(at))

    def _is_set(self, cell: int) -> bool:
        return any(
            f.ty.kind == "set" and 0 <= cell - place.at < place.count
            for f in self._program.fields
            for place in [self.layout.fields[f.name]]
        )

    @function(PART, I32, I32, gives=I32)
    def compare(self, body: FunctionBody, one: Local, other: Local) -> None:
        """Compare the colours of two pieces of one key: below 0, 0 or above 0."""
        for column in self._columns():
            self._compare_column(body, column, (one, other))
        with body.when(self.ranked.eqz()):
            body.call(self.mentions.rank)
            if self.interchange.related:
                body.call(self.mentions.relate)
            body.set(self.ranked, 1)
        left, right = body.locals(I64, I64)
        for piece, rank in ((one, left), (other, right)):
            body.set(rank, mem32(piece << 2, self.mentions.ranks).extend_s())
        _give_if_different(body, left, right)
        if self.interchange.related:
            left, right = body.locals(I64, I64)
            for piece, related in ((one, left), (other, right)):
                body.set(related, _bit(piece, self.mentions.related))
            body.trap_if((left & right).nonzero() & one.ne(other))
            _give_if_different(body, left, right)
        body.push(0)

    def _compare_column(self, body: FunctionBody, column: Column, pieces: tuple[Local, Local]) -> None:
        """Give the order of two pieces if their values in a column are different."""
        left, right = body.locals(I64, I64)
        rows = body.locals(I32, I32)
        load = Op.I64_LOAD32_U if column.is_set else Op.I64_LOAD32_S
        last = 4 * (column.numbers - 1)
        for piece, row in zip(pieces, rows, strict=True):
            begin = piece * column.apart
            body.set(row, begin + last if column.numbers > 1 and column.is_set else begin)
        to_come = body.local()
        body.set(to_come, column.numbers)
        with body.loop() as next_number:
            for row, found in zip(rows, (left, right), strict=True):
                body.set(found, mem64(row, column.at, load))
                body.set(row, row + (-4 if column.is_set else 4))
            _give_if_different(body, left, right)
            body.set(to_come, to_come - 1)
            body.branch_if(next_number, to_come)

    def set_key(self, body: FunctionBody, piece: Local, key: Local) -> None:
        """The key of a piece: the first of its class that is looked at, the zone, the place in a stack or row, the
        face, the side."""
        memory, layout = self.memory, self.layout
        same, zone, row, first, place = body.locals(I32, I32, I32, I32, I32)
        numbers = {one: order for order, one in enumerate(sorted(set(self._program.alike)))}
        classes = memory.numbers(4 * numbers[one] for one in self._program.alike)
        with body.when(first.tee(mem32(same.tee(mem32(piece << 2, classes)), self.lowest)).eqz()):
            body.set(first, piece + 1)
            body.set(mem32(same, self.lowest), first)
        body.set(zone, mem32(piece << 2, memory.cell_at[layout.loc]))
        body.set(place, 0)
        if layout.ordered:
            with body.when(row.tee(mem32(zone << 2, memory.zone_lists()))):
                body.set(place, call(self._lists.position, row, piece))
                with body.when(mem32(zone << 2, memory.zone_is_stack)):
                    body.set(place, mem32(row) - (1 + place))
        found = first.extend_u() << CLASS | zone.extend_u() << ZONE | place.extend_u() << PLACE
        if layout.faced:
            found = found | _bit(piece, memory.cell_at[layout.down]) << DOWN
        if layout.sided:
            found = found | mem32(piece << 2, memory.cell_at[layout.side]).extend_u()
        body.set(key, found)


def _give_if_different(body: FunctionBody, left: Local, right: Local) -> None:
    """Give the order of two numbers, unless they are equal."""
    with body.when(left.ne(right)):
        body.give(select(1, -1, left.gt_s(right)))


def _bit(piece: Term, at: int) -> Term:
    """The truth, in 64 bits, of a piece being in the set at an address."""
    return mem64(piece >> 6 << 3, at) >> piece.extend_u() & 1


class EquivalenceFunctions:
    """The numbers of the functions; each is written when it is first needed."""

    def __init__(self, parts: Parts, interchange: Interchange) -> None:
        self._parts, self.memory, self.layout, self.module = parts, parts.memory, parts.layout, parts.module
        self.interchange = interchange
        count = self.layout.pieces
        self.items = self.memory.reserve(4 * (1 + count))
        """The address of the pieces that are offered, a list."""
        self._sorted_at = self.memory.reserve(4 * count)
        self._keys_at = self.memory.reserve(8 * count)
        self._stands_at = self.memory.reserve(4 * count)
        self._offered_at = self.memory.reserve(4 * count)

    def _sorted(self, at: Term) -> Memory:
        """The piece at a position of canonical order."""
        return mem32(at << 2, self._sorted_at)

    def _keys(self, at: Term) -> Memory:
        """The key of a piece."""
        return mem64(at << 3, self._keys_at)

    def _stands(self, piece: Term) -> Memory:
        """The piece that stands for another one."""
        return mem32(piece << 2, self._stands_at)

    def _offered(self, piece: Term) -> Memory:
        """The truth of a piece being offered already."""
        return mem32(piece << 2, self._offered_at)

    @cached_property
    def _colours(self) -> ColourFunctions:
        return ColourFunctions(self._parts, self.interchange)

    @cached_property
    def classes_are_ranges(self) -> bool:
        """True if pieces that are alike have numbers in a row: then the canonical order of a set is that of the
        numbers, but for pieces of one class."""
        return all(same[-1] - same[0] == len(same) - 1 for same in self.interchange.classes)

    @function(PART, gives=I32)
    def _group(self, body: FunctionBody) -> None:
        """Sort the offered set of pieces by colour, and let the first of each colour stand for all; gives their
        number."""
        layout, colours = self.layout, self._colours
        piece, count, at, stands, key, last = body.locals(I32, I32, I32, I32, I64, I64)
        alike = sum(1 << one for same in self.interchange.classes for one in same)
        for word in range(words(layout.pieces)):
            ours = alike >> WORD_BITS * word & (1 << WORD_BITS) - 1
            body.set(mem64(0, colours.mentions.offered + 8 * word), mem64(0, LEGAL + 8 * word) & ours)
        body.set(colours.ranked, 0)
        self._clear(body, colours.lowest)
        with members(body, LEGAL, words(layout.pieces), piece):
            colours.set_key(body, piece, key)
            body.call(self._insert, count, key, piece)
            body.set(count, count + 1)
        body.set(last, -1)
        with body.until(at.eq(count), (at, 1)):
            body.set(piece, self._sorted(at))
            body.set(key, self._keys(at))
            with body.block() as same:
                with body.when(key.eq(last)):
                    body.branch_if(same, call(colours.compare, piece, stands).eqz())
                body.set(stands, piece)
            body.set(self._stands(piece), stands)
            body.set(last, key)
        body.push(count)

    @function(PART, I32, gives=I32)
    def standing_for(self, body: FunctionBody, piece: Local) -> None:
        """The piece in whose place of the numbers a piece of the offered set (the argument) stands in canonical order,
        or the one that stands for it. Only the offered pieces of its class are looked at, and left in the set."""
        row, count, before, one = body.locals(I32, I32, I32, I64)
        width = words(self.layout.pieces)
        alike = self.memory.sets(self.interchange.alike, width)
        lower = self.memory.sets((mask & (1 << at) - 1 for at, mask in enumerate(self.interchange.alike)), width)
        body.set(row, piece * (8 * width))
        for word in range(0, 8 * width, 8):
            body.set(mem64(0, LEGAL + word), one.tee(mem64(0, LEGAL + word) & mem64(row, alike + word)))
            body.set(count, count + one.popcnt().wrap())
            body.set(before, before + (one & mem64(row, lower + word)).popcnt().wrap())
        with body.when(count.gt_u(1)):
            body.drop(call(self._group))
            body.set(before, self._sorted(before))
            body.set(piece, self._stands(before))
        body.push(piece)

    @function(PART, I32, I64, I32)
    def _insert(self, body: FunctionBody, at: Local, key: Local, piece: Local) -> None:
        """Put a piece (the third argument) of a key among so many that are sorted, behind those of its colour."""
        other = body.local(I64)
        with body.until(at.eqz()) as found:
            with body.block() as behind:
                body.branch_if(behind, other.tee(mem64(at << 3, self._keys_at - 8)).gt_s(key))
                body.branch_if(found, other.ne(key))
                before = mem32(at << 2, self._sorted_at - 4)
                body.branch_if(found, call(self._colours.compare, before, piece).le_s(0))
            body.set(at, at - 1)
            body.set(mem64(at << 3, self._keys_at + 8), self._keys(at))
            body.set(mem32(at << 2, self._sorted_at + 4), self._sorted(at))
        body.set(self._keys(at), key)
        body.set(self._sorted(at), piece)

    @function(PART, I32)
    def representatives(self, body: FunctionBody, each: Local) -> None:
        """Offer a list instead of the set of pieces that is offered: one piece of each colour, or, if the argument is
        1, that one for each piece of it."""
        count, at = body.locals(I32, I32)
        body.set(count, call(self._group))
        self._offer(body, each, count, at, self._sorted(at))

    @function(PART, I32, I32)
    def representatives_of_list(self, body: FunctionBody, each: Local, items: Local) -> None:
        """Thin out a list (the second argument), of which the set is offered: it keeps its order."""
        count, at = body.locals(I32, I32)
        body.drop(call(self._group))
        body.set(count, mem32(items))
        self._offer(body, each, count, at, mem32(items + (at << 2), 4))

    def _offer(self, body: FunctionBody, each: Local, count: Local, at: Local, item: Term) -> None:
        """Offer what stands for the items of a list of so many, each once, or (`each`) for each of them."""
        piece, kept = body.locals(I32, I32)
        self._clear(body, self._offered_at)
        with body.until(at.eq(count), (at, 1)):
            body.set(piece, self._stands(item))
            with body.when(each | self._offered(piece).eqz()):
                body.set(mem32(kept << 2, self.items + 4), piece)
                body.set(kept, kept + 1)
            body.set(self._offered(piece), 1)
        body.set(mem32(0, self.items), kept)
        body.set(mem32(0, LEGAL), self.items)

    def _clear(self, body: FunctionBody, table: int) -> None:
        body.fill(table, 0, 4 * self.layout.pieces)
