"""VAR411: a variant that no scenario plays."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject
from rulewright.syntax import ast


@lint("VAR411")
def untried_variant(subject: Subject) -> Iterator[Finding]:
    """Variants that no scenario plays, in a ruleset that has scenarios and whose manifest lists the variant's file."""
    scenarios = subject.source.rules.scenarios
    elsewhere = {file.path for file in subject.ruleset.files if not file.name}
    tried = {line.title for scenario in scenarios for line in scenario.lines if isinstance(line, ast.SVariant)}
    for variant in subject.source.rules.variants if scenarios else ():
        if variant.title not in tried and variant.span.file not in elsewhere:
            yield Finding(f'no scenario plays the variant "{variant.title}"', variant.span)
