"""Features that follow from the rules as expressions of their own language, so that machine code evaluates them.

Each is a query about a player that is added to a program: what the rules rate players by, amounts in fields, pieces in
zones, and *prospects*, which give a slope to what the rules count all at once.

A prospect is the value of a relaxed plan (B. Bonet, H. Geffner, *Planning as heuristic search*, Artificial Intelligence
129, 2001): where a query of the rules looks at the component of a place that is joined across open edges (an area), it
is evaluated again as if the edges at some distance around a piece were shut, whatever that would take. The gain is
divided by the number of the edges that are still open, one more: the answers that are missing at least.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from hashlib import blake2b
from operator import or_

from rulewright.engine import Engine
from rulewright.ir import NONE, Rewriter, nodes, queries_asked
from rulewright.ir import model as m

RADII = 1, 2
"""The distances of the edges that are shut around a piece."""
PARTS = 60
"""A prospect is counted in such parts."""
LEARNT_QUERY = "what was learnt"
UNIT = 1 << 14
"""A weighed sum of 1 is so much as a whole number."""
_NUMBER, _PLAYER, _CENTRE = m.Ty("int"), m.Ty("entity", "Player"), "relaxed around"
_ME = m.Var("p")


def with_queries(program: m.Program, queries: tuple[m.QueryDef, ...]) -> m.Program:
    """A program with some queries more: its states are those of the other one."""
    digest = blake2b(repr((program.digest, queries)).encode(), digest_size=16).hexdigest()
    return replace(program, queries=(*program.queries, *queries), digest=digest)


class DerivedQueries:
    """The features of a program, by name, and the queries that they need."""

    def __init__(self, program: m.Program) -> None:
        self._program = program
        self._known = {query.name: query for query in program.queries}
        self._seats = {"Player": _ME} | {
            table.ty.universe: m.Attr(table.name, _ME)
            for table in program.tables
            if table.universe == "Player" and table.name == f"Player.{table.ty.universe}"
        }
        """The expressions for what a player stands for, by universe: itself, or its party."""
        self._owner = next(
            (one for one in program.tables if one.universe == "Piece" and one.ty.universe in self._seats), None
        )
        self.helpers: dict[str, m.QueryDef] = {}
        self.features: dict[str, m.QueryDef] = {}
        """The features: of each a query about a player."""
        rates = [query for query in program.queries if _rates(query)]
        found = (*_ratings(rates), *self._fields(), *self._pieces(), *self._prospects(rates))
        for name, body in found:
            self.features[name] = m.QueryDef(f"feature {name}", (m.Slot("p", _PLAYER),), _NUMBER, body)

    @property
    def program(self) -> m.Program:
        """The program with all features."""
        return with_queries(self._program, (*self.helpers.values(), *self.features.values()))

    def weighed(self, factors: Sequence[float]) -> m.Program:
        """The program with a query for the weighed sum of all features, in parts of :data:`UNIT`."""
        total: m.Expr = m.Const(0)
        used = []
        for feature, factor in zip(self.features.values(), factors, strict=True):
            if whole := round(factor * UNIT):
                used.append(feature)
                total = m.Arith("add", total, m.Arith("mul", m.Const(whole), m.CallQuery(feature.name, (_ME,))))
        learnt = m.QueryDef(LEARNT_QUERY, (m.Slot("p", _PLAYER),), _NUMBER, total)
        return with_queries(self._program, (*self.helpers.values(), *used, learnt))

    def _fields(self) -> Iterator[tuple[str, m.Expr]]:
        """Numbers in fields with one key, for a seat, and how often a seat is a value."""
        for field in self._program.fields:
            if field.is_internal or len(field.index) != 1:
                continue
            (key,) = field.index
            if key in self._seats and field.ty.kind == "int":
                yield f"{field.name}[p]", m.FieldGet(field.name, (self._seats[key],))
            elif field.ty.kind == "entity" and field.ty.universe in self._seats and key not in ("Piece", *self._seats):
                place = m.Var("of")
                holds = m.Cmp("eq", m.FieldGet(field.name, (place,)), self._seats[field.ty.universe])
                yield f"count({field.name} is p)", m.Fold("count", (m.Bound("of", m.Alive(key)),), holds, None)

    def _pieces(self) -> Iterator[tuple[str, m.Expr]]:
        """The pieces in zones with a key for seats and what is printed on them, added up; one's own in the others."""
        members = {kind.name: kind.members for kind in self._program.kinds}
        for zone in self._program.zones:
            held = reduce(or_, (members[kind] for kind in zone.kinds), 0)
            if zone.is_internal or zone.name == "box":
                continue
            if len(zone.index) == 1 and zone.index[0] in self._seats:
                pieces = m.ZoneGet(zone.name, (self._seats[zone.index[0]],))
                yield f"size({zone.name}[p])", m.Size(pieces)
                if zone.order == "set":
                    for name, number in self._printed(held):
                        total = m.Fold("sum", (m.Bound("piece", pieces),), None, number)
                        yield f"{name} in {zone.name}[p]", total
            elif self._owner is not None:
                for kind in self._program.kinds:
                    if kind.members & held:
                        mine = self._own(kind.name, m.InZone((zone.name,), m.Var("piece")))
                        yield f"own {kind.name} in {zone.name}", m.Fold("count", *mine, None)

    def _printed(self, held: int) -> Iterator[tuple[str, m.Expr]]:
        """The numbers that are printed on each of some pieces, themselves or by a word."""
        pieces = [piece for piece in range(held.bit_length()) if held >> piece & 1]
        for table in self._program.tables:
            if table.universe != "Piece" or not pieces or any(table.values[piece] == NONE for piece in pieces):
                continue
            value = m.Attr(table.name, m.Var("piece"))
            if table.ty.kind == "int":
                yield table.name, value
            elif table.ty.kind == "entity" and table.ty.universe not in self._seats:
                for one in self._program.tables:
                    if one.universe == table.ty.universe and one.ty.kind == "int" and NONE not in one.values:
                        yield one.name, m.Attr(one.name, value)

    def _own(self, kind: str, where: m.Expr) -> tuple[tuple[m.Bound, ...], m.Expr]:
        """Binders and condition for a player's pieces of a kind."""
        assert self._owner is not None
        whose = m.Cmp("eq", m.Attr(self._owner.name, m.Var("piece")), self._seats[self._owner.ty.universe])
        return (m.Bound("piece", m.Kind(kind)),), m.And((where, whose))

    def _prospects(self, rates: list[m.QueryDef]) -> Iterator[tuple[str, m.Expr]]:
        """The prospects of all areas, for what the rules rate players by."""
        if self._owner is None:
            return
        for area in self._program.areas:
            graph = next(one for one in self._program.graphs if one.place == area.place)
            looking = [one for one in rates if one.ty.kind == "int" and self.reads(one.name, area)]
            zones = tuple(zone.name for zone in self._program.zones if zone.index == (area.place,))
            if graph.edge is None or not looking or not zones:
                continue
            kinds = sorted({kind for query in looking for kind in self._kinds(query.name)})
            for radius in RADII:
                relaxed = _Relaxed(self, area, graph, radius)
                for kind in kinds:
                    own, where = self._own(kind, m.InZone(zones, m.Var("piece")))
                    place = m.PlaceOf(area.place, m.Var("piece"))
                    missing = m.Arith("add", m.Const(1), m.CallQuery(relaxed.missing, (place,)))

                    def each(
                        gain: m.Expr,
                        own: tuple[m.Bound, ...] = own,
                        where: m.Expr = where,
                        missing: m.Expr = missing,
                    ) -> m.Expr:
                        parts = m.Arith("div_down", m.Arith("mul", m.Const(PARTS), gain), missing)
                        return m.Fold("sum", own, where, parts)

                    yield f"{area.name} around own {kind}, {radius} wide", each(m.Const(1))
                    for query in looking:
                        called = m.CallQuery(relaxed.query(query.name), (_ME, place))
                        gain = m.Arith("sub", called, m.CallQuery(query.name, (_ME,)))
                        yield f"{query.name}(p) with {area.name} around own {kind}, {radius} wide", each(gain)

    def _bodies(self, name: str) -> Iterator[m.Expr]:
        """The bodies of a query and of all that it calls."""
        query = self._known[name]
        yield query.body
        yield from (one.body for one in queries_asked(self._known, query.body).values())

    def _kinds(self, name: str) -> Iterator[str]:
        """The kinds of pieces whose members a query looks for."""
        kinds = {kind.name for kind in self._program.kinds}
        for body in self._bodies(name):
            yield from (node.name for node in nodes(body) if isinstance(node, m.Kind) and node.name in kinds)

    def known(self, name: str) -> m.QueryDef:
        """A query of the program."""
        return self._known[name]

    def reads(self, name: str, area: m.AreaMap) -> bool:
        """True if a query looks at an area, itself or by others."""
        return any(
            isinstance(node, m.Component) and node.area == area.name
            for body in self._bodies(name)
            for node in nodes(body)
        )


