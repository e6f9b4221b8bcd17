"""Ways that are kept: where a flood over edges has come to its goal, the way is looked at first when it is asked again.

For each start the edges of the last ways are kept, and where they led. As long as all edges of one are open and its end
is a goal still, nothing has to be sought, whatever was written since: so nobody has to say when a way is too old. A
wall that is tried somewhere on a board leaves most ways as they are.
"""

from __future__ import annotations

from functools import reduce
from operator import or_

from rulewright.engine.native.lowering.expressions.expression_lowering import ExpressionLowering
from rulewright.engine.native.lowering.expressions.floods.flood_goals import Condition
from rulewright.engine.native.lowering.expressions.sets.mask_filters import MaskFilters
from rulewright.engine.native.values import Value, absent, constant_set
from rulewright.engine.native.webassembly.terms import Local, Term, const, mem32, mem64, select
from rulewright.engine.native.word_sizes import is_large, words
from rulewright.ir import model as m
from rulewright.ir.walk import conjuncts

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


class KeptWays:
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


__all__ = ["KeptWays", "are_kept"]
