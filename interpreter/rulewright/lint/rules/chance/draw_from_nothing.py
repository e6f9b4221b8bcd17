"""CHN315: a draw from nothing."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.mentions import rooted
from rulewright.lint.analyses.piece_movement import is_filled
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


@lint_declarations("CHN315", ast.Draw)
def draw_from_nothing(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Draws from a zone into which no piece ever comes, and from a zone into itself."""
    for node in nodes_of(decl, ast.Draw):
        zone = rooted(node.source)
        if node.source == node.to:
            yield Finding(f"this draws from `{print_expr(node.source)}` into itself", node.span)
        elif index.zone_order(zone) is not None and not is_filled(index, zone):
            yield Finding(f"there is never a piece in `{zone}`", node.span)