class _Relaxed:
    """Queries in which the edges of an area are shut at a distance around a place."""

    def __init__(self, derived: DerivedQueries, area: m.AreaMap, graph: m.Graph, radius: int) -> None:
        self._derived, self._area, self._graph = derived, area, graph
        self._name = f"{area.name}, {radius} wide"
        self._place = m.Slot(_CENTRE, m.Ty("entity", area.place))
        centre, edge = m.Var(_CENTRE), m.Var(area.var)
        around: m.Expr = m.MakeSet((centre,))
        for step in range(radius):
            beyond = m.Collect(around, f"step {step}", m.NeighboursOf(graph.name, m.Var(f"step {step}")), flat=True)
            around = m.SetOp("union", around, beyond)
        self._ball = self._add("ball", m.Ty("set", area.place), around)
        ends = (m.Attr(f"{graph.edge}.{end}", edge) for end in "ab")
        within = m.And(tuple(m.Contains(self._around, end) for end in ends))
        leaving = m.And((area.across, m.Not(within)))
        edges = (m.Bound("inside", self._reached(centre)), m.Bound(area.var, m.EdgesOf(graph.name, m.Var("inside"))))
        self.missing = self._add("missing", _NUMBER, m.Fold("count", edges, leaving, None))
        """The query for the number of edges that would have to be shut."""

    def _add(self, name: str, ty: m.Ty, body: m.Expr) -> str:
        name = f"{name}: {self._name}"
        self._derived.helpers[name] = m.QueryDef(name, (self._place,), ty, body)
        return name

    @property
    def _around(self) -> m.Expr:
        return m.CallQuery(self._ball, (m.Var(_CENTRE),))

    def _reached(self, start: m.Expr) -> m.Expr:
        return m.ReachFrom(self._graph.name, start, self._around, self._area.var, self._area.across)

    def query(self, name: str) -> str:
        """The name of the relaxed form of a query, with one parameter more."""
        relaxed = f"{name}: {self._name}"
        if relaxed not in self._derived.helpers:
            query = self._derived.known(name)
            body = Rewriter().rebuilt(query.body, {m.Component, m.CallQuery}, self._shut)
            self._derived.helpers[relaxed] = replace(
                query, name=relaxed, params=(*query.params, self._place), body=body, is_measure=False
            )
        return relaxed

    def _shut(self, node: m.Expr) -> m.Expr:
        if isinstance(node, m.CallQuery) and self._derived.reads(node.query, self._area):
            return m.CallQuery(self.query(node.query), (*node.args, m.Var(_CENTRE)))
        if isinstance(node, m.Component) and node.area == self._area.name:
            return m.IfElse(m.Contains(self._around, node.place), self._reached(node.place), node)
        return node


def _rates(query: m.QueryDef) -> bool:
    about = [(slot.ty.kind, slot.ty.universe) for slot in query.params]
    return query.name.isidentifier() and about == [("entity", "Player")] and query.ty.kind in ("int", "bool")


def _ratings(rates: list[m.QueryDef]) -> Iterator[tuple[str, m.Expr]]:
    for query in rates:
        body: m.Expr = m.CallQuery(query.name, (_ME,))
        yield f"{query.name}(p)", body if query.ty.kind == "int" else m.IfElse(body, m.Const(1), m.Const(0))


def derived_of(engine: Engine) -> DerivedQueries:
    """The features of the rules of a game, which are derived once."""
    found: DerivedQueries = engine.once("derived queries", DerivedQueries)
    return found
