"""CTL123: a condition that never changes."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.control_flow import FlowAnalysis
from rulewright.lint.analyses.rule_index import RuleIndex, in_all_games
from rulewright.lint.context import Finding, Subject, lint
from rulewright.syntax import ast


@lint("CTL123")
def condition_never_changes(subject: Subject) -> Iterator[Finding]:
    """An end or consequence that looks only at what no rule changes."""
    return in_all_games(subject, _never_changes)


def _never_changes(index: RuleIndex) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    changed = flow.follows().union(*(flow.written_by(n) for n in flow.run()))
    decls: list[ast.End | ast.Consequence] = [*index.game.rules.all(ast.End), *index.game.rules.all(ast.Consequence)]
    for decl in decls:
        if not flow.reads(decl.when) & changed:
            said = f"no rule changes anything that `{decl.name}` depends on: it happens at once, or never"
            yield Finding(said, decl.span)
