"""The goals of a flood, which stops at the first of them, the paths that are kept for it, and its worklist.

For each start the edges of the last paths to a goal are kept, and where they led. As long as all edges of one are open
and its end is a goal still, no flood is needed, whatever was written since, so a path never has to be invalidated. A
wall that is tried somewhere on a board leaves most paths as they are.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce
from operator import and_, or_
from typing import Protocol

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.lowering.expressions.sets.mask_filters import MaskFilters
from rulewright.engine.native.lowering.function_writer import FunctionWriter
from rulewright.engine.native.memory_map import is_large, words
from rulewright.engine.native.values import Value, absent, constant_set
from rulewright.engine.native.webassembly.terms import I32, Local, Stacked, Term, const, mem32, mem64, select
from rulewright.ir import model as m
from rulewright.ir.walk import conjuncts


class Goal(Protocol):
    """A goal, which makes a flood stop."""

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
    """The places for which a condition holds."""

    def __init__(self, lower: ExpressionLowering, var: str, where: m.Expr, size: int, hit: int) -> None:
        self._lower, self._writer, self._var, self._hit = lower, lower.writer, var, hit
        parts, everywhere = conjuncts(where), constant_set((1 << size) - 1)
        self._mask, self._rest = MaskFilters(lower).narrow(everywhere, var, parts)
        """The places that can be such ones, and what holds for each of them besides."""
        self._is_mask = len(self._rest) < len(parts)
        self._size = size
        self._found: Local | None = None
        self._aims = self._mask
        """Towards what a flood goes."""

    def store(self, found: Local, hit: int) -> None:
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


WAYS = 4
"""So many are kept for each start; the oldest one makes room."""
_FIRST = _EDGES = 8
"""A row for each start has the distance from its first way to the oldest one, then ways: one more than the number of
the last place (0 if there is no way), then the edges as a set."""


def are_kept(lower: ExpressionLowering, e: m.ReachFrom) -> bool:
    """True if the edges over which a flood goes are a set that can be had at once."""
    edges = lower.ctx.graphs[e.graph].edges
    if e.across is None or e.var is None or e.within is not None or not edges or is_large(len(edges)):
        return False
    parts = conjuncts(e.across)
    return (
        lower.ctx.log.makes("ways")
        and not any(map(lower.ctx.facts.fallible, parts))
        and MaskFilters(lower).are_masks(parts, e.var)
    )


class KeptPaths:
    """The ways of the floods that are made at one place of the program."""

    def __init__(self, lower: ExpressionLowering, e: m.ReachFrom, start: Value) -> None:
        assert e.across is not None
        assert e.var is not None
        self._writer, self._body, self._start = lower.writer, lower.writer.body, start
        graph, memory = lower.ctx.graphs[e.graph], lower.ctx.memory
        self._places, self._edges = len(graph.neighbours), len(graph.edges)
        everywhere = constant_set((1 << self._edges) - 1)
        self._open, _ = MaskFilters(lower).narrow(everywhere, e.var, conjuncts(e.across))
        self._way = _EDGES + 8 * words(self._edges)
        self._row = _FIRST + WAYS * self._way
        self._rows = memory.reserve(self._row * self._places)
        self._last = memory.reserve(4 * self._places)
        """For each place the edge over which it was come to."""
        self._ends = memory.numbers(a ^ b for a, b in graph.edges)
        """For each edge the number that makes one of its ends the other one."""
        lower.ctx.log.note("ways")

    def follow(self, goal: Condition) -> None:
        """Leave if there is a way that leads to the goal."""
        body = self._body
        with body.block() as none:
            if self._start.null:
                body.branch_if(none, absent(self._start))
            way = body.hold(self._start.term * self._row + (self._rows + _FIRST))
            end = body.hold(way + WAYS * self._way)
            with body.loop() as again:
                body.branch_if(none, mem32(way).eqz())
                with body.block() as no:
                    shut = [mem64(way, _EDGES + 8 * n) & ~self._open.word(n) for n in range(words(self._edges))]
                    body.branch_if(no, reduce(or_, shut).ne(0))
                    goal.stop_at(self._writer.hold(mem32(way) - 1, 0, self._places - 1))
                body.set(way, way + self._way)
                body.branch_if(again, way.lt_u(end))

    def step(self, edge: Term, place: Value) -> None:
        """Note that a place is come to."""
        self._body.set(mem32(place.term << 2, self._last), edge)

    def keep(self, last: Local) -> None:
        """Keep the way to a place that is not the start."""
        body, writer = self._body, self._writer
        edges, row = writer.new_set(self._edges), body.hold(self._start.term * self._row + self._rows)
        oldest = body.hold(mem32(row))
        way = body.hold(row + oldest)
        found = body.hold(last + 1)
        with body.block() as out, body.loop() as again:
            body.branch_if(out, last.eq(self._start.term))
            edge = writer.hold(mem32(last << 2, self._last), 0, self._edges - 1)
            writer.insert(edges, edge)
            body.set(last, last ^ mem32(edge.term << 2, self._ends))
            body.branch(again)
        for n in range(words(self._edges)):
            body.set(mem64(way, _FIRST + _EDGES + 8 * n), edges.word(n))
        body.set(mem32(way, _FIRST), found)
        body.set(mem32(row), select(oldest + self._way, const(0), oldest.ne((WAYS - 1) * self._way)))


class Worklist(Protocol):
    """Places that wait."""

    def add(self, place: Value) -> None:
        """Let a place wait that never has."""

    def take(self, out: int) -> Value:
        """Take one of the places; go to a label if none waits."""


class SetWorklist:
    """Few places as a set, the last (or lowest) of which is taken."""

    def __init__(self, writer: FunctionWriter, waiting: Value, lowest: bool = False) -> None:
        self.writer, self.waiting = writer, waiting
        self._next = writer.first if lowest else writer.last

    def add(self, place: Value) -> None:
        """Let a place wait."""
        self.writer.insert(self.waiting, place)

    def take(self, out: int) -> Value:
        """Take the next place."""
        self.writer.body.branch_if(out, self.writer.empty(self.waiting))
        here = self.writer.hold(self._next(self.waiting), 0, self.waiting.bits - 1)
        self.writer.remove(self.waiting, here)
        return here


class StackWorklist:
    """Many places as a stack in memory."""

    def __init__(self, writer: FunctionWriter, size: int) -> None:
        self.writer, self.size, self.stack = writer, size, writer.ctx.memory.reserve(4 * size)
        self.top = writer.body.hold(const(0))

    def add(self, place: Value) -> None:
        """Let a place wait."""
        self.writer.body.set(mem32(self.top, self.stack), place.term)
        self.writer.body.set(self.top, self.top + 4)

    def take(self, out: int) -> Value:
        """Take the place that came last."""
        body = self.writer.body
        body.branch_if(out, self.top.eqz())
        body.set(self.top, self.top - 4)
        return self.writer.hold(mem32(self.top, self.stack), 0, self.size - 1)


class QueueWorklist:
    """Places as a queue in memory: near ones come before far ones."""

    def __init__(self, writer: FunctionWriter, size: int) -> None:
        self.writer, self.size, self.queue = writer, size, writer.ctx.memory.reserve(4 * size)
        self.first, self.end = writer.body.locals(I32, I32)
        writer.body.set(self.first, 0)
        writer.body.set(self.end, 0)

    def add(self, place: Value) -> None:
        """Let a place wait."""
        self.writer.body.set(mem32(self.end, self.queue), place.term)
        self.writer.body.set(self.end, self.end + 4)

    def take(self, out: int) -> Value:
        """Take the place that came first."""
        body = self.writer.body
        body.branch_if(out, self.first.eq(self.end))
        body.push(mem32(self.first, self.queue))
        body.set(self.first, self.first + 4)
        return self.writer.hold(Stacked(), 0, self.size - 1)
