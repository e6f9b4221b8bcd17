"""CHN315: a draw from nothing."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.all_games import Targets, in_all_games
from rulewright.lint.analyses.mentions import rooted
from rulewright.lint.analyses.piece_movement import PieceMovement
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, Subject, lint
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


@lint("CHN315")
def draw_from_nothing(subject: Subject) -> Iterator[Finding]:
    """Draws from a zone into which no piece ever comes, and from a zone into itself."""
    return in_all_games(subject, _from_nothing)


def _from_nothing(index: RuleIndex, targets: Targets) -> Iterator[Finding]:
    for node in targets.nodes(ast.Draw):
        zone = rooted(node.source)
        if node.source == node.to:
            yield Finding(f"this draws from `{print_expr(node.source)}` into itself", node.span)
        elif zone in index.world.zones and zone not in index.game.ask(PieceMovement).filled:
            yield Finding(f"there is never a piece in `{zone}`", node.span)
