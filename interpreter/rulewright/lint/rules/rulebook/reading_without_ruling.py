"""DOC506: a choice of readings without a ruling."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject
from rulewright.syntax import ast


@lint("DOC506")
def reading_without_ruling(subject: Subject) -> Iterator[Finding]:
    """Parameters that choose between named readings and that no ruling explains, if the ruleset has rulings itself."""
    rulings = subject.ruleset.rulings
    if rulings is None or not subject.ruleset.manifest.rulings:
        return
    explained = {ruling.parameter for ruling in rulings}
    for decl in subject.source.rules.all(ast.Parameter):
        if isinstance(decl.type, ast.ChoiceType) and decl.name not in explained:
            yield Finding(f"no ruling explains the readings of `{decl.name}`", decl.span)
