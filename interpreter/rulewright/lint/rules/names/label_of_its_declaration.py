"""REF018: a part with the name of its declaration."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.compiler.overlays.addresses import labels
from rulewright.diagnostics import Span
from rulewright.foundation.memo import memoized_by_node
from rulewright.lint.analyses.uses import uses, word_for
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject
from rulewright.syntax import ast


@lint("REF018")
def label_of_its_declaration(subject: Subject) -> Iterator[Finding]:
    """A part that is called like the declaration it stands in: `stop turn` could mean either."""
    for name, decl in subject.ask(uses).decls.items():
        span = _parts_called(decl).get(name)
        if span is not None:
            yield Finding(f"`{name}` is the name of both the {word_for(decl) or 'rule'} and a part of it", span)


@memoized_by_node
def _parts_called(decl: ast.Clause) -> dict[str, Span]:
    """The first part of a declaration with each label."""
    return {label: clause.span for label, clause in labels(decl).items()}
