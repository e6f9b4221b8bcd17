"""Rewriting of expressions: what stands below a node, or variables in it, become something else.

Functions, slots and the places of instructions stay, so frames, questions, saves and fingerprints stay, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Any, Protocol

from rulewright.foundation.tree_fields import below
from rulewright.ir import model as m
from rulewright.ir.walk import nodes

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
}
"""For each kind of expression that binds a variable the parts that see it; a fold binds several in turn."""


class Step(Protocol):
    """A pass: what it makes of one node whose parts it has rewritten before."""

    name: str

    def concerns(self, node: object) -> bool:
        """True of a node of which it may make another one."""

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

    def rebuilt(self, node: Any, change: Change) -> Any:
        """The node that `change` makes of one whose parts it has changed before; the same if nothing changes."""
        if type(node) is tuple:
            made = tuple(self.rebuilt(one, change) for one in node)
            return node if all(a is b for a, b in zip(made, node, strict=True)) else made
        names = below(type(node))
        if names is None:
            return node
        new = {name: self.rebuilt(getattr(node, name), change) for name in reversed(names)}
        return self.moved(node, change(self.changed(node, new)))

    def changed(self, node: Any, new: dict[str, Any]) -> Any:
        """A node with some other parts."""
        other = {name: value for name, value in new.items() if value is not getattr(node, name)}
        return self.moved(node, replace(node, **other)) if other else node

    def moved(self, old: object, new: object) -> Any:
        """The new node, which is known to have come from where the old one has."""
        if new is not old and (query := self.origin(old)):
            self.mark(new, query)
        return new

    def substituted(self, e: m.Expr, given: Mapping[str, m.Expr]) -> m.Expr:
        """An expression with others in the place of some variables; none of theirs is bound by it."""
        free = {node.name for value in given.values() for node in nodes(value) if isinstance(node, m.Var)}
        found: m.Expr = _Substitution(self, e, free).of(e, given) if given else e
        return found


class _Substitution:
    """One substitution; variables that are bound get another name if what is put in has one of that name."""

    def __init__(self, rewriter: Rewriter, e: m.Expr, free: set[str]) -> None:
        self._rewriter, self._e, self._taken = rewriter, e, free

    def of(self, node: Any, given: Mapping[str, m.Expr]) -> Any:
        """A node with other expressions in the place of variables."""
        if isinstance(node, m.Var):
            return given.get(node.name, node)
        if type(node) is tuple:
            made = tuple(self.of(one, given) for one in node)
            return node if all(a is b for a, b in zip(made, node, strict=True)) else made
        names = below(type(node))
        if not names:
            return node
        if isinstance(node, m.Fold):
            return self._fold(node, given)
        scope = INSIDE.get(type(node), ())
        inner, new = given, dict[str, Any]()
        if scope and node.var is not None:
            inner, new["var"] = self._bound(node.var, given)
        for name in names:
            new[name] = self.of(getattr(node, name), inner if name in scope else given)
        return self._rewriter.changed(node, new)

    def _fold(self, node: m.Fold, given: Mapping[str, m.Expr]) -> Any:
        binds = []
        for bind in node.binds:
            source = self.of(bind.source, given)
            given, var = self._bound(bind.var, given)
            binds.append(self._rewriter.changed(bind, {"source": source, "var": var}))
        same = all(a is b for a, b in zip(binds, node.binds, strict=True))
        new = {"binds": node.binds if same else tuple(binds)}
        return self._rewriter.changed(
            node, new | {name: self.of(getattr(node, name), given) for name in ("where", "body")}
        )

    def _bound(self, var: str, given: Mapping[str, m.Expr]) -> tuple[Mapping[str, m.Expr], str]:
        """The values of variables where one more is bound, and the name of that one."""
        if var not in self._taken:
            return (
                ({name: value for name, value in given.items() if name != var}, var) if var in given else (given, var)
            )
        used = self._taken | set(_names(self._e))
        name = next(name for number in count(1) if (name := f"{var}'{number}") not in used)
        self._taken = self._taken | {name}
        return {**given, var: m.Var(name)}, name


def _names(e: m.Expr) -> Iterator[str]:
    for node in nodes(e):
        if isinstance(node, m.Var):
            yield node.name
        elif isinstance(name := getattr(node, "var", None), str):
            yield name


__all__ = ["INSIDE", "Change", "Rewriter", "Step"]
