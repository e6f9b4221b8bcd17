"""CTL132: a payment of nothing."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast


@lint_declarations("CTL132", ast.Reward)
def payment_of_nothing(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Rewards without effect: of 0, or for no player."""
    for node in nodes_of(decl, ast.Reward):
        if index.bounds_of(node.value) == (0, 0):
            yield Finding("this reward pays nothing", node.span)
        elif isinstance(node.who, ast.SetOf | ast.ListOf) and not node.who.items:
            yield Finding("this reward pays nobody", node.span)
