"""CTL127: a move to where it is."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.all_games import Targets, in_all_games
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, Subject, lint
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


@lint("CTL127")
def moved_nowhere(subject: Subject) -> Iterator[Finding]:
    """Pieces that are moved to where they lie."""
    return in_all_games(subject, _nowhere)


def _nowhere(index: RuleIndex, targets: Targets) -> Iterator[Finding]:
    for node in targets.nodes(ast.Move):
        if node.face is None:
            what = node.what
            if isinstance(what, ast.Comprehension) and what.element is None:
                what = what.binds[0].source
            if what == node.to:
                yield Finding(f"this moves from `{print_expr(node.to)}` into itself", node.span)
