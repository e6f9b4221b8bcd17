"""CTL105: not everybody gets a place."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.all_games import Targets, in_all_games
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, Subject, lint
from rulewright.syntax import ast


@lint("CTL105")
def not_all_ranked(subject: Subject) -> Iterator[Finding]:
    """A ranking at the end that leaves somebody out."""
    return in_all_games(subject, _not_all_ranked)


def _not_all_ranked(index: RuleIndex, targets: Targets) -> Iterator[Finding]:
    for node in targets.nodes(ast.RankAll):
        source = node.bind.source
        some = isinstance(source, (ast.Ranked, ast.SetOf, ast.ListOf)) or (
            isinstance(source, ast.Comprehension) and source.where is not None
        )
        if some or (isinstance(source, ast.Binary) and source.op == "except"):
            hint = "rank all, and let a first measure put the others last"
            yield Finding("not everybody gets a place in this ranking", node.span, hint=hint)
