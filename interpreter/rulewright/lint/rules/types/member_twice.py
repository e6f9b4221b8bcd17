"""TYP234: a duplicate member."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.all_games import Targets, in_all_games
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.analyses.text_fixes import instead
from rulewright.lint.context import Finding, Subject, lint
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


@lint("TYP234")
def member_twice(subject: Subject) -> Iterator[Finding]:
    """Find sets whose braces name a member twice."""
    return in_all_games(subject, _members)


def _members(index: RuleIndex, targets: Targets) -> Iterator[Finding]:
    for node in targets.nodes(ast.SetOf):
        for late, item in enumerate(node.items):
            if item in node.items[:late]:
                once = ast.SetOf(tuple(dict.fromkeys(node.items)))
                said = f"`{print_expr(item)}` occurs twice in this set"
                yield Finding(said, item.span, hint="a set holds it once", fix=instead(node, once))
