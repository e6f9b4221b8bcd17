"""TRG301: a reaction that never happens."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.reaction_events import event_of, happens
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast


@lint_declarations("TRG301", ast.Reaction)
def reaction_never_fires(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A reaction to something that no rule ever does."""
    for reaction in nodes_of(decl, ast.Reaction):
        name = event_of(reaction)
        if not happens(index, name):
            yield Finding(f"`{reaction.name}` never happens: no rule ever does `{name}`", reaction.event.span)
