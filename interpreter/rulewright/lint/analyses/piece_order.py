"""The order of pieces in zones: where they begin, and what could change it."""

from __future__ import annotations

from rulewright.foundation.memo import memoized_by_node, tracked_query
from rulewright.lint.analyses.declaration_nodes import nodes_of, statements_that
from rulewright.lint.analyses.mentions import roots
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.subject import Configuration
from rulewright.syntax import ast


@tracked_query
def is_drawn(index: RuleIndex, zone: str) -> bool:
    """True if something is drawn from a zone."""
    return zone in index.game.ask(_drawn)


@tracked_query
def is_mixed(index: RuleIndex, zone: str) -> bool:
    """True if a zone is shuffled, or if pieces come into it after the beginning: these may come in any order."""
    return zone in index.game.ask(_mixed)


@tracked_query
def unlike_pieces_begin(index: RuleIndex, zone: str) -> bool:
    """True if pieces with different names begin in a zone."""
    return zone in index.game.ask(_begun)


def _drawn(game: Configuration) -> frozenset[str]:
    return frozenset().union(*map(_drawn_in, game.rules.decls.values()))


def _mixed(game: Configuration) -> frozenset[str]:
    return frozenset().union(*map(_mixed_in, game.rules.decls.values()))


def _begun(game: Configuration) -> frozenset[str]:
    pieces = [decl for decl in game.rules.decls.values() if isinstance(decl, ast.Piece)]
    return frozenset().union(*(roots(one.begins) for one in pieces if "{" in (one.named or "")))


@memoized_by_node
def _drawn_in(decl: ast.Clause) -> frozenset[str]:
    return frozenset().union(*(roots(node.source) for node in nodes_of(decl, ast.Draw)))


@memoized_by_node
def _mixed_in(decl: ast.Clause) -> frozenset[str]:
    shuffled = [node.what for node in nodes_of(decl, ast.Shuffle)]
    filled = [into for node in nodes_of(decl, *statements_that("fills")) for into in node.held(node.fills)]
    return frozenset().union(*map(roots, (*shuffled, *filled)))


__all__ = ["is_drawn", "is_mixed", "unlike_pieces_begin"]
