"""Code for the map: neighbours, ways, areas, regions."""

from __future__ import annotations

from rulewright.engine.codegen.memoization import REGISTER as MEMORY
from rulewright.engine.codegen.statement_writer import OPERATIONS, Writer
from rulewright.engine.codegen.value_ranges import N, V, bits, number
from rulewright.engine.runtime.budgets import BUDGET
from rulewright.ir import model as m
from rulewright.ir.graphs import origin
from rulewright.ir.model import NONE

FAR = 12
"""Ways of fewer steps are looked up."""


Ways = tuple[tuple[int, ...], ...]
"""For each direction where one comes to from each place, or none."""


def _back(towards: Ways) -> Ways:
    """The ways against each direction: from each place to the one from which it is a step in that direction."""
    found = []
    for row in towards:
        against = [NONE] * len(row)
        for place, reached in enumerate(row):
            if reached != NONE:
                against[reached] = place
        found.append(tuple(against))
    return tuple(found)


def _walks(towards: Ways) -> list[Ways]:
    """The ways of each number of steps below :data:`FAR`."""
    here: Ways = tuple(tuple(range(len(row))) for row in towards)
    found = [here]
    for _ in range(1, FAR):
        here = tuple(
            tuple(NONE if p == NONE else row[p] for p in places) for row, places in zip(towards, here, strict=True)
        )
        found.append(here)
    return found


def _both_ways(towards: Ways) -> tuple[Ways, ...]:
    """The walks, and after them those against each direction, so that a negative index counts steps back."""
    return (*_walks(towards), *reversed(_walks(_back(towards))[1:]))


