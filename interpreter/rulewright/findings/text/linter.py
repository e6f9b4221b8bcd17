"""The linter: what rules that can be played probably do not mean.

Lint rules are functions in the modules of :mod:`rulewright.findings.text.rules`, one module a subject (see
:mod:`rulewright.findings.text.context` for how one is written); they are found by looking into these modules. What
several of them need is in :mod:`rulewright.findings.text.analyses`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from rulewright.diagnostics import Diagnostic
from rulewright.diagnostics.codes import CODES, QUIET, group_of
from rulewright.findings.text import rules
from rulewright.findings.text.analyses.all_games import DeclarationRules, FindingsInGames
from rulewright.findings.text.context import lint, lint_declarations
from rulewright.findings.text.lint_rule import Finding, Lint
from rulewright.findings.text.subject import Configuration, Part, Subject
from rulewright.host.budgets import scope

__all__ = [
    "Configuration",
    "DeclarationRules",
    "Finding",
    "Lint",
    "Part",
    "Subject",
    "all_rules",
    "findings_of",
    "lint",
    "lint_declarations",
    "run",
]


@cache
def all_rules() -> tuple[Lint, ...]:
    """All lint rules, in the order of the registry of codes."""
    found: dict[str, Lint] = {}
    for module in iter_modules(rules.__path__, f"{rules.__name__}."):
        for rule in _rules_in(module.name):
            if rule.code in found:
                raise TypeError(f"{module.name}: there are two lint rules for {rule.code}")
            found[rule.code] = rule
    return tuple(found[code] for code in CODES if code in found)


def _rules_in(module: str) -> list[Lint]:
    """The lint rules of a module, each in a function with the name of the rule."""
    held = {name: value for name, value in vars(import_module(module)).items() if isinstance(value, Lint)}
    if not held:
        raise TypeError(f"{module} holds no lint rule")
    for name, rule in held.items():
        if rule.name != name.replace("_", "-"):
            raise TypeError(f"{module}: {rule.code} is called `{rule.name}`, so its function must be, too")
    return list(held.values())


def rules_of(also: frozenset[str] = frozenset()) -> tuple[Lint, ...]:
    """The rules of all groups but the quiet ones, and of the requested quiet groups."""
    return tuple(rule for rule in all_rules() if group_of(rule.code) not in QUIET - also)


@cache
def declaration_rules(quiet: bool = False) -> DeclarationRules:
    """The rules that look at declarations: the quiet ones, or all others."""
    return DeclarationRules(rule for rule in all_rules() if rule.classes and (group_of(rule.code) in QUIET) == quiet)


def run(subject: Subject, also: frozenset[str] = frozenset()) -> list[Diagnostic]:
    """The findings of lint rules; none about files of a ruleset that is extended, which has a check of its own."""
    beneath: set[str] = set()
    base = subject.ruleset.base
    while base is not None:
        beneath.update(file.path for file in base.files)
        base = base.base
    return [found for rule in rules_of(also) for found in findings_of(rule, subject) if found.span.file not in beneath]


def findings_of(rule: Lint, subject: Subject) -> Iterator[Diagnostic]:
    """The findings of one lint rule."""
    scope().look()
    in_games = _in_games_quietly if group_of(rule.code) in QUIET else _in_games
    found = subject.ask(in_games).of(rule.code) if rule.classes else rule.find(subject)
    return map(rule.diagnostic, found)


def _in_games(subject: Subject) -> FindingsInGames:
    return FindingsInGames(subject, declaration_rules())


def _in_games_quietly(subject: Subject) -> FindingsInGames:
    return FindingsInGames(subject, declaration_rules(quiet=True))
