"""The zones where pieces begin, and the pieces that rules move."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property

from rulewright.lint.analyses.declaration_nodes import statements_that
from rulewright.lint.analyses.mentions import rooted
from rulewright.lint.analyses.rule_index import RuleIndex
from rulewright.lint.context import Configuration
from rulewright.syntax import ast


class PieceMovement:
    """The pieces of one game."""

    def __init__(self, game: Configuration) -> None:
        self.index = game.ask(RuleIndex)
        self._decls = {d.name: d for d in game.rules.all(ast.Piece)}

    @cached_property
    def filled(self) -> frozenset[str]:
        """Zones in which pieces begin, or into which some rule moves them; the box among them."""
        found = {"box"}
        found |= {rooted(decl.begins) for decl in self._decls.values() if decl.begins is not None}
        for node in self.index.nodes(*statements_that("fills")):
            found.update(map(rooted, node.held(node.fills)))
        return frozenset(found)

    def unmoved(self, pieces: Iterable[ast.Piece]) -> Iterator[tuple[ast.Piece, ast.Expr | None]]:
        """Those of some kinds of pieces that no rule moves, and where they begin; none: in the box."""
        for decl in pieces:
            if decl.table is not None and not any(self._can_be(decl, kinds) for kinds in self._moved):
                zone = self._begins(decl)
                yield decl, None if zone == ast.Name("box") else zone

    def _can_be(self, decl: ast.Piece, kinds: tuple[str, ...]) -> bool:
        """True if a piece of these kinds can be one of that declaration; none: any."""
        return not kinds or self.index.world.overlap((decl.name,), kinds)

    @cached_property
    def _moved(self) -> tuple[tuple[str, ...], ...]:
        """The kinds that each statement can move which moves pieces; none: any."""
        moving = self.index.nodes(*statements_that("takes"))
        types = [self.index.type_of(what) for node in moving for what in node.held(node.takes)]
        return tuple(dict.fromkeys(type.kinds for type in types if type.kind == "any" or type.universe == "Piece"))

    def _begins(self, decl: ast.Piece) -> ast.Expr | None:
        """The places where pieces of a kind begin, as said of it or of what it is."""
        at: ast.Piece | None = decl
        while at is not None:
            if at.begins is not None:
                return at.begins
            at = self._decls.get(at.base) if at.base is not None else None
        return None
