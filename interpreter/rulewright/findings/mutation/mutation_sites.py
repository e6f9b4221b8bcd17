"""Finding every node of a declaration, and putting another one in its place."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from typing import Any

from rulewright.compiler.overlays.addresses import label_of
from rulewright.compiler.overlays.declaration_set import name_of
from rulewright.syntax import ast

Way = tuple[tuple[str, int | None], ...]
"""The path from a declaration to a node in it: fields, each with a position where it holds several."""

_ASIDE = frozenset(("span", "trivia"))
_TESTS = (ast.Invariant, ast.Property, ast.Witness, ast.Scenario)
_WITHOUT_EFFECT = (*_TESTS, ast.Tell)


@dataclass(frozen=True, slots=True)
class Site:
    """A node where it stands."""

    node: ast.Node
    way: Way
    clauses: tuple[ast.Clause, ...]
    """The clauses in which it stands, outermost first; the last is the node itself if it is one."""

    @property
    def clause(self) -> ast.Clause:
        """The line on which it stands."""
        return self.clauses[-1]

    @property
    def address(self) -> str:
        """``declaration.label``, or the name of the declaration alone."""
        parts: list[str] = []
        for clause in self.clauses:
            path = _path(clause)
            if path is not None:
                parts = list(path)
            elif (label := label_of(clause)) is not None:
                parts = [*parts[:1], label]
        return ".".join(parts)


def places(decl: ast.Decl | ast.Change) -> Iterator[Site]:
    """Every node of a declaration, itself first, in the order written; tests of the rules, and lines, are passed
    over."""
    if not isinstance(decl, _TESTS):
        yield from _inside(decl, (), ())


def put(decl: ast.Node, way: Way, node: ast.Node) -> ast.Node:
    """The declaration with `node` at the end of the way."""
    if not way:
        return node
    (name, position), *rest = way
    held: Any = getattr(decl, name)
    if position is None:
        return replace(decl, **{name: put(held, tuple(rest), node)})  # type: ignore[arg-type]
    new = (*held[:position], put(held[position], tuple(rest), node), *held[position + 1 :])
    return replace(decl, **{name: new})  # type: ignore[arg-type]


def nodes(node: ast.Node) -> Iterator[ast.Node]:
    """A node and all below it."""
    yield node
    for name, _, part in _parts(node):
        del name
        yield from nodes(part)


def _inside(node: ast.Node, way: Way, clauses: tuple[ast.Clause, ...]) -> Iterator[Site]:
    if isinstance(node, ast.Clause):
        clauses = (*clauses, node)
    yield Site(node, way, clauses)
    for name, position, part in _parts(node):
        if not isinstance(part, _WITHOUT_EFFECT):
            yield from _inside(part, (*way, (name, position)), clauses)


def _parts(node: ast.Node) -> Iterator[tuple[str, int | None, ast.Node]]:
    for f in fields(node):
        if f.name in _ASIDE:
            continue
        held = getattr(node, f.name)
        if isinstance(held, ast.Node):
            yield f.name, None, held
        elif isinstance(held, tuple):
            for position, item in enumerate(held):
                if isinstance(item, ast.Node):
                    yield f.name, position, item


def _path(clause: ast.Clause) -> tuple[str, ...] | None:
    """The address that a declaration or change brings itself."""
    match clause:
        case ast.Variant(title=title):
            return (f'"{title}"',)
        case ast.WithPlayers(counts=counts):
            return (f"with {' or '.join(map(str, counts))} players",)
        case ast.ReplaceDeclOp() | ast.AddDeclOp():
            return None
        case (
            ast.AssignOp()
            | ast.RemoveOp()
            | ast.ReplaceClauseOp()
            | ast.ExtendOp()
            | ast.InsertOp()
            | ast.MoveOp()
            | ast.UnchangedOp()
        ):
            return clause.path.parts
        case ast.AddRowOp(kind):
            return (kind,)
        case ast.SetRowsOp(rows) | ast.RemoveRowsOp(rows):
            return (rows.kind,)
        case ast.Precedence(names=names):
            return names[:1]
        case _:
            pass  # a name is its address
    name = name_of(clause) if isinstance(clause, _NAMED) else None
    return None if name is None else (name,)


_NAMED = (
    ast.Game, ast.Players, ast.Party, ast.Parameter, ast.EnumDecl, ast.Die, ast.Piece, ast.Place, ast.MapDecl, ast.Area,
    ast.Merged, ast.Zone, ast.FieldDecl, ast.Query, ast.Value, ast.Limits, ast.Callable, ast.Reaction, ast.Consequence,
    ast.End,
)  # fmt: skip
