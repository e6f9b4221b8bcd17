"""DOC505: a ruling for an unknown parameter."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.diagnostics.suggestions import did_you_mean
from rulewright.lint.context import Finding, lint
from rulewright.lint.subject import Subject
from rulewright.syntax import ast


@lint("DOC505")
def ruling_without_parameter(subject: Subject) -> Iterator[Finding]:
    """Rulings that name a parameter which does not exist."""
    rulings = subject.ruleset.rulings
    if rulings is None:
        return
    known = [decl.name for decl in subject.source.rules.all(ast.Parameter)]
    for ruling in rulings:
        if ruling.parameter and ruling.parameter not in known:
            message = f"there is no parameter `{ruling.parameter}`, which the ruling {ruling.id} names"
            hint = did_you_mean(ruling.parameter, known)
            yield Finding(message, rulings.span(ruling.id, "parameter"), hint, path=ruling.id)
