"""A second evaluator of expressions, written from the docstrings of the model: slow, plain, and with networkx.

Values are Python values of another kind than the engine's: ``None`` for none, frozensets for sets, tuples for lists,
so that a slip in one does not hide in the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import ceil, floor
from fractions import Fraction
from itertools import product
from typing import Any

import networkx as nx

from rulewright.engine import State
from rulewright.program import model as m
from rulewright.program.model import INT_MAX, NONE

Value = Any


class Wrong(Exception):
    """The expression is an error, with the code of the engine's error."""


@dataclass
class World:
    """A state taken apart."""

    program: m.Program
    fields: dict[tuple[str, tuple[int, ...]], Value] = field(default_factory=dict)
    zones: dict[tuple[str, tuple[int, ...]], tuple[int, ...]] = field(default_factory=dict)
    """Pieces from the bottom or first slot; for sets in any order."""
    regions: dict[str, list[frozenset[int]]] = field(default_factory=dict)
    out: frozenset[int] = frozenset()
    sides: dict[int, int] = field(default_factory=dict)

    def home(self, piece: int) -> tuple[str, tuple[int, ...]]:
        return next(zone for zone, pieces in self.zones.items() if piece in pieces)

    def region(self, merged: str, place: int) -> frozenset[int]:
        return next(r for r in self.regions[merged] if place in r)


def world(state: State) -> World:
    """Take a state apart."""
    layout, C, program = state.engine.layout, state.cells, state.engine.program
    found = World(program)
    sizes = {u.name: u.size for u in program.universes}
    for declared in program.fields:
        place = layout.fields[declared.name]
        for n, keys in enumerate(product(*(range(sizes[u]) for u in declared.index))):
            at = place.at + n * place.span
            if declared.ty.kind == "list":
                value: Value = tuple(C[at + 1 : at + 1 + C[at]])
            elif declared.ty.kind == "set":
                value = bits(C[at])
            else:
                value = None if C[at] == NONE else C[at]
            found.fields[declared.name, keys] = value
    for instance in layout.instances:
        name = program.zones[instance.zone].name
        if instance.ordered:
            pieces = tuple(C[instance.at + 1 : instance.at + 1 + C[instance.at]])
        else:
            pieces = tuple(bits(C[instance.at]))
        found.zones[name, instance.keys] = pieces
    for name, place in layout.merged.items():
        found.regions[name] = [bits(C[place.members + i]) for i in range(place.size) if C[place.alive] >> i & 1]
    found.out = bits(C[layout.out])
    for piece in range(layout.pieces):
        kinds = [k for k in program.kinds if k.sides and k.members >> piece & 1]
        found.sides[piece] = C[layout.side + piece] if kinds else C[layout.down] >> piece & 1 if layout.faced else 0
    return found


def bits(mask: int) -> frozenset[int]:
    return frozenset(i for i in range(mask.bit_length()) if mask >> i & 1)


def plain(raw: Any, like: Value) -> Value:
    """A raw value of the engine in the oracle's form, guided by the oracle's value."""
    if isinstance(raw, tuple):
        return tuple(None if x == NONE else x for x in raw)
    if isinstance(like, frozenset):
        return bits(raw)
    return None if raw == NONE else raw


