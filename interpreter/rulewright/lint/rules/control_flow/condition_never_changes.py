"""CTL123: a condition that never changes."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.flow_questions import changes_when_run
from rulewright.lint.analyses.mentions import mentions
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast


@lint_declarations("CTL123", ast.End, ast.Consequence)
def condition_never_changes(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """An end or consequence that looks only at what no rule changes."""
    for rule in nodes_of(decl, ast.End, ast.Consequence):
        assert isinstance(rule, ast.End | ast.Consequence)
        if not changes_when_run(index, mentions(rule.when)):
            message = f"no rule changes what `{rule.name}` looks at: it happens at once, or never"
            yield Finding(message, rule.span)
