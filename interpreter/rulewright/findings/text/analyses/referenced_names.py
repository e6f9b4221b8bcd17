"""The names that parts of programs mention, found once for each function and query."""

from __future__ import annotations

from collections import defaultdict

from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.foundation.memo import memoized_by_node
from rulewright.ir import model as m
from rulewright.ir.reads import Aspect, all_reads


@dataclass(frozen=True, slots=True)
class ReferencedNames:
    """The names in a part of a program."""

    fields: frozenset[str]
    zones: frozenset[str]
    inside: frozenset[str]
    """Zones in conditions whether a piece lies there."""
    asks: frozenset[str]
    """The queries that it asks, and ``area x`` for each area."""


def names_in(part: object) -> ReferencedNames:
    """The names in a tree."""
    found: defaultdict[Aspect, set[str]] = defaultdict(set)
    for read in all_reads(part):
        found[read.aspect].add(read.callee or read.name)
    zones = found["pieces"] | found["order"] | found["contents"]
    asks = found["query"] | found["area"]
    return ReferencedNames(*map(frozenset, (found["field"], zones, found["in"], asks)))


@memoized_by_node
def names_in_part(part: m.Function | m.QueryDef) -> ReferencedNames:
    """The names in a function or query."""
    return names_in(part)
