"""Code for the map: neighbours, ways, areas, regions."""

from __future__ import annotations

from dataclasses import replace

from rulewright.engine.codegen.expressions.expression_writer import ExpressionWriter
from rulewright.engine.codegen.value_ranges import N, V, bits, literal, number, truth
from rulewright.ir import model as m
from rulewright.ir.graphs import Ways, against, origin, rays, rising, walks
from rulewright.ir.model import NONE

FAR = 12
"""Ways of fewer steps are looked up."""


def _both_ways(towards: Ways) -> tuple[Ways, ...]:
    """The walks, and after them those against each direction, so that a negative index counts steps back."""
    return (*walks(towards, FAR), *reversed(walks(against(towards), FAR)[1:]))


class MapCode:
    """Code for the expressions over graphs."""

    def __init__(self, x: ExpressionWriter) -> None:
        self.x, self.w, self.ctx = x, x.w, x.ctx

    def _key(self, e: m.Expr) -> tuple[V, list[str]]:
        v = self.x.value(e)
        if v.null:
            v = self.w.hold(v)
        return v, [v.code] if v.null else []

    def _neighbours(self, graph: str) -> str:
        return self.ctx.make(("neighbours", graph), "G", lambda: tuple(self.ctx.graphs[graph].neighbours))

    def _x_NeighboursOf(self, e: m.NeighboursOf) -> V:
        place, nulls = self._key(e.place)
        size = len(self.ctx.graphs[e.graph].neighbours)
        return bits(self.w.unless_null(f"{self._neighbours(e.graph)}[{place.code}]", nulls, "0"), size)

    def _x_Towards(self, e: m.Towards) -> V:
        graph = self.ctx.graphs[e.graph]
        place, direction, steps = self.x.atom(e.place), self.x.atom(e.direction), self.x.atom(e.steps)
        table = self.ctx.make(("towards", e.graph), "W", lambda: graph.towards)
        size = len(graph.neighbours)
        nulls = [v.code for v in (place, direction) if v.null]
        if steps.constant == 1:
            return number(self.w.unless_null(f"{table}[{direction.code}][{place.code}]", nulls), 0, size - 1, True)
        if steps.low > -FAR and steps.high < FAR and not steps.null:
            if steps.low >= 0:
                ways = self.ctx.make(("walks", e.graph), "W", lambda: tuple(walks(graph.towards, FAR)))
            else:
                ways = self.ctx.make(("both ways", e.graph), "W", lambda: _both_ways(graph.towards))
            return number(
                self.w.unless_null(f"{ways}[{steps.code}][{direction.code}][{place.code}]", nulls), 0, size - 1, True
            )
        name, left = self.w.temp(), self.w.temp()
        self.w.line(f"{name} = {N}")
        counted = [f"{steps.code} != {N}"] if steps.null else []
        with self.w.inside(f"if {' and '.join(filter(None, [self.w.present(nulls), *counted])) or True}:"):
            self.w.line(f"{name} = {place.code}")
            self.w.line(f"{left} = {steps.code}")
            if steps.low < 0:
                ways = self.w.temp()
                back = self.ctx.make(("back", e.graph), "W", lambda: against(graph.towards))
                self.w.line(f"{ways} = {table} if {left} >= 0 else {back}")
                self.w.line(f"if {left} < 0: {left} = -{left}")
                table = ways
            with self.w.inside(f"while {left} and {name} >= 0:"):
                self.w.line(f"{name} = {table}[{direction.code}][{name}]")
                self.w.line(f"{left} -= 1")
        return number(name, 0, size - 1, True)

    def _x_Ray(self, e: m.Ray) -> V:
        graph = self.ctx.graphs[e.graph]
        table = self.ctx.make(
            ("rays", e.graph), "Y", lambda: tuple(rays(graph, direction) for direction in range(len(graph.towards)))
        )
        place, direction = self.x.atom(e.place), self.x.atom(e.direction)
        nulls = [v.code for v in (place, direction) if v.null]
        found = self.w.hold(
            bits(self.w.unless_null(f"{table}[{direction.code}][{place.code}]", nulls, "0"), len(graph.neighbours))
        )
        if e.before is None:
            return found
        before = self.w.hold(self.x.expr(e.before))
        nearest = self._nearest(e.graph, direction, f"{found.code} & {before.code}")
        name = self.w.temp()
        self.w.line(f"{name} = {nearest}")
        left = f"{found.code} & ~{table}[{direction.code}][{name}] & ~(1 << {name})"
        self.w.line(f"{name} = {left} if {name} >= 0 else {found.code}")
        return bits(name, len(graph.neighbours))

    def _x_Nearest(self, e: m.Nearest) -> V:
        direction = self.x.atom(e.direction)
        of = self.x.settled(self.x.expr(e.of), e.of)
        code = self._nearest(e.graph, direction, of.code)
        code = self.w.unless_null(code, [direction.code] if direction.null else [])
        return number(code, 0, len(self.ctx.graphs[e.graph].neighbours) - 1, True)

    def _nearest(self, graph: str, direction: V, of: str) -> str:
        """The code of the nearest of some places in a direction."""
        ups = self.ctx.make(("rising", graph), "U", lambda: tuple(map(bool, rising(self.ctx.graphs[graph]))))
        self.ctx.helper("nearest")
        return f"nearest({ups}[{direction.code}], {of})"

    def _x_DistanceOf(self, e: m.DistanceOf) -> V:
        graph = self.ctx.graphs[e.graph]
        (a, null_a), (b, null_b) = self._key(e.start), self._key(e.end)
        table = self.ctx.make(("distance", e.graph), "D", lambda: graph.distance)
        unreachable = any(NONE in row for row in graph.distance)
        code = self.w.unless_null(f"{table}[{a.code}][{b.code}]", null_a + null_b)
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
        code = self.w.unless_null(f"{table}[{a.code}].get({b.code}, {N})", null_a + null_b)
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
        return bits(self.w.unless_null(f"{table}[{place.code}]", nulls, "0"), len(graph.edges))

    def _x_Component(self, e: m.Component) -> V:
        area = self.ctx.areas[e.area]
        graph = next(g for g in self.ctx.graphs.values() if g.place == area.place)
        if self.w.cells != "C":
            return self._reach(graph, self.x.atom(e.place), None, area.var, area.across)
        known = self.ctx.memo_layout.numbers[f"area {e.area}"]
        start = self.x.atom(e.place)
        name, memory = self.w.temp(), self.w.temp()
        self.w.line(f"{memory} = R.memo")
        self.w.line(f"if {memory}[0] is not C: forget({memory}, C)")
        self.w.line(f"{memory} = {memory}[{known}]")
        missing = f"{name} is None and {start.code} >= 0" if start.null else f"{name} is None"
        self.w.line(
            f"{name} = {memory}.get({start.code}{', 0 if ' + start.code + ' < 0 else None' if start.null else ''})"
        )
        with self.w.inside(f"if {missing}:"):
            found = self._reach(graph, start, None, area.var, area.across)
            self.w.line(f"{name} = {found.code}")
            table = self.ctx.bit_table(len(graph.neighbours))
            # All places of an area share it: one flood finds it for each of them.
            self.w.line(f"for place in {table}[{name}]: {memory}[place] = {name}")
        return bits(name, len(graph.neighbours))

    def _x_Grown(self, e: m.Grown) -> V:
        graph = self.ctx.graphs[e.graph]
        size = len(graph.neighbours)
        self.ctx.helper("grown")
        ground = self.ctx.make(("ground", e.graph), "G", lambda: self.ctx.layout.ground(graph.place, origin(graph)))
        code = f"grown({self.w.cells}, {ground}, {self._neighbours(e.graph)})"
        if self.w.cells != "C":
            return bits(code, size)
        name, memory = self.w.temp(), self.w.temp()
        self.w.line(f"{memory} = R.memo")
        self.w.line(f"if {memory}[0] is not C: forget({memory}, C)")
        self.w.line(f"{memory} = {memory}[{self.ctx.memo_layout.numbers[f'map {e.graph}']}]")
        self.w.line(f"{name} = {memory}.get(0)")
        with self.w.inside(f"if {name} is None:"):
            self.w.line(f"{name} = {memory}[0] = {code}")
        return bits(name, size)

    def _x_ReachFrom(self, e: m.ReachFrom) -> V:
        graph = self.ctx.graphs[e.graph]
        if e.across is not None and e.var is not None and graph.edges:
            return self._reach(graph, self.x.atom(e.start), e.within, e.var, e.across)
        start = self.x.atom(e.start)
        within = literal((1 << len(graph.neighbours)) - 1)
        if e.within is not None:
            within = self.x.settled(self.x.expr(e.within), e.within).code
        self.ctx.helper("flood")
        code = f"flood({self._neighbours(e.graph)}, {start.code}, {within})"
        return bits(self.w.unless_null(code, [start.code] if start.null else [], "0"), len(graph.neighbours))

    def _x_Reaches(self, e: m.Reaches) -> V:
        """A flood over edges stops at the first place; so does one over steps if only a set is wanted."""
        flood, where = e.source, e.where
        if not isinstance(flood, m.ReachFrom):
            return self.x.expr(m.Fold("some", (m.Bound(e.var, flood),), where, None))
        graph = self.ctx.graphs[flood.graph]
        if flood.across is not None and flood.var is not None and graph.edges:
            hit = self.w.temp()
            self.w.line(f"{hit} = False")
            self._reach(graph, self.x.atom(flood.start), flood.within, flood.var, flood.across, (e, hit))
            return truth(hit)
        goal = self._goal(e.var, where)
        if goal is None:
            return self.x.expr(m.Fold("some", (m.Bound(e.var, flood),), where, None))
        start, size = self.x.atom(flood.start), len(graph.neighbours)
        within = literal((1 << size) - 1) if flood.within is None else self.x.expr(flood.within).code
        self.ctx.helper("meets")
        code = f"meets({self._neighbours(graph.name)}, {start.code}, {within}, {goal})"
        return truth(self.w.unless_null(code, [start.code] if start.null else [], "False"))

    def _goal(self, var: str, where: m.Expr) -> str | None:
        """The code of the set of all members for which a condition holds, if it is one."""
        match where:
            case m.Contains(collection, m.Var(name), False) if name == var and var not in self.ctx.facts.free(
                collection
            ):
                return self.w.hold(self.x.expr(collection)).code
            case m.Cmp("eq", m.Var(name), other, nothing=False) if name == var and var not in self.ctx.facts.free(
                other
            ):
                v = self.x.atom(other)
                return self.w.unless_null(self.w.single_bit(v), [v.code] if v.null else [], "0")
            case _:
                return None

    def _x_Closure(self, e: m.Closure) -> V:
        start, size = self.x.atom(e.start), self.ctx.layout.sizes[e.universe]
        limit = self.w.hold(self.x.expr(e.within)).code if e.within is not None else ""
        found, wave, here = self.w.temp(), self.w.temp(), self.w.temp()
        first = self.w.unless_null(f"1 << {start.code}", [start.code] if start.null else [], "0")
        self.w.line(f"{found} = {wave} = {first}")
        with self.w.passes(f"while {wave}:"):
            one = f"for {here} in ({wave}.bit_length() - 1,):"
            with self.w.passes(one) as level, self.w.binding(e.var, number(here, 0, size - 1), level):
                self.w.line(f"{wave} ^= 1 << {here}")
                step = self.x.settled(self.x.expr(e.step), e.step).code
                new = self.w.temp()
                self.w.line(f"{new} = {step} & ~{found}{f' & {limit}' if limit else ''}")
                self.w.line(f"{found} |= {new}")
                self.w.line(f"{wave} |= {new}")
        return bits(found, size)

    def _reach(
        self,
        graph: m.Graph,
        start: V,
        within: m.Expr | None,
        var: str,
        across: m.Expr,
        until: tuple[m.Reaches, str] | None = None,
    ) -> V:
        """A flood over edges for which a condition holds; it stops if something holds, which a variable then holds."""
        limit = self.w.hold(self.x.expr(within)).code if within is not None else ""
        found, wave, here = self.w.temp(), self.w.temp(), self.w.temp()
        edge, other = self.w.temp(), self.w.temp()
        table = self.ctx.incidences(graph.name)
        first = self.w.unless_null(f"1 << {start.code}", [start.code] if start.null else [], "0")
        self.w.line(f"{found} = {wave} = {first}")
        if until is not None:
            with self.w.inside(f"if {self.w.present([start.code] if start.null else []) or True}:"):
                self._stop(until, start, wave, "")
        with self.w.passes(f"while {wave}:"):
            self.w.line(f"{here} = {wave}.bit_length() - 1")
            self.w.line(f"{wave} ^= 1 << {here}")
            member = number(edge, 0, len(graph.edges) - 1)
            header = f"for {edge}, {other} in {table}[{here}]:"
            with self.w.passes(header) as level, self.w.binding(var, member, level):
                self.w.line(f"if {found} >> {other} & 1: continue")
                if limit:
                    self.w.line(f"if not {limit} >> {other} & 1: continue")
                self.x.guard(across, "continue")
                if until is not None:
                    self._stop(until, number(other, 0, len(graph.neighbours) - 1), wave, "; break")
                self.w.line(f"{found} |= 1 << {other}")
                self.w.line(f"{wave} |= 1 << {other}")
        return bits(found, len(graph.neighbours))

    def _stop(self, until: tuple[m.Reaches, str], place: V, wave: str, leave: str) -> None:
        """Let nothing wait any more if a condition holds for a place."""
        goal, hit = until
        with self.w.binding(goal.var, replace(place, null=False), len(self.w.opened)):
            holds = self.w.condition(self.x.expr(goal.where))
        self.w.line(f"if {holds}: {hit} = True; {wave} = 0{leave}")

    # ------------------------------------------------------------------------------------------ regions

    def _x_Canon(self, e: m.Canon) -> V:
        of, nulls = self._key(e.of)
        place = self.ctx.layout.merged[e.merged]
        if of.living:
            return of
        code = self.w.unless_null(f"{self.w.cells}[{place.rep} + {of.code}]", nulls)
        return V(code, "n", of.null, 0, place.size - 1, living=True)

    def _x_PlacesOf(self, e: m.PlacesOf) -> V:
        place = self.ctx.layout.merged[e.merged]
        v = self._x_Canon(m.Canon(e.merged, e.region))
        nulls = []
        if v.null:
            v = self.w.hold(v)
            nulls = [v.code]
        return bits(self.w.unless_null(f"{self.w.cells}[{place.members} + {v.code}]", nulls, "0"), place.size)

    def _x_RegionsBeside(self, e: m.RegionsBeside) -> V:
        region, nulls = self._key(e.region)
        self.ctx.helper("beside")
        size = self.ctx.layout.merged[e.merged].size
        code = self.w.unless_null(f"beside({self.w.cells}, {e.merged!r}, {region.code})", nulls, "0")
        return V(code, "s", bits=size, living=True)

    def _x_Ahead(self, e: m.Ahead) -> V:
        start, steps = self.x.atom(e.start), self.x.atom(e.steps)
        size = len(self.ctx.graphs[e.graph].neighbours)
        nulls = [start.code] if start.null else []
        test = self.w.present(nulls)
        if steps.null:
            test = " and ".join(filter(None, [test, f"{steps.code} != {N}"]))
        if not e.merged:
            code = f"(({start.code} + {steps.code}) % {size})"
        else:
            self.ctx.helper("ahead")
            code = f"ahead({self.w.cells}, {e.merged!r}, {size}, {start.code}, {steps.code})"
        return V(f"({code} if {test} else {N})" if test else code, "n", bool(test), 0, size - 1, living=bool(e.merged))