class MapCode(Writer):
    """Everything that asks a graph."""

    def _key(self, e: m.Expr) -> tuple[V, list[str]]:
        v = self.value(e)
        if v.null:
            v = self.hold(v)
        return v, [v.code] if v.null else []

    def _neighbours(self, graph: str) -> str:
        return self.ctx.make(("neighbours", graph), "G", lambda: tuple(self.ctx.graphs[graph].neighbours))

    def _x_NeighboursOf(self, e: m.NeighboursOf) -> V:
        place, nulls = self._key(e.place)
        size = len(self.ctx.graphs[e.graph].neighbours)
        return bits(self.unless_null(f"{self._neighbours(e.graph)}[{place.code}]", nulls, "0"), size)

    def _x_Towards(self, e: m.Towards) -> V:
        graph = self.ctx.graphs[e.graph]
        place, direction, steps = self.atom(e.place), self.atom(e.direction), self.atom(e.steps)
        table = self.ctx.make(("towards", e.graph), "W", lambda: graph.towards)
        size = len(graph.neighbours)
        nulls = [v.code for v in (place, direction) if v.null]
        if steps.constant == 1:
            return number(self.unless_null(f"{table}[{direction.code}][{place.code}]", nulls), 0, size - 1, True)
        if steps.low > -FAR and steps.high < FAR and not steps.null:
            if steps.low >= 0:
                walks = self.ctx.make(("walks", e.graph), "W", lambda: tuple(_walks(graph.towards)))
            else:
                walks = self.ctx.make(("both ways", e.graph), "W", lambda: _both_ways(graph.towards))
            return number(
                self.unless_null(f"{walks}[{steps.code}][{direction.code}][{place.code}]", nulls), 0, size - 1, True
            )
        name, left = self.temp(), self.temp()
        self.line(f"{name} = {N}")
        counted = [f"{steps.code} != {N}"] if steps.null else []
        with self.inside(f"if {' and '.join(filter(None, [self.present(nulls), *counted])) or True}:"):
            self.line(f"{name} = {place.code}")
            self.line(f"{left} = {steps.code}")
            if steps.low < 0:
                ways = self.temp()
                back = self.ctx.make(("back", e.graph), "W", lambda: _back(graph.towards))
                self.line(f"{ways} = {table} if {left} >= 0 else {back}")
                self.line(f"if {left} < 0: {left} = -{left}")
                table = ways
            with self.inside(f"while {left} and {name} >= 0:"):
                self.line(f"{name} = {table}[{direction.code}][{name}]")
                self.line(f"{left} -= 1")
                self.line(f"R[{BUDGET}] -= 1")
                self.line(f"if R[{BUDGET}] < 0: over(R)")
        return number(name, 0, size - 1, True)

    def _x_DistanceOf(self, e: m.DistanceOf) -> V:
        graph = self.ctx.graphs[e.graph]
        (a, null_a), (b, null_b) = self._key(e.start), self._key(e.end)
        table = self.ctx.make(("distance", e.graph), "D", lambda: graph.distance)
        unreachable = any(NONE in row for row in graph.distance)
        code = self.unless_null(f"{table}[{a.code}][{b.code}]", null_a + null_b)
        return number(code, 0, len(graph.neighbours), unreachable or a.null or b.null)

    def _x_EdgeBetween(self, e: m.EdgeBetween) -> V:
        graph = self.ctx.graphs[e.graph]
        (a, null_a), (b, null_b) = self._key(e.start), self._key(e.end)

        def build() -> tuple[dict[int, int], ...]:
            found: list[dict[int, int]] = [{} for _ in graph.neighbours]
            for number_, (x, y) in enumerate(graph.edges):
                found[x][y] = found[y][x] = number_
            return tuple(found)

        table = self.ctx.make(("between", e.graph), "E", build)
        code = self.unless_null(f"{table}[{a.code}].get({b.code}, {N})", null_a + null_b)
        return number(code, 0, max(0, len(graph.edges) - 1), True)

    def _x_EdgesOf(self, e: m.EdgesOf) -> V:
        graph = self.ctx.graphs[e.graph]
        place, nulls = self._key(e.place)

        def build() -> tuple[int, ...]:
            found = [0] * len(graph.neighbours)
            for number_, (x, y) in enumerate(graph.edges):
                found[x] |= 1 << number_
                found[y] |= 1 << number_
            return tuple(found)

        table = self.ctx.make(("edges", e.graph), "O", build)
        return bits(self.unless_null(f"{table}[{place.code}]", nulls, "0"), len(graph.edges))

    def _x_Component(self, e: m.Component) -> V:
        area = self.ctx.areas[e.area]
        graph = next(g for g in self.ctx.graphs.values() if g.place == area.place)
        if self.cells != "C":
            return self._reach(graph, e.place, None, area.var, area.across)
        known = self.ctx.remembered.place[f"area {e.area}"]
        start = self.atom(e.place)
        name, memory = self.temp(), self.temp()
        self.line(f"{memory} = R[{MEMORY}]")
        self.line(f"if {memory}[0] is not C: forget({memory}, C)")
        self.line(f"{memory} = {memory}[{known}]")
        missing = f"{name} is None and {start.code} >= 0" if start.null else f"{name} is None"
        self.line(
            f"{name} = {memory}.get({start.code}{', 0 if ' + start.code + ' < 0 else None' if start.null else ''})"
        )
        with self.inside(f"if {missing}:"):
            found = self._reach(graph, e.place, None, area.var, area.across)
            self.line(f"{name} = {found.code}")
            table = self.ctx.bit_table(len(graph.neighbours))
            # All places of an area share it: one flood answers for each of them.
            self.line(f"for place in {table}[{name}]: {memory}[place] = {name}")
        return bits(name, len(graph.neighbours))

    def _x_Grown(self, e: m.Grown) -> V:
        graph = self.ctx.graphs[e.graph]
        size = len(graph.neighbours)
        self.ctx.helper("grown")
        ground = self.ctx.make(("ground", e.graph), "G", lambda: self.ctx.support.ground(graph, origin(graph)))
        code = f"grown({self.cells}, {ground}, {self._neighbours(e.graph)})"
        steps = str(1 + self.ctx.layout.pieces // 4)
        if self.cells != "C":
            self.count(steps)
            return bits(code, size)
        name, memory = self.temp(), self.temp()
        self.line(f"{memory} = R[{MEMORY}]")
        self.line(f"if {memory}[0] is not C: forget({memory}, C)")
        self.line(f"{memory} = {memory}[{self.ctx.remembered.place[f'map {e.graph}']}]")
        self.line(f"{name} = {memory}.get(0)")
        with self.inside(f"if {name} is None:"):
            self.count(steps)
            self.line(f"{name} = {memory}[0] = {code}")
        return bits(name, size)

    def _x_ReachFrom(self, e: m.ReachFrom) -> V:
        graph = self.ctx.graphs[e.graph]
        if e.across is not None and e.var is not None and graph.edges:
            return self._reach(graph, e.start, e.within, e.var, e.across)
        start = self.atom(e.start)
        within = str((1 << len(graph.neighbours)) - 1)
        if e.within is not None:
            within = self.settled(self.expr(e.within), e.within).code
        self.ctx.helper("flood")
        code = f"flood({self._neighbours(e.graph)}, {start.code}, {within})"
        size = len(graph.neighbours)
        self.count(str(size * (1 + self.words(bits("", size)) // OPERATIONS)))
        return bits(self.unless_null(code, [start.code] if start.null else [], "0"), len(graph.neighbours))

    def _reach(self, graph: m.Graph, start_e: m.Expr, within: m.Expr | None, var: str, across: m.Expr) -> V:
        """A flood over edges for which a condition holds."""
        start = self.atom(start_e)
        limit = self.hold(self.expr(within)).code if within is not None else ""
        found, wave, here = self.temp(), self.temp(), self.temp()
        edge, other = self.temp(), self.temp()
        table = self.ctx.incidences(graph.name)
        first = self.unless_null(f"1 << {start.code}", [start.code] if start.null else [], "0")
        self.line(f"{found} = {wave} = {first}")
        with self.passes(f"while {wave}:"):
            self.line(f"{here} = {wave}.bit_length() - 1")
            self.line(f"{wave} ^= 1 << {here}")
            member = number(edge, 0, len(graph.edges) - 1)
            header = f"for {edge}, {other} in {table}[{here}]:"
            count = f"len({table}[{here}]) + 1"
            with self.passes(header, count) as level, self.binding(var, member, level):
                self.operations += 4 + 4 * self.words(bits(found, len(graph.neighbours)))
                self.line(f"if {found} >> {other} & 1: continue")
                if limit:
                    self.line(f"if not {limit} >> {other} & 1: continue")
                self.guard(across, "continue")
                self.line(f"{found} |= 1 << {other}")
                self.line(f"{wave} |= 1 << {other}")
        return bits(found, len(graph.neighbours))

    # ------------------------------------------------------------------------------------------ regions

    def _x_Canon(self, e: m.Canon) -> V:
        of, nulls = self._key(e.of)
        place = self.ctx.layout.merged[e.merged]
        if of.living:
            return of
        code = self.unless_null(f"{self.cells}[{place.rep} + {of.code}]", nulls)
        return V(code, "n", of.null, 0, place.size - 1, living=True)

    def _x_PlacesOf(self, e: m.PlacesOf) -> V:
        place = self.ctx.layout.merged[e.merged]
        v = self._x_Canon(m.Canon(e.merged, e.region))
        nulls = []
        if v.null:
            v = self.hold(v)
            nulls = [v.code]
        return bits(self.unless_null(f"{self.cells}[{place.members} + {v.code}]", nulls, "0"), place.size)

    def _x_RegionsBeside(self, e: m.RegionsBeside) -> V:
        region, nulls = self._key(e.region)
        self.ctx.helper("beside")
        size = self.ctx.layout.merged[e.merged].size
        code = self.unless_null(f"beside({self.cells}, {e.merged!r}, {region.code})", nulls, "0")
        self.count(str(size))
        return V(code, "s", bits=size, living=True)

    def _x_Ahead(self, e: m.Ahead) -> V:
        start, steps = self.atom(e.start), self.atom(e.steps)
        size = len(self.ctx.graphs[e.graph].neighbours)
        nulls = [start.code] if start.null else []
        test = self.present(nulls)
        if steps.null:
            test = " and ".join(filter(None, [test, f"{steps.code} != {N}"]))
        if not e.merged:
            code = f"(({start.code} + {steps.code}) % {size})"
        else:
            self.ctx.helper("ahead")
            code = f"ahead({self.cells}, {e.merged!r}, {size}, {start.code}, {steps.code})"
            self.count(str(size))
        return V(f"({code} if {test} else {N})" if test else code, "n", bool(test), 0, size - 1, living=True)
