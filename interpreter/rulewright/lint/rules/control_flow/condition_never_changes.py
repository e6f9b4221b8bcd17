"""CTL123: a condition that never changes."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.all_games import Targets, in_all_games
from rulewright.lint.analyses.control_flow import FlowAnalysis
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, Subject, lint
from rulewright.syntax import ast


@lint("CTL123")
def condition_never_changes(subject: Subject) -> Iterator[Finding]:
    """An end or consequence that looks only at what no rule changes."""
    return in_all_games(subject, _never_changes)


def _never_changes(index: RuleIndex, targets: Targets) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    decls: list[ast.End | ast.Consequence] = [*targets.all(ast.End), *targets.all(ast.Consequence)]
    for decl in decls:
        if flow.reads(decl.when).isdisjoint(flow.written_when_run):
            said = f"no rule changes what `{decl.name}` looks at: it happens at once, or never"
            yield Finding(said, decl.span)
