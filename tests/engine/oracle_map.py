"""The part of the second evaluator that is about pieces and the map, asked of networkx."""

from __future__ import annotations

from itertools import product
from typing import Any

import networkx as nx
from oracle_world import Value, World, bits

from rulewright.engine.random_numbers import GAMMA, hash64, mix
from rulewright.ir import model as m
from rulewright.ir.model import NONE


def _words(ty: m.Ty, value: Value, sizes: dict[str, int]) -> list[int]:
    """A value as words of 64 bits: a set as its members, a list as its length and its items."""
    if ty.kind == "set":
        most = sizes.get(ty.universe, ty.high + 1)
        mask = value if isinstance(value, int) else sum(1 << member for member in value)
        return [mask >> at & 2**64 - 1 for at in range(0, max(most, 1), 64)]
    if ty.kind == "list":
        items = [len(value), *value, *[0] * (ty.capacity - len(value))]
    else:
        items = [NONE if value is None else value]
    return [item % 2**64 for item in items]


class OracleMap:
    """Pieces, zones, graphs and regions."""

    w: World
    p: m.Program
    sizes: dict[str, int]
    graphs: dict[str, m.Graph]
    nets: dict[str, nx.Graph[int]]

    def value(self, e: m.Expr, env: dict[str, Value]) -> Value:
        raise NotImplementedError

    def all(self, es: tuple[m.Expr, ...], env: dict[str, Value]) -> tuple[Value, ...]:
        raise NotImplementedError

    def truth(self, e: m.Expr, env: dict[str, Value]) -> bool:
        raise NotImplementedError

    def set(self, e: m.Expr, env: Any) -> frozenset[int]:
        raise NotImplementedError

    def keys(self, universes: tuple[str, ...], index: tuple[m.Expr, ...], env: Any) -> tuple[Value, ...] | None:
        raise NotImplementedError

    # ---------------------------------------------------------------------------------------- pieces

    def zone(self, name: str, index: tuple[m.Expr, ...], env: Any) -> tuple[int, ...]:
        declared = next(z for z in self.p.zones if z.name == name)
        keys = self.keys(declared.index, index, env)
        pieces = () if keys is None else self.w.zones[name, keys]
        return pieces[::-1] if declared.order == "stack" else pieces

    def Fingerprint(self, e: m.Fingerprint, env: Any) -> Value:
        """As docs/engine-lowering.md says it, with numbers instead of cells."""
        words: list[tuple[int, int]] = []
        at = 0
        for f in (f for name in e.fields for f in self.p.fields if f.name == name):
            for keys in product(*(range(self.sizes[u]) for u in f.index)):
                now, before = (_words(f.ty, value, self.sizes) for value in (self.w.fields[f.name, keys], f.initial))
                words += [(at + n, new) for n, (new, old) in enumerate(zip(now, before, strict=True)) if new != old]
                at += len(now)
        sided = {piece for kind in self.p.kinds if kind.sides for piece in bits(kind.members)}
        for z in (z for name in e.zones for z in self.p.zones if z.name == name):
            for keys in product(*(range(self.sizes[u]) for u in z.index)):
                for n, piece in enumerate(self.w.zones[z.name, keys]):
                    look = self.p.alike[piece] * 256 + (self.w.sides[piece] if piece in sided else 0)
                    words.append((at + 1 + n if z.order in ("stack", "row") else at, look))
                at += 1 + z.capacity if z.order in ("stack", "row") else 1
        found = []
        for lane in ("the first lane of a position", "the second lane of a position"):
            total = sum(mix(mix(hash64(lane) + n * GAMMA) ^ word) for n, word in words) % 2**64
            found += [total % 2**31, total // 2**32 % 2**31]
        return tuple(found)

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
        if graph.name in self.nets:
            return self.nets[graph.name]
        net: nx.Graph[int] = nx.Graph()
        net.add_nodes_from(range(len(graph.neighbours)))
        for a, around in enumerate(graph.neighbours):
            net.add_edges_from((a, b) for b in bits(around))
        self.nets[graph.name] = net
        return net

    def NeighboursOf(self, e: m.NeighboursOf, env: Any) -> Value:
        place = self.value(e.place, env)
        return frozenset() if place is None else frozenset(self.net(self.graphs[e.graph]).neighbors(place))

    def Towards(self, e: m.Towards, env: Any) -> Value:
        place, way, steps = self.all((e.place, e.direction, e.steps), env)
        if None in (place, way, steps):
            return None
        towards = self.graphs[e.graph].towards
        if steps < 0:
            way = (way + len(towards) // 2) % len(towards)  # directions are listed clockwise
        for _ in range(abs(steps)):
            place = towards[way][place]
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

    def Ray(self, e: m.Ray, env: Any) -> Value:
        place, direction = self.value(e.place, env), self.value(e.direction, env)
        stops = self.set(e.before, env) if e.before is not None else frozenset()
        found: set[int] = set()
        while place is not None and direction is not None:
            place = self.graphs[e.graph].towards[direction][place]
            if place == NONE or place in found or place in stops:
                break
            found.add(place)
        return frozenset(found)

    def Nearest(self, e: m.Nearest, env: Any) -> Value:
        places, direction = self.set(e.of, env), self.value(e.direction, env)
        for place in sorted(places) if direction is not None else ():
            if places - {place} <= self.Ray(m.Ray(e.graph, m.Const(place), m.Const(direction)), env):
                return place
        return None

    def Reaches(self, e: m.Reaches, env: Any) -> Value:
        return int(any(self.truth(e.where, {**env, e.var: place}) for place in self.set(e.source, env)))

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
