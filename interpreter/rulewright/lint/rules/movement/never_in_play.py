"""CTL125: pieces that never come into play."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.piece_movement import unmoved_kinds
from rulewright.lint.analyses.rule_index import RuleIndex, in_all_games
from rulewright.lint.context import Finding, Subject, lint


@lint("CTL125")
def never_in_play(subject: Subject) -> Iterator[Finding]:
    """Pieces that begin in the box, and that no rule takes out."""
    return in_all_games(subject, _never_in_play)


def _never_in_play(index: RuleIndex) -> Iterator[Finding]:
    for decl, zone in unmoved_kinds(index):
        if zone is None:
            yield Finding(f"no rule takes a {decl.name} out of the box", decl.span, hint="`begins in` a zone")
