"""CTL117: a statement that is never reached."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.all_games import Targets, in_all_games
from rulewright.lint.analyses.control_flow import FlowAnalysis
from rulewright.lint.analyses.declaration_nodes import blocks_of
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, Subject, lint
from rulewright.syntax import ast


@lint("CTL117")
def unreachable_statement(subject: Subject) -> Iterator[Finding]:
    """Statements after the point where the rules go elsewhere."""
    return in_all_games(subject, _unreachable)


def _unreachable(index: RuleIndex, targets: Targets) -> Iterator[Finding]:
    flow = index.game.ask(FlowAnalysis)
    for decl in targets.decls:
        for block in blocks_of(decl):
            at = next((i for i, s in enumerate(block[:-1]) if flow.left(s)), None)
            if at is not None:
                yield Finding(f"this is never reached: {_why(block[at])}", block[at + 1].span)


def _why(s: ast.Stmt) -> str:
    line = f"on line {s.span.line}"
    match s:
        case ast.Win() | ast.RankAll():
            return f"the game is over {line}"
        case ast.Return():
            return f"there is a `return` {line}"
        case ast.Stop():
            return f"there is a `stop` {line}"
        case ast.Repeat():
            return f"the repetition {line} never stops"
        case ast.CallStatement():
            return f"the call {line} never returns"
    return f"every branch {line} leads elsewhere"
