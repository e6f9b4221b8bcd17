"""CTL133: an end without payoffs."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.foundation.memo import tracked_query
from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast


@lint_declarations("CTL133", ast.Win, ast.RankAll)
def end_without_paying(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Ends with a winner or a ranking in a game that pays at other ends, and nowhere else: winning is worth nothing."""
    for node in nodes_of(decl, ast.Win, ast.RankAll):
        if pays_at_the_end_alone(index):
            hint = "`finish paying … for p in players`; who was paid most has won"
            yield Finding("this end pays nobody, so who wins here gets no more than who loses", node.span, hint=hint)


@tracked_query
def pays_at_the_end_alone(index: RuleIndex) -> bool:
    """True if some rule pays at the end of the game, and none on the way."""
    found = [node for decl in index.decls for node in nodes_of(decl, ast.PayAll, ast.Reward)]
    return bool(found) and not any(isinstance(node, ast.Reward) for node in found)
