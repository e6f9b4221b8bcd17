"""The names that parts of programs mention, found once for each function and query."""

from __future__ import annotations

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir.walk import nodes


@dataclass(frozen=True, slots=True)
class ReferencedNames:
    """The names in a part of a program."""

    fields: frozenset[str]
    zones: frozenset[str]
    inside: frozenset[str]
    """Zones in conditions whether a piece lies there."""
    asks: frozenset[str]
    """The queries that it asks, and ``area x`` for each area."""


_TELLING = frozenset((m.FieldGet, m.ZoneGet, m.ZoneList, m.Top, m.InZone, m.CallQuery, m.Component, m.Fingerprint))
"""The classes that are looked at: most nodes are none of them."""


def names_in(part: object) -> ReferencedNames:
    """The names in a tree."""
    fields: set[str] = set()
    zones: set[str] = set()
    inside: set[str] = set()
    asks: set[str] = set()
    for node in nodes(part):
        if type(node) not in _TELLING:
            continue
        match node:
            case m.FieldGet(name):
                fields.add(name)
            case m.ZoneGet(name) | m.ZoneList(name) | m.Top(name):
                zones.add(name)
            case m.Fingerprint():
                fields.update(node.fields)
                zones.update(node.zones)
            case m.InZone():
                inside.update(node.zones)
            case m.CallQuery(name):
                asks.add(name)
            case m.Component(name):
                asks.add(f"area {name}")
            case _:
                pass
    return ReferencedNames(frozenset(fields), frozenset(zones), frozenset(inside), frozenset(asks))


@memoized_by_node
def names_in_part(part: m.Function | m.QueryDef) -> ReferencedNames:
    """The names in a function or query."""
    return names_in(part)
