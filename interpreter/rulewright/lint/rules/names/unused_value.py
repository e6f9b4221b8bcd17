"""REF020: a value that nothing names."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.mentions import mentions
from rulewright.lint.analyses.uses import cells_of, uses
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject
from rulewright.syntax import ast


@lint("REF020")
def unused_value(subject: Subject) -> Iterator[Finding]:
    """Values of enums that neither a rule nor a table names, and that no rule can come to by going through all."""
    seen = subject.ask(uses)
    used = frozenset().union(*(mentions(decl).types for decl in seen.decls.values()))
    used |= {face for decl in seen.decls.values() if isinstance(decl, ast.Die) for face in decl.faces}
    for decl in seen.decls.values():
        if not isinstance(decl, ast.EnumDecl) or decl.name in used or decl.name not in seen.reached:
            continue
        silent = [
            value for value in seen.values[decl.name] if value not in seen.reached and value not in seen.mentioned
        ]
        cells = set(cells_of(subject, decl)) if silent else set()
        for value in silent:
            if value not in cells:
                yield Finding(f"`{value}` of {decl.name} is never named, by a rule or in a table", decl.span)
