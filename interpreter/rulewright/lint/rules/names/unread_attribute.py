"""REF016: an attribute that no rule reads."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.uses import uses
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject
from rulewright.syntax import ast


@lint("REF016")
def unread_attribute(subject: Subject) -> Iterator[Finding]:
    """StaticEvaluator attributes that no rule ever asks for."""
    seen = subject.ask(uses)
    for decl in seen.decls.values():
        if not isinstance(decl, (ast.Piece, ast.EnumDecl, ast.Place)):
            continue
        for attribute in decl.attributes:
            # Inside its declaration an attribute is read by its bare name.
            if f".{attribute.name}" not in seen.reached | seen.mentioned and attribute.name not in seen.mentioned:
                yield Finding(f"no rule reads `{attribute.name}` of {decl.name}", attribute.span)
