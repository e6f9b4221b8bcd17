"""The places for the sake of which a flood is made: it stops at the first of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from operator import and_, or_
from typing import Protocol

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.lowering.expressions.sets.mask_filters import MaskFilters
from rulewright.engine.native.values import Value, absent, constant_set
from rulewright.engine.native.webassembly.terms import Local, Term
from rulewright.engine.native.word_sizes import is_large
from rulewright.ir import model as m
from rulewright.ir.walk import conjuncts


class Goal(Protocol):
    """Something that makes a flood stop."""

    def stop_at(self, place: Value) -> None:
        """Leave the flood if a place that has been found is one of the goal."""

    def stop_among(self, places: Value) -> None:
        """Leave it if one of some places is."""

    def begin(self, start: Value, within: Value | None, out: int) -> None:
        """Leave it if the start is one; go to a label if no other place can be."""


class OnePlace:
    """One place, and the label to which a flood goes from there."""

    def __init__(self, lower: ExpressionLowering, place: Value, hit: int) -> None:
        self._writer, self._place, self._hit = lower.writer, place, hit

    def stop_at(self, place: Value) -> None:
        """Leave if this is it."""
        self._writer.body.branch_if(self._hit, self._place.term.eq(place.term))

    def stop_among(self, places: Value) -> None:
        """Leave if it is among them."""
        self._writer.body.branch_if(self._hit, self._writer.contains(places, self._place))

    def begin(self, start: Value, within: Value | None, out: int) -> None:
        """Go on in any case: who asks for one place knows that it is another one."""


class Condition:
    """All places for which something holds."""

    def __init__(self, lower: ExpressionLowering, var: str, where: m.Expr, size: int, hit: int) -> None:
        self._lower, self._writer, self._var, self._hit = lower, lower.writer, var, hit
        parts, everywhere = conjuncts(where), constant_set((1 << size) - 1)
        self._mask, self._rest = MaskFilters(lower).narrow(everywhere, var, parts)
        """The places that can be such ones, and what is asked of each of them besides."""
        self._is_mask = len(self._rest) < len(parts)
        self._size = size
        self._found: Local | None = None
        self._aims = self._mask
        """Towards what a flood goes."""

    def tell(self, found: Local, hit: int) -> None:
        """From now on say which place it is that a flood has come to, and go to another label."""
        self._found, self._hit = found, hit

    def widen(self, places: Value) -> None:
        """Leave a flood that comes to one of some places, too, from which it is known to come to one of the goal."""
        if self._is_mask and not self._rest:
            self._mask = self._writer.wordwise(self._size, (self._mask, places), or_)

    def stop_at(self, place: Value) -> None:
        """Leave if it holds there."""
        with self._known(place) as no:
            if self._is_mask:
                self._writer.body.branch_if(no, self._writer.contains(self._mask, place).eqz())
            self._ask(place, no)

    def stop_among(self, places: Value) -> None:
        """Leave if it holds for one of some places."""
        body, writer = self._writer.body, self._writer
        if self._is_mask:
            places = writer.wordwise(self._size, (places, self._mask), and_)
        if not self._rest:
            body.branch_if(self._hit, writer.empty(places).eqz())
            return
        with writer.loop(places, self._var) as (place, again, _):
            self._ask(place, again)

    def begin(self, start: Value, within: Value | None, out: int) -> None:
        """Look at the start, and whether there is any other such place where the flood may go."""
        self.stop_at(start)
        if self._is_mask and within is not None:
            there = self._writer.wordwise(self._size, (self._mask, within), and_)
            self._writer.body.branch_if(out, self._writer.empty(there))

    def lies_below(self, start: Value) -> Term | None:
        """True if all such places have smaller numbers than the start, so that a flood begins with smaller ones; none
        if one way is as good as the other."""
        mask = self._aims
        if not self._is_mask or is_large(self._size):
            return None
        if mask.constant is not None:
            low, high = (mask.known & -mask.known).bit_length() - 1, mask.known.bit_length() - 1
            if not mask.known or (low < self._size // 4 and high > 3 * self._size // 4):
                return None
        return self._writer.last(mask).lt_s(start.term)

    @contextmanager
    def _known(self, place: Value) -> Iterator[int]:
        """A label for what is not so, which none is not."""
        with self._writer.body.block() as no:
            if place.null:
                self._writer.body.branch_if(no, absent(place))
            yield no

    def _ask(self, place: Value, no: int) -> None:
        """Leave if all else holds for a place; go to a label if it does not."""
        with self._writer.binding(self._var, place):
            for part in self._rest:
                self._lower.guard(part, no)
        if self._found is not None:
            self._writer.body.set(self._found, place.term)
        self._writer.body.branch(self._hit)


__all__ = ["Condition", "Goal", "OnePlace"]
