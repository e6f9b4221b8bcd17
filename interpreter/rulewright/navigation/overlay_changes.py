"""Changes of declarations by variants, numbers of players and editions, and what they take the place of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rulewright.compiler.overlays.declaration_set import name_of
from rulewright.data.ruleset import Ruleset
from rulewright.diagnostics import Span
from rulewright.navigation.file_symbols import FileSymbols
from rulewright.navigation.symbol_index import SymbolIndex, head_of
from rulewright.navigation.symbols import Symbol
from rulewright.syntax import ast, print_expr

_AT_PATHS = (
    ast.AssignOp,
    ast.RemoveOp,
    ast.ReplaceClauseOp,
    ast.ExtendOp,
    ast.InsertOp,
    ast.MoveOp,
)
"""Changes that name what they change; ``unchanged`` changes nothing."""
PathOp = ast.AssignOp | ast.RemoveOp | ast.ReplaceClauseOp | ast.ExtendOp | ast.InsertOp | ast.MoveOp


@dataclass(frozen=True, slots=True)
class OverlayChange:
    """One change of a declaration."""

    by: str
    """``variant "Long war"``, ``with 3 players`` or the name of the edition."""
    declaration: str
    op: ast.Clause
    span: Span


def changes(index: SymbolIndex) -> Iterator[OverlayChange]:
    """All changes of a ruleset, in the order of its files."""
    names = {file.path: title for title, files in _rulesets(index) for file in files}
    for file in index.files.values():
        for decl in file.tree.decls:
            if isinstance(decl, ast.Variant):
                by, ops = f'variant "{decl.title}"', decl.ops
            elif isinstance(decl, ast.WithPlayers):
                by, ops = f"with {' or '.join(map(str, decl.counts))} players", decl.ops
            elif isinstance(decl, ast.CasesForOp):
                by, ops = names.get(file.path, ""), decl.ops
            elif isinstance(decl, (*_AT_PATHS, ast.ReplaceDeclOp, ast.RowOp)):
                by, ops = names.get(file.path, ""), (decl,)
            else:
                continue
            for op in ops:
                if isinstance(op, PathOp):
                    yield OverlayChange(by, op.path.parts[0], op, op.span)
                elif isinstance(op, ast.ReplaceDeclOp) and (name := name_of(op.decl)) is not None:
                    yield OverlayChange(by, name, op, op.span)
                elif isinstance(op, ast.RowOp):
                    yield OverlayChange(by, op.kind if isinstance(op, ast.AddRowOp) else op.rows.kind, op, op.span)


def _rulesets(index: SymbolIndex) -> Iterator[tuple[str, list[FileSymbols]]]:
    ruleset: Ruleset | None = index.ruleset
    while ruleset is not None:
        own = {source.path for source in ruleset.files}
        yield ruleset.title, [file for file in index.files.values() if file.path in own]
        ruleset = ruleset.base


def changes_of(index: SymbolIndex, name: str) -> list[OverlayChange]:
    """The changes of one declaration."""
    return [one for one in changes(index) if one.declaration == name]


def replaced_by(index: SymbolIndex, op: ast.Clause) -> str:
    """The words of the rule that a change takes the place of; empty if it only adds something."""
    if isinstance(op, ast.ReplaceDeclOp):
        name = name_of(op.decl)
        return _first_head(index, Symbol("declaration", name), op) if name is not None else ""
    if isinstance(op, ast.AssignOp):
        for one in index.declared_as(op.path.parts[0]):
            if isinstance(one.node, ast.Parameter):
                return value_by_count(one.node)
    if isinstance(op, ast.RemoveOp | ast.ReplaceClauseOp) or (isinstance(op, ast.InsertOp) and "replace" in op.where):
        *owner, label = op.path.parts
        symbol = Symbol("label", label, owner[0]) if owner else Symbol("declaration", label)
        return _first_head(index, symbol, op)
    return ""


def _first_head(index: SymbolIndex, symbol: Symbol, op: ast.Clause) -> str:
    """The first line of the declaration of something outside of the change itself."""
    places = index.declarations.get(symbol, ())
    return next((head_of(index, one) for one in places if one.head.line != op.span.line), "")


def value_by_count(node: ast.Parameter) -> str:
    """``20, 15 with 2 or 3 players``."""
    others = [f"{print_expr(one.value)} with {_counts(one.counts)} players" for one in node.by_count]
    return ", ".join([print_expr(node.value), *others])


def _counts(counts: tuple[int, ...]) -> str:
    return " or ".join(map(str, counts))


def values_for_counts(index: SymbolIndex, node: ast.Parameter) -> dict[int, str]:
    """The value of a parameter for each number of players; none if it is always the same."""
    players = next((d for f in index.files.values() for d in f.tree.decls if isinstance(d, ast.Players)), None)
    if players is None or not node.by_count:
        return {}
    special = {count: print_expr(one.value) for one in node.by_count for count in one.counts}
    return {count: special.get(count, print_expr(node.value)) for count in range(players.low, players.high + 1)}
