"""Labels: the names inside a declaration by which overlays, refusals and scenarios address its parts.

A label is unique in its top-level declaration, whatever the nesting, so that ``declaration.label`` is an address.
Labels are the binders of choices, restrictions, exceptions, modifiers, options, steps and labelled repetitions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import TypeVar

from rulewright.foundation.tree_fields import node_fields
from rulewright.syntax import ast

N = TypeVar("N", bound=ast.Node)

Edit = Callable[[ast.Clause], "tuple[ast.Clause, ...] | None"]
"""Given a clause, what stands in its place: nothing, itself changed, several; None leaves it and looks inside."""


def label_of(clause: ast.Node) -> str | None:
    """The label a clause brings, if any."""
    match clause:
        case ast.Choose(name=name, as_name=as_name):
            return as_name or name
        case ast.Forbid(label=label) | ast.Unless(label=label) | ast.Modifier(label=label):
            return label
        case ast.Option(label=label) | ast.Step(label=label):
            return label
        case ast.Either(label=label) | ast.Repeat(label=label) | ast.Repeats(label=label):
            return label
        case _:
            return None


def _find_names(kind: type) -> tuple[str, ...]:
    return node_fields(kind)[::-1]


_names: Callable[[type], tuple[str, ...]] = cache(_find_names)
"""The fields of a kind of node in which clauses can stand."""


def _parts(clause: ast.Node) -> Iterator[ast.Clause]:
    for name in _names(type(clause)):
        held = getattr(clause, name)
        if isinstance(held, ast.Branch):
            yield from _parts(held)
        elif isinstance(held, ast.Clause):
            yield held
        elif isinstance(held, tuple):
            for item in held:
                if isinstance(item, ast.Branch):
                    yield from _parts(item)
                elif isinstance(item, ast.Clause):
                    yield item


def walk(clause: ast.Node) -> Iterator[ast.Clause]:
    """All clauses inside a clause, in the order written."""
    todo = list(_parts(clause))[::-1]
    while todo:
        part = todo.pop()
        yield part
        todo.extend(list(_parts(part))[::-1])


def labels(decl: ast.Node) -> dict[str, ast.Clause]:
    """Every labelled clause of a declaration; the first of its label."""
    found: dict[str, ast.Clause] = {}
    for clause in walk(decl):
        label = label_of(clause)
        if label is not None:
            found.setdefault(label, clause)
    return found


def rewrite(node: N, edit: Edit) -> N:
    """A copy of `node` with its clauses edited, outermost first."""
    changed: dict[str, object] = {}
    for name in _names(type(node)):
        held = getattr(node, name)
        if isinstance(held, tuple) and any(isinstance(i, (ast.Clause, ast.Branch)) for i in held):
            made: list[object] = []
            for item in held:
                made.extend(_edited(item, edit))
            if tuple(made) != held or any(a is not b for a, b in zip(made, held, strict=False)):
                changed[name] = tuple(made)
        elif isinstance(held, ast.Clause):
            one = _edited(held, edit)
            if one and one[0] is not held:
                changed[name] = one[0]
            elif not one:
                changed[name] = None
    return replace(node, **changed) if changed else node  # type: ignore[arg-type]


def _edited(item: object, edit: Edit) -> tuple[object, ...]:
    if isinstance(item, ast.Branch):
        return (rewrite(item, edit),)
    if isinstance(item, ast.Clause):
        instead = edit(item)
        return (rewrite(item, edit),) if instead is None else instead
    return (item,)
