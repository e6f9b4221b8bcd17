"""CTL105: not everybody gets a place."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast


@lint_declarations("CTL105", ast.RankAll)
def not_all_ranked(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A ranking at the end that leaves somebody out."""
    for node in nodes_of(decl, ast.RankAll):
        source = node.bind.source
        some = isinstance(source, (ast.Ranked, ast.SetOf, ast.ListOf)) or (
            isinstance(source, ast.Comprehension) and source.where is not None
        )
        if some or (isinstance(source, ast.Binary) and source.op in ast.SELECTING):
            hint = "rank all, and let a first measure put the others last"
            yield Finding("not everybody gets a place in this ranking", node.span, hint=hint)
