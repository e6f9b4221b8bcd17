"""EXM105: a list in which a number is looked up that can be too large for it."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.examination.examined_program import ExaminedProgram
from rulewright.examination.findings import Suspect
from rulewright.ir import model as m
from rulewright.ir.walk import nodes
from rulewright.syntax import ast

_GROWING = 6
"""Places beside one of a growing map, which is made of hexes."""


def short_lists(examined: ExaminedProgram) -> Iterator[Suspect]:
    """A list of numbers is asked for as many as there are places beside one, or words, and has no entry for all."""
    for name, part in _parts(examined):
        for node in nodes(part):
            if not isinstance(node, m.Item) or not isinstance(node.list, m.ListConst):
                continue
            most, entries = _most(examined, node.at), len(node.list.values)
            if most is not None and 1 < entries <= most:
                yield Suspect(
                    "EXM105",
                    name,
                    "list",
                    f"this list has entries for 0 to {entries - 1}, but {most} can be counted: it gives none then",
                    f"it needs {most + 1} entries",
                    kinds=(ast.ListOf,),
                    words=frozenset(str(abs(number)) for number in node.list.values),
                )


def _parts(examined: ExaminedProgram) -> Iterator[tuple[str, object]]:
    yield from ((query.name, query.body) for query in examined.program.queries)
    yield from ((f.name, i) for f in examined.program.functions for i in f.code)


def _most(examined: ExaminedProgram, at: m.Expr) -> int | None:
    """The largest number of places beside one, or of words, that an index can be; None if it is something else."""
    match at:
        case m.Fold("count", (m.Bound(_, source),)) | m.Size(source):
            inner = source
        case m.CallQuery(query):
            return _most(examined, examined.queries[query].body)
        case _:
            return None
    while isinstance(inner, m.Filter):
        inner = inner.source
    if isinstance(inner, m.Alive):
        return next((u.size for u in examined.program.universes if u.name == inner.universe and u.sort == "enum"), None)
    if not isinstance(inner, m.NeighboursOf):
        return None
    graph = next(g for g in examined.program.graphs if g.name == inner.graph)
    return _GROWING if graph.shape == "growing" else max((n.bit_count() for n in graph.neighbours), default=0)


__all__ = ["short_lists"]
