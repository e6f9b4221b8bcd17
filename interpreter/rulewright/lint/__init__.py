"""The linter: what rules that can be played probably do not mean.

One file a topic; each holds lint rules (see :mod:`rulewright.lint.subject` for how one is written) and lists them in
``RULES``.
"""

from __future__ import annotations

from rulewright.diagnostics import Diagnostic
from rulewright.lint.subject import Finding, Lint, Playing, Subject, lint

__all__ = ["RULES", "Finding", "Lint", "Playing", "Subject", "lint", "run"]

RULES: tuple[Lint, ...] = ()
"""All lint rules, by topic."""


def run(subject: Subject) -> list[Diagnostic]:
    """The findings of all lint rules."""
    return [found for rule in RULES for found in rule(subject)]
