"""CTL118: a field that is never set."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.control_flow import FlowAnalysis
from rulewright.lint.analyses.rule_index import RuleIndex, in_all_games
from rulewright.lint.context import Finding, Subject, lint
from rulewright.syntax import ast


@lint("CTL118")
def field_never_set(subject: Subject) -> Iterator[Finding]:
    """A field that keeps the value with which the game begins."""
    return in_all_games(subject, _never_set)


def _never_set(index: RuleIndex) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    changed = flow.follows().union(*(flow.written_by(n) for n in flow.calls))
    spoken = {n.name for n in index.all_nodes() if isinstance(n, ast.Name)}
    for decl in index.game.rules.all(ast.FieldDecl):
        if decl.name in spoken and decl.name not in changed:
            hint = "what never changes is a `param`, or printed in a table"
            yield Finding(f"no rule ever sets `{decl.name}`", decl.span, hint=hint)
