"""Lint rules as they are run, and what they find."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rulewright.diagnostics import NOWHERE, Diagnostic, Fix, Severity, Span
from rulewright.foundation.lazy_dataclass import dataclass
from rulewright.syntax import ast


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of a lint rule; code and severity are those of the rule."""

    message: str
    span: Span = NOWHERE
    hint: str = ""
    notes: tuple[str, ...] = ()
    path: str = ""
    fix: Fix | None = None


@dataclass(frozen=True, slots=True)
class Lint:
    """A lint rule."""

    code: str
    name: str
    severity: Severity
    find: Callable[..., Iterable[Finding]]
    classes: frozenset[type[ast.Node]] = frozenset()
    """Of one that looks at declarations: the classes of nodes that concern it."""

    def diagnostic(self, f: Finding) -> Diagnostic:
        """A finding as a diagnostic."""
        return Diagnostic(self.code, f.message, f.span, self.severity, f.hint, f.notes, (), f.path, f.fix)