class Oracle:
    """Evaluates expressions in a world (and an earlier one, for ``Old``)."""

    def __init__(self, now: World, before: World | None = None) -> None:
        self.w = now
        self.before = before
        p = now.program
        self.p = p
        self.sizes = {u.name: u.size for u in p.universes}
        self.tables = {t.name: t for t in p.tables}
        self.queries = {q.name: q for q in p.queries}
        self.graphs = {g.name: g for g in p.graphs}

    def value(self, e: m.Expr, env: dict[str, Value]) -> Value:
        return getattr(self, type(e).__name__)(e, env)

    def all(self, es: tuple[m.Expr, ...], env: dict[str, Value]) -> tuple[Value, ...]:
        return tuple(self.value(e, env) for e in es)

    def truth(self, e: m.Expr, env: dict[str, Value]) -> bool:
        return self.value(e, env) == 1

    # ---------------------------------------------------------------------------------------- scalars

    def Const(self, e: m.Const, env: Any) -> Value:
        return None if e.value == NONE else e.value

    def ListConst(self, e: m.ListConst, env: Any) -> Value:
        return tuple(None if v == NONE else v for v in e.values)

    def Var(self, e: m.Var, env: Any) -> Value:
        return env[e.name]

    def Attr(self, e: m.Attr, env: Any) -> Value:
        table = self.tables[e.table]
        of = self.value(e.of, env)
        if table.ty.kind == "set":
            return frozenset() if of is None else bits(table.values[of])
        if table.ty.kind == "list":
            return () if of is None else table.values[of]
        return None if of is None or table.values[of] == NONE else table.values[of]

    def keys(self, universes: tuple[str, ...], index: tuple[m.Expr, ...], env: Any) -> tuple[Value, ...] | None:
        values = self.all(index, env)
        if None in values:
            return None
        merged = {x.name for x in self.p.merged}
        return tuple(min(self.w.region(u, v)) if u in merged else v for u, v in zip(universes, values, strict=True))

    def FieldGet(self, e: m.FieldGet, env: Any) -> Value:
        declared = next(f for f in self.p.fields if f.name == e.field)
        keys = self.keys(declared.index, e.index, env)
        if keys is None:
            return frozenset() if declared.ty.kind == "set" else () if declared.ty.kind == "list" else None
        return self.w.fields[e.field, keys]

    def number(self, value: int) -> int:
        if abs(value) > INT_MAX:
            raise Wrong("RUN005")
        return value

    def Arith(self, e: m.Arith, env: Any) -> Value:
        a, b = self.value(e.left, env), self.value(e.right, env)
        if a is None or b is None:
            return None
        match e.op:
            case "add":
                return self.number(a + b)
            case "sub":
                return self.number(a - b)
            case "mul":
                return self.number(a * b)
            case "min":
                return min(a, b)
            case "max":
                return max(a, b)
        if b == 0:
            raise Wrong("RUN004")
        return (ceil if e.op == "div_up" else floor)(Fraction(a, b))

    def Cmp(self, e: m.Cmp, env: Any) -> Value:
        a, b = self.value(e.left, env), self.value(e.right, env)
        if e.nothing:
            return int((a == b) == (e.op == "eq"))
        if a is None and b is None:
            return 0
        if a is None or b is None:
            return int(e.op == "ne")
        return int({"eq": a == b, "ne": a != b, "lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b}[e.op])

    def SetEq(self, e: m.SetEq, env: Any) -> Value:
        a, b = self.value(e.left, env), self.value(e.right, env)
        if isinstance(a, tuple):
            return int(a == b)
        return int(self.set(e.left, env) == self.set(e.right, env))

    def And(self, e: m.And, env: Any) -> Value:
        return int(all(self.truth(x, env) for x in e.items))

    def Or(self, e: m.Or, env: Any) -> Value:
        return int(any(self.truth(x, env) for x in e.items))

    def Not(self, e: m.Not, env: Any) -> Value:
        return int(not self.truth(e.operand, env))

    def IfElse(self, e: m.IfElse, env: Any) -> Value:
        return self.value(e.then if self.truth(e.condition, env) else e.otherwise, env)

    def LetIn(self, e: m.LetIn, env: Any) -> Value:
        return self.value(e.body, {**env, e.var: self.value(e.value, env)})

    def Ask(self, e: m.Ask, env: Any) -> Value:
        query = self.queries[e.query]
        values = self.all(e.args, env)
        return self.value(query.body, {s.name: v for s, v in zip(query.params, values, strict=True)})

    def Old(self, e: m.Old, env: Any) -> Value:
        assert self.before is not None
        return Oracle(self.before, self.before).value(e.of, env)

    # ---------------------------------------------------------------------------------------- sets and lists

    def Alive(self, e: m.Alive, env: Any) -> Value:
        if e.universe in self.w.regions:
            return frozenset(min(r) for r in self.w.regions[e.universe])
        size = 2 if e.universe == "Bool" else self.sizes[e.universe]
        return frozenset(range(size)) - (self.w.out if e.universe == "Player" else frozenset())

    def Kind(self, e: m.Kind, env: Any) -> Value:
        return bits(next(k.members for k in self.p.kinds if k.name == e.name))

    def SetOp(self, e: m.SetOp, env: Any) -> Value:
        a, b = self.set(e.left, env), self.set(e.right, env)
        return {"union": a | b, "inter": a & b, "minus": a - b}[e.op]

    def set(self, e: m.Expr, env: Any) -> frozenset[int]:
        """A set; constants are bit sets there."""
        v = self.value(e, env)
        return bits(v) if isinstance(v, int) else v

    def members(self, e: m.Expr, env: Any) -> list[Value]:
        v = self.value(e, env)
        return list(v) if isinstance(v, tuple) else sorted(bits(v) if isinstance(v, int) else v)

    def one(self, value: int) -> int:
        if not 0 <= value < 65536:
            raise Wrong("RUN005")
        return value

    def Contains(self, e: m.Contains, env: Any) -> Value:
        items = self.members(e.collection, env)
        item = self.value(e.item, env)
        return int(item is not None and item in items)

    def MakeSet(self, e: m.MakeSet, env: Any) -> Value:
        return frozenset(self.one(v) for v in self.all(e.items, env) if v is not None)

    def MakeList(self, e: m.MakeList, env: Any) -> Value:
        return self.all(e.items, env)

    def Span(self, e: m.Span, env: Any) -> Value:
        a, b = self.value(e.low, env), self.value(e.high, env)
        if a is None or b is None or a > b:
            return frozenset()
        if a < 0 or b > 1023:
            raise Wrong("RUN005")
        return frozenset(range(a, b + 1))

    def Size(self, e: m.Size, env: Any) -> Value:
        return len(self.members(e.of, env))

    def Single(self, e: m.Single, env: Any) -> Value:
        members = self.members(e.of, env)
        return members[0] if len(members) == 1 else None

    def First(self, e: m.First, env: Any) -> Value:
        members = self.members(e.of, env)
        return members[0] if members else None

    def Item(self, e: m.Item, env: Any) -> Value:
        items, at = self.value(e.list, env), self.value(e.at, env)
        return items[at] if at is not None and 0 <= at < len(items) else None

    def Lowest(self, e: m.Lowest, env: Any) -> Value:
        count = self.value(e.count, env)
        return frozenset(self.members(e.of, env)[: max(0, count or 0)])

    def like(self, e: Any, members: list[Value], env: Any) -> Value:
        return tuple(members) if isinstance(self.value(e.source, env), tuple) else frozenset(members)

    def Filter(self, e: m.Filter, env: Any) -> Value:
        kept = [v for v in self.members(e.source, env) if self.truth(e.where, {**env, e.var: v})]
        return self.like(e, kept, env)

    def Collect(self, e: m.Collect, env: Any) -> Value:
        found: set[int] = set()
        for v in self.members(e.source, env):
            inner = {**env, e.var: v}
            if e.flat:
                found |= self.set(e.element, inner)
            else:
                value = self.value(e.element, inner)
                if value is not None:
                    found.add(self.one(value))
        return frozenset(found)

    def combinations(self, e: m.Fold, depth: int, env: Any) -> Any:
        if depth == len(e.binds):
            if e.where is None or self.truth(e.where, env):
                yield env
            return
        bind = e.binds[depth]
        for v in self.members(bind.source, env):
            yield from self.combinations(e, depth + 1, {**env, bind.var: v})

    def Fold(self, e: m.Fold, env: Any) -> Value:
        envs = self.combinations(e, 0, env)
        match e.kind:
            case "count":
                return sum(1 for _ in envs)
            case "some" | "no":
                return int(any(True for _ in envs) == (e.kind == "some"))
            case "every":
                return int(all(self.truth(e.body, x) for x in envs))  # type: ignore[arg-type]
        values = (self.value(e.body, x) for x in envs)  # type: ignore[arg-type]
        if e.kind == "sum":
            total = 0
            for value in values:
                total = self.number(total + (value or 0))
            return total
        known = [v for v in values if v is not None]
        return (max if e.kind == "max" else min)(known, default=None)

    def Best(self, e: m.Best, env: Any) -> Value:
        keys = [(v, self.value(e.key, {**env, e.var: v})) for v in self.members(e.source, env)]
        known = [k for _, k in keys if k is not None]
        return frozenset(v for v, k in keys if v is not None and k is not None and k == max(known))

    def Sort(self, e: m.Sort, env: Any) -> Value:
        keys = [(self.value(e.key, {**env, e.var: v}), v) for v in self.members(e.source, env)]
        known = [x for x in keys if x[0] is not None]
        known.sort(key=lambda x: -x[0] if e.descending else x[0])
        return tuple(v for _, v in known) + tuple(v for k, v in keys if k is None)

    def ToList(self, e: m.ToList, env: Any) -> Value:
        return tuple(self.members(e.of, env))

    def ToSet(self, e: m.ToSet, env: Any) -> Value:
        return frozenset(self.one(v) for v in self.members(e.of, env) if v is not None)

    def ClockwiseFrom(self, e: m.ClockwiseFrom, env: Any) -> Value:
        first, n = self.value(e.player, env), self.sizes["Player"]
        return () if first is None else tuple(p for k in range(n) if (p := (first + k) % n) not in self.w.out)

    # ---------------------------------------------------------------------------------------- pieces

    def zone(self, name: str, index: tuple[m.Expr, ...], env: Any) -> tuple[int, ...]:
        declared = next(z for z in self.p.zones if z.name == name)
        keys = self.keys(declared.index, index, env)
        pieces = () if keys is None else self.w.zones[name, keys]
        return pieces[::-1] if declared.order == "stack" else pieces

    def ZoneGet(self, e: m.ZoneGet, env: Any) -> Value:
        return frozenset(self.zone(e.zone, e.index, env))

    def ZoneList(self, e: m.ZoneList, env: Any) -> Value:
        return self.zone(e.zone, e.index, env)

    def Top(self, e: m.Top, env: Any) -> Value:
        count = self.value(e.count, env)
        return self.zone(e.zone, e.index, env)[: max(0, count or 0)]

    def PlaceOf(self, e: m.PlaceOf, env: Any) -> Value:
        piece = self.value(e.piece, env)
        if piece is None:
            return None
        name, keys = self.w.home(piece)
        index = next(z.index for z in self.p.zones if z.name == name)
        found = [k for u, k in zip(index, keys, strict=True) if u == e.universe]
        return found[0] if len(found) == 1 else None

    def SlotOf(self, e: m.SlotOf, env: Any) -> Value:
        piece = self.value(e.piece, env)
        if piece is None:
            return None
        name, keys = self.w.home(piece)
        order = next(z.order for z in self.p.zones if z.name == name)
        pieces = self.w.zones[name, keys]
        return {"stack": pieces[::-1].index(piece), "row": pieces.index(piece)}.get(order)

    def InZone(self, e: m.InZone, env: Any) -> Value:
        piece = self.value(e.piece, env)
        return int(piece is not None and self.w.home(piece)[0] in e.zones)

    def SideOf(self, e: m.SideOf, env: Any) -> Value:
        piece = self.value(e.piece, env)
        return None if piece is None else self.w.sides[piece]

    # ---------------------------------------------------------------------------------------- the map

    def net(self, graph: m.Graph) -> nx.Graph[int]:
        net: nx.Graph[int] = nx.Graph()
        net.add_nodes_from(range(len(graph.neighbours)))
        for a, around in enumerate(graph.neighbours):
            net.add_edges_from((a, b) for b in bits(around))
        return net

    def NeighboursOf(self, e: m.NeighboursOf, env: Any) -> Value:
        place = self.value(e.place, env)
        return frozenset() if place is None else frozenset(self.net(self.graphs[e.graph]).neighbors(place))

    def Towards(self, e: m.Towards, env: Any) -> Value:
        place, way, steps = self.all((e.place, e.direction, e.steps), env)
        if None in (place, way, steps) or steps < 0:
            return None
        for _ in range(steps):
            place = self.graphs[e.graph].towards[way][place]
            if place == NONE:
                return None
        return place

    def DistanceOf(self, e: m.DistanceOf, env: Any) -> Value:
        a, b = self.value(e.start, env), self.value(e.end, env)
        if a is None or b is None:
            return None
        lengths = nx.single_source_shortest_path_length(self.net(self.graphs[e.graph]), a)
        return lengths.get(b)

    def EdgeBetween(self, e: m.EdgeBetween, env: Any) -> Value:
        ends = {self.value(e.start, env), self.value(e.end, env)}
        return next((n for n, edge in enumerate(self.graphs[e.graph].edges) if set(edge) == ends), None)

    def EdgesOf(self, e: m.EdgesOf, env: Any) -> Value:
        place = self.value(e.place, env)
        return frozenset(n for n, edge in enumerate(self.graphs[e.graph].edges) if place in edge)

    def open_net(self, graph: m.Graph, var: str, across: m.Expr, env: Any) -> nx.Graph[int]:
        net: nx.Graph[int] = nx.Graph()
        net.add_nodes_from(range(len(graph.neighbours)))
        net.add_edges_from(edge for n, edge in enumerate(graph.edges) if self.truth(across, {**env, var: n}))
        return net

    def Component(self, e: m.Component, env: Any) -> Value:
        place = self.value(e.place, env)
        if place is None:
            return frozenset()
        area = next(a for a in self.p.areas if a.name == e.area)
        graph = next(g for g in self.p.graphs if g.place == area.place)
        return frozenset(nx.node_connected_component(self.open_net(graph, area.var, area.across, {}), place))

    def ReachFrom(self, e: m.ReachFrom, env: Any) -> Value:
        graph = self.graphs[e.graph]
        start = self.value(e.start, env)
        within = self.set(e.within, env) if e.within is not None else frozenset(range(len(graph.neighbours)))
        if start is None:
            return frozenset()
        net = self.net(graph)
        if e.var is not None and e.across is not None and graph.edges:
            net = self.open_net(graph, e.var, e.across, env)
        return frozenset(nx.node_connected_component(net.subgraph(within | {start}), start))

    def Canon(self, e: m.Canon, env: Any) -> Value:
        of = self.value(e.of, env)
        return None if of is None else min(self.w.region(e.merged, of))

    def PlacesOf(self, e: m.PlacesOf, env: Any) -> Value:
        region = self.value(e.region, env)
        return frozenset() if region is None else self.w.region(e.merged, region)

    def RegionsBeside(self, e: m.RegionsBeside, env: Any) -> Value:
        region = self.value(e.region, env)
        if region is None:
            return frozenset()
        place = next(x.place for x in self.p.merged if x.name == e.merged)
        net = self.net(next(g for g in self.p.graphs if g.place == place))
        here = self.w.region(e.merged, region)
        around = {b for a in here for b in net.neighbors(a)} - here
        return frozenset(min(self.w.region(e.merged, b)) for b in around)

    def Ahead(self, e: m.Ahead, env: Any) -> Value:
        start, steps = self.value(e.start, env), self.value(e.steps, env)
        if start is None or steps is None:
            return None
        size = len(self.graphs[e.graph].neighbours)
        if not e.merged:
            return (start + steps) % size
        here = start
        for _ in range(abs(steps) % len(self.w.regions[e.merged])):
            region = self.w.region(e.merged, here)
            if len(region) == size:
                break
            while here in region:
                here = (here + (1 if steps > 0 else -1)) % size
        return min(self.w.region(e.merged, here))
