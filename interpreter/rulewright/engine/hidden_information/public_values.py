"""Values that everybody may know, because they are worked out only from what all players see.

Found from the program alone, so an answer holds in every state. It may be too careful, never too generous: a value is
public only if each read of the state is.
"""

from __future__ import annotations

from typing import cast, get_args

from rulewright.engine.runtime.machine import Engine
from rulewright.ir import model as m
from rulewright.ir.walk import children, deep_recursion

_STATE_READS = frozenset(get_args(m.StateRead))


def is_public(engine: Engine, value: m.Expr) -> bool:
    """True if everybody may know the value of an expression without locals, whatever its variables stand for."""
    known = engine.cache("public values")
    if id(value) not in known:
        with deep_recursion():
            known[id(value)] = value, _PublicReads(engine).all_in(value)
    found: tuple[m.Expr, bool] = known[id(value)]
    return found[1]


class _PublicReads:
    """Looks through expressions, and the queries and areas that they ask."""

    def __init__(self, engine: Engine) -> None:
        program = engine.program
        everyone = m.Const((1 << engine.layout.sizes["Player"]) - 1)

        def seen(declared: m.Zone | m.Field, *facets: str) -> bool:
            return any(a.by == everyone and a.facet in ("all", *facets) for a in declared.audiences)

        self.fields = {f.name for f in program.fields if seen(f, "face")}
        self.faces = {z.name for z in program.zones if seen(z, "face") and not z.faced}
        self.counts = {z.name for z in program.zones if seen(z, "face", "back", "count")}
        self.zones = program.zones
        self.bodies: dict[str, m.Expr] = {q.name: q.body for q in program.queries}
        self.bodies |= {f"area {a.name}": a.across for a in program.areas}
        self.places = {g.name: g.place for g in program.graphs}
        self.named: dict[str, bool] = {}

    def all_in(self, e: m.Expr) -> bool:
        """True if everything that an expression reads is seen by everybody."""
        match e:
            case m.Local():
                return False
            case m.Size(m.ZoneGet(zone, index) | m.ZoneList(zone, index)):
                return zone in self.counts and all(self.all_in(key) for key in index)
        own = type(e) not in _STATE_READS or self._read(cast(m.StateRead, e))
        return own and all(self.all_in(part) for part in children(e))

    def _read(self, e: m.StateRead) -> bool:
        match e:
            case m.FieldGet(field):
                return field in self.fields
            case m.ZoneGet(zone) | m.ZoneList(zone) | m.Top(zone):
                return zone in self.faces
            case m.InZone(zones):
                return self.faces.issuperset(zones)
            case m.PlaceOf(universe):
                return self._all_at(universe)
            case m.Grown(graph):
                return self._all_at(self.places[graph])
            case m.SlotOf() | m.SideOf():
                return self.faces.issuperset(zone.name for zone in self.zones)
            case m.Component(area):
                return self._named(f"area {area}")
            case m.CallQuery(query):
                return self._named(query)
            case _:
                return True  # who is still in the game, and which places have become one region: all see it

    def _all_at(self, universe: str) -> bool:
        """True if all zones of the members of a universe lie open."""
        return all(zone.name in self.faces for zone in self.zones if zone.index == (universe,))

    def _named(self, name: str) -> bool:
        if name not in self.bodies:
            return False
        if name not in self.named:
            self.named[name] = True  # a cycle adds nothing
            self.named[name] = self.all_in(self.bodies[name])
        return self.named[name]
