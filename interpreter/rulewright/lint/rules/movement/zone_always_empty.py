"""CTL124: a zone that is always empty."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.all_games import Targets, in_all_games
from rulewright.lint.analyses.piece_movement import PieceMovement
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, Subject, lint
from rulewright.syntax import ast


@lint("CTL124")
def zone_always_empty(subject: Subject) -> Iterator[Finding]:
    """A zone of which the rules speak, but into which nothing ever comes."""
    return in_all_games(subject, _always_empty)


def _always_empty(index: RuleIndex, targets: Targets) -> Iterator[Finding]:
    for decl in targets.all(ast.Zone):
        if decl.name in index.spoken and decl.name not in index.game.ask(PieceMovement).filled:
            said = f"`{decl.name}` is always empty: no piece begins there, and no rule moves one there"
            yield Finding(said, decl.span)
        elif decl.at_most == ast.Number(0):
            yield Finding(f"`{decl.name}` has room for nothing", decl.span)
