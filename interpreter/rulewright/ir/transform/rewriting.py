"""Rewriting of expressions: substitution for variables, bindings, copy propagation."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import count
from operator import is_
from typing import Any, Protocol, TypeVar, cast

from rulewright.foundation.tree_fields import below
from rulewright.ir import model as m
from rulewright.ir.walk import INSIDE, ExprFacts, nodes

N = TypeVar("N")
Change = Callable[[Any], Any]
"""Gives what stands in the place of a node whose parts have been changed already: the same node, if nothing does."""


class Step(Protocol):
    """A pass: what it makes of one node whose parts it has rewritten before."""

    name: str
    kinds: frozenset[type]
    """The kinds of nodes of which it may make others."""

    def rewritten(self, node: Any) -> Any:
        """The node that stands in its place; the same, if nothing is to be done."""

    def describe(self, node: Any) -> str | None:
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
        """Note that an expression is the body of a query; a mere leaf cannot be one."""
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


def substituted(rewriter: Rewriter, e: m.Expr, given: Mapping[str, m.Expr]) -> m.Expr:
    """An expression with others in the place of some variables; none of theirs is bound by it."""
    free = {node.name for value in given.values() for node in nodes(value) if isinstance(node, m.Var)}
    found: m.Expr = _Substitution(rewriter, e, free).of(e, given) if given else e
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
        scope = INSIDE.get(type(node))
        inner, new = given, dict[str, Any]()
        if scope is not None and node.var is not None:
            inner, new["var"] = self._bound(node.var, given)
        for name in names:
            new[name] = self.of(getattr(node, name), inner if name == scope else given)
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


def with_slots(node: Any, slots: Mapping[int, m.Expr]) -> Any:
    """A node with expressions in the place of slots."""
    if isinstance(node, m.Local):
        return slots.get(node.slot, node)
    if type(node) is tuple:
        return tuple(with_slots(one, slots) for one in node)
    if not is_dataclass(node):
        return node
    made = {f.name: with_slots(getattr(node, f.name), slots) for f in fields(node)}
    changed = {name: value for name, value in made.items() if value is not getattr(node, name)}
    return replace(node, **changed) if changed else node  # type: ignore[type-var]


PLAIN = (m.Const, m.ListConst, m.Var, m.Local, m.Kind)
"""Values that may stand anywhere, and as often as one likes: they cost no more than a variable, in any state."""

OFTEN = 2
"""So many uses, or more; one in a loop or in another state counts as so many."""


def bound(rewriter: Rewriter, facts: ExprFacts, let: m.LetIn) -> m.Expr:
    """An expression in which a variable has a value; the same binding, if it is worth one."""
    name, value, body = let.var, let.value, let.body
    if isinstance(value, PLAIN):
        return substituted(rewriter, body, {name: value})
    used = 0 if name not in facts.free(body) else _uses(name, body)
    if used < OFTEN and not facts.fallible(value):
        return substituted(rewriter, body, {name: value})
    return let


def _uses(name: str, e: m.Expr) -> int:
    """The uses of a variable; with others of its name, which makes them more but never fewer."""
    found = 0
    waiting: list[tuple[Any, bool]] = [(e, False)]
    while waiting and found < OFTEN:
        node, often = waiting.pop()
        if isinstance(node, m.Var):
            found += (OFTEN if often else 1) if node.name == name else 0
        elif type(node) is tuple:
            waiting += [(one, often) for one in node]
        elif names := below(type(node)):
            again = _again(node)
            waiting += [(getattr(node, part), often or part in again) for part in names]
    return found


def _again(node: object) -> tuple[str, ...]:
    """The parts of a node that are worked out several times, or in another state."""
    match node:
        case m.LetIn():
            return ()
        case m.Fold():
            return ("binds", "where", "body")
        case m.After() | m.Old():
            return ("of",)
        case _:
            return (INSIDE[type(node)],) if type(node) in INSIDE else ()


def bound_variables(e: m.Expr) -> frozenset[str]:
    """The variables that are bound in an expression."""
    return frozenset(name for inner in nodes(e) if (name := getattr(inner, "var", None)) is not None)


def conjunction(parts: Sequence[m.Expr]) -> m.Expr:
    """The condition that holds where all of some hold."""
    return parts[0] if len(parts) == 1 else m.And(tuple(parts))
