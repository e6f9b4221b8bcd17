"""The linter: what rules that can be played probably do not mean.

One file a topic; each holds lint rules (see :mod:`rulewright.lint.subject` for how one is written) and lists them in
``RULES``.
"""

from __future__ import annotations

from rulewright.diagnostics import Diagnostic
from rulewright.lint import (
    bounds,
    chance,
    choices,
    conditions,
    flow,
    information,
    maps,
    names,
    pieces,
    printed,
    reactions,
    rulebook,
    style,
    tables,
    types,
    variants,
)
from rulewright.lint import locals as local_names
from rulewright.lint.subject import Configuration, Finding, Lint, Subject, lint

__all__ = ["RULES", "Finding", "Lint", "Configuration", "Subject", "lint", "run"]

RULES: tuple[Lint, ...] = (
    *names.RULES,
    *local_names.RULES,
    *variants.RULES,
    *tables.RULES,
    *maps.RULES,
    *rulebook.RULES,
    *style.RULES,
    *types.RULES,
    *conditions.RULES,
    *flow.RULES,
    *choices.RULES,
    *chance.RULES,
    *pieces.RULES,
    *reactions.RULES,
    *bounds.RULES,
    *information.RULES,
    *printed.RULES,
)
"""All lint rules, by topic."""


def run(subject: Subject) -> list[Diagnostic]:
    """The findings of all lint rules; none about files of a ruleset that is extended, which has a check of its own."""
    beneath: set[str] = set()
    base = subject.ruleset.base
    while base is not None:
        beneath.update(file.path for file in base.files)
        base = base.base
    return [found for rule in RULES for found in rule(subject) if found.span.file not in beneath]
