"""Invalidation: what the code of an instruction does to the memo tables, the one place where this is written.

What reads something that an instruction writes is invalid behind it. Two things are known more exactly: what becomes of
areas of which one edge opens or closes (:mod:`~rulewright.engine.native.lowering.area_functions`), and from where a
move takes which pieces. An instruction that moves a variable could take it from anywhere, but while the game runs the
zone is known: a result that depends on it becomes invalid only if the piece does come from there. Zones and classes of
pieces that invalidate the same tables have one bit in a mask.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from operator import or_

from rulewright.engine.native.lowering.area_functions import AreaChanges
from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.lowering.memo_tables import invalidate
from rulewright.engine.native.values import Value
from rulewright.engine.native.webassembly.terms import Local, Stacked, Term, call, mem32
from rulewright.foundation.bit_sets import bits_of
from rulewright.ir import model as m


class MoveInvalidation:
    """The versions of the memo tables that one instruction which moves pieces invalidates."""

    def __init__(self, lower: ExpressionLowering, i: m.Move) -> None:
        self._lower, self._ctx, self._body = lower, lower.ctx, lower.writer.body
        memos = self._ctx.memos
        by_source = memos.memoized.invalidated_by_taking(lower.writer.function, i)
        sources = {source: frozenset(memos.versions(found)) for source, found in by_source.items()}
        every = frozenset[int]().union(*sources.values())
        self._always = frozenset[int].intersection(every, *sources.values())
        """The versions of what is invalid in any case."""
        self._sometimes: dict[int, int] = {}
        """Others, each with the mask of what invalidates it."""
        moved = {source: versions - self._always for source, versions in sources.items()}
        bits = {versions: 1 << number for number, versions in enumerate(dict.fromkeys(filter(None, moved.values())))}
        for version in sorted(every - self._always):
            self._sometimes[version] = reduce(or_, (bit for versions, bit in bits.items() if version in versions))
        self._masks = {source: bits.get(versions, 0) for source, versions in moved.items()}
        self._rest = sum(bits.values())
        """The mask for a zone of which nothing is known."""
        self._found: Local
        """The mask of all that was found."""

    @staticmethod
    def of(lower: ExpressionLowering, i: m.Instr) -> MoveInvalidation | None:
        """The invalidation of an instruction; None if it moves nothing, or from anywhere with the same effect."""
        if not isinstance(i, m.Move) or not lower.ctx.log.makes("taken-from"):
            return None
        found = MoveInvalidation(lower, i)
        if not found._sometimes or found._rest.bit_length() > 31:
            return None
        lower.ctx.log.note("taken-from")
        return found

    def begin(self) -> None:
        """No piece has been taken yet."""
        self._found = self._body.local()
        self._body.set(self._found, 0)

    def note(self, piece: Value) -> None:
        """Note that this piece is taken away now."""
        body, lower, memory, layout = self._body, self._lower, self._ctx.memory, self._ctx.layout
        zones, classes = self._ctx.program.zones, self._ctx.memos.memoized.piece_classes
        mask_of = [self._masks.get((z.name, c), self._rest) for z in zones for c in range(len(classes))]
        row = 4 * len(classes)
        zone_rows = memory.numbers(row * one.zone for one in layout.instances)
        where = lower.table(memory.cell_at[layout.loc], 4, piece).load_number(0, len(layout.instances) - 1)
        of_zone = lower.table(zone_rows, 4, where).load_number(0, row * len(zones))
        body.push(of_zone.term)
        entry: Term = Stacked()
        if len(classes) > 1:
            number_of = [0] * layout.pieces
            for number, members in enumerate(classes):
                for one in bits_of(members & (1 << layout.pieces) - 1):
                    number_of[one] = 4 * number
            body.push(lower.table(memory.numbers(number_of), 4, piece).load_number(0, row).term)
            entry = entry + Stacked()
        body.set(self._found, mem32(entry, memory.numbers(mask_of)) | self._found)

    def end(self) -> None:
        """Note that all pieces have been taken away."""
        body = self._body
        invalidate(body, sorted(self._always))
        for mask in dict.fromkeys(self._sometimes.values()):
            with body.when(self._found & mask):
                invalidate(body, (version for version, needed in self._sometimes.items() if needed == mask))


class Invalidation:
    """Writes what stands around the code of one instruction after another."""

    def __init__(self, lower: ExpressionLowering, area_changes: AreaChanges) -> None:
        self._lower, self._writer, self._body = lower, lower.writer, lower.writer.body
        self._memos, self._area_changes = lower.ctx.memos, area_changes

    @contextmanager
    def around(self, i: m.Instr) -> Iterator[MoveInvalidation | None]:
        """Code of an instruction stands inside; gives the mask that is to be applied for each piece that it moves."""
        if isinstance(i, m.SetField) and (areas := self._area_changes.of(i)):
            with self._updating(i, areas):
                yield None
        elif moved := MoveInvalidation.of(self._lower, i):
            moved.begin()
            yield moved
            moved.end()
        else:
            yield None
            invalidate(self._body, self._memos.versions(self._memos.memoized.invalidated_by(self._writer.function, i)))

    @contextmanager
    def _updating(self, i: m.SetField, areas: tuple[m.AreaMap, ...]) -> Iterator[None]:
        """Areas are kept up to date; what asks for them is invalid if anything has become of one."""
        body, edge = self._body, i.index[0]
        before = [self._across(area, edge) for area in areas]
        yield
        names = frozenset(area.name for area in areas)
        direct, through = self._memos.memoized.invalidated_around(self._writer.function, i, names)
        invalidate(body, self._memos.versions(direct))
        others = body.local()
        body.set(others, 0)
        for area, was in zip(areas, before, strict=True):
            now = self._across(area, edge)
            with body.when(now.term.ne(was.term)):
                place = self._lower.value(edge)
                body.set(others, call(self._area_changes.number(area), place.term, now.term) | others)
        with body.when(others):
            invalidate(body, self._memos.versions(through))

    def _across(self, area: m.AreaMap, edge: m.Expr) -> Value:
        """The truth of places hanging together over an edge now."""
        with self._writer.binding(area.var, self._lower.value(edge)):
            return self._writer.hold(self._lower.value(area.across).holds, 0, 1)
