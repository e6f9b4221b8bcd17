"""Pieces in zones: which ever come there or leave, and whether their order is mixed."""

from __future__ import annotations

from rulewright.findings.text.analyses.declaration_nodes import nodes_of, statements_that
from rulewright.findings.text.analyses.mentions import roots
from rulewright.findings.text.analyses.rule_index import RuleIndex
from rulewright.findings.text.subject import Configuration
from rulewright.foundation.memo import memoized_by_node, traced_by_node, tracked_query
from rulewright.syntax import ast

_BOX = ast.Name("box")


@tracked_query
def is_filled(index: RuleIndex, zone: str) -> bool:
    """True if pieces begin in a zone, or some rule moves them into it; so they do in the box."""
    return zone == "box" or zone in index.game.ask(_filled)


def _filled(game: Configuration) -> frozenset[str]:
    return frozenset().union(*map(_filled_in, game.rules.decls.values()))


@memoized_by_node
def _filled_in(decl: ast.Clause) -> frozenset[str]:
    """The zones in which a declaration lets pieces begin, or into which it moves them."""
    begun = roots(decl.begins) if isinstance(decl, ast.Piece) else frozenset[str]()
    filling = nodes_of(decl, *statements_that("fills"))
    return begun.union(*(roots(into) for node in filling for into in node.held(node.fills)))


def stays_in(piece: ast.Piece, index: RuleIndex) -> ast.Expr | None:
    """The place where the pieces of a kind begin and stay for ever, as no rule moves any; None if some rule does."""
    if piece.table is None or _is_moved(index, piece.name):
        return None
    at: ast.Decl | None = piece
    while isinstance(at, ast.Piece):
        if at.begins is not None:
            return at.begins
        at = index.decl_named(at.base) if at.base is not None else None
    return _BOX


@tracked_query
def _is_moved(index: RuleIndex, kind: str) -> bool:
    """True if some rule may move a piece of a kind."""
    return any(not kinds or index.world.overlap((kind,), kinds) for kinds in index.game.ask(_moved))


def _moved(game: Configuration) -> frozenset[tuple[str, ...]]:
    """The kinds that each statement can move which moves pieces; none: any."""
    index = game.ask(RuleIndex)
    return frozenset().union(*(_moved_in(decl, index) for decl in index.decls))


@traced_by_node
def _moved_in(decl: ast.Clause, index: RuleIndex) -> frozenset[tuple[str, ...]]:
    moving = nodes_of(decl, *statements_that("takes"))
    types = [index.type_of(what) for node in moving for what in node.held(node.takes)]
    return frozenset(type.kinds for type in types if type.kind == "any" or type.universe == "Piece")


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
