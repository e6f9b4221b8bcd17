"""CTL131: some of several pieces that differ are moved, without a decision which."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.foundation.memo import tracked_query
from rulewright.lint.analyses.declaration_nodes import nodes_of
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Finding, lint_declarations
from rulewright.syntax import ast

_HINT = "let a player choose them, `draw` them at random, or say by `{x in S where …}` which are meant"


@lint_declarations("CTL131", ast.Move)
def some_of_unlike(decl: ast.Decl, index: RuleIndex) -> Iterator[Finding]:
    """Moves of some pieces of a whole zone in which others than these may lie."""
    for move in nodes_of(decl, ast.Move):
        if move.amount is None or not isinstance(move.what, ast.Name | ast.Index | ast.TypeName):
            continue
        named = move.what.operand if isinstance(move.what, ast.Index) else move.what
        if isinstance(named, ast.Name) and index.zone_order(named.name) in (None, "stack", "row"):
            continue
        kinds = index.type_of(move.what).kinds
        if kinds and _differ(index, kinds) and not (isinstance(named, ast.Name) and _sorted(index, named.name)):
            message = f"the pieces of {' and '.join(kinds)} differ, and nobody decides which of them are moved"
            yield Finding(message, move.what.span, _HINT)


@tracked_query
def _sorted(index: RuleIndex, zone: str) -> bool:
    """True if pieces begin sorted by the keys of a zone, alike under each of them: each colour in its stock."""
    program = index.game.program
    there = {(at, program.alike[piece]) for piece, at in enumerate(program.begins) if at[0] == zone and at[1]}
    return bool(there) and len(there) == len({at for at, _ in there})


@tracked_query
def _differ(index: RuleIndex, kinds: tuple[str, ...]) -> bool:
    """True if some pieces of these kinds are not alike."""
    program = index.game.program
    members = 0
    for kind in program.kinds:
        if kind.name in kinds:
            members |= kind.members
    return len({alike for piece, alike in enumerate(program.alike) if members >> piece & 1}) > 1
