"""CTL127: a move to where it is."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


@lint_declarations("CTL127", ast.Move)
def moved_nowhere(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Pieces that are moved to where they lie."""
    for node in nodes_of(decl, ast.Move):
        if node.face is None:
            what = node.what
            if isinstance(what, ast.Comprehension) and what.element is None:
                what = what.binds[0].source
            if what == node.to:
                yield Finding(f"this moves from `{print_expr(node.to)}` into itself", node.span)
