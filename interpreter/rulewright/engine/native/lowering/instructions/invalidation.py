"""Invalidation: what the code of an instruction makes of the memo tables, the one place where this is written.

What reads something that an instruction writes is invalid behind it. Two things are known more exactly: from where a
move takes which pieces (:mod:`~rulewright.engine.native.lowering.instructions.move_invalidation`), and what becomes of
areas of which one edge opens or closes (:mod:`~rulewright.engine.native.lowering.areas.area_changes`).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rulewright.engine.native.lowering.areas.area_changes import AreaChanges
from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.lowering.instructions.move_invalidation import MoveInvalidation
from rulewright.engine.native.lowering.memo_tables import invalidate
from rulewright.engine.native.values import Value
from rulewright.engine.native.webassembly.terms import call
from rulewright.ir import model as m


class Invalidation:
    """Writes what stands around the code of one instruction after another."""

    def __init__(self, lower: ExpressionLowering, area_changes: AreaChanges) -> None:
        self._lower, self._writer, self._body = lower, lower.writer, lower.writer.body
        self._memos, self._area_changes = lower.ctx.memos, area_changes

    @contextmanager
    def around(self, i: m.Instr) -> Iterator[MoveInvalidation | None]:
        """Code of an instruction stands inside; gives what is to be told of each piece that it moves, if it is."""
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


__all__ = ["Invalidation"]
