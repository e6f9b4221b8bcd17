"""CTL125: pieces that never come into play."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.piece_movement import stays_in
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast


@lint_declarations("CTL125", ast.Piece)
def never_in_play(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Pieces that begin in the box, and that no rule takes out."""
    for piece in nodes_of(decl, ast.Piece):
        if stays_in(piece, index) == ast.Name("box"):
            yield Finding(f"no rule takes a {piece.name} out of the box", piece.span, hint="`begins in` a zone")
