"""REF015: a field that is set and never read."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.uses import uses
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject
from rulewright.syntax import ast


@lint("REF015")
def unread_field(subject: Subject) -> Iterator[Finding]:
    """Fields that are set, and that no rule ever asks for."""
    seen = subject.ask(uses)
    for name, decl in seen.decls.items():
        if isinstance(decl, ast.FieldDecl) and name in seen.reached and name not in seen.read:
            yield Finding(f"`{name}` is set, but no rule ever reads it", decl.span)
