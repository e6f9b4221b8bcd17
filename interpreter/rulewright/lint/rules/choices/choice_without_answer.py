"""CHO301: a choice without an answer."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.constant_conditions import ConditionAnalysis, always_follows, operands
from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast

_MOST = 40
"""So many restrictions of one choice are compared with each other."""


@lint_declarations("CHO301", ast.Choose)
def choice_without_answer(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Choices from which nothing can ever be chosen."""
    truths = ConditionAnalysis(decl, index)
    for choice in nodes_of(decl, ast.Choose):
        if isinstance(choice.source, (ast.SetOf, ast.ListOf)) and not choice.source.items:
            yield Finding(f"there is nothing to choose `{choice.name}` from", choice.source.span)
        refusals = [r for r in choice.restrictions[:_MOST] if isinstance(r, ast.Forbid) and not r.unless]
        for late, refusal in enumerate(refusals):
            if choice.where is not None and always_follows(choice.where, refusal.condition, truths):
                yield Finding(f"`{refusal.label}` refuses everything that `where` allows", refusal.span)
            for other in refusals[:late]:
                parts = [*operands(other.condition, "or"), *operands(refusal.condition, "or")]
                if all(truths.truth(p) is None for p in parts) and truths.always(parts):
                    message = f"`{other.label}` and `{refusal.label}` together refuse everything"
                    yield Finding(message, refusal.span)
