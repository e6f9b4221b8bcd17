"""CTL118: a field that is never set."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.flow_questions import is_ever_written, is_spoken
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast


@lint_declarations("CTL118", ast.FieldDecl)
def field_never_set(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A field that keeps the value with which the game begins."""
    for field in nodes_of(decl, ast.FieldDecl):
        if is_spoken(index, field.name) and not is_ever_written(index, field.name):
            hint = "what never changes is a `param`, or printed in a table"
            yield Finding(f"no rule ever sets `{field.name}`", field.span, hint=hint)
