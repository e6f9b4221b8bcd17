"""Evaluation of what follows from the map: neighbours, directions, distances, floods over places and edges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulewright.engine.evaluator.expressions import Expressions, set_members
from rulewright.engine.evaluator.registers import Registers, forget
from rulewright.engine.evaluator.scope import REGISTERS, Environment, Evaluate, Scope, kept_while
from rulewright.ir import model as m
from rulewright.ir.graphs import against, origin, rays, rising, walks
from rulewright.ir.model import NONE

FAR = 12
"""Ways of fewer steps are looked up."""


def remembered(C: list[int], R: Registers, number: int) -> dict[Any, Any]:
    """The results about these cells that are known already."""
    memo = R.memo
    if memo[0] is not C:
        forget(memo, C)
    found: dict[Any, Any] = memo[number]
    return found


class MapQueries:
    """Expressions over graphs."""

    def __init__(self, x: Expressions) -> None:
        self.x, self.ctx, self.support = x, x.ctx, x.ctx.support

    def _x_NeighboursOf(self, e: m.NeighboursOf, s: Scope) -> Evaluate:
        return self.x.looked_up(tuple(self.ctx.graphs[e.graph].neighbours), e.place, s, 0)

    def _x_EdgesOf(self, e: m.EdgesOf, s: Scope) -> Evaluate:
        edges = tuple(sum(1 << edge for edge, _ in here) for here in self._incidences(self.ctx.graphs[e.graph]))
        return self.x.looked_up(edges, e.place, s, 0)

    def _x_DistanceOf(self, e: m.DistanceOf, s: Scope) -> Evaluate:
        table = self.ctx.graphs[e.graph].distance
        start, end = self.x.value(e.start, s), self.x.value(e.end, s)

        def distance(C: list[int], E: Environment) -> int:
            a, b = start(C, E), end(C, E)
            return table[a][b] if a >= 0 and b >= 0 else NONE

        return distance

    def _x_EdgeBetween(self, e: m.EdgeBetween, s: Scope) -> Evaluate:
        edges = self.ctx.graphs[e.graph].edges
        between = {ends: number for number, (a, b) in enumerate(edges) for ends in ((a, b), (b, a))}
        start, end = self.x.value(e.start, s), self.x.value(e.end, s)
        return lambda C, E: between.get((start(C, E), end(C, E)), NONE)

    @staticmethod
    def _incidences(graph: m.Graph) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each place its edges with the place at the other end."""
        found: list[list[tuple[int, int]]] = [[] for _ in graph.neighbours]
        for edge, (a, b) in enumerate(graph.edges):
            found[a].append((edge, b))
            found[b].append((edge, a))
        return tuple(map(tuple, found))

    # ------------------------------------------------------------------------------------------ directions

    def _x_Towards(self, e: m.Towards, s: Scope) -> Evaluate:
        there = self.ctx.graphs[e.graph].towards
        place, direction = self.x.value(e.place, s), self.x.value(e.direction, s)
        if isinstance(e.steps, m.Const) and e.steps.value == 1:

            def next_place(C: list[int], E: Environment) -> int:
                here, way = place(C, E), direction(C, E)
                return there[way][here] if here >= 0 and way >= 0 else NONE

            return next_place
        back, steps = against(there), self.x.value(e.steps, s)
        near = (*walks(there, FAR), *reversed(walks(back, FAR)[1:]))
        """The walks, and after them those against each direction, so that a negative index counts steps back."""

        def towards(C: list[int], E: Environment) -> Any:
            here, way, left = place(C, E), direction(C, E), steps(C, E)
            if here < 0 or way < 0 or left == NONE:
                return NONE
            if -FAR < left < FAR:
                return near[left][way][here]
            table = (there if left >= 0 else back)[way]
            for _ in range(abs(left)):
                if here < 0:
                    break
                here = table[here]
            return here

        return towards

    def _x_Ray(self, e: m.Ray, s: Scope) -> Evaluate:
        graph, nearest = self.ctx.graphs[e.graph], self.support.nearest
        table = tuple(rays(graph, direction) for direction in range(len(graph.towards)))
        ups = tuple(map(bool, rising(graph)))
        place, direction = self.x.value(e.place, s), self.x.value(e.direction, s)
        before = self.x.value(e.before, s) if e.before is not None else None

        def ray(C: list[int], E: Environment) -> int:
            here, way = place(C, E), direction(C, E)
            found = table[way][here] if here >= 0 and way >= 0 else 0
            if before is None:
                return found
            stop = nearest(ups[way], found & before(C, E))
            return found & ~table[way][stop] & ~(1 << stop) if stop >= 0 else found

        return ray

    def _x_Nearest(self, e: m.Nearest, s: Scope) -> Evaluate:
        ups, nearest = tuple(map(bool, rising(self.ctx.graphs[e.graph]))), self.support.nearest
        direction, of = self.x.value(e.direction, s), self.x.value(e.of, s)

        def nearest_place(C: list[int], E: Environment) -> int:
            way, places = direction(C, E), of(C, E)
            return nearest(ups[way], places) if way >= 0 else NONE

        return nearest_place

    # ------------------------------------------------------------------------------------------ floods

    def _x_ReachFrom(self, e: m.ReachFrom, s: Scope) -> Evaluate:
        start, flood = self.x.value(e.start, s), self._flood(self.ctx.graphs[e.graph], e.within, e.var, e.across, s)
        return lambda C, E: flood(C, E, start(C, E))

    def _flood(
        self, graph: m.Graph, within: m.Expr | None, var: str | None, across: m.Expr | None, s: Scope
    ) -> Callable[[list[int], Environment, int], int]:
        """The places that can be come to from one of them (none: nothing)."""
        limit = self.x.value(within, s) if within is not None else None
        if across is None or var is None or not graph.edges:
            neighbours, over_places = tuple(graph.neighbours), self.support.flood
            everywhere = (1 << len(neighbours)) - 1

            def flood_places(C: list[int], E: Environment, start: int) -> int:
                allowed = everywhere if limit is None else limit(C, E)
                return over_places(neighbours, start, allowed) if start >= 0 else 0

            return flood_places
        inner, kept = s.loop()
        inner, at = inner.bind(var)
        is_open, table = self.x.test(across, inner), self._incidences(graph)

        def flood_edges(C: list[int], E: Environment, start: int) -> int:
            for place in kept:
                E[place] = None
            allowed = -1 if limit is None else limit(C, E)
            found = wave = 1 << start if start >= 0 else 0
            while wave:
                here = wave.bit_length() - 1
                wave ^= 1 << here
                for E[at], other in table[here]:
                    if not found >> other & 1 and allowed >> other & 1 and is_open(C, E):
                        found |= 1 << other
                        wave |= 1 << other
            return found

        return flood_edges

    def _x_Reaches(self, e: m.Reaches, s: Scope) -> Evaluate:
        return self.x.test(m.Fold("some", (m.Bound(e.var, e.source),), e.where, None), s)

    def _x_Closure(self, e: m.Closure, s: Scope) -> Evaluate:
        start, within = self.x.value(e.start, s), self.x.value(e.within, s) if e.within is not None else None
        inner, kept = s.loop()
        inner, at = inner.bind(e.var)
        step = self.x.value(e.step, inner)

        def closure(C: list[int], E: Environment) -> int:
            first = start(C, E)
            allowed = -1 if within is None else within(C, E)
            found = wave = 1 << first if first >= 0 else 0
            while wave:
                E[at] = here = wave.bit_length() - 1
                wave ^= 1 << here
                new = step(C, E) & ~found & allowed
                found |= new
                wave |= new
            return found

        return kept_while(closure, kept)

    def _x_Component(self, e: m.Component, s: Scope) -> Evaluate:
        area = self.ctx.areas[e.area]
        graph = next(g for g in self.ctx.graphs.values() if g.place == area.place)
        place, flood = self.x.value(e.place, s), self._flood(graph, None, area.var, area.across, s.elsewhere())
        number = self.ctx.memo_layout.numbers[f"area {e.area}"]

        def component(C: list[int], E: Environment) -> int:
            start = place(C, E)
            if start < 0:
                return 0
            results = remembered(C, E[REGISTERS], number)
            found: int | None = results.get(start)
            if found is None:
                found = flood(C, E, start)
                for one in set_members[found]:  # all places of an area share it
                    results[one] = found
            return found

        return component

    def _x_Grown(self, e: m.Grown, s: Scope) -> Evaluate:
        graph, grown = self.ctx.graphs[e.graph], self.support.grown
        ground, neighbours = self.ctx.layout.ground(graph.place, origin(graph)), tuple(graph.neighbours)
        number = self.ctx.memo_layout.numbers[f"map {e.graph}"]

        def places(C: list[int], E: Environment) -> int:
            results = remembered(C, E[REGISTERS], number)
            if 0 not in results:
                results[0] = grown(C, ground, neighbours)
            found: int = results[0]
            return found

        return places
