"""CTL126: pieces that never move."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.piece_movement import stays_in
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


@lint_declarations("CTL126", ast.Piece)
def never_moved(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Pieces that stay where they begin for the whole game."""
    for piece in nodes_of(decl, ast.Piece):
        zone = stays_in(piece, index)
        if zone not in (None, ast.Name("box")):
            yield Finding(f"no rule moves a {piece.name}: all stay in `{print_expr(zone)}`", piece.span)
