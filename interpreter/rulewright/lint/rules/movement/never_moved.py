"""CTL126: pieces that never move."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.all_games import Targets, in_all_games
from rulewright.lint.analyses.piece_movement import PieceMovement
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, Subject, lint
from rulewright.syntax import ast
from rulewright.syntax.printer.expression_printer import print_expr


@lint("CTL126")
def never_moved(subject: Subject) -> Iterator[Finding]:
    """Pieces that stay where they begin for the whole game."""
    return in_all_games(subject, _never_moved)


def _never_moved(index: RuleIndex, targets: Targets) -> Iterator[Finding]:
    for decl, zone in index.game.ask(PieceMovement).unmoved(targets.all(ast.Piece)):
        if zone is not None:
            yield Finding(f"no rule moves a {decl.name}: all stay in `{print_expr(zone)}`", decl.span)
