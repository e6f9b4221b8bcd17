"""Rewriting of expressions: what stands below a node, or variables in it, become something else.

Functions, slots and the places of instructions stay, so frames, questions, saves and fingerprints stay, too.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from dataclasses import replace
from operator import is_
from typing import Any, Protocol, TypeVar, cast

from rulewright.foundation.tree_fields import below
from rulewright.ir import model as m

N = TypeVar("N")
Change = Callable[[Any], Any]
"""Gives what stands in the place of a node whose parts have been changed already: the same node, if nothing does."""

INSIDE: Mapping[type, tuple[str, ...]] = {
    m.LetIn: ("body",),
    m.Filter: ("where",),
    m.Leading: ("where",),
    m.Collect: ("element",),
    m.Best: ("key",),
    m.Sort: ("key",),
    m.Closure: ("step",),
    m.ReachFrom: ("across",),
    m.Reaches: ("where",),
}
"""For each kind of expression that binds a variable the parts that see it; a fold binds several in turn."""


class Step(Protocol):
    """A pass: what it makes of one node whose parts it has rewritten before."""

    name: str
    kinds: frozenset[type]
    """The kinds of nodes of which it may make others."""

    def rewritten(self, node: Any) -> Any:
        """The node that stands in its place; the same, if nothing is to be done."""

    def told(self, node: Any) -> str | None:
        """The thing to which something was done, for people; None if that is not worth telling."""


class Rewriter:
    """Rewrites the expressions of one program, and keeps in mind which of them were the bodies of queries."""

    def __init__(self) -> None:
        self._origins: dict[int, tuple[object, str]] = {}

    def origin(self, node: object) -> str:
        """The query whose body an expression is that is written where it was called; else an empty text."""
        known = self._origins.get(id(node))
        return known[1] if known is not None and known[0] is node else ""

    def mark(self, node: object, query: str) -> None:
        """Note that an expression is the body of a query; of what is no more than a leaf nobody can know."""
        if below(type(node)):
            self._origins.setdefault(id(node), (node, query))

    def rebuilt(self, node: Any, kinds: Container[type], change: Change) -> Any:
        """A node of which, and of whose parts, those of some kinds are what `change` makes of them, the parts first;
        the same node if nothing changes."""
        kind = type(node)
        if kind is tuple:
            made = tuple([self.rebuilt(one, kinds, change) for one in node])
            return node if all(map(is_, made, node)) else made
        names = below(kind)
        if not names:
            return node
        new: dict[str, Any] | None = None
        for name in names:
            before = getattr(node, name)
            if before is not None and (after := self.rebuilt(before, kinds, change)) is not before:
                new = {name: after} if new is None else {**new, name: after}
        found = node if new is None else self.moved(node, replace(node, **new))
        return self.moved(found, change(found)) if kind in kinds else found

    def changed(self, node: N, new: dict[str, Any]) -> N:
        """A node with some other parts."""
        other = {name: value for name, value in new.items() if value is not getattr(node, name)}
        return self.moved(node, replace(cast(Any, node), **other)) if other else node

    def moved(self, old: object, new: N) -> N:
        """The new node, which is known to have come from where the old one has."""
        if new is not old and (query := self.origin(old)):
            self.mark(new, query)
        return new


__all__ = ["INSIDE", "Change", "Rewriter", "Step"]
