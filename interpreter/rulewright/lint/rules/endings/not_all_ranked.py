"""CTL105: not everybody gets a place."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast


@lint_declarations("CTL105", ast.RankAll, ast.PayAll)
def not_all_ranked(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A ranking at the end, or what is paid there, that leaves a player out."""
    for node in nodes_of(decl, ast.RankAll, ast.PayAll):
        if isinstance(node, ast.RankAll) and _some(node.bind.source):
            hint = "rank all, and let a first measure put the others last"
            yield Finding("not everybody gets a place in this ranking", node.span, hint=hint)
        elif isinstance(node, ast.PayAll) and _some(node.bind.source):
            hint = "pay all, the others `… if … else 0`"
            yield Finding("not everybody is paid here, and the others get no place", node.span, hint=hint)


def _some(source: ast.Expr) -> bool:
    """True if a player is left out, as it is written."""
    if isinstance(source, ast.Comprehension):
        return source.where is not None
    selected = isinstance(source, ast.Binary) and source.op in ast.SELECTING
    return selected or isinstance(source, (ast.Ranked, ast.SetOf, ast.ListOf))
