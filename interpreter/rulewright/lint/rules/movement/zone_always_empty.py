"""CTL124: a zone that is always empty."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.flow_questions import is_spoken
from rulewright.lint.analyses.piece_movement import is_filled
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast


@lint_declarations("CTL124", ast.Zone)
def zone_always_empty(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """A zone of which the rules speak, but into which nothing ever comes."""
    for zone in nodes_of(decl, ast.Zone):
        if is_spoken(index, zone.name) and not is_filled(index, zone.name):
            message = f"`{zone.name}` is always empty: no piece begins there, and no rule moves one there"
            yield Finding(message, zone.span)
        elif zone.at_most == ast.Number(0):
            yield Finding(f"`{zone.name}` has room for nothing", zone.span)
