"""CTL125: pieces that never come into play."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.all_games import Targets, in_all_games
from rulewright.lint.analyses.piece_movement import PieceMovement
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, Subject, lint
from rulewright.syntax import ast


@lint("CTL125")
def never_in_play(subject: Subject) -> Iterator[Finding]:
    """Pieces that begin in the box, and that no rule takes out."""
    return in_all_games(subject, _never_in_play)


def _never_in_play(index: RuleIndex, targets: Targets) -> Iterator[Finding]:
    for decl, zone in index.game.ask(PieceMovement).unmoved(targets.all(ast.Piece)):
        if zone is None:
            yield Finding(f"no rule takes a {decl.name} out of the box", decl.span, hint="`begins in` a zone")
