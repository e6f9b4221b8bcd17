"""Queries that ask themselves, written out: one query for each time, as no query of a program is in a cycle."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace
from typing import Any

from rulewright.ir import model as m

MOST = 32
"""The greatest number of times that a query may ask itself, one inside the other."""


def unfolded(query: m.QueryDef, most: int) -> tuple[m.QueryDef, ...]:
    """A query that asks itself at most so often, with those that it asks then before it; the last one is an error where
    it asks itself once more."""
    names = [query.name, *(f"{query.name} {depth}" for depth in range(1, most + 1))]
    found = [
        replace(query, name=name, body=_asking(query.body, query, most, following))
        for name, following in zip(names, [*names[1:], None], strict=True)
    ]
    return tuple(reversed(found))


def asks_itself(query: m.QueryDef) -> bool:
    """True if a query, as it is written, asks itself."""
    return _asking(query.body, query, 0, None) is not query.body


def _asking(node: Any, query: m.QueryDef, most: int, following: str | None) -> Any:
    """A tree in which another query stands for one that asks itself; parts without one are the same objects."""
    if isinstance(node, tuple):
        items = tuple(_asking(item, query, most, following) for item in node)
        return node if all(new is old for new, old in zip(items, node, strict=True)) else items
    if not is_dataclass(node) or isinstance(node, type):
        return node
    if isinstance(node, m.CallQuery) and node.query == query.name:
        if following is None:
            said = f"the query `{query.name}` asks itself more than {most} times, one inside the other"
            return m.Fault("depth", said, None, query.ty)
        return m.CallQuery(following, _asking(node.args, query, most, following))
    changed: dict[str, Any] = {}
    for one in fields(node):
        old = getattr(node, one.name)
        new = _asking(old, query, most, following)
        if new is not old:
            changed[one.name] = new
    return replace(node, **changed) if changed else node
