"""TYP234: a duplicate member."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.analyses.text_fixes import instead
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


@lint_declarations("TYP234", ast.SetOf)
def member_twice(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Find sets whose braces name a member twice."""
    for node in nodes_of(decl, ast.SetOf):
        for late, item in enumerate(node.items):
            if item in node.items[:late]:
                once = ast.SetOf(tuple(dict.fromkeys(node.items)))
                message = f"`{print_expr(item)}` occurs twice in this set"
                yield Finding(message, item.span, hint="a set holds it once", fix=instead(node, once))
