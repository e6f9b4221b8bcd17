"""TRG305: two reactions in no defined order."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.reaction_events import event_of, unordered_before
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast


@lint_declarations("TRG305", ast.Reaction)
def reactions_without_order(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Two automatic reactions to the same thing, of which one changes what the other sees."""
    for second in nodes_of(decl, ast.Reaction):
        for first in unordered_before(index, second.name):
            message = (
                f"`{first}` and `{second.name}` both happen {second.moment} `{event_of(second)}`, in no defined order"
            )
            yield Finding(message, second.span, hint=f"add `precedence {first}, {second.name}`")
