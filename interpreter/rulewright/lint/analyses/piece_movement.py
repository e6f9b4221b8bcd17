"""The zones where pieces begin, and the pieces that rules move."""

from __future__ import annotations

from collections.abc import Iterator

from rulewright.lint.analyses.control_flow import rooted
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.syntax import ast


def filled(index: RuleIndex) -> frozenset[str]:
    """Zones in which pieces begin, or into which some rule moves them; the box among them."""
    found = {"box"}
    for node in index.all_nodes():
        found.update(map(rooted, node.held(node.fills)))
        if isinstance(node, ast.Piece) and node.begins is not None:
            found.add(rooted(node.begins))
    return frozenset(found)


def unmoved_kinds(index: RuleIndex) -> Iterator[tuple[ast.Piece, ast.Expr | None]]:
    """Kinds of pieces that no rule moves, and where they begin; none: in the box."""
    moved = _moved(index)
    decls = {d.name: d for d in index.game.rules.all(ast.Piece)}
    for decl in decls.values():
        if decl.table is None or any(not kinds or index.world.overlap((decl.name,), kinds) for kinds in moved):
            continue
        zone = _begins(decl, decls)
        yield decl, None if zone == ast.Name("box") else zone


def _moved(index: RuleIndex) -> list[tuple[str, ...]]:
    """The kinds of all that is moved; none: any."""
    types = [index.type_of(what) for node in index.all_nodes() for what in node.held(node.takes)]
    return [type.kinds for type in types if type.kind == "any" or type.universe == "Piece"]


def _begins(decl: ast.Piece, decls: dict[str, ast.Piece]) -> ast.Expr | None:
    """The zone where pieces of a kind begin, as said of it or of what it is."""
    at: ast.Piece | None = decl
    while at is not None:
        if at.begins is not None:
            return at.begins
        at = decls.get(at.base) if at.base is not None else None
    return None
