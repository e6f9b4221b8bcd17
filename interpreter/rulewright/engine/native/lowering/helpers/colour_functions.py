"""Colours of pieces: what tells those from each other that are alike (:mod:`rulewright.engine.cells.interchange`).

Most of a colour is one number, the *key*: the kind, the zone, the place in a stack or row, the face, the side. Only
pieces of one key are compared in the values of fields over them and in the places where the rules hold them. If two
pieces of one colour are both related to others, the game stops, and the Python backend plays it: it refines colours.
"""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.engine.cells.interchange import Interchange
from rulewright.engine.native.lowering.helpers.mention_functions import PART, MentionFunctions
from rulewright.engine.native.lowering.helpers.parts import Parts
from rulewright.engine.native.webassembly.encoding import Op
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.lazy_functions import function
from rulewright.engine.native.webassembly.terms import I32, I64, Local, Term, call, mem32, mem64, select
from rulewright.engine.native.word_sizes import cell_bytes
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
    """The numbers of the functions; each is written when it is first asked for."""

    def __init__(self, parts: Parts, interchange: Interchange) -> None:
        self._program, self.memory, self.layout, self.module = parts.program, parts.memory, parts.layout, parts.module
        self._lists, self.interchange = parts.lists, interchange
        self.mentions = MentionFunctions(parts, interchange)
        self.lowest = self.memory.reserve(4 * self.layout.pieces)
        """The address of a table of 0: for each class 1 and the first of it that was asked about."""
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
        """The key of a piece: the first of its class that is asked about, the zone, the place in a stack or row, the
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
