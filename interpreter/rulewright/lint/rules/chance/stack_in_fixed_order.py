"""CHN316: a hidden stack whose pieces lie in the same order in every game."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.piece_order import is_drawn, is_mixed, unlike_pieces_begin
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast


@lint_declarations("CHN316", ast.Zone)
def stack_in_fixed_order(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Stacks with hidden faces, from which is drawn, though nothing changes the order in which they begin."""
    for zone in nodes_of(decl, ast.Zone):
        if zone.order != "stack" or not _is_hidden(zone) or not is_drawn(index, zone.name):
            continue
        if unlike_pieces_begin(index, zone.name) and not is_mixed(index, zone.name):
            yield Finding(
                f"`{zone.name}` is drawn from, but never shuffled: its pieces come in the same order in every game",
                zone.span,
                f"write `shuffle {zone.name}` before the first draw, or `bag` in the place of `stack`",
            )


def _is_hidden(zone: ast.Zone) -> bool:
    """True if no player sees the faces of a zone's pieces."""
    faces = [audience.by for audience in zone.audiences if audience.facet in (None, "face")]
    return bool(faces) and all(by == ast.SetOf(()) for by in faces)
