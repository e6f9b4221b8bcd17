"""Substitution: expressions take the place of variables, and nothing is bound by what binds variables around them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from itertools import count
from typing import Any

from rulewright.foundation.tree_fields import below
from rulewright.ir import model as m
from rulewright.ir.transform.rewriting import INSIDE, Rewriter
from rulewright.ir.walk import nodes


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


__all__ = ["substituted", "with_slots"]
