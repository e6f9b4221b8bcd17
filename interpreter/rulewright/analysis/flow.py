"""What expressions read and instructions write, so that consequences look on only when they are concerned.

Things are named by tokens: ``field x``, ``zone z``, ``merged R``, ``player`` (who is in the game), ``where`` (any
piece moved), ``side`` (any piece turned). The answer may be too large, never too small.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass

from rulewright.analysis.world import World
from rulewright.program import model as m


def parts(node: object) -> Iterator[object]:
    """The direct parts of a node of the program."""
    if is_dataclass(node):
        for f in fields(node):
            held = getattr(node, f.name)
            if isinstance(held, tuple):
                yield from held
            else:
                yield held


def nodes(node: object) -> Iterator[object]:
    """A node and everything inside it."""
    todo = [node]
    while todo:
        at = todo.pop()
        if is_dataclass(at):
            yield at
            todo.extend(parts(at))


class Flow:
    """Reads and writes of a program under construction."""

    def __init__(
        self,
        world: World,
        queries: Mapping[str, m.QueryDef],
        areas: Mapping[str, m.AreaMap],
    ) -> None:
        self.world, self.queries, self.areas = world, queries, areas
        self._reads: dict[str, frozenset[str]] = {}
        # Queries were made after those they ask, so that this never goes deep.
        for name, query in queries.items():
            self._named(name, query.body)

    def reads(self, expr: object) -> frozenset[str]:
        """Tokens an expression depends on."""
        found: set[str] = set()
        for node in nodes(expr):
            match node:
                case m.FieldGet(field):
                    found.add(f"field {field}")
                case m.ZoneGet(zone) | m.ZoneList(zone) | m.Top(zone):
                    found.add(f"zone {zone}")
                case m.Alive(universe):
                    if universe == "Player":
                        found.add("player")
                    elif self.world.is_merged(universe):
                        found.add(f"merged {universe}")
                case m.ClockwiseFrom():
                    found.add("player")
                case m.Canon(merged) | m.PlacesOf(merged) | m.RegionsBeside(merged):
                    found.add(f"merged {merged}")
                case m.Ahead(merged=merged) if merged:
                    found.add(f"merged {merged}")
                case m.PlaceOf() | m.SlotOf() | m.InZone():
                    found.add("where")
                case m.SideOf():
                    found.add("side")
                case m.Component(area):
                    found |= self._named(f"area {area}", self.areas[area].across)
                case m.Ask(query) if query in self.queries:
                    found |= self._named(query, self.queries[query].body)
                case _:
                    pass
        return frozenset(found)

    def _named(self, name: str, body: m.Expr) -> frozenset[str]:
        if name not in self._reads:
            self._reads[name] = frozenset()  # a circle adds nothing
            self._reads[name] = self.reads(body)
        return self._reads[name]

    def writes(self, instructions: Iterable[m.Instr], functions: Mapping[str, frozenset[str]]) -> frozenset[str]:
        """Tokens that some instructions may change; `functions` tells it for the effects they call."""
        found: set[str] = set()
        for instruction in instructions:
            match instruction:
                case m.SetField(field):
                    found.add(f"field {field}")
                case m.SwapItems(zone, field):
                    found |= {f"zone {zone}", "where"} if zone else {f"field {field}"}
                case m.Reset(names):
                    found |= {f"field {n}" for n in names}
                case m.Move(zone=zone):
                    found |= self._moved(zone) | {"where", "side"}
                case m.Turn():
                    found.add("side")
                case m.Join(merged):
                    found |= {f"merged {merged}", "where"}
                    found |= {f"zone {n}" for n, z in self.world.zones.items() if merged in z.index}
                    found |= {f"field {n}" for n, f in self.world.fields.items() if merged in f.index}
                case m.PutOut():
                    found.add("player")
                case m.Invoke(function):
                    found |= functions.get(function, frozenset())
                case _:
                    pass
        return frozenset(found)

    def _moved(self, zone: str) -> set[str]:
        kinds = self.world.zones[zone].type.kinds
        return {
            f"zone {name}"
            for name, info in self.world.zones.items()
            if not kinds or not info.type.kinds or self.world.overlap(kinds, info.type.kinds)
        }
