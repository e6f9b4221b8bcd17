"""CHO307: an exception that excepts nothing."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.constant_conditions import ConditionAnalysis, always_follows, never_both
from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast


@lint_declarations("CHO307", ast.Forbid)
def idle_exception(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Exceptions that never help, or always."""
    truths = ConditionAnalysis(decl, index)
    for node in nodes_of(decl, ast.Forbid):
        for late, exception in enumerate(node.unless):
            if always_follows(node.condition, exception.condition, truths):
                message = f"`{node.label}` never refuses: `{exception.label}` excepts all that it forbids"
                yield Finding(message, exception.span)
            elif never_both(node.condition, exception.condition, truths):
                message = f"`{exception.label}` excepts nothing that `{node.label}` forbids"
                yield Finding(message, exception.span)
            for other in node.unless[:late]:
                if always_follows(exception.condition, other.condition, truths):
                    yield Finding(f"`{exception.label}` adds nothing to `{other.label}`", exception.span)
