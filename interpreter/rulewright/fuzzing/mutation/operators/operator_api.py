"""The interface of operators: a node in place of another one, and the words that describe it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from rulewright.fuzzing.mutation.mutation_sites import Site, nodes
from rulewright.syntax import ast


@dataclass(frozen=True, slots=True)
class Replacement:
    """A small change."""

    node: ast.Node | None
    """The node that takes its place; None: the whole declaration is removed."""
    before: tuple[ast.Clause, ...] = ()
    """The clauses that are told as they were; none: the line on which the node stands."""
    after: tuple[ast.Clause, ...] = ()
    """And as they are now; none although there were some before: they have gone."""


@dataclass(frozen=True, slots=True)
class Words:
    """The meaning of names in this ruleset."""

    siblings: Mapping[str, str]
    """For each value of an enum another one of it."""
    bound: frozenset[str]
    """Names that the declaration gives itself, which are no values of an enum."""


Operator = Callable[[Site, Words], Iterator[Replacement]]
"""All small changes of one kind at a place."""


def bound_in(decl: ast.Node) -> frozenset[str]:
    """The names that a declaration gives: parameters, binders, locals."""
    return frozenset(name for node in nodes(decl) for name in node.held(node.gives))


def used_in(node: ast.Node) -> frozenset[str]:
    """The words that are mentioned in a node."""
    return frozenset(part.name for part in nodes(node) if isinstance(part, ast.Name))


def gives(stmt: ast.Node) -> frozenset[str]:
    """The names that what follows a statement may use."""
    return frozenset(stmt.held(stmt.gives))


def negated(number: ast.Expr) -> ast.Expr:
    """A number with the other sign."""
    return (
        number.operand
        if isinstance(number, ast.Unary) and number.op == "-"
        else ast.Unary("-", number, span=number.span)
    )


def blocks(node: ast.Node) -> Iterator[tuple[str, tuple[ast.Clause, ...]]]:
    """The fields of a node that hold clauses one below the other."""
    for f in fields(node):
        held: Any = getattr(node, f.name)
        if isinstance(held, tuple) and held and all(isinstance(item, ast.Clause) for item in held):
            yield f.name, held
