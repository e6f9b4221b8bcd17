"""The nodes of a declaration, sorted once for all lint rules and for all games in which it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import cache
from typing import TypeVar, get_args

from rulewright.compiler.declaration_facts import clauses, inner_nodes
from rulewright.diagnostics import Span
from rulewright.foundation.memo import memoized_by_node
from rulewright.syntax import ast

N = TypeVar("N", bound=ast.Node)

Start = tuple[str, int, int]
"""A file, a line and a column."""


def nodes_of(decl: ast.Clause, *kinds: type[N]) -> Iterator[N]:
    """The nodes of some classes in a declaration, itself included, in the order written."""
    if type(decl) in kinds:
        yield decl  # type: ignore[misc]
    held = _by_class(decl)
    present = [kind for kind in kinds if kind in held]
    if len(present) == 1:
        yield from held[present[0]]  # type: ignore[misc]
    elif present:
        yield from (node for node in inner_nodes(decl) if type(node) in present)  # type: ignore[misc]


@cache
def statements_that(fact: str) -> tuple[type[ast.Clause], ...]:
    """The classes of statements that say something about themselves: ``sets``, ``takes``, ``fills``, …"""
    return tuple(kind for kind in get_args(ast.Stmt) if getattr(kind, fact))


@memoized_by_node
def _by_class(decl: ast.Clause) -> dict[type[ast.Node], tuple[ast.Node, ...]]:
    """The nodes inside a declaration by their classes."""
    found: dict[type[ast.Node], list[ast.Node]] = {}
    for node in inner_nodes(decl):
        found.setdefault(type(node), []).append(node)
    return {kind: tuple(held) for kind, held in found.items()}


@memoized_by_node
def classes_in(decl: ast.Clause) -> frozenset[type[ast.Node]]:
    """The classes of the nodes in a declaration, itself included."""
    return frozenset((type(decl), *_by_class(decl)))


@memoized_by_node
def cites(decl: ast.Clause) -> frozenset[str]:
    """The statements of the rulebook that the lines of a declaration cite."""
    return frozenset(cite for clause in (decl, *clauses(decl)) for cite in clause.trivia.cites)


@memoized_by_node
def blocks_of(decl: ast.Clause) -> tuple[tuple[ast.Stmt, ...], ...]:
    """All lists of statements in a declaration."""
    return tuple(blocks((decl, *inner_nodes(decl))))


def blocks(inside: Iterable[ast.Node]) -> Iterator[tuple[ast.Stmt, ...]]:
    """All lists of statements that some nodes hold."""
    for node in inside:
        for part in _bodies(type(node)):
            held = getattr(node, part)
            if isinstance(held, tuple) and held:
                yield held


def _find_bodies(kind: type) -> tuple[str, ...]:
    return tuple(part for part in ("body", "then", "otherwise") if hasattr(kind, part))


_bodies: Callable[[type], tuple[str, ...]] = cache(_find_bodies)
"""The fields of a class of nodes in which statements can stand."""


@memoized_by_node
def spans_of(decl: ast.Clause) -> frozenset[Span]:
    """The places where the nodes of a declaration stand, itself included."""
    return frozenset((decl.span, *(node.span for node in inner_nodes(decl))))


@memoized_by_node
def longest_spans(decl: ast.Clause) -> dict[Start, Span]:
    """For each place at which nodes of a declaration begin, the longest of their spans."""
    found: dict[Start, Span] = {}
    for span in spans_of(decl):
        start = (span.file, span.line, span.column)
        found[start] = max(span, found.get(start, span))
    return found
