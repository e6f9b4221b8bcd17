"""CTL118: a field that is never set."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.all_games import Targets, in_all_games
from rulewright.lint.analyses.control_flow import FlowAnalysis
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, Subject, lint
from rulewright.syntax import ast


@lint("CTL118")
def field_never_set(subject: Subject) -> Iterator[Finding]:
    """A field that keeps the value with which the game begins."""
    return in_all_games(subject, _never_set)


def _never_set(index: RuleIndex, targets: Targets) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    for decl in targets.all(ast.FieldDecl):
        if decl.name in index.spoken and decl.name not in flow.ever_written:
            hint = "what never changes is a `param`, or printed in a table"
            yield Finding(f"no rule ever sets `{decl.name}`", decl.span, hint=hint)
