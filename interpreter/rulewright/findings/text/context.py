"""The subject of a lint rule, and its findings.

A lint rule is a function that yields findings, marked with its code; the meaning of the code is in
:mod:`rulewright.diagnostics.codes`. Most rules look at one declaration in one game: they name the classes of nodes that
concern them, and are given the declarations that are or hold one:

    @lint_declarations("CTL105", ast.RankAll)
    def incomplete_ranking(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
        for node in nodes_of(decl, ast.RankAll):
            yield Finding("not everybody gets a place in this ranking", node.span)

The runner remembers what they find (:mod:`rulewright.findings.text.analyses.all_games`), with all their requests to the
game: so whatever does not stand in the declaration itself they learn from a *question* to the index
(:mod:`rulewright.foundation.memo`), from nowhere else. Questions that one rule alone has stand behind it. What a
rule wants to know of a declaration alone is a function under :func:`rulewright.foundation.memo.memoized_by_node`.

Others look at the whole ruleset, as written and in all its games:

    @lint("REF014")
    def unused_definition(subject: Subject) -> Iterator[Finding]:
        yield Finding("the query `f` is never used", decl.span)

Lint rules report no errors, only what is probably not meant: they run when there is no error, and what they find can be
suppressed with a reason (:mod:`rulewright.findings.suppressions`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rulewright.diagnostics.codes import CODES
from rulewright.findings.text.analyses.rule_index import RuleIndex
from rulewright.findings.text.lint_rule import Finding as Finding
from rulewright.findings.text.lint_rule import Lint
from rulewright.findings.text.subject import Subject
from rulewright.syntax import ast


def lint(code: str) -> Callable[[Callable[[Subject], Iterable[Finding]]], Lint]:
    """Make a function of a ruleset the lint rule of a code; its name and severity are those of the registry."""
    return _rule(code, frozenset())


def lint_declarations(
    code: str, *classes: type[ast.Node]
) -> Callable[[Callable[[Any, RuleIndex], Iterable[Finding]]], Lint]:
    """Make a function of a declaration in a game the lint rule of a code, for declarations that are or hold a node of
    some classes."""
    return _rule(code, frozenset(classes))


def _rule(code: str, classes: frozenset[type[ast.Node]]) -> Callable[[Callable[..., Iterable[Finding]]], Lint]:
    if code not in CODES or not CODES[code].name:
        raise TypeError(f"{code} is no code of a lint rule in rulewright.diagnostics.codes")
    known = CODES[code]
    return lambda find: Lint(code, known.name, known.severity, find, classes)
