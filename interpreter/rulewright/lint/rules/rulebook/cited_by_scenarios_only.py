"""DOC503: a sentence that only examples cite."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.declaration_nodes import cites
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject
from rulewright.syntax import ast


@lint("DOC503")
def cited_by_scenarios_only(subject: Subject) -> Iterator[Finding]:
    """Sentences that bind the players, and that examples cite but no rule."""
    ruleset = subject.ruleset
    if ruleset.rulebook is None:
        return
    by_rules: set[str] = set()
    by_scenarios: set[str] = set()
    for written in subject.source.rules.everything():
        into = by_scenarios if isinstance(written, ast.Scenario) else by_rules
        into.update(cites(written))
    only = by_scenarios - by_rules
    for statement in ruleset.rulebook.statements:
        if statement.counted and statement.id in only:
            message = f"{statement.id} is cited by scenarios, but by no rule"
            yield Finding(message, ruleset.rulebook.span(statement.id), "cite it where it holds", path=statement.id)
