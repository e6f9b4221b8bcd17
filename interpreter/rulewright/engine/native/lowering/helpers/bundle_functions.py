"""Interchangeable pieces: one stands for all, in canonical order (see :mod:`rulewright.engine.cells.interchange`).

The Python backend lets that piece stand for them which players remember best. Here it is the first one: as nothing that
the rules can ask tells them apart, the games are the same but for the numbers of pieces.
"""

from __future__ import annotations

from functools import cached_property

from rulewright.engine.cells.interchange import Interchange
from rulewright.engine.native.lowering.helpers.colour_functions import ColourFunctions
from rulewright.engine.native.lowering.helpers.mention_functions import PART, members
from rulewright.engine.native.lowering.helpers.parts import Parts
from rulewright.engine.native.memory_map import LEGAL
from rulewright.engine.native.webassembly.function_body import FunctionBody
from rulewright.engine.native.webassembly.lazy_functions import function
from rulewright.engine.native.webassembly.terms import I32, I64, Local, Memory, Term, call, mem32, mem64
from rulewright.engine.native.word_sizes import WORD_BITS, words


class BundleFunctions:
    """The numbers of the functions; each is written when it is first asked for."""

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
        """Its key."""
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
            body.set(mem64(0, colours.mentions.asked + 8 * word), mem64(0, LEGAL + 8 * word) & ours)
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
    def bundle(self, body: FunctionBody, each: Local) -> None:
        """Offer a list instead of the set of pieces that is offered: one piece of each colour, or, if the argument is
        1, that one for each piece of it."""
        count, at = body.locals(I32, I32)
        body.set(count, call(self._group))
        self._offer(body, each, count, at, self._sorted(at))

    @function(PART, I32, I32)
    def bundle_list(self, body: FunctionBody, each: Local, items: Local) -> None:
        """The same for a list (the second argument), of which the set is offered: it keeps its order."""
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
